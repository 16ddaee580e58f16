//! Inputs that once broke something, and the seeds of the fuzz targets, replayed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn inputs(target: &str) -> Vec<(PathBuf, String)> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut inputs = Vec::new();
    for kind in ["faults", "seeds"] {
        let Ok(folder) = fs::read_dir(fuzz.join(kind).join(target)) else {
            continue;
        };
        for entry in folder {
            let path = entry.unwrap().path();
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            inputs.push((path, text));
        }
    }
    assert!(!inputs.is_empty(), "no inputs for {target}");
    inputs
}

#[test]
fn texts_that_once_broke_something() {
    type Check = fn(&str);
    let targets: [(&str, Check); 5] = [
        ("fen", convoy_fuzz_checks::fen),
        ("moves", convoy_fuzz_checks::moves),
        ("pgn", convoy_fuzz_checks::pgn),
        ("pgn_tree", convoy_fuzz_checks::pgn_tree),
        ("blueprint", convoy_fuzz_checks::blueprint),
    ];
    for (target, check) in targets {
        for (path, text) in inputs(target) {
            println!("{}", path.display());
            check(&text);
        }
    }
}

#[test]
fn lines_that_once_broke_the_query() {
    let lines: Vec<String> = inputs("query")
        .into_iter()
        .map(|(_, text)| text.replace('\n', " "))
        .filter(|line| !line.trim().is_empty())
        .collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("query")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = lines.join("\n") + "\n";
    let feeder = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), lines.len());
}
