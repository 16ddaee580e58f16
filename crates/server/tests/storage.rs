//! The storage in a file: the conformance suite, and what outlives the process that wrote it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Folder, Site, config, pair};
use convoy_server::{SqliteStore, conformance};
use serde_json::json;

#[tokio::test]
async fn sqlite_in_a_file_conforms() {
    let folder = Folder::new("conform");
    let store = SqliteStore::open(&folder.0.join("a.db")).await.unwrap();
    conformance::check(&store).await;
}

#[tokio::test]
async fn a_second_server_over_the_same_file_finds_everything() {
    let folder = Folder::new("again");
    let file = folder.0.join("a.db");
    let first = Site::over(SqliteStore::open(&file).await.unwrap(), config()).await;
    let (red, blue, table) = pair(&first, json!({ "minutes": 10 })).await;
    let mut a = red.join(&table).await;
    a.play("Ic5c6").await;
    let before = red.view(&table).await;

    let second = Site::over(SqliteStore::open(&file).await.unwrap(), config()).await;
    let [red, blue] = [red, blue].map(|visitor| common::Visitor {
        site: second.clone(),
        ..visitor
    });
    let after = red.view(&table).await;
    for field in ["fen", "seq", "turns", "seats", "you", "start"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(blue.view(&table).await["you"], 1);
}
