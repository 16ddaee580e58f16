//! Tables that were stored before everyone committed: their rounds finish in format 1, the next ones
//! are dealt in format 2.

use convoy_server::{Append, Promise, Receipt, Stored, TableId};
use serde_json::{Value, json};

use super::table::{self, brisk};
use crate::common::{Site, Socket, Visitor, database};

/// One table as the earlier version stored it: round 1 with a play that was taken back, and round 2
/// in the middle. The person at seat 0 is written `PLAYER`.
const LOG: &str = include_str!("../../data/format_1.jsonl");

/// A site that holds the first so many events of that table, and the person at seat 0.
async fn site(events: usize) -> (Visitor, TableId) {
    let site = Site::over(database::fresh().await, brisk()).await;
    let ann = site.visitor().await;
    // The storage of a table of hers tells who she is.
    let own: TableId = ann
        .open(json!({ "game": "tractor" }))
        .await
        .parse()
        .unwrap();
    let store = site.app.store();
    let opened: Value = serde_json::from_str(&store.events(&own).await.unwrap()[0].event).unwrap();
    let player = opened["seats"][0]["player"].as_str().unwrap();
    let table = TableId::random();
    // The table was opened for eyes; the test has none.
    let log = LOG.replacen("\"deal\":320", "\"deal\":0", 1);
    let log = log.replacen("\"trick\":1300", "\"trick\":0", 1);
    for (seq, line) in (1..).zip(log.lines().take(events)) {
        let event = line.replace("PLAYER", player);
        let stored = Stored { seq, at: 0, event };
        let append = Append {
            table: table.clone(),
            stored,
            summary: None,
        };
        store.append(append).await.unwrap();
    }
    (ann, table)
}

async fn file(ann: &Visitor, table: &TableId, round: u32) -> Value {
    let path = format!("/game/{table}.round?ply={round}");
    ann.get(&path).await.json()
}

fn promise(file: &Value) -> Promise {
    let verified = convoy_server::verify(&file.to_string(), &Receipt::default());
    verified.unwrap().promise
}

async fn finish(socket: &mut Socket) {
    table::play_round(std::slice::from_mut(socket)).await;
}

#[tokio::test]
async fn a_round_under_way_finishes_in_its_format_and_the_next_is_dealt_in_the_new_one() {
    let (ann, id) = site(usize::MAX).await;
    let mut socket = ann.join(id.as_str()).await;
    assert_eq!(socket.view["number"], 2);
    assert_eq!(socket.view["shuffle"]["format"], 1);
    // The finished round is what it was, byte for byte.
    let old: Value = serde_json::from_str(include_str!("../../data/format_1.round.json")).unwrap();
    assert_eq!(file(&ann, &id, 1).await, old);
    finish(&mut socket).await;
    let second = file(&ann, &id, 2).await;
    assert_eq!(second["format"], "convoy-tractor-round-1");
    assert_eq!(promise(&second), Promise::ServerCommitment);
    assert_eq!(socket.view["rounds"][1]["record"], Value::Null);

    socket.act("next", json!({})).await;
    socket.until_view(|view| view["number"] == 3).await;
    assert_eq!(socket.view["shuffle"]["format"], 2);
    finish(&mut socket).await;
    let third = file(&ann, &id, 3).await;
    assert_eq!(promise(&third), Promise::CommitReveal);
}

/// A shuffle of format 1 that was being agreed on is dealt with what had been added.
#[tokio::test]
async fn a_shuffle_under_way_is_dealt_in_its_format() {
    let (ann, id) = site(3).await;
    let mut socket = ann.join(id.as_str()).await;
    finish(&mut socket).await;
    let first = file(&ann, &id, 1).await;
    let old: Value = serde_json::from_str(include_str!("../../data/format_1.round.json")).unwrap();
    for field in [
        "format",
        "commitment",
        "contributions",
        "seed",
        "deck",
        "hands",
    ] {
        assert_eq!(first[field], old[field], "{field}");
    }
    assert_eq!(promise(&first), Promise::ServerCommitment);
}
