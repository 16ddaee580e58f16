//! `convoy admin` beside a server that runs.

use std::path::Path;
use std::process::{Command, Output};

use convoy_test_client::client::Client;
use serde_json::json;

use crate::process::{Folder, start};

fn admin(args: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.arg("admin").args(args).arg("--data").arg(data);
    command
        .env("USER", "tester")
        .env_remove("SUDO_USER")
        .output()
        .unwrap()
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one line of a command that fails.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[tokio::test]
async fn an_operator_commands_a_running_server_and_the_log_keeps_it() {
    let folder = Folder::new("admin");
    assert!(complaint(&admin(&["tables"], &folder.0)).contains("opening the storage"));
    let server = start(&folder.0);
    let ann = Client::new(server.address).await.unwrap();
    let table = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    let tables = told(&admin(&["tables"], &folder.0));
    assert!(
        tables.contains(&table) && tables.contains("waiting"),
        "{tables}"
    );

    let closed = told(&admin(&["close", &table], &folder.0));
    assert_eq!(closed, format!("close {table}: closed and deleted\n"));
    let view = ann.view(&table).await.unwrap();
    assert_eq!(view["error"]["code"], "no-such-table");
    assert_eq!(told(&admin(&["tables"], &folder.0)), "");
    let again = complaint(&admin(&["close", &table], &folder.0));
    assert!(again.contains("there is no such table"), "{again}");
    let wrong = complaint(&admin(&["close", "Nonsense"], &folder.0));
    assert!(
        wrong.contains("\"Nonsense\" is not the name of a table"),
        "{wrong}"
    );
    let nobody = complaint(&admin(&["ban", "Nobody"], &folder.0));
    assert!(nobody.contains("no player is called"), "{nobody}");

    let log = told(&admin(&["log"], &folder.0));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines[0].contains("tester  ban Nobody  refused: "), "{log}");
    assert!(lines[2].ends_with("closed and deleted"), "{log}");
}
