//! The storage of `convoy serve` as a process: what it will not open, in one clear line.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod process;

use std::path::Path;
use std::process::{Command, Output};

use process::Folder;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

fn serve(data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
    command.arg(data).output().unwrap()
}

/// The one line that a server says which will not start.
fn complaint(data: &Path) -> String {
    let output = serve(data);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[tokio::test]
async fn a_schema_that_does_not_fit_gives_one_clear_line() {
    let folder = Folder::new("schema");
    std::fs::create_dir_all(&folder.0).unwrap();
    let options = SqliteConnectOptions::new()
        .filename(folder.0.join("convoy.db"))
        .create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let sql = AssertSqlSafe("CREATE TABLE event (moment TEXT)");
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let text = complaint(&folder.0);
    assert!(text.contains("schema") && text.contains("lacks"), "{text}");
}

#[test]
fn a_file_that_is_no_database_gives_one_clear_line() {
    let folder = Folder::new("nonsense");
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("convoy.db"), "not a database\n".repeat(99)).unwrap();
    let text = complaint(&folder.0);
    assert!(text.contains("not a database"), "{text}");
}
