//! Cờ Tư Lệnh on the command line, from outside: `query`, `perft`, `play`, `random-games`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const FTI: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

fn convoy(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || {
        // Whoever leaves early closes the pipe.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn ask(requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests
        .iter()
        .map(|request| {
            let mut request = request.clone();
            request["game"] = json!("cotulenh");
            request.to_string()
        })
        .collect();
    let lines = lines.join("\n") + "\n";
    let output = convoy(&["query"], &lines);
    assert!(output.status.success());
    let answers = text(&output);
    answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn one(request: Value) -> Value {
    ask(&[request]).remove(0)
}

fn code(request: Value) -> String {
    one(request)["error"]["code"]
        .as_str()
        .unwrap_or("none")
        .to_owned()
}

#[test]
fn moves_of_a_position() {
    let answer = one(json!({"id": 7, "op": "moves"}));
    assert_eq!(answer["id"], 7);
    assert_eq!(
        (&answer["turn"], &answer["check"], &answer["danger"]),
        (&json!("r"), &json!(false), &json!(false))
    );
    assert_eq!(answer["outcome"], Value::Null);
    assert_eq!(answer.get("canCommit"), None);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 116);
    assert_eq!(
        moves[0],
        json!({
            "lan": "Ic5c6", "san": "Ic6", "from": "c5", "to": "c6", "type": "i", "flags": "n",
            "after": "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/2I8/3E2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 1 1"
        })
    );
}

#[test]
fn moves_inside_a_deploy_end_with_commit() {
    let answer = one(json!({"op": "moves", "fen": FTI, "steps": ["Te4>e6"]}));
    assert_eq!(answer["fen"], format!("{FTI} e4:(FI):T>e6..."));
    assert_eq!(answer["canCommit"], true);
    let moves = answer["moves"].as_array().unwrap();
    let commit = json!({
        "lan": ".", "san": ".", "flags": "",
        "after": "6c4/9ii/11/11/11/11/4T6/11/4(FI)6/11/9II/5C5 b - - 1 1"
    });
    assert_eq!(moves.last(), Some(&commit));
    let join = moves.iter().find(|mv| mv["lan"] == "Ie4>&e6").unwrap();
    assert_eq!(join["combined"], "(TI)");
    assert_eq!(
        (&join["recombine"], &join["deploy"], &join["open"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert_eq!(join["flags"], "db");
    // The extended FEN asks the same question.
    let same = one(json!({"op": "moves", "fen": answer["fen"]}));
    assert_eq!(same, answer);
    // Steps that end the turn: the answer is for the other side.
    let next = one(json!({"op": "moves", "fen": FTI, "steps": ["Te4>e6", "."]}));
    assert_eq!((&next["turn"], next.get("canCommit")), (&json!("b"), None));
}

#[test]
fn turns_of_a_stack() {
    let answer = one(json!({"op": "turns", "fen": FTI, "square": "e4"}));
    let turns = answer["turns"].as_array().unwrap();
    assert!(
        turns
            .iter()
            .any(|turn| turn["san"] == "(FI)<T>e6" && turn["lan"] == "e4:(FI):T>e6")
    );
    assert!(
        turns
            .iter()
            .all(|turn| turn["after"].as_str().unwrap().contains(" b - - "))
    );
    assert_eq!(code(json!({"op": "turns", "square": "z9"})), "bad-square");
}

#[test]
fn play_takes_steps_and_turns() {
    let answer = one(json!({"op": "play", "fen": FTI, "moves": ["(FI)<T>e6", "Ch12", "F>e8"]}));
    assert_eq!(answer["sans"], json!(["(FI)<T>e6", "Ch12"]));
    assert_eq!(answer["fens"].as_array().unwrap().len(), 2);
    assert!(answer["fen"].as_str().unwrap().ends_with(" e4:I:F>e8..."));
    assert_eq!(answer["outcome"], Value::Null);
    let start = one(json!({"op": "play", "moves": []}));
    assert_eq!(start["fens"], json!([]));
    let bad = one(json!({"op": "play", "moves": ["Ic6", "Ic6"]}));
    assert_eq!(bad["error"]["at"], json!({"index": 1, "move": "Ic6"}));
    assert_eq!(bad["error"]["code"], "illegal-move");
    let over = json!({"op": "play", "fen": "6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 99 60", "moves": ["Te5", "Ch12"]});
    assert_eq!(code(over), "game-over");
    let mate = one(
        json!({"op": "play", "fen": "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1", "moves": []}),
    );
    assert_eq!(
        mate["outcome"],
        json!({"winner": "b", "reason": "checkmate"})
    );
}

#[test]
fn deploy_plays_a_batch_or_says_which_fault() {
    let batch = |moves: Value, stay: &str| json!({"op": "deploy", "fen": FTI, "from": "e4", "moves": moves, "stay": stay});
    let to = |piece: &str, to: &str| json!({"piece": piece, "to": to});
    let answer = one(batch(json!([to("T", "e6"), to("I", "e5")]), "F"));
    assert_eq!(answer["sans"], json!(["F<T>e6,I>e5"]));
    for (request, expected) in [
        (
            batch(json!([to("T", "e6"), to("T", "e5")]), "FI"),
            "piece-twice",
        ),
        (batch(json!([to("N", "e6")]), "FTI"), "piece-missing"),
        (batch(json!([to("T", "e6")]), "F"), "piece-forgotten"),
        (batch(json!([to("T", "e9")]), "(FI)"), "step-not-legal"),
        (batch(json!([]), "FTI"), "nobody-moves"),
        (batch(json!([to("Q", "e6")]), "FI"), "bad-piece"),
    ] {
        assert_eq!(code(request.clone()), expected, "{request}");
    }
    let sea = json!({"op": "deploy", "fen": "6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1",
        "from": "b3", "moves": [to("N", "b5")], "stay": "F"});
    assert_eq!(code(sea), "wrong-terrain");
    let line = json!({"op": "deploy", "fen": "4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1",
        "from": "e6", "moves": [to("T", "g6"), to("I", "f6")]});
    assert_eq!(code(line), "commander-in-danger");
}

#[test]
fn perft_counts_steps_and_turns() {
    assert_eq!(
        one(json!({"op": "perft", "depth": 2})),
        json!({"nodes": 13460})
    );
    assert_eq!(
        one(json!({"op": "perft", "depth": 1, "fen": FTI, "steps": ["T>e6", "I>d4"]}))["nodes"],
        25
    );
    let turns = one(json!({"op": "perft", "depth": 1, "fen": FTI, "unit": "turn"}));
    assert!(turns["nodes"].as_u64().unwrap() > 1000);
    assert_eq!(
        code(json!({"op": "perft", "depth": 1, "unit": "year"})),
        "malformed"
    );
}

#[test]
fn combine_and_splits() {
    let answer = one(json!({"op": "combine", "pieces": "T+FN"}));
    assert_eq!(
        answer,
        json!({"stack": "(N+FT)", "state": "0x4000800200", "mask": 704})
    );
    let refused = one(json!({"op": "combine", "pieces": "NTIi"}));
    assert_eq!(refused["error"]["code"], "cannot-combine");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("red and blue") && message.contains("I is there 2 times"),
        "{message}"
    );
    assert_eq!(code(json!({"op": "combine", "pieces": "NX"})), "bad-piece");
    assert_eq!(code(json!({"op": "combine", "pieces": ""})), "bad-piece");
    let splits = one(json!({"op": "splits", "stack": "(NFT)"}));
    assert_eq!(
        splits["splits"],
        json!([
            ["(NFT)"],
            ["(NF)", "T"],
            ["(NT)", "F"],
            ["N", "(FT)"],
            ["N", "F", "T"]
        ])
    );
    assert_eq!(
        code(json!({"op": "splits", "stack": "(TA)"})),
        "cannot-combine"
    );
}

#[test]
fn attackers_and_cover() {
    let fen = "9(fc)1/9m1/9+h1/(nfm)4+G3(tm)1/5M3C1/10(TM)/3H4h2/8i2/10m/11/5E2I2/11 r - - 11 46";
    let attackers = one(json!({"op": "attackers", "fen": fen, "square": "j8", "color": "b"}));
    assert_eq!(attackers["attackers"], json!(["j12:f", "j9:m", "j9:t"]));
    let cover = one(json!({"op": "cover", "fen": fen}));
    assert_eq!(cover["cover"]["b"]["a9"], json!(["a9"]));
    assert_eq!(cover["cover"]["r"].as_object().unwrap().len(), 13);
}

#[test]
fn bad_requests_are_answered_and_the_next_is_served() {
    for (request, expected) in [
        (json!({"op": "moves", "fen": 42}), "malformed"),
        (json!({"op": "moves", "fen": {}}), "malformed"),
        (json!({"op": "moves", "fen": "x"}), "bad-fen"),
        (json!({"op": "moves", "steps": ["Zz"]}), "bad-notation"),
        (json!({"op": "moves", "steps": ["Nb4"]}), "ambiguous-move"),
        (json!({"op": "play", "moves": [null]}), "malformed"),
        (json!({"op": "play", "moves": [42]}), "malformed"),
        (json!({"op": "play"}), "malformed"),
        (json!({"op": "sing"}), "unknown-op"),
        (
            json!({"op": "attackers", "square": "e4", "color": "g"}),
            "bad-color",
        ),
    ] {
        assert_eq!(code(request.clone()), expected, "{request}");
    }
    // Null is no position given: the start.
    assert_eq!(
        one(json!({"op": "moves", "fen": null}))["moves"]
            .as_array()
            .unwrap()
            .len(),
        116
    );
    let output = convoy(
        &["query"],
        "{\n{\"game\":\"cotulenh\",\"op\":\"perft\",\"depth\":1}\n",
    );
    let answers = text(&output);
    assert_eq!(answers.lines().last(), Some("{\"nodes\":116}"));
}

#[test]
fn perft_prints_counts() {
    let output = convoy(&["perft", "2"], "");
    assert!(text(&output).starts_with("13460 nodes in "));
    let divided = text(&convoy(&["perft", "1", "--divide", "--fen", FTI], ""));
    assert!(
        divided.lines().any(|line| line == "(FTI)e4e5: 1"),
        "{divided}"
    );
    let turns = text(&convoy(&["perft", "1", "--turns"], ""));
    assert!(turns.starts_with("116 nodes"), "{turns}");
    let bad = convoy(&["perft", "1", "--fen", "x"], "");
    assert!(!bad.status.success());
    let error = String::from_utf8(bad.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    // So deep a recursion would end the program.
    let deep = convoy(&["perft", "60000"], "");
    assert_eq!(deep.status.code(), Some(2));
}

#[test]
fn play_takes_moves_from_a_pipe_where_told_to() {
    let lines = "help\nmoves c5\nIc9\nIc6\nundo\nfen\npgn\nflip\nquit\n";
    let output = convoy(
        &["play", "cotulenh", "--stdin", "--seed", "3", "--ascii"],
        lines,
    );
    assert!(output.status.success());
    let text = text(&output);
    assert!(text.contains("Ic6 I&c4"), "{text}");
    assert!(
        text.contains("\"Ic9\": no I has a legal move to c9: they stand on c5, k5"),
        "{text}"
    );
    assert!(text.contains("The opponent plays "));
    assert!(text.contains("The game is left unfinished."));
    assert!(text.is_ascii() || text.contains("Cờ"));
    let blue = convoy(
        &[
            "play", "cotulenh", "--stdin", "--side", "blue", "--seed", "3",
        ],
        "quit\n",
    );
    assert!(self::text(&blue).contains("The opponent plays "));
}

#[test]
fn play_gives_hints_and_knows_the_optional_victories() {
    // The ship on c5 takes the other side's last one.
    let fen = "6c4/11/11/11/11/2n8/11/2N8/11/11/11/5C5 r - - 0 1";
    let play = |args: &[&str], input| {
        let common = [
            "play", "cotulenh", "--stdin", "--ascii", "--seed", "3", "--fen", fen,
        ];
        text(&convoy(&[&common, args].concat(), input))
    };
    let marine = play(&["--victory", "marine"], "hint\nNxc7\n");
    assert!(marine.contains("Nxc7 (wins in 1)"), "{marine}");
    assert!(marine.contains("The game is over: "), "{marine}");
    let plain = play(&[], "hint\nNxc7\nquit\n");
    assert!(plain.contains("infantries for you)"), "{plain}");
    assert!(plain.contains("The game is left unfinished."), "{plain}");
}

#[test]
fn play_never_waits_without_a_terminal() {
    let output = convoy(&["play", "cotulenh"], "");
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("convoy: play needs a terminal"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn play_to_the_end() {
    let fen = "11/10i/11/11/11/11/4c6/4C6/11/11/10I/11 r - - 0 1";
    let output = convoy(
        &["play", "--stdin", "--side", "both", "--fen", fen],
        "Cxe6\n",
    );
    assert!(text(&output).contains("The game is over: red wins, the commander is captured."));
}

#[test]
fn random_games_check_themselves() {
    let output = convoy(&["random-games", "3", "--seed", "5", "--longest", "60"], "");
    assert!(output.status.success());
    assert!(text(&output).contains("no fault"), "{}", text(&output));
    assert!(output.stderr.is_empty(), "no progress in a pipe");
}

/// The page on the engine protocol has every option, numbers with what they are if nobody sets them, and no other.
#[test]
fn the_options_of_the_engine_are_those_of_its_page() {
    let output = convoy(&["uci"], "uci\nquit\n");
    assert!(output.status.success());
    let said = text(&output);
    let options = said.lines().filter_map(|line| {
        let option = line.strip_prefix("option name ")?;
        option.split_once(" type ")
    });
    let options: BTreeMap<&str, &str> = options.collect();
    let page = include_str!("../../../../docs/uci.md");
    let (_, table) = page.split_once("| name | type | meaning |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|row| row.starts_with('|'));
    let mut told = BTreeSet::new();
    for row in rows {
        let names = row.split('|').nth(1).unwrap().split('`');
        for name in names.skip(1).step_by(2) {
            told.insert(name);
            let option = options.get(name);
            let option = option.unwrap_or_else(|| panic!("there is no option {name}"));
            if let Some(rest) = option.strip_prefix("spin default ") {
                let default = rest.split(' ').next().unwrap();
                assert!(row.contains(&format!("default {default} |")), "{row}");
            }
        }
    }
    let known: BTreeSet<&str> = options.into_keys().collect();
    assert_eq!(told, known);
}
