//! `convoy config` and the configuration of `convoy serve`, as processes.

use std::fs;
use std::process::{Command, Output};

use crate::process::Folder;

fn convoy(args: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(args)
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn m11_an_operator_sets_every_limit_by_file_environment_and_flag() {
    let folder = Folder::new("config");
    fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("convoy.toml");
    fs::write(
        &file,
        "[limits]\ntables-per-session = 1\ntables-per-address = 1\nbody-bytes = 1\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let output = convoy(
        &["config", "--set", "limits.body-bytes=3"],
        &[
            ("CONVOY_CONFIG", file),
            ("CONVOY_LIMITS_TABLES_PER_ADDRESS", "2"),
            ("CONVOY_LIMITS_BODY_BYTES", "2"),
        ],
    );
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for line in [
        "tables-per-session = 1\n",
        "tables-per-address = 2\n",
        "body-bytes = 3\n",
        "tables-per-session",
    ] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
    // What it prints is a file that it reads.
    fs::write(folder.0.join("printed.toml"), &printed).unwrap();
    let printed_file = folder.0.join("printed.toml");
    let again = convoy(&["config", "--config", printed_file.to_str().unwrap()], &[]);
    assert_eq!(text(&again.stdout), printed);
}

#[test]
fn a_fault_is_one_line_and_a_status() {
    let folder = Folder::new("config-fault");
    fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join("convoy.toml");
    let file = path.to_str().unwrap();
    let refused = |content: &str, args: &[&str]| {
        fs::write(&path, content).unwrap();
        let output = convoy(&[&["serve", "--config", file], args].concat(), &[]);
        assert!(!output.status.success());
        let error = text(&output.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let unknown = refused("\nlisten = \"127.0.0.1:0\"\n[limits]\nsokets = 3\n", &[]);
    assert!(
        unknown.contains("convoy.toml:4: ") && unknown.contains("sokets"),
        "{unknown}"
    );
    let typed = refused("[thinking]\nthreads = \"many\"\n", &[]);
    assert!(
        typed.contains("convoy.toml:2: thinking.threads: "),
        "{typed}"
    );
    let flag = refused("", &["--listen", "nowhere"]);
    assert!(flag.contains("--listen: "), "{flag}");
    let set = refused("", &["--set", "limits.sokets=3"]);
    assert!(set.contains("--set limits.sokets: "), "{set}");
    let missing = convoy(&["serve", "--config", "/nowhere/convoy.toml"], &[]);
    assert!(text(&missing.stderr).contains("/nowhere/convoy.toml"));
    assert!(!missing.status.success());
}

#[test]
fn the_documentation_has_every_key() {
    let output = convoy(&["config", "--table"], &[]);
    let table = text(&output.stdout);
    let docs = include_str!("../../../../docs/configuration.md");
    assert!(
        docs.contains(&table),
        "docs/configuration.md must hold what `convoy config --table` prints:\n{table}"
    );
}
