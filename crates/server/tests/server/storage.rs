//! The storage in a file: the conformance suite, and what outlives the process that wrote it.
use std::path::Path;
use std::time::Duration;

use convoy_server::{
    Config, PlayerId, Retention, SqliteStore, Store as _, StoreError, TableId, conformance,
};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::common::database::{Storage, event, sqlite};
use crate::common::{Folder, Site, Visitor, config, pair, until_some};

#[tokio::test]
async fn sqlite_in_a_file_conforms() {
    let folder = Folder::new("conform");
    let store = SqliteStore::open(&folder.0.join("a.db")).await.unwrap();
    conformance::check(&store).await;
}

#[tokio::test]
async fn a_second_server_over_the_same_storage_finds_everything() {
    let storage = Storage::new("again").await;
    let first = Site::over(storage.open().await, config()).await;
    let (red, blue, table) = pair(&first, json!({ "minutes": 10 })).await;
    let mut a = red.join(&table).await;
    a.play("Ic5c6").await;
    let before = red.view(&table).await;
    first.app.store().close().await.unwrap();

    let second = Site::over(storage.open().await, config()).await;
    let [red, blue] = [red, blue].map(|visitor| crate::common::Visitor {
        site: second.clone(),
        ..visitor
    });
    let after = red.view(&table).await;
    for field in ["fen", "seq", "turns", "seats", "you", "start"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(blue.view(&table).await["you"], 1);
}

/// Another process with its hands on the file.
async fn stranger(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file);
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(connection).await.unwrap();
}

/// What `/readyz` says.
async fn ready(visitor: &Visitor) -> (u16, String) {
    let answer = visitor.get("/readyz").await;
    (answer.status.as_u16(), answer.text)
}

/// Waits until `/readyz` has this status.
async fn until_ready(visitor: &Visitor, status: u16) -> String {
    until_some("/readyz has the status", async || {
        let (now, text) = ready(visitor).await;
        (now == status).then_some(text)
    })
    .await
}

#[tokio::test]
async fn a_second_server_is_kept_off_the_files() {
    let folder = Folder::new("two");
    let file = folder.0.join("a.db");
    let first = SqliteStore::open(&file).await.unwrap();
    let second = SqliteStore::open(&file).await.unwrap_err();
    assert!(matches!(second, StoreError::InUse(_)), "{second}");
    assert!(second.to_string().contains("a.lock"), "{second}");
    first.append(event(&TableId::random(), 1)).await.unwrap();
    first.close().await.unwrap();
    SqliteStore::open(&file).await.unwrap();
}

#[tokio::test]
async fn a_locked_file_refuses_moves_and_the_game_goes_on_afterwards() {
    let folder = Folder::new("locked");
    let file = folder.0.join("a.db");
    let site = Site::over(sqlite(&file).await, config()).await;
    let (red, _blue, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    a.play("Ic5c6").await;
    let before = red.view(&table).await;
    assert_eq!(ready(&red).await, (200, "ready\n".to_owned()));

    let mut other = stranger(&file).await;
    run(&mut other, "BEGIN IMMEDIATE").await;
    assert_eq!(a.refused("resign", json!({})).await, "storage");
    let (status, text) = ready(&red).await;
    assert!(status == 503 && text.contains("locked"), "{status} {text}");
    // The answer over HTTP is a refusal like any other, worded for whoever asks.
    let answer = red
        .post("/api/v1/tables", &json!({ "opponent": "bot" }))
        .await;
    assert_eq!((answer.status.as_u16(), &*answer.code()), (503, "storage"));
    // What was refused has not happened.
    assert_eq!(red.view(&table).await["turns"], before["turns"]);

    run(&mut other, "ROLLBACK").await;
    until_ready(&red, 200).await;
    let mut a = red.join(&table).await;
    assert_eq!(a.view["seq"], before["seq"]);
    a.act("resign", json!({})).await;
    a.until_view(|view| !view["outcome"].is_null()).await;
}

#[tokio::test]
async fn nothing_is_acknowledged_that_goes_into_a_file_which_is_gone() {
    let folder = Folder::new("gone");
    let (file, moved) = (folder.0.join("a.db"), folder.0.join("moved.db"));
    let site = Site::over(sqlite(&file).await, config()).await;
    let somebody = site.visitor().await;
    let table = TableId::random();
    let store = site.app.store();
    store.append(event(&table, 1)).await.unwrap();
    for replaced in [false, true] {
        std::fs::rename(&file, &moved).unwrap();
        if replaced {
            std::fs::write(&file, "another file").unwrap();
        }
        let refused = store.append(event(&table, 2)).await.unwrap_err();
        assert!(
            refused.to_string().contains("removed or replaced"),
            "{refused}"
        );
        let text = until_ready(&somebody, 503).await;
        assert!(text.contains("a.db"), "{text}");
        std::fs::rename(&moved, &file).unwrap();
        until_ready(&somebody, 200).await;
    }
    // The refused event may have reached the file before its absence was noticed: then its number
    // is taken, and never is it told of.
    let kept = store.events(&table).await.unwrap().len() as u64;
    store.append(event(&table, kept + 1)).await.unwrap();
}

#[tokio::test]
async fn a_file_that_goes_while_nobody_writes_is_noticed() {
    let folder = Folder::new("noticed");
    let (file, moved) = (folder.0.join("a.db-wal"), folder.0.join("moved"));
    let store = sqlite(&folder.0.join("a.db")).await;
    let site = Site::over(store, config()).await;
    let somebody = site.visitor().await;
    std::fs::rename(&file, &moved).unwrap();
    assert!(until_ready(&somebody, 503).await.contains("a.db-wal"));
    std::fs::rename(&moved, &file).unwrap();
    until_ready(&somebody, 200).await;
}

#[tokio::test]
async fn damaged_rows_are_refused_and_told_of() {
    let folder = Folder::new("rows");
    let file = folder.0.join("a.db");
    let site = Site::over(sqlite(&file).await, config()).await;
    let (red, _, table) = pair(&site, json!({})).await;
    let whole = red.open(json!({ "opponent": "friend" })).await;
    let store = site.app.store();
    let id: TableId = table.parse().unwrap();
    let mut other = stranger(&file).await;
    for (sql, is_read) in [
        ("UPDATE event SET event = x'ff00' WHERE seq = 2", false),
        ("UPDATE event SET event = 7 WHERE seq = 2", true),
        ("UPDATE event SET event = '{' WHERE seq = 2", true),
        (
            "UPDATE event SET event = '{\"e\":\"seated\",\"seat\":9,\"player\":\"x\",\"name\":\"\"}' WHERE seq = 2",
            true,
        ),
        ("UPDATE event SET at = 'noon' WHERE seq = 2", false),
        ("UPDATE event SET at = 1, seq = -2 WHERE seq = 2", false),
    ] {
        run(&mut other, sql).await;
        assert_eq!(store.events(&id).await.is_ok(), is_read, "{sql}");
    }
    // A server that has not read the table yet finds it damaged, and serves all others.
    store.close().await.unwrap();
    let site = Site::over(sqlite(&file).await, config()).await;
    let red = Visitor {
        site: site.clone(),
        ..red
    };
    let answer = red.get(&format!("/api/v1/tables/{table}")).await;
    assert_eq!((answer.status.as_u16(), &*answer.code()), (503, "storage"));
    assert_eq!(red.view(&whole).await["phase"], "waiting");
    let (status, text) = ready(&red).await;
    assert!(
        status == 200 && text.contains("could not be read"),
        "{status} {text}"
    );
}

#[tokio::test]
async fn damaged_lists_accounts_and_sessions_are_refused() {
    let folder = Folder::new("lists");
    let file = folder.0.join("a.db");
    let site = Site::over(sqlite(&file).await, config()).await;
    site.visitor()
        .await
        .open(json!({ "opponent": "friend" }))
        .await;
    let mut other = stranger(&file).await;
    let player = PlayerId::random();
    let store = site.app.store();
    run(&mut other, "UPDATE summary SET summary = '[]'").await;
    assert!(store.listed(convoy_server::Phase::Playing, 9).await.is_ok());
    run(
        &mut other,
        "UPDATE summary SET listed = 1, phase = 'playing'",
    )
    .await;
    assert!(
        store
            .listed(convoy_server::Phase::Playing, 9)
            .await
            .is_err()
    );
    let name = player.as_str();
    run(
        &mut other,
        &format!("INSERT INTO account VALUES ('{name}', 'ann', x'00ff', 1, 'ann')"),
    )
    .await;
    assert!(store.account("Ann").await.is_err());
    run(
        &mut other,
        "INSERT INTO session (token, account) VALUES ('t', 'no player')",
    )
    .await;
    assert!(store.session("t").await.is_err());
}

#[tokio::test]
async fn unused_tables_are_purged_and_those_in_memory_are_not() {
    let storage = Storage::new("purge").await;
    let retention = Retention {
        waiting: Duration::ZERO,
        ..Retention::default()
    };
    let config = Config {
        retention,
        ..config()
    };
    let site = Site::over(storage.open().await, config.clone()).await;
    let (red, _, played) = pair(&site, json!({})).await;
    let waiting = red.open(json!({ "opponent": "friend" })).await;
    // A table changed a moment ago is unused once that moment has passed.
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(site.app.purge().await, Ok(0), "it is in memory");
    site.app.store().close().await.unwrap();

    let site = Site::over(storage.open().await, config).await;
    let red = Visitor {
        site: site.clone(),
        ..red
    };
    assert_eq!(site.app.purge().await, Ok(1));
    let gone = red.get(&format!("/api/v1/tables/{waiting}")).await;
    assert_eq!(gone.code(), "no-such-table");
    assert_eq!(red.view(&played).await["phase"], "playing");
}

#[tokio::test]
async fn readiness_costs_no_write() {
    let folder = Folder::new("ready");
    let file = folder.0.join("a.db");
    let site = Site::over(sqlite(&file).await, config()).await;
    let somebody = site.visitor().await;
    let mut other = stranger(&file).await;
    let version = async |other: &mut SqliteConnection| -> i64 {
        let query = sqlx::query_scalar("PRAGMA data_version");
        query.fetch_one(other).await.unwrap()
    };
    let before = version(&mut other).await;
    for _ in 0..200 {
        assert_eq!(ready(&somebody).await.0, 200);
    }
    assert_eq!(version(&mut other).await, before);
}
