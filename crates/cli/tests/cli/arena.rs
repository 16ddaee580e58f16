//! `convoy arena` and `convoy tractor-bot` as processes: whole rounds over the line protocol.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::process::Folder;

const CONVOY: &str = env!("CARGO_BIN_EXE_convoy");

fn arena(words: &[&str]) -> Output {
    Command::new(CONVOY)
        .args(["arena", "tractor"])
        .args(words)
        .output()
        .unwrap()
}

/// The figures of a match, which must come to an end.
fn figures(words: &[&str]) -> Value {
    let output = arena(&[words, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The figures that chance alone decides: all but the times.
fn results(mut figures: Value) -> Value {
    for times in ["time", "opponent_time"] {
        figures.as_object_mut().unwrap().remove(times).unwrap();
    }
    figures
}

#[test]
fn two_processes_play_whole_rounds_over_the_line_protocol() {
    let bot = format!("cmd:{CONVOY} tractor-bot --level normal");
    for rules in ["default", "ejfn", "shengji", "random"] {
        let figures = figures(&[&bot, &bot, "--rounds", "4", "--rules", rules]);
        assert_eq!(figures["rounds"], 4, "{figures}");
        assert!(figures["time"]["decisions"].as_u64() > Some(40));
    }
}

#[test]
fn a_program_plays_like_the_player_inside() {
    // The normal player takes nothing but what the protocol tells, so both ends of the pipe play alike.
    let bot = format!("cmd:{CONVOY} tractor-bot --level normal");
    let outside = figures(&[&bot, "easy", "--rounds", "8", "--seed", "3"]);
    let inside = figures(&["normal", "easy", "--rounds", "8", "--seed", "3"]);
    assert_eq!(results(outside), results(inside));
}

#[test]
fn a_match_is_repeatable_by_its_seed_whatever_runs_at_once() {
    let words = ["strong:120r", "easy", "--rounds", "4", "--seed"];
    let play = |more: &[&str]| results(figures(&[&words[..], more].concat()));
    let once = play(&["7"]);
    assert_eq!(once, play(&["7", "--concurrency", "3"]));
    assert_ne!(once, play(&["8"]));
}

#[test]
fn a_whole_game_has_a_winner() {
    let figures = figures(&["normal", "random", "--games", "2", "--seed", "5"]);
    assert_eq!(figures["games"]["mean"], 100.0, "{figures}");
    assert!(figures["rounds"].as_u64() > Some(8));
}

/// A bot of a few lines of shell: it answers `declare` and `kitty` as it should and `play` as the script says.
fn script(play: &str) -> String {
    format!(
        r#"cmd:python3 -c '
import json, sys, time
for line in sys.stdin:
    r = json.loads(line)
    if r["op"] == "declare": print(json.dumps({{"id": r["id"], "declare": None}}), flush=True)
    elif r["op"] == "kitty": print(json.dumps({{"id": r["id"], "cards": r["hand"][:8]}}), flush=True)
    else:
        {play}
'"#
    )
}

#[test]
fn a_fault_forfeits_the_round_and_the_run_goes_on() {
    for (play, cause) in [
        (
            "print(json.dumps({'cards': ['2S0', '3H0', '4C0']}), flush=True)",
            "illegal",
        ),
        ("print('thinking', flush=True)", "badAnswer"),
        (
            "print(json.dumps({'id': 0, 'cards': []}), flush=True)",
            "badAnswer",
        ),
        (
            "print(json.dumps({'error': 'no idea'}), flush=True)",
            "error",
        ),
        ("sys.exit(3)", "exited"),
        ("time.sleep(600)", "timedOut"),
    ] {
        let play = play.replace('\'', "\"");
        let bot = script(&play);
        // Whoever falls silent is out after two seconds; the others have all the time that a busy machine may need.
        let timeout = if cause == "timedOut" { "2" } else { "300" };
        let figures = figures(&["normal", &bot, "--rounds", "4", "--timeout", timeout]);
        let forfeits = &figures["opponent_forfeits"];
        assert_eq!(
            (&figures["rounds"], &forfeits["total"]),
            (&json!(4), &json!(4)),
            "{figures}"
        );
        assert_eq!(forfeits["causes"][cause], 4, "{cause}: {figures}");
        assert!(forfeits["first"]["detail"].is_string());
        assert_eq!(
            (&figures["wins"]["mean"], &figures["forfeits"]["total"]),
            (&json!(100.0), &json!(0))
        );
        assert!(
            figures["wins"]["low"].as_f64().unwrap() < 60.0,
            "two deals prove little: {figures}"
        );
    }
}

/// A script that leaves the work to another program: that one ends with it. While it lives it holds the standard error
/// of the run, so the run is not over before; and if it lives long enough it leaves a file.
#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = Folder::new("arena-children");
    std::fs::create_dir_all(&folder.0).unwrap();
    let left = folder.0.join("left");
    let bot = format!(
        "cmd:LEFT={} sh -c '(sleep 20; echo > $LEFT) & wait'",
        left.display()
    );
    let figures = figures(&["normal", &bot, "--rounds", "2", "--timeout", "0.5"]);
    assert_eq!(
        figures["opponent_forfeits"]["causes"]["timedOut"], 2,
        "{figures}"
    );
    assert!(!left.exists());
}

/// However much a program says, the report holds the beginning of it.
#[test]
fn a_report_stays_short() {
    let bot = script(r#"print(json.dumps({"cards": ["x" * 900000]}), flush=True)"#);
    let figures = figures(&["normal", &bot, "--rounds", "2", "--timeout", "300"]);
    assert_eq!(
        figures["opponent_forfeits"]["causes"]["badAnswer"], 2,
        "{figures}"
    );
    assert!(figures.to_string().len() < 3000, "{figures}");
}

#[test]
fn a_forfeited_round_loses_its_game() {
    let bot = script("sys.exit(3)");
    let figures = figures(&[&bot, "normal", "--games", "2"]);
    assert_eq!(
        (&figures["games"]["mean"], &figures["rounds"]),
        (&json!(0.0), &json!(2)),
        "{figures}"
    );
}

#[test]
fn a_declaration_that_is_not_on_offer_is_reported() {
    let bot = format!(
        "cmd:python3 -c '{}'",
        r#"
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    if r["op"] == "declare": print(json.dumps({"declare": {"type": "bigJokerPair", "suit": "N"}}), flush=True)
    else: print(json.dumps({"cards": r["hand"][:8]}), flush=True)
"#
    );
    let figures = figures(&[&bot, "normal", "--rounds", "2"]);
    let told = &figures["forfeits"];
    assert!(told["refused_declarations"].as_u64() > Some(0), "{figures}");
    assert!(
        told["first_refused_declaration"]
            .as_str()
            .unwrap()
            .contains("bigJokerPair")
    );
}

#[test]
fn a_silent_program_does_not_hold_the_run_beyond_its_minutes() {
    let bot = script("time.sleep(600)");
    let figures = figures(&[
        "normal",
        &bot,
        "--rounds",
        "2",
        "--timeout",
        "500",
        "--minutes",
        "0.05",
    ]);
    assert_eq!(
        (&figures["rounds"], &figures["stopped"]),
        (&json!(0), &json!(true)),
        "{figures}"
    );
}

/// The folder of the bot in the documentation.
const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bots");

#[test]
#[cfg(unix)]
fn ctrl_c_prints_what_was_played() {
    let mark = std::env::temp_dir().join(format!("convoy-arena-{}", std::process::id()));
    // It plays some rounds, leaves a mark, and falls silent in the middle of one.
    let code = r#"
import json, os, sys, time
import tractor_bot as bot
plays = 0
for line in sys.stdin:
    r = json.loads(line)
    plays += r["op"] == "play"
    if plays > 400:
        open(os.environ["MARK"], "w").close()
        time.sleep(600)
    a = bot.answer(r)
    a["id"] = r["id"]
    print(json.dumps(a), flush=True)
"#;
    let variables = format!(
        "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{BOTS}' MARK='{}'",
        mark.display()
    );
    let bot = format!("cmd:{variables} python3 -c '{code}'");
    let run = Command::new(CONVOY)
        .args([
            "arena",
            "tractor",
            "normal",
            &bot,
            "--rounds",
            "1000",
            "--timeout",
            "500",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Only a safety net: some rounds take a second.
    let begun = std::time::Instant::now();
    while !mark.exists() {
        assert!(begun.elapsed().as_secs() < 300, "the bot never fell silent");
        // The mark is looked for again and again; nothing depends on how often.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::fs::remove_file(&mark).unwrap();
    let pid = run.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success());
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["stopped"], true);
    assert_eq!(figures["opponent_forfeits"]["total"], 0);
    // A seat plays at most 25 times a round, so the bot at most 50 times.
    let rounds = figures["rounds"].as_u64().unwrap();
    assert!((6..1000).contains(&rounds), "{figures}");
}

#[test]
fn the_bot_of_the_documentation_plays_whole_rounds() {
    let python = Command::new("python3").arg("--version").output();
    assert!(
        python.is_ok_and(|run| run.status.success()),
        "python3 is needed for this test"
    );
    let bot = format!("cmd:python3 '{BOTS}/tractor_bot.py'");
    let figures = figures(&["normal", &bot, "--rounds", "40", "--timeout", "300"]);
    assert_eq!(
        (&figures["rounds"], &figures["opponent_forfeits"]["total"]),
        (&json!(40), &json!(0)),
        "{figures}"
    );
    assert!(figures["wins"]["mean"].as_f64() > Some(60.0), "{figures}");
}

#[test]
fn every_example_line_of_the_protocol_is_json() {
    let guide = include_str!("../../../../docs/bots.md");
    let blocks: Vec<&str> = guide
        .split("```json\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 8);
    for block in blocks {
        let value: Value = serde_json::from_str(block).unwrap();
        assert!(value.is_object(), "{block}");
    }
    for field in [
        "revealed",
        "buriedBy",
        "currentFailed",
        "failed",
        "kitty",
        "handSizes",
    ] {
        assert!(guide.contains(&format!("`{field}`")), "{field}");
    }
}

#[test]
fn help_tells_how_players_are_written() {
    let output = arena(&["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for word in [
        "cmd:",
        "strong:20ms",
        "strong:400r",
        "scripted",
        "master",
        "docs/bots.md",
        "forfeits",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn bad_players_are_refused_in_words() {
    for (player, words) in [
        ("cmd:/no/such/program", "cannot start"),
        ("cmd:", "names no program"),
        ("cmd:node 'open", "cmd:node 'open"),
        ("strong:2lightyears", "20ms"),
        ("reference", "a level is"),
    ] {
        let output = arena(&[player, "normal", "--rounds", "2"]);
        assert!(!output.status.success());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(words), "{player}: {errors}");
    }
}

#[test]
fn the_bot_answers_bad_lines_and_goes_on() {
    let mut bot = Command::new(CONVOY)
        .args(["tractor-bot", "--level", "strong"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let play = json!({ "op": "play", "id": 9, "seat": 0, "trump": { "rank": "2", "suit": "H" },
        "hand": ["AS", "3D"], "starter": 1, "defending": "B", "tricks": [], "current": [] });
    let mut short = play.clone();
    short["current"] = json!([[3, ["4C", "4C", "5C"]]]);
    let mut twice = play.clone();
    twice["hand"] = json!(["AS", "AS", "AS"]);
    let mut other = play.clone();
    other["trump"] = json!({ "rank": "Z", "suit": "H" });
    let lines = [
        "nonsense".to_owned(),
        "{\"op\":\"play\"".to_owned(),
        json!({ "op": "resign", "id": 1 }).to_string(),
        short.to_string(),
        twice.to_string(),
        other.to_string(),
        "\u{0}".to_owned(),
    ];
    let mut input = bot.stdin.take().unwrap();
    for line in &lines {
        writeln!(input, "{line}").unwrap();
    }
    writeln!(input, "{play}").unwrap();
    drop(input);
    let output = bot.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len() + 1);
    for (line, answer) in lines.iter().zip(&answers) {
        assert!(answer["error"].is_string(), "{line}: {answer}");
    }
    let last = answers.last().unwrap();
    assert_eq!(last["id"], 9);
    let card = last["cards"][0].as_str().unwrap();
    assert!(["AS", "3D"].contains(&card), "{last}");
}
