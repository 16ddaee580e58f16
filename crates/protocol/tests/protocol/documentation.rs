//! The documentation against the types: tables of codes, ops and fields, and every example.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use convoy_protocol::{Description, ErrorCode, Request, answer_line, cotulenh, tractor};
use serde_json::Value;

const COTULENH: &str = include_str!("../../../../docs/protocol.md");
const TRACTOR: &str = include_str!("../../../../docs/protocol-tractor.md");

/// The rows of the table with this header, cell by cell.
fn table<'a>(text: &'a str, header: &str) -> Vec<Vec<&'a str>> {
    let mut lines = text.lines().skip_while(|line| *line != header);
    assert!(lines.next().is_some(), "no table {header:?}");
    lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The words between backticks.
fn names(cell: &str) -> BTreeSet<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" ")
}

fn check_ops(text: &str, ops: &[Description]) {
    let rows = table(text, "| op | fields | answer |");
    let mut wanted = String::new();
    for op in ops {
        let (fields, answer) = (list((op.fields)()), list((op.answer)()));
        writeln!(wanted, "| `{}` | {fields} | {answer} |", op.name).unwrap();
    }
    let same = rows.len() == ops.len()
        && rows.iter().zip(ops).all(|(row, op)| {
            let set = |names: &'static [&'static str]| names.iter().copied().collect();
            names(row[0]) == BTreeSet::from([op.name])
                && names(row[1]) == set((op.fields)())
                && names(row[2]) == set((op.answer)())
        });
    assert!(same, "the table of ops should be\n{wanted}");
}

#[test]
fn the_tables_list_every_op_with_its_fields() {
    check_ops(COTULENH, cotulenh::Request::OPS);
    check_ops(TRACTOR, tractor::Request::OPS);
}

#[test]
fn the_table_lists_every_code_with_its_meaning() {
    let rows = table(COTULENH, "| code | means |");
    let mut wanted = String::new();
    for code in ErrorCode::ALL {
        writeln!(wanted, "| `{code}` | {} |", code.meaning()).unwrap();
    }
    let same = rows.len() == ErrorCode::ALL.len()
        && rows.iter().zip(ErrorCode::ALL).all(|(row, code)| {
            names(row[0]) == BTreeSet::from([code.word()]) && row[1] == code.meaning()
        });
    assert!(same, "the table of codes should be\n{wanted}");
}

/// One example: a request, its answer, and whether elements of lists are left out of it.
struct Example {
    request: String,
    answer: Value,
    partial: bool,
}

/// A block of JSON that asks is followed by one that answers; the latter is marked `json part` where it is shortened.
fn examples(text: &str) -> Vec<Example> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("```json") {
        let (mark, after) = after.split_once('\n').unwrap();
        let (block, after) = after.split_once("```").unwrap();
        let value: Value = serde_json::from_str(block).unwrap_or_else(|e| panic!("{e}: {block}"));
        blocks.push((mark.trim() == "part", value));
        rest = after;
    }
    let mut found = Vec::new();
    let mut blocks = blocks.into_iter().peekable();
    while let Some((_, value)) = blocks.next() {
        if value.get("op").is_none() {
            continue;
        }
        let (partial, answer) = blocks.next().expect("a request has its answer after it");
        found.push(Example {
            request: value.to_string(),
            answer,
            partial,
        });
    }
    found
}

fn ask(line: &str) -> Value {
    let mut out = Vec::new();
    answer_line(line.as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

/// Whether a shortened answer fits: lists may leave elements out, in order.
fn fits(short: &Value, whole: &Value) -> bool {
    match (short, whole) {
        (Value::Array(short), Value::Array(whole)) => {
            let mut whole = whole.iter();
            short.iter().all(|a| whole.any(|b| fits(a, b)))
        }
        (Value::Object(short), Value::Object(whole)) => {
            short.len() == whole.len()
                && short
                    .iter()
                    .all(|(name, a)| whole.get(name).is_some_and(|b| fits(a, b)))
        }
        _ => short == whole,
    }
}

fn all_examples() -> Vec<Example> {
    let mut all = examples(COTULENH);
    all.extend(examples(TRACTOR));
    all
}

#[test]
fn every_example_is_answered_as_it_says() {
    for example in all_examples() {
        let got = ask(&example.request);
        if example.partial {
            let shorter = got != example.answer && fits(&example.answer, &got);
            assert!(shorter, "{}\n{got}", example.request);
        } else {
            assert_eq!(got, example.answer, "{}\n{got}", example.request);
        }
    }
}

#[test]
fn every_op_has_an_example() {
    let shown: BTreeSet<(String, String)> = all_examples()
        .iter()
        .map(|example| {
            let request: Value = serde_json::from_str(&example.request).unwrap();
            let text = |field: &str| request[field].as_str().unwrap().to_owned();
            (text("game"), text("op"))
        })
        .collect();
    for op in cotulenh::Request::OPS.iter().chain(tractor::Request::OPS) {
        let name = (op.game.to_owned(), op.name.to_owned());
        assert!(shown.contains(&name), "{name:?}");
    }
}

/// What is written reads back, requests and answers alike, and answering by types is answering by lines.
#[test]
fn requests_and_answers_survive_writing_and_reading() {
    for example in all_examples() {
        let Ok(request) = serde_json::from_str::<Request>(&example.request) else {
            // One example shows what becomes of a misspelt field.
            assert_eq!(example.answer["error"]["code"], "unknown-field");
            continue;
        };
        let line = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<Request>(&line).unwrap(), request);
        let mut written: Value = ask(&line);
        match request.answer() {
            Ok(answer) => {
                let text = serde_json::to_string(&answer).unwrap();
                assert_eq!(request.read_answer(&text).unwrap(), answer, "{line}");
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), written);
                let mut streamed = Vec::new();
                request.write_answer(&mut streamed).unwrap();
                assert_eq!(String::from_utf8(streamed).unwrap(), text, "{line}");
            }
            Err(error) => {
                let told = written["error"].take();
                assert_eq!(serde_json::to_value(&error).unwrap(), told);
                assert_eq!(
                    serde_json::from_value::<convoy_protocol::Error>(told).unwrap(),
                    error
                );
            }
        }
    }
}
