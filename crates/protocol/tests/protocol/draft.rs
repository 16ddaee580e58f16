//! What a board asks that knows no rules.

use convoy_protocol::answer_line;
use serde_json::{Value, json};

const STACK: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

fn board(op: &str, mut request: Value) -> Value {
    request["game"] = "cotulenh".into();
    request["op"] = op.into();
    let mut out = Vec::new();
    answer_line(request.to_string().as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

fn ask(request: Value) -> Value {
    board("draft", request)
}

fn code(request: Value) -> String {
    ask(request)["error"]["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_draft_is_told_what_may_follow() {
    let answer = ask(json!({ "fen": STACK, "steps": ["F>e8", "T>e6"] }));
    assert_eq!(answer["deploy"], json!({ "origin": "e4", "left": "I" }));
    assert_eq!(answer["canCommit"], true);
    assert_eq!(
        answer["board"],
        "6c4/9ii/11/11/4F6/11/4T6/11/4I6/11/9II/5C5"
    );
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().all(|entry| entry["from"] == "e4"));
    let last = moves.iter().find(|entry| entry["to"] == "d4").unwrap();
    assert_eq!((&last["open"], &last["type"]), (&json!(false), &json!("i")));
}

#[test]
fn rule_6_3_a_stranded_rest_is_the_reason() {
    let fen = "6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1";
    let answer = ask(json!({ "fen": fen, "steps": ["N>b5"] }));
    assert_eq!(answer["canCommit"], false);
    assert_eq!(answer["cannotCommit"], "terrain");
}

#[test]
fn rule_6_4_parts_go_together() {
    let answer = ask(json!({ "fen": STACK, "at": "e4", "parts": "TI" }));
    let groups = answer["groups"].as_array().unwrap();
    let e6 = groups.iter().find(|group| group["to"] == "e6").unwrap();
    assert_eq!(e6["board"], "6c4/9ii/11/11/11/11/4(TI)6/11/4F6/11/9II/5C5");
    let steps = ask(json!({ "fen": STACK, "steps": e6["lans"] }));
    assert_eq!(steps["board"], e6["board"]);
    assert_eq!(steps["deploy"]["left"], "F");
}

#[test]
fn rule_3_8_the_last_blocker_is_told_why_it_must_stay() {
    let fen = "4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1";
    let answer = ask(json!({ "fen": fen, "at": "e6" }));
    let exposed = answer["exposed"].as_array().unwrap();
    let sidestep = |entry: &&Value| entry["to"] == "f6" && entry["deploy"] == false;
    let sidestep = exposed.iter().find(sidestep).unwrap();
    assert_eq!(sidestep["reason"], "exposed");
    assert!(exposed.iter().all(|entry| entry["to"] != "e7"));
}

#[test]
fn a_turn_comes_apart_into_steps() {
    let line = json!({ "fen": STACK, "moves": ["F>e8,T>e6,I>d4", "Ch12"] });
    let answer = board("steps", line);
    let turns = answer["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0]["steps"].as_array().unwrap().len(), 3);
    let after = turns[0]["fen"].as_str().unwrap();
    assert!(after.starts_with(turns[0]["steps"][2]["board"].as_str().unwrap()));
}

#[test]
fn bad_questions_are_refused() {
    assert_eq!(code(json!({ "fen": "nonsense" })), "bad-fen");
    assert_eq!(code(json!({ "steps": ["Ic9"] })), "illegal-move");
    assert_eq!(code(json!({ "steps": ["Ic6", "Ic7"] })), "illegal-move");
    assert_eq!(code(json!({ "steps": vec!["Ic6"; 17] })), "too-much");
    assert_eq!(code(json!({ "at": "z9" })), "bad-square");
    assert_eq!(code(json!({ "at": "c5", "parts": "xyz" })), "bad-piece");
}
