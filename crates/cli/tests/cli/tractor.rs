//! Tractor through the binary: `query` and `play`.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Asks `convoy query` and reads its answers.
fn ask(requests: &[Value]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("query")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = String::new();
    for request in requests {
        writeln!(lines, "{request}").unwrap();
    }
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let answers = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    writer.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success());
    answers
}

fn one(request: Value) -> Value {
    ask(&[request]).remove(0)
}

fn trump(rank: &str, suit: &str) -> Value {
    json!({"rank": rank, "suit": suit})
}

/// Requests about cards and tricks, and their answers.
fn about_cards() -> Vec<(Value, Value)> {
    let two_hearts = trump("2", "H");
    vec![
        (
            json!({"op": "combo", "trump": two_hearts, "cards": ["AS", "AS", "KS", "KS", "JS"]}),
            json!({"type": "Invalid", "leadMulti": true, "structure": {
                "len": 5, "pairs": 2, "tractors": 1, "tractorSizes": [2], "tractorPairs": 2, "trump": false,
                "combos": [["T", ["KS", "KS", "AS", "AS"]], ["S", ["JS"]]]}}),
        ),
        (
            json!({"op": "identify", "trump": two_hearts, "hand": ["9S0", "9S1", "TS1", "TS0"]}),
            json!({"combos": [
                ["P", ["9S0", "9S1"], 9, 0], ["P", ["TS0", "TS1"], 10, 0],
                ["S", ["9S0"], 9, 1], ["S", ["9S1"], 9, 1], ["S", ["TS0"], 10, 1], ["S", ["TS1"], 10, 1],
                ["T", ["9S0", "9S1", "TS0", "TS1"], 10, 0]]}),
        ),
        (
            json!({"op": "lead", "trump": two_hearts, "seat": 2, "starterSeat": 0, "hand": ["AS", "KS", "QS", "3D"],
                   "played": ["AS", "KS"], "voids": ["", "S", "", "S"], "kitty": null, "cards": ["AS", "KS", "QS"]}),
            json!({"type": "Multi", "valid": true, "reason": null, "multi": {
                "voidSeats": [3, 1], "beatable": [], "beatenBy": [],
                "components": [["S", ["AS"]], ["S", ["KS"]], ["S", ["QS"]]]}}),
        ),
        (
            json!({"op": "follow", "trump": two_hearts, "lead": ["KS0"], "hand": ["2S0", "QS1", "3D0"],
                   "tries": [["QS1"], ["2S0"], ["QS1", "3D0"], ["QS0"], ["QS1", "QS1"]]}),
            json!({"verdicts": [
                [1, null], [0, "you still hold spades: play them first (QS)"],
                [0, "play 1 card, as many as were led, not 2"], [0, "you do not hold QS0"],
                [0, "the card QS1 is named twice"]]}),
        ),
        (
            json!({"op": "trick", "trump": two_hearts, "plays": [[3, ["KS"]], [0, ["TS"]], [1, ["3H"]], [2, ["AS"]]]}),
            json!({"winAfter": [3, 3, 1, 1], "winner": 1, "points": 20}),
        ),
        (
            json!({"op": "throw", "rules": "shengji", "trump": two_hearts, "hand": ["9S", "9S", "KS"], "cards": ["KS", "9S", "9S"],
                   "others": [["TS", "TS"], ["AS"], ["4C"]]}),
            json!({"ok": false, "played": ["9S", "9S"], "betterSeatOffset": 1, "units": [["9S", "9S"], ["KS"]]}),
        ),
    ]
}

/// Requests about rounds and what is known of them, and their answers.
fn about_rounds() -> Vec<(Value, Value)> {
    let two_hearts = trump("2", "H");
    vec![
        (
            json!({"op": "score", "in": {"defending": "A", "ranks": {"A": "7", "B": "K"}, "attackerTrickPoints": 110,
                   "kittyBonus": {"kittyPoints": 25, "multiplier": 2, "bonusPoints": 50}, "starter": 2, "roundNumber": 4}}),
            json!({"out": {"attackingTeamWon": true, "winningTeam": "B", "finalPoints": 160, "rankAdvancement": 2,
                   "rankChanges": {"B": "A"}, "gameOver": false, "gameWinner": null,
                   "next": {"starter": 3, "defending": "B", "trumpRank": "A", "ranks": {"A": "7", "B": "A"}}}}),
        ),
        (
            json!({"op": "kitty", "trump": trump("2", "C"), "finalLead": ["AS", "AS", "QS", "QS"],
                   "kitty": ["KH", "KH", "5D", "3D", "4D", "6D", "7D", "8D"], "winnerSeat": 1, "defending": "A"}),
            json!({"multiplier": 8, "bonus": {"kittyPoints": 25, "multiplier": 8, "bonusPoints": 200}}),
        ),
        (
            json!({"op": "cmp", "trump": trump("2", "S"), "cmps": [["2H", "2C"], ["3S", "AH"], ["3D", "AH"]]}),
            json!({"cmps": [["2H", "2C", 0], ["3S", "AH", 1], ["3D", "AH", "x"]]}),
        ),
        (
            json!({"op": "decl", "rank": "2", "seat": 1, "isHuman": true, "hand": ["2S0", "2S1", "9H0", "bj0", "bj1"],
                   "current": {"seat": 0, "type": "single", "suit": "H", "cards": ["2H0"]}}),
            json!({"options": [{"type": "pair", "suit": "S", "cards": ["2S0", "2S1"]},
                               {"type": "bigJokerPair", "suit": "N", "cards": ["bj0", "bj1"]}]}),
        ),
        (
            json!({"op": "memory", "trump": two_hearts, "tricks": [[[2, ["9D"]], [3, ["2S"]], [0, ["KD"]], [1, ["5C"]]]],
                   "current": [[3, ["3H", "3H"]]]}),
            json!({"out": {"playedCount": 6, "trumpCardsPlayed": 3, "pointCardsPlayed": 2, "leadTrumpPairsPlayed": 1, "seats": [
                {"suitVoids": "", "trumpVoid": false, "trumpUsed": 0}, {"suitVoids": "D", "trumpVoid": false, "trumpUsed": 0},
                {"suitVoids": "", "trumpVoid": false, "trumpUsed": 0}, {"suitVoids": "D", "trumpVoid": false, "trumpUsed": 3}]}}),
        ),
    ]
}

#[test]
fn every_op_answers() {
    let table = [about_cards(), about_rounds()].concat();
    let requests: Vec<Value> = table
        .iter()
        .map(|(request, _)| {
            let mut request = request.clone();
            request["game"] = json!("tractor");
            request
        })
        .collect();
    for ((request, want), got) in table.iter().zip(ask(&requests)) {
        assert_eq!(&got, want, "{request}");
    }
}

/// What makes a good request a bad one, the code of the refusal and some of its words.
fn bad_requests() -> Vec<(Value, &'static str, &'static str)> {
    let rows = [
        ("op", json!("odd"), "unknown-op", "has no op"),
        ("hand", json!(["1S"]), "malformed", "\"1S\" is no card"),
        ("hand", json!("QS"), "malformed", "expected a list"),
        ("hand", json!(["QS0"]), "cards", "a deck digit, or none"),
        ("hand", json!(["QS", "QS", "QS"]), "cards", "only two QS"),
        ("lead", json!(["KS", "KD"]), "lead", "a lead is of one suit"),
        ("lead", json!([]), "lead", "choose at least one card"),
        ("trump", trump("1", "H"), "malformed", "a level is 2 to 9"),
        ("trump", trump("2", "X"), "malformed", "is no suit"),
        ("rules", json!("odd"), "rules", "is no preset"),
        (
            "rules",
            json!({"odd": 1}),
            "rules",
            "there is no switch odd",
        ),
        (
            "rules",
            json!({"follow_policy": "odd"}),
            "rules",
            "loose, strict, free",
        ),
        ("rules", json!(7), "rules", "a preset's name or an object"),
    ];
    let base = json!({"game": "tractor", "op": "follow", "trump": trump("2", "H"),
                      "lead": ["KS"], "hand": ["QS"], "tries": [["QS"]]});
    let with = |field: &str, value: Value| {
        let mut request = base.clone();
        request[field] = value;
        request
    };
    rows.into_iter()
        .map(|(field, value, code, words)| (with(field, value), code, words))
        .collect()
}

#[test]
fn bad_requests_are_refused_with_a_reason() {
    let table = bad_requests();
    let requests: Vec<Value> = table.iter().map(|(request, ..)| request.clone()).collect();
    for ((request, code, words), got) in table.iter().zip(ask(&requests)) {
        let error = &got["error"];
        assert_eq!(error["code"], *code, "{request}: {got}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{request}: {got}"
        );
    }
}

#[test]
fn rules_are_a_preset_or_switches() {
    let hand = ["7H", "7H", "8H", "8H", "JH", "JH", "KH", "KH", "9C"];
    let request = |rules: Value| {
        json!({"game": "tractor", "op": "follow", "rules": rules, "trump": trump("2", "S"),
               "lead": ["3H", "3H", "4H", "4H", "5H", "5H"], "hand": hand,
               "tries": [["7H", "7H", "JH", "JH", "KH", "KH"]]})
    };
    for (rules, legal) in [
        (json!(null), 1),
        (json!("default"), 1),
        (json!("shengji"), 0),
        (json!({"follow_policy": "strict"}), 0),
        (json!({"preset": "shengji", "follow_policy": "loose"}), 1),
        (
            json!({"min_tractor_len": 3, "scoring": {"step": 40, "turnover": 2, "dead_zone": 1, "shutout": 0},
                "must_defend": ["5", "A"], "allow_trump_throw": true}),
            1,
        ),
    ] {
        let answer = one(request(rules.clone()));
        assert_eq!(answer["verdicts"][0][0], legal, "{rules}: {answer}");
    }
}

#[test]
fn an_illegal_event_of_a_round_is_placed() {
    let ranks = "23456789TJQKA";
    let mut deck: Vec<String> = Vec::new();
    for copy in 0..2 {
        for rank in ranks.chars() {
            deck.extend(["S", "H", "C", "D"].map(|suit| format!("{rank}{suit}{copy}")));
        }
        deck.extend([format!("sj{copy}"), format!("bj{copy}")]);
    }
    let base = json!({"game": "tractor", "op": "round", "roundNumber": 1, "trumpRank": "2", "starterIn": 0,
        "teamsIn": [{"id": "A", "rank": "2", "defending": true}, {"id": "B", "rank": "2", "defending": false}],
        "deck": deck, "decls": [{"at": 4, "seat": 0, "type": "single", "suit": "S", "cards": ["2S0"]}],
        "kittyBuried": ["3S0", "4S0", "5S0", "6S0", "7S0", "8S0", "9S0", "TS0"], "tricks": []});
    let with = |field: &str, value: Value| {
        let mut request = base.clone();
        request[field] = value;
        request
    };
    let good = one(base.clone());
    assert_eq!(
        (&good["starter"], &good["trump"], &good["result"]),
        (&json!(0), &trump("2", "S"), &json!(null))
    );
    for (request, at) in [
        (
            with(
                "decls",
                json!([{"at": 4, "seat": 0, "type": "single", "suit": "S", "cards": ["3S0"]}]),
            ),
            json!({"phase": "declare", "index": 0, "seat": 0}),
        ),
        (
            with("kittyBuried", json!(["3S0"])),
            json!({"phase": "bury", "index": 0, "seat": 0}),
        ),
        (
            with("tricks", json!([{"plays": [["JS0", "QS0"]]}])),
            json!({"phase": "lead", "index": 0, "seat": 0}),
        ),
        (
            with("tricks", json!([{"plays": [["JS0"], ["3H0"]]}])),
            json!({"phase": "follow", "index": 0, "seat": 1}),
        ),
    ] {
        let answer = one(request);
        assert_eq!(
            (&answer["error"]["code"], &answer["error"]["at"]),
            (&json!("illegal"), &at),
            "{answer}"
        );
    }
    let short = one(with("deck", json!(["2S0"])));
    assert_eq!(short["error"]["code"], "cards");
}

#[test]
fn without_a_terminal_nothing_is_waited_for() {
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["play", "tractor"])
        .stdin(Stdio::piped())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("needs a terminal") && error.lines().count() == 1,
        "{error}"
    );
}

/// Reads until the next prompt and answers what the game asks for, for a whole round.
#[test]
fn a_whole_round_is_played_in_the_terminal() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["play", "tractor", "--stdin", "--ascii", "--seed", "7"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut say = |words: &str| input.write_all(format!("{words}\n").as_bytes()).unwrap();
    let mut tricks = 0;
    let text = loop {
        let mut part = Vec::new();
        loop {
            let mut byte = [0];
            output.read_exact(&mut byte).unwrap();
            part.push(byte[0]);
            if part.ends_with(b"> ") {
                break;
            }
        }
        let text = String::from_utf8(part).unwrap();
        tricks += text.matches("takes the trick").count();
        let prompt = text.lines().last().unwrap_or_default();
        if prompt.starts_with("declare") {
            say("");
        } else if prompt.starts_with("bury") {
            // The hand stands above the prompt, a line for each group.
            let rows = text.lines().filter(|line| line.starts_with("  "));
            let cards: Vec<&str> = rows
                .flat_map(|line| line.split_whitespace().skip(1))
                .collect();
            say(&format!("bury {}", cards[cards.len() - 8..].join(" ")));
        } else if let Some((_, legal)) = text.split_once(" legal: ") {
            say(legal.split([',', '\n']).next().unwrap());
        } else if prompt.starts_with("your") {
            say("legal");
        } else {
            say("quit");
            break text;
        }
    };
    assert!(text.contains("wins the round"), "{text}");
    assert!((1..=25).contains(&tricks), "{tricks}");
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("left unfinished") && child.wait().unwrap().success());
}
