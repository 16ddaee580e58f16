//! `convoy` over PostgreSQL as a process, and what it says of a configuration that it cannot use.

use std::path::Path;
use std::process::{Command, Output};

use convoy_test_client::client::Client;
use convoy_test_postgres::Server as Postgres;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::process::{Folder, start, start_over};

fn convoy(args: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.args(args).arg("--data").arg(data).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The one line of a command that fails.
fn complaint(args: &[&str], data: &Path) -> String {
    let output = convoy(args, data);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!error.contains("hidden"), "{error}");
    error
}

async fn run(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn killed_over_postgresql_it_loses_nothing_and_moves_to_sqlite() {
    let (folder, postgres) = (Folder::new("postgres"), Postgres::start().unwrap());
    let url = postgres.url();
    let server = start_over(&url, &folder.0);
    let mut ann = Client::new(server.address).await.unwrap();
    let table = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    server.kill().unwrap();
    let server = start_over(&url, &folder.0);
    ann.address = server.address;
    assert_eq!(ann.view(&table).await.unwrap()["phase"], "waiting");
    assert!(!folder.0.join("convoy.db").exists());

    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let second = complaint(&serve, &folder.0);
    assert!(second.contains("another server runs"), "{second}");
    let file = folder.0.join("all.jsonl");
    let file = file.to_str().unwrap();
    let refused = complaint(&["export", file, "--database", &url], &folder.0);
    assert!(refused.contains("another server runs"), "{refused}");
    server.kill().unwrap();

    let copy = folder.0.join("copy.db");
    let backup = ["backup", copy.to_str().unwrap(), "--database", &url];
    assert!(complaint(&backup, &folder.0).contains("use pg_dump"));
    let integrity = [&serve[..], &["--check-integrity"]].concat();
    assert!(complaint(&integrity, &folder.0).contains("pg_amcheck"));
    let exported = convoy(&["export", file, "--database", &url], &folder.0);
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    let imported = convoy(&["import", file], &folder.0);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let sums = |output: &Output| -> Vec<String> {
        let lines = text(&output.stdout);
        let lines = lines.lines().filter(|line| line.contains("sha256"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(sums(&exported), sums(&imported));
    assert_eq!(sums(&exported).len(), 14);
    assert!(complaint(&["import", file], &folder.0).contains("not empty"));
    let server = start(&folder.0);
    ann.address = server.address;
    assert_eq!(ann.view(&table).await.unwrap()["phase"], "waiting");
}

#[tokio::test]
async fn a_database_that_cannot_be_used_gives_one_clear_line() {
    let (folder, mut postgres) = (Folder::new("unusable"), Postgres::start().unwrap());
    let url = postgres.url();
    let serve = |url: &str| {
        let args = ["serve", "--listen", "127.0.0.1:0", "--database", url];
        complaint(&args, &folder.0)
    };
    run(&url, "CREATE ROLE guarded LOGIN PASSWORD 'right'").await;
    let wrong = serve(&postgres.url_with_password("hidden"));
    assert!(wrong.contains("password authentication failed"), "{wrong}");
    let file = folder.0.join("none.jsonl");
    let nothing = ["export", file.to_str().unwrap(), "--database", &url];
    let nothing = complaint(&nothing, &folder.0);
    assert!(nothing.contains("no server has kept"), "{nothing}");
    assert!(!file.exists());
    let missing = serve(&url.replace("/postgres", "/nowhere"));
    assert!(missing.contains("\"nowhere\" does not exist"), "{missing}");
    let encrypted = serve(&format!("{url}?sslmode=require"));
    assert!(encrypted.to_lowercase().contains("tls"), "{encrypted}");
    let slip = serve(&format!("{url}?sslmod=require"));
    assert!(
        slip.contains("--database: ") && slip.contains("sslmod"),
        "{slip}"
    );

    let migrated = convoy(&["migrate", "--database", &url], &folder.0);
    let told = text(&migrated.stdout);
    assert!(
        migrated.status.success() && told.contains("at migration"),
        "{told}"
    );
    run(
        &url,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (999, '', true, '\\x00', 0)",
    )
    .await;
    let newer = serve(&url);
    assert!(newer.contains("migration 999"), "{newer}");
    postgres.crash().unwrap();
    let gone = serve(&url);
    assert!(gone.contains("refused"), "{gone}");
}

#[test]
fn a_check_prints_the_configuration_and_what_it_tried() {
    let (folder, postgres) = (Folder::new("check"), Postgres::start().unwrap());
    let check = ["serve", "--check", "--listen", "127.0.0.1:0"];
    let sqlite = convoy(&check, &folder.0);
    let told = text(&sqlite.stdout);
    assert!(sqlite.status.success(), "{}", text(&sqlite.stderr));
    for part in ["listen = \"127.0.0.1:0\"", " is free", "is in order"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let url = postgres.url().replace("convoy@", "convoy:hidden@");
    let over = convoy(&[&check[..], &["--database", &url]].concat(), &folder.0);
    let told = text(&over.stdout);
    assert!(over.status.success(), "{}", text(&over.stderr));
    assert!(
        told.contains("database = \"postgres://convoy@127.0.0.1"),
        "{told}"
    );
    assert!(!told.contains("hidden"), "a password is not printed");

    let half = [&check[..], &["--tls-key", "key.pem"]].concat();
    assert!(complaint(&half, &folder.0).contains("tls.certificate is not"));
    let none = ["--tls-key", "no-key.pem", "--tls-certificate", "none.pem"];
    let none = [&check[..], &none].concat();
    assert!(complaint(&none, &folder.0).contains("none.pem: "));
    let server = start(&folder.0);
    assert!(complaint(&check, &folder.0).contains("another server runs"));
    server.kill().unwrap();
}
