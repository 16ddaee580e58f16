//! `convoy arena` and `convoy tractor-bot` as processes: whole rounds over the line protocol.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

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

#[test]
fn a_program_that_fails_ends_the_match_in_words() {
    for (program, words) in [
        ("cmd:/no/such/program", "cannot start"),
        ("cmd:true", "the program"),
        // It echoes requests, which hold no declaration, and then no cards to bury.
        ("cmd:cat", "no list of cards"),
    ] {
        let output = arena(&[program, "normal", "--rounds", "2"]);
        assert!(!output.status.success());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(words), "{program}: {errors}");
    }
    let output = arena(&["strong:2lightyears", "normal"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("20ms"));
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
