//! What the ops answer, beyond the examples of the documentation.

use std::collections::BTreeSet;

use convoy_protocol::answer_line;
use serde_json::{Value, json};

const FTI: &str = "6c4/9ii/11/11/11/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1";

fn ask(game: &str, op: &str, mut request: Value) -> Value {
    request["game"] = game.into();
    request["op"] = op.into();
    let mut out = Vec::new();
    answer_line(request.to_string().as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

fn board(op: &str, request: Value) -> Value {
    ask("cotulenh", op, request)
}

fn cards(op: &str, mut request: Value) -> Value {
    request["trump"] = json!({"rank": "2", "suit": "H"});
    ask("tractor", op, request)
}

fn lans(answer: &Value) -> Vec<&str> {
    let moves = answer["moves"].as_array();
    let moves = moves.unwrap_or_else(|| panic!("{answer}"));
    moves.iter().map(|mv| mv["lan"].as_str().unwrap()).collect()
}

#[test]
fn pseudo_legal_moves_leave_the_commander_out_of_account() {
    // The infantry on e2 is pinned by the tank on e3: only the capture is legal.
    let fen = "6c4/9ii/11/11/11/11/11/11/11/4t6/4I6/4C6 r - - 0 1";
    let legal = board("moves", json!({ "fen": fen }));
    let all = board("moves", json!({ "fen": fen, "legal": false }));
    let (legal, all) = (lans(&legal), lans(&all));
    assert!(
        legal.iter().all(|lan| all.contains(lan)),
        "{legal:?} {all:?}"
    );
    assert!(!legal.contains(&"Ie2f2") && all.contains(&"Ie2f2"));
}

#[test]
fn pseudo_legal_steps_are_played_without_commanders_and_end_in_commit() {
    let fen = "11/11/11/11/11/11/11/11/4(FTI)6/11/11/11 r - - 0 1";
    let ask = |steps: Value| board("moves", json!({"fen": fen, "legal": false, "steps": steps}));
    let open = ask(json!(["Te4>e6"]));
    assert!(
        open["fen"].as_str().unwrap().ends_with(" e4:(FI):T>e6..."),
        "{open}"
    );
    assert_eq!(lans(&open).last(), Some(&"."));
    let done = ask(json!(["Te4>e6", "."]));
    assert_eq!(done["turn"], "b");
    assert_eq!(done.get("canCommit"), None);
    let refused = ask(json!(["Te4>e9"]));
    assert_eq!(refused["error"]["code"], "illegal-move", "{refused}");
    // The legal question refuses the same step.
    let legal = board("moves", json!({"fen": fen, "steps": ["Te4>e6"]}));
    assert_eq!(legal["error"]["code"], "illegal-move", "{legal}");
}

#[test]
fn a_ship_that_leaves_land_pieces_at_sea_cannot_commit_even_pseudo_legally() {
    let fen = "11/11/11/11/11/11/11/11/11/1(NT)9/11/11 r - - 0 1";
    let steps = json!(["Nb3>b5", "."]);
    let answer = board("moves", json!({"fen": fen, "legal": false, "steps": steps}));
    assert_eq!(answer["error"]["at"]["index"], 1, "{answer}");
}

#[test]
fn optional_victories_count_in_every_op_that_plays() {
    let fen = "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1";
    let end = json!({"winner": "r", "reason": "marine"});
    let with = |op: &str, mut request: Value, victories: Value| {
        request["fen"] = fen.into();
        if !victories.is_null() {
            request["victories"] = victories;
        }
        board(op, request)
    };
    let play = json!({"moves": ["Nxc7"]});
    assert_eq!(
        with("play", play.clone(), json!(["marine"]))["outcome"],
        end
    );
    assert_eq!(
        with("play", play, json!(["air", "land"]))["outcome"],
        Value::Null
    );
    let steps = json!({"steps": ["Nxc7"]});
    assert_eq!(
        with("moves", steps.clone(), json!(["marine"]))["outcome"],
        end
    );
    assert_eq!(with("moves", steps, Value::Null)["outcome"], Value::Null);
    let from = json!({"square": "c6"});
    let turns = with("turns", from.clone(), json!(["marine"]));
    let capture = turns["turns"].as_array().unwrap().iter();
    let capture = capture.clone().find(|turn| turn["san"] == "Nxc7").unwrap();
    assert_eq!(capture["outcome"], end);
    assert_eq!(capture["captured"], json!([{"square": "c7", "stack": "n"}]));
    let plain = with("turns", from, Value::Null);
    let turns = plain["turns"].as_array().unwrap().iter();
    assert!(
        turns
            .clone()
            .all(|turn| turn.as_object().unwrap().len() == 3),
        "{plain}"
    );
    // A game that is over takes no further move.
    let late = with(
        "play",
        json!({"moves": ["Nxc7", "Ch12"]}),
        json!(["marine"]),
    );
    assert_eq!(late["error"]["code"], "game-over");
}

#[test]
fn a_side_loses_only_what_it_had() {
    // Blue has no aircraft to begin with.
    let fen = "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/2F2C5 r - - 0 1";
    let answer = board("moves", json!({"fen": fen, "victories": ["air"]}));
    assert_eq!(answer["outcome"], Value::Null);
}

#[test]
fn deploys_tell_what_they_take_and_are_refused_whole() {
    let deploy = |moves: Value, stay: Value| {
        board(
            "deploy",
            json!({"fen": FTI, "from": "e4", "moves": moves, "stay": stay}),
        )
    };
    let tank = json!({"piece": "T", "to": "e6"});
    let answer = deploy(json!([tank]), json!(["air_force", "infantry"]));
    assert_eq!(
        answer["captured"],
        json!([[{"square": "e6", "stack": "i"}]])
    );
    let quiet = deploy(json!([{"piece": "tank", "to": "e5"}]), json!("(FI)"));
    assert_eq!(quiet.get("captured"), None, "{quiet}");
    let missing = deploy(json!([{"piece": "navy", "to": "e5"}]), json!("(FI)"));
    assert_eq!(missing["error"]["code"], "piece-missing");
    let unknown = deploy(json!([{"piece": "tnak", "to": "e5"}]), json!("(FI)"));
    assert_eq!(unknown["error"]["code"], "bad-piece");
    let message = unknown["error"]["message"].as_str().unwrap();
    assert!(message.contains("did you mean \"tank\"?"), "{message}");
}

#[test]
fn letters_and_names_mean_the_same_in_every_op() {
    for op in [
        "combine",
        "validate",
        "conflicts",
        "combinations",
        "explain",
        "tree",
    ] {
        for (letters, names) in [("NFT", "navy, air_force, tank"), ("+TI", "+tank infantry")] {
            let by_letter = board(op, json!({ "pieces": letters }));
            assert!(by_letter.get("error").is_none(), "{op}: {by_letter}");
            assert_eq!(by_letter, board(op, json!({ "pieces": names })), "{op}");
            let list: Vec<&str> = names.split([',', ' ']).filter(|w| !w.is_empty()).collect();
            assert_eq!(by_letter, board(op, json!({ "pieces": list })), "{op}");
        }
    }
    // A name beside lower case letters is blue.
    assert_eq!(
        board("combine", json!({"pieces": ["n", "tank"]}))["stack"],
        "(nt)"
    );
}

#[test]
fn combinations_are_the_whole_table() {
    let all = board("combinations", json!({}));
    let all = all["combinations"].as_array().unwrap();
    assert_eq!(all.len(), 34);
    for entry in all {
        assert_eq!(&board("combine", json!({"pieces": entry["stack"]})), entry);
    }
    let nodes = board("tree", json!({"svg": true}));
    assert_eq!(nodes["nodes"].as_array().unwrap().len(), 34);
    assert!(nodes["svg"].as_str().unwrap().starts_with("<svg"));
}

#[test]
fn removing_is_refused_where_it_cannot_be() {
    let code = |stack: &str, role: &str| {
        let answer = board("remove", json!({"stack": stack, "role": role}));
        answer["error"]["code"].clone()
    };
    assert_eq!(code("(NFT)", "infantry"), "piece-missing");
    assert_eq!(code("(NTI)", "N"), "cannot-combine");
    assert_eq!(code("(NFT)", ""), "bad-piece");
    let nothing = board("remove", json!({"stack": "T", "role": "T"}));
    assert_eq!(nothing, json!({"stack": null, "state": null, "mask": 0}));
    let two = board("remove", json!({"stack": "nft", "role": ["n", "t"]}));
    assert_eq!(two["stack"], "f");
}

#[test]
fn too_many_pieces_are_refused() {
    let answer = board("combinations", json!({"pieces": "T".repeat(33)}));
    assert_eq!(answer["error"]["code"], "too-much");
}

#[test]
fn flags_are_written_in_one_order() {
    let mut seen = BTreeSet::new();
    for fen in [
        FTI,
        "6c4/9ii/11/11/11/11/11/11/11/2(NT)8/9II/5C5 r - - 0 1 c3:T:N>c6...",
    ] {
        let answer = board("moves", json!({ "fen": fen }));
        for mv in answer["moves"].as_array().unwrap() {
            let flags = mv["flags"].as_str().unwrap();
            let mut order = "ncskdb".chars();
            assert!(
                flags.chars().all(|flag| order.any(|next| next == flag)),
                "{mv}"
            );
            seen.insert(flags.to_owned());
        }
    }
    // A single flag has no order: steps of a deploy that join a friend or capture have two.
    assert!(seen.contains("db") && seen.contains("cd"), "{seen:?}");
}

/// A legal play is listed, and what is listed is legal.
#[test]
fn listed_plays_are_those_that_are_valid() {
    let hand = ["3S", "3S", "4S", "4S", "9S", "KD", "5H", "bj"];
    let subsets = (1_u32..1 << hand.len()).map(|bits| {
        let picked = (0..hand.len()).filter(|i| bits >> i & 1 == 1);
        picked.map(|i| hand[i]).collect::<Vec<_>>()
    });
    let mut distinct: Vec<Vec<&str>> = subsets.collect();
    distinct.sort();
    distinct.dedup();
    for lead in [
        Value::Null,
        json!(["AS"]),
        json!(["QS", "QS"]),
        json!(["AC", "AC", "KC"]),
    ] {
        let op = if lead.is_null() { "leads" } else { "follows" };
        let mut request = json!({ "hand": hand, "limit": 10_000 });
        if !lead.is_null() {
            request["lead"] = lead.clone();
        }
        let listed = cards(op, request);
        assert_eq!(listed["truncated"], false, "{listed}");
        let valid = distinct.iter().filter(|play| {
            let judged = cards(
                "validate",
                json!({"hand": hand, "lead": lead, "cards": play}),
            );
            assert_eq!(judged["valid"], judged["reason"].is_null(), "{judged}");
            assert_eq!(judged["valid"], judged["code"].is_null(), "{judged}");
            judged["valid"] == true
        });
        let mut valid: Vec<Vec<&str>> = valid.cloned().collect();
        let mut plays: Vec<Vec<&str>> = listed["plays"]
            .as_array()
            .unwrap()
            .iter()
            .map(|play| {
                play.as_array()
                    .unwrap()
                    .iter()
                    .map(|c| c.as_str().unwrap())
                    .collect()
            })
            .collect();
        for play in valid.iter_mut().chain(&mut plays) {
            play.sort_unstable();
        }
        valid.sort();
        valid.dedup();
        plays.sort();
        assert_eq!(plays, valid, "{lead}");
        assert_eq!(listed["count"], plays.len());
    }
}

#[test]
fn lists_of_plays_are_bounded() {
    let hand = json!(["3S", "4S", "6S", "7S"]);
    let count = cards("leads", json!({"hand": hand, "limit": 0}));
    assert_eq!(count, json!({"count": 4, "plays": [], "truncated": true}));
    let much = cards("leads", json!({"hand": hand, "limit": 10_001}));
    assert_eq!(much["error"]["code"], "too-much");
    let led = json!(["3C", "3C"]);
    let short = cards("follows", json!({"hand": ["3S"], "lead": led}));
    assert_eq!(short["error"]["code"], "cards");
    let faces: Vec<String> = "23456789TJQKA"
        .chars()
        .flat_map(|rank| ["S", "C", "D"].map(|suit| format!("{rank}{suit}")))
        .collect();
    let big = cards("leads", json!({ "hand": faces }));
    let message = big["error"]["message"].as_str().unwrap();
    assert!(message.contains("at most 33 cards, not 39"), "{message}");
}

#[test]
fn perft_is_bounded() {
    let stalemate = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1";
    let ask = |depth: u32, unit: &str| {
        board(
            "perft",
            json!({"fen": stalemate, "depth": depth, "unit": unit}),
        )
    };
    for unit in ["step", "turn"] {
        assert_eq!(ask(99, unit), json!({ "nodes": 0 }));
        for depth in [100, u32::MAX] {
            let much = ask(depth, unit);
            assert_eq!(much["error"]["code"], "too-much", "{much}");
        }
    }
}

#[test]
fn numbers_are_as_large_on_every_machine() {
    // 2^32 is no `usize` in a browser.
    let much = cards("leads", json!({"hand": ["3S"], "limit": 1_u64 << 32}));
    assert_eq!(much["error"]["code"], "too-much", "{much}");
    let nodes = json!([{}, {"parent": 1_u64 << 32, "san": "Ic6"}]);
    let orphan = board("writePgn", json!({ "games": [{ "nodes": nodes }] }));
    let message = "games[0].nodes[1].parent: expected a whole number from 0 to 4294967295, found the number 4294967296";
    assert_eq!(orphan["error"]["message"], message);
}

#[test]
fn fields_of_recorded_verdicts_are_known() {
    let decl = ask(
        "tractor",
        "decl",
        json!({"rank": "2", "seat": 1, "isHuman": true, "hand": ["2S0"],
            "current": {"seat": 0, "type": "single", "suit": "H", "cards": ["2H0"]}}),
    );
    assert_eq!(decl, json!({"options": []}));
    let lead = cards(
        "lead",
        json!({"seat": 1, "starterSeat": 2, "hand": ["3S0"], "played": [], "voids": ["", "", "", ""],
            "kitty": null, "cards": ["3S0"]}),
    );
    assert_eq!(lead["valid"], true, "{lead}");
    let score = ask(
        "tractor",
        "score",
        json!({"in": {"defending": "A", "ranks": {"A": "2", "B": "2"}, "attackerTrickPoints": 0,
            "kittyBonus": null, "starter": 0, "roundNumber": 3}}),
    );
    assert_eq!(score["out"]["winningTeam"], "A");
}
