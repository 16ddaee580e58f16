//! `convoy match` against external engines, good and bad ones. They are written in Python: it must
//! be installed, and a test fails where it is not.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::Folder;

/// Only a safety net: no match here takes more than a few seconds on an idle machine.
const LONG: Duration = Duration::from_mins(5);

const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

/// A Python engine that does as UCI asks, but answers `go` as `answer` says.
fn engine(folder: &Folder, name: &str, answer: &str) -> String {
    need_python();
    std::fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join(format!("{name} engine.py"));
    let text = format!(
        "import os, sys, time\n\
         def say(text):\n    print(text, flush=True)\n\
         options = {{}}\n\
         for line in sys.stdin:\n    \
             words = line.split()\n    \
             if words[0] == 'uci': say('id name test\\nuciok')\n    \
             if words[0] == 'isready': say('readyok')\n    \
             if words[0] == 'setoption': options[words[2]] = words[4]\n    \
             if words[0] == 'position': position = line\n    \
             if words[0] == 'go':\n        \
                 {answer}\n    \
             if words[0] == 'quit': break\n"
    );
    std::fs::write(&path, text).unwrap();
    format!("cmd=python3 '{}'", path.display())
}

fn need_python() {
    let python = Command::new("python3").arg("--version").output();
    assert!(
        python.is_ok_and(|output| output.status.success()),
        "python3 is needed for the external engines of this test"
    );
}

/// A match from the start position, with its JSON lines.
fn play(folder: &Folder, args: &[&str]) -> (Output, Vec<Value>) {
    std::fs::create_dir_all(&folder.0).unwrap();
    let openings = folder.0.join("openings.fen");
    std::fs::write(&openings, format!("{START}\n")).unwrap();
    let json = folder.0.join("games.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("match")
        .args(args)
        .arg("--openings")
        .arg(openings)
        .arg("--json")
        .arg(&json)
        .env("CONVOY", env!("CARGO_BIN_EXE_convoy"))
        .output()
        .unwrap();
    let lines = std::fs::read_to_string(json).unwrap_or_default();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (output, lines.collect())
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(both).unwrap()
}

#[test]
fn the_example_bot_plays_a_match() {
    need_python();
    let folder = Folder::new("match-bot");
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/uci_bot.py");
    let bot = format!("cmd=python3 '{}',option.Seed=7", bot.display());
    let (output, lines) = play(
        &folder,
        &[&bot, "material", "--games", "2", "--turns", "16"],
    );
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("games 2: won"), "{}", text(&output));
    assert!(!text(&output).contains("forfeit"), "{}", text(&output));
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["turns"].as_array().unwrap().len(), 16);
    assert_eq!(lines[2]["summary"]["games"], 2);
}

/// A legal turn, and then another one that nobody asked for.
const TWICE: &str = "turn = 'Ic8c7' if ' moves ' in position else 'Ic5c6'; \
                     say('bestmove ' + turn + '\\nbestmove ' + turn)";

/// Every fault loses its game, is counted by its cause, and leaves the rest of the match alone.
#[test]
fn faults_are_forfeits() {
    for (name, answer, cause) in [
        ("illegal", "say('bestmove Zz9')", "illegal turn"),
        ("none", "say('bestmove (none)')", "no turn"),
        ("crash", "sys.exit(3)", "crash"),
        ("twice", TWICE, "protocol error"),
        ("bytes", "os.write(1, b'\\xff\\xfe\\n')", "protocol error"),
    ] {
        let folder = Folder::new(&format!("match-{name}"));
        let player = engine(&folder, name, answer);
        let pgn = folder.0.join("games.pgn");
        let pgn_name = pgn.to_string_lossy();
        let args = [
            "nodes=50", &player, "--games", "4", "--turns", "6", "--pgn", &pgn_name,
        ];
        let (output, lines) = play(&folder, &args);
        assert!(output.status.success(), "{name}: {}", text(&output));
        assert_eq!(lines.len(), 5, "{name}");
        let summary = &lines[4]["summary"];
        assert_eq!(summary["forfeits"][1][cause], 4, "{name}: {summary}");
        assert_eq!(summary["won"], 4, "{name}: {summary}");
        assert!(text(&output).contains(&format!("forfeits of the second player: {cause} 4")));
        let pgn = std::fs::read_to_string(&pgn).unwrap();
        assert_eq!(pgn.matches("[Termination \"").count(), 4, "{name}");
        assert!(pgn.contains(&format!("forfeits: {cause}")), "{name}: {pgn}");
    }
}

/// A silent engine is waited for as long as its limit says, by the cause that belongs to it.
#[test]
fn a_silent_engine_forfeits() {
    for (limit, cause) in [
        ("timeout=0.3", "time-out"),
        ("tc=0.2+0,margin=50", "time forfeit"),
        ("time=50,margin=50", "time forfeit"),
    ] {
        let folder = Folder::new(&format!("match-{cause}"));
        let silent = engine(&folder, "silent", "pass");
        let player = format!("{silent},{limit}");
        let (output, lines) = play(&folder, &[&player, "nodes=50", "--games", "2"]);
        assert!(output.status.success(), "{}", text(&output));
        assert_eq!(lines[2]["summary"]["forfeits"][0][cause], 2, "{limit}");
        assert_eq!(lines[2]["summary"]["lost"], 2);
    }
}

/// A script that starts more than the engine: all of it ends with the engine. What lives on holds the standard error
/// of the match, which is not over before; and if it lives long enough it leaves a file.
#[test]
fn what_an_engine_has_started_ends_with_it() {
    let folder = Folder::new("match-children");
    let player = engine(&folder, "orderly", "say('bestmove (none)')");
    let command = player.strip_prefix("cmd=").unwrap();
    let (script, left) = (folder.0.join("script"), folder.0.join("left"));
    let words = format!(
        "(sleep 20; echo > '{}') &\nexec {command}\n",
        left.display()
    );
    std::fs::write(&script, words).unwrap();
    let player = format!("cmd=sh '{}'", script.display());
    let (output, lines) = play(&folder, &[&player, "nodes=50", "--games", "2"]);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(lines[2]["summary"]["forfeits"][0]["no turn"], 2);
    assert!(!left.exists());
}

/// Options arrive, and a limit is sent even if none was asked for.
#[test]
fn options_and_a_limit_are_sent() {
    let folder = Folder::new("match-options");
    let answer = "say('bestmove Ic5c6' if line == 'go nodes 1000\\n' and options == {'Style': 'wild'} \
                  else 'bestmove ' + repr(line))";
    let player = format!("{},option.Style=wild", engine(&folder, "options", answer));
    let (output, lines) = play(
        &folder,
        &[&player, "nodes=50", "--games", "2", "--turns", "1"],
    );
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(lines[0]["forfeit"], Value::Null, "{}", lines[0]);
    assert_eq!(lines[0]["turns"][0], "Ic5c6");
}

#[test]
fn what_cannot_apply_is_refused_before_the_first_game() {
    let folder = Folder::new("match-refused");
    for (player, reason) in [
        ("cmd=./x,level=3", "option.NAME=VALUE"),
        ("option.Hash=3", "external engines"),
        (
            "cmd=/nonexistent/engine",
            "cannot start /nonexistent/engine",
        ),
        ("cmd=true", "did not start as a UCI engine: crash"),
    ] {
        let (output, _) = play(&folder, &[player, "nodes=50", "--games", "2"]);
        assert!(!output.status.success());
        assert!(
            text(&output).contains(reason),
            "{player}: {}",
            text(&output)
        );
    }
}

/// A clean sweep of two games is no proof of anything.
#[test]
fn a_sweep_has_an_interval() {
    let folder = Folder::new("match-sweep");
    let player = engine(&folder, "loser", "say('bestmove (none)')");
    let (output, lines) = play(&folder, &["nodes=50", &player, "--games", "2"]);
    assert!(
        text(&output).contains("Elo difference +∞ [-234, +∞] (95 %)"),
        "{}",
        text(&output)
    );
    assert_eq!(lines[2]["summary"]["elo"][1], Value::Null);
    assert!(lines[2]["summary"]["score"][0].as_f64().unwrap() < 0.5);
}

/// Ctrl-C keeps what was played, on paper and on the screen.
#[cfg(unix)]
#[test]
fn an_interrupted_match_keeps_its_results() {
    let folder = Folder::new("match-interrupted");
    let player = engine(&folder, "loser", "say('bestmove (none)')");
    let json = folder.0.join("games.jsonl");
    let child = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["match", "nodes=1", &player, "--games", "1000000", "--json"])
        .arg(&json)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let games = || std::fs::read_to_string(&json).map_or(0, |text| text.lines().count());
    let start = Instant::now();
    while games() < 3 {
        assert!(start.elapsed() < LONG, "no game was played");
        // The file is looked at again and again; nothing depends on how often.
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    let text = text(&output);
    assert!(
        text.contains("games ") && text.contains("forfeits of the second player"),
        "{text}"
    );
    assert!(text.ends_with("convoy: interrupted\n"), "{text}");
    let lines = std::fs::read_to_string(&json).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let count = lines.lines().count() - 1;
    assert_eq!(last["summary"]["games"], count);
}
