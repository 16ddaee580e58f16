//! The storage of `convoy serve` as a process: what it will not open, in one clear line; what it does
//! when it cannot write; backups.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use convoy_test_client::client::Client;
use convoy_test_client::process::ServerProcess;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::process::{Folder, start, start_ignoring_file_size};

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

#[tokio::test]
async fn a_file_of_a_newer_version_gives_one_clear_line() {
    let folder = Folder::new("newer");
    stop(start(&folder.0));
    let options = SqliteConnectOptions::new().filename(folder.0.join("convoy.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let sql =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
               VALUES (999, '', 1, x'00', 0)";
    let sql = sqlx::raw_sql(AssertSqlSafe(sql));
    sql.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let text = complaint(&folder.0);
    assert!(text.contains("it has migration 999"), "{text}");
}

#[test]
fn a_file_that_is_no_database_gives_one_clear_line() {
    let folder = Folder::new("nonsense");
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("convoy.db"), "not a database\n".repeat(99)).unwrap();
    let text = complaint(&folder.0);
    assert!(text.contains("not a database"), "{text}");
}

fn convoy(args: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.args(args).arg("--data").arg(data).output().unwrap()
}

/// Tells a server to stop and waits until it has.
fn stop(mut server: ServerProcess) {
    let pid = Pid::from_child(&server.child);
    kill_process(pid, Signal::TERM).unwrap();
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn a_second_server_on_one_folder_gives_one_clear_line() {
    let folder = Folder::new("twice");
    let server = start(&folder.0);
    let text = complaint(&folder.0);
    assert!(
        text.contains("another server") && text.contains("convoy.lock"),
        "{text}"
    );
    server.kill().unwrap();
    // The lock goes with the process, however that ends.
    start(&folder.0);
}

#[test]
fn the_files_are_private_and_the_log_is_folded_at_the_end() {
    let folder = Folder::new("private");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let server = start(&folder.0);
    assert_eq!(mode(&folder.0), 0o700);
    let names = ["convoy.db", "convoy.db-wal", "convoy.db-shm", "convoy.lock"];
    for name in names {
        assert_eq!(mode(&folder.0.join(name)), 0o600, "{name}");
    }
    stop(server);
    let log = folder.0.join("convoy.db-wal");
    assert_eq!(log.metadata().map_or(0, |data| data.len()), 0);
    // A file from before, readable by all, is made private.
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(folder.0.join("convoy.db"), open).unwrap();
    let _server = start(&folder.0);
    for name in names {
        assert_eq!(mode(&folder.0.join(name)), 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_backup_is_taken_while_it_runs_and_restored_while_it_does_not() {
    let folder = Folder::new("backup");
    let copy = folder.0.join("copy.db");
    let copy = copy.to_str().unwrap();
    let server = start(&folder.0);
    let mut ann = Client::new(server.address).await.unwrap();
    let early = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    let taken = convoy(&["backup", copy], &folder.0);
    assert!(taken.status.success(), "{taken:?}");
    assert_eq!(
        Path::new(copy).metadata().unwrap().permissions().mode() & 0o777,
        0o600
    );
    let again = convoy(&["backup", copy], &folder.0);
    assert!(String::from_utf8_lossy(&again.stderr).contains("such a file already"));
    let late = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    let refused = convoy(&["restore", copy], &folder.0);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && text.contains("another server"),
        "{text}"
    );
    stop(server);

    let restored = convoy(&["restore", copy], &folder.0);
    assert!(restored.status.success(), "{restored:?}");
    let server = start(&folder.0);
    ann.address = server.address;
    assert_eq!(ann.view(&early).await.unwrap()["phase"], "waiting");
    assert_eq!(
        ann.view(&late).await.unwrap()["error"]["code"],
        "no-such-table"
    );
    stop(server);

    // What was there before is kept, and can be put back in its turn.
    let text = String::from_utf8(restored.stdout).unwrap();
    let kept = text.trim().rsplit("kept in ").next().unwrap().to_owned();
    assert!(convoy(&["restore", &kept], &folder.0).status.success());
    let server = start(&folder.0);
    ann.address = server.address;
    assert_eq!(ann.view(&late).await.unwrap()["phase"], "waiting");
}

#[tokio::test]
async fn a_backup_that_does_not_fit_changes_nothing() {
    let folder = Folder::new("unfit");
    let copy = folder.0.join("copy.db");
    let name = copy.to_str().unwrap();
    let server = start(&folder.0);
    let mut ann = Client::new(server.address).await.unwrap();
    let table = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    assert!(convoy(&["backup", name], &folder.0).status.success());
    stop(server);
    let restore = |wanted: &str| {
        let refused = convoy(&["restore", name], &folder.0);
        let text = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{text}");
        assert!(text.lines().count() == 1 && text.contains(wanted), "{text}");
    };
    let options = SqliteConnectOptions::new().filename(&copy);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (999, '', 1, x'00', 0)";
    sqlx::raw_sql(AssertSqlSafe(newer))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    restore("migration 999");
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    std::fs::write(&copy, &bytes).unwrap();
    restore("damaged");
    std::fs::remove_file(&copy).unwrap();
    restore("copy.db");
    let server = start(&folder.0);
    ann.address = server.address;
    assert_eq!(ann.view(&table).await.unwrap()["phase"], "waiting");
}

#[test]
fn an_integrity_check_at_the_start_finds_damage() {
    let folder = Folder::new("integrity");
    stop(start(&folder.0));
    let serve = |data: &Path| {
        let args = ["serve", "--listen", "127.0.0.1:0", "--check-integrity"];
        convoy(&args, data)
    };
    let file = folder.0.join("convoy.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // The last page is one of an index or a table: nothing that is needed to open the file.
    let last = bytes.len() - 4096;
    bytes[last..].fill(0xa5);
    std::fs::write(&file, &bytes).unwrap();
    let output = serve(&folder.0);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.lines().count() == 1 && text.contains("damaged"),
        "{text}"
    );
}

/// A process whose files may grow no further gets an error for every write, as from a disk that
/// fails.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn input_and_output_errors_refuse_moves_and_are_survived() {
    let folder = Folder::new("io");
    let server = start_ignoring_file_size(&folder.0);
    let pid = Pid::from_child(&server.child);
    let limit = |bytes: Option<u64>| {
        let limit = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(Some(pid), Resource::Fsize, limit).unwrap();
    };
    let ann = Client::new(server.address).await.unwrap();
    let mut kept = Vec::new();
    for round in 0..3 {
        for _ in 0..5 {
            kept.push(ann.open(&json!({ "opponent": "friend" })).await.unwrap());
        }
        limit(Some(1 << round));
        let new_table = json!({ "opponent": "friend" });
        let refused = ann
            .request("POST", "/api/v1/tables", Some(&new_table))
            .await
            .unwrap();
        assert_eq!(refused.json().unwrap()["error"]["code"], "storage");
        let ready = ann.request("GET", "/readyz", None).await.unwrap();
        assert_eq!(ready.status, 503, "{}", ready.body);
        limit(None);
        let mut tries = 0;
        while ann.request("GET", "/readyz", None).await.unwrap().status != 200 {
            tries += 1;
            // Two minutes, only a safety net: the server tries again twice a second.
            assert!(tries < 6000, "it does not resume");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    server.kill().unwrap();
    let server = start(&folder.0);
    let ann = Client {
        address: server.address,
        ..ann
    };
    for table in &kept {
        assert_eq!(ann.view(table).await.unwrap()["phase"], "waiting");
    }
}
