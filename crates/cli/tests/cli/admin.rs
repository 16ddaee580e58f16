//! `convoy admin` beside a server that runs.

use std::path::Path;
use std::process::{Command, Output};

use convoy_test_client::client::Client;
use convoy_test_client::process::ServerProcess;
use convoy_test_postgres::Server as Postgres;
use serde_json::json;

use crate::process::{Folder, start, start_over};

/// Where a server keeps its tables.
struct Place<'a> {
    data: &'a Path,
    /// A database in place of a file.
    database: Option<String>,
}

impl Place<'_> {
    fn start(&self) -> ServerProcess {
        match &self.database {
            None => start(self.data),
            Some(url) => start_over(url, self.data),
        }
    }

    fn admin(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
        command.arg("admin").args(args).arg("--data").arg(self.data);
        if let Some(url) = &self.database {
            command.args(["--database", url]);
        }
        command
            .env("USER", "tester")
            .env_remove("SUDO_USER")
            .output()
            .unwrap()
    }
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
    let (data, database) = (&*folder.0, None);
    command_and_look(&Place { data, database }).await;
}

#[tokio::test]
async fn an_operator_commands_a_server_over_postgresql() {
    let (folder, postgres) = (Folder::new("admin-postgres"), Postgres::start().unwrap());
    let (data, database) = (&*folder.0, Some(postgres.url()));
    command_and_look(&Place { data, database }).await;
}

async fn command_and_look(place: &Place<'_>) {
    let admin = |args: &[&str]| place.admin(args);
    let nothing = complaint(&admin(&["tables"]));
    assert!(
        nothing.contains("opening the storage") && nothing.contains("no server has kept"),
        "{nothing}"
    );
    let server = place.start();
    let ann = Client::new(server.address).await.unwrap();
    let table = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    let tables = told(&admin(&["tables"]));
    assert!(
        tables.contains(&table) && tables.contains("waiting"),
        "{tables}"
    );

    let closed = told(&admin(&["close", &table]));
    assert_eq!(closed, format!("close {table}: closed and deleted\n"));
    let view = ann.view(&table).await.unwrap();
    assert_eq!(view["error"]["code"], "no-such-table");
    assert_eq!(told(&admin(&["tables"])), "");
    let again = complaint(&admin(&["close", &table]));
    assert!(again.contains("there is no such table"), "{again}");
    let wrong = complaint(&admin(&["close", "Nonsense"]));
    assert!(
        wrong.contains("\"Nonsense\" is not the name of a table"),
        "{wrong}"
    );
    let nobody = complaint(&admin(&["ban", "Nobody"]));
    assert!(nobody.contains("no player is called"), "{nobody}");

    let log = told(&admin(&["log"]));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines[0].contains("tester  ban Nobody  refused: "), "{log}");
    assert!(lines[2].ends_with("closed and deleted"), "{log}");
}
