//! What operators do with `convoy admin`, as the server carries it out.

use axum::http::StatusCode;
use convoy_server::{AdminCommand, AuditEntry, Store};
use serde_json::{Value, json};

use crate::common::database::{Storage, fresh};
use crate::common::{PASSWORD, Site, Visitor, config, log_in, pair, register, until_some};

/// Writes a command down and waits until it is carried out.
pub(crate) async fn run(store: &dyn Store, command: AdminCommand) -> String {
    let entry = AuditEntry::new("tester", command, 1);
    store.add_audit(&entry).await.unwrap();
    until_some("the command is carried out", async || {
        let entries = store.audit(false, 100).await.unwrap();
        let own = entries.into_iter().find(|found| found.id == entry.id);
        own.unwrap().outcome
    })
    .await
}

fn named(name: &str) -> String {
    name.to_owned()
}

async fn try_to_log_in(visitor: &Visitor, name: &str) -> (StatusCode, String) {
    let fields = format!("name={name}&password={}", PASSWORD.replace(' ', "+"));
    let answer = visitor.form("/account/login", &fields).await;
    (answer.status, answer.text)
}

#[tokio::test]
async fn a_ban_ends_the_sessions_and_lets_nobody_log_in_until_it_is_lifted() {
    let site = Site::over(fresh().await, config()).await;
    let store = site.app.store();
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    let mut socket = ann.socket("/ws/lobby").await;
    let ban = AdminCommand::Ban { name: named("ann") };
    assert_eq!(run(store, ban).await, "banned; 1 sessions ended");
    // The socket ends, and the cookie is that of nobody.
    while socket.frame().await.is_some() {}
    assert_eq!(ann.get("/api/v1/me").await.json()["account"], false);
    let stranger = site.visitor().await;
    let (status, text) = try_to_log_in(&stranger, "Ann").await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{text}");
    assert!(text.contains("banned"), "{text}");
    let unban = AdminCommand::Unban { name: named("Ann") };
    assert_eq!(run(store, unban).await, "may log in again");
    let mut back = site.visitor().await;
    log_in(&mut back, "Ann").await;
    let end = AdminCommand::EndSessions { name: named("Ann") };
    assert_eq!(run(store, end).await, "1 sessions ended");
    assert_eq!(back.get("/api/v1/me").await.json()["account"], false);
}

#[tokio::test]
async fn a_renamed_account_keeps_its_sessions_and_its_seats() {
    let storage = Storage::new("rename").await;
    let site = Site::over(storage.open().await, config()).await;
    let store = site.app.store();
    let (mut red, blue, table) = pair(&site, json!({})).await;
    register(&mut red, "Rude_Name").await;
    let mut other = site.visitor().await;
    register(&mut other, "Taken").await;
    let to = |to: &str| AdminCommand::Rename {
        name: named("rude_name"),
        to: named(to),
    };
    let taken = run(store, to("taken")).await;
    assert_eq!(taken, "refused: the name is taken");
    assert!(run(store, to("x")).await.starts_with("refused: a name has"));
    let done = run(store, to("Polite")).await;
    assert_eq!(done, "renamed; the seats have the new name");
    assert_eq!(red.get("/api/v1/me").await.json()["player"], "Polite");
    let view = blue.view(&table).await;
    assert_eq!(view["seats"][0]["name"], "Polite");
    assert_eq!(red.view(&table).await["you"], 0);
    assert_eq!(store.account("Rude_Name").await, Ok(None));
    let archive = red.get("/api/v1/archive").await.json();
    assert_eq!(archive["tables"][0]["id"], table);
    let gone = run(store, to("Again")).await;
    assert_eq!(gone, "refused: no player is called \"rude_name\"");
    // The log keeps all of it, the newest first, after a restart too.
    store.close().await.unwrap();
    let entries = storage.open().await.audit(false, 9).await.unwrap();
    assert_eq!(entries.len(), 4);
    assert!(
        entries
            .iter()
            .all(|entry| entry.operator == "tester" && entry.done > 1)
    );
}

#[tokio::test]
async fn a_deleted_player_leaves_anonymous_seats() {
    let site = Site::over(fresh().await, config()).await;
    let (mut red, blue, table) = pair(&site, json!({})).await;
    register(&mut red, "Leaving").await;
    let delete = AdminCommand::DeletePlayer {
        name: named("Leaving"),
    };
    let done = run(site.app.store(), delete).await;
    assert_eq!(done, "deleted; the seats are anonymous");
    let name = blue.view(&table).await["seats"][0]["name"].clone();
    assert!(name.as_str().unwrap().starts_with("Guest-"), "{name}");
    assert_eq!(red.view(&table).await["you"], Value::Null);
}

#[tokio::test]
async fn a_closed_table_is_gone_for_everybody_and_from_the_storage() {
    let site = Site::over(fresh().await, config()).await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let mut socket = blue.join(&table).await;
    let close = || AdminCommand::Close {
        table: table.parse().unwrap(),
    };
    assert_eq!(run(site.app.store(), close()).await, "closed and deleted");
    while socket.frame().await.is_some() {}
    let gone = red.get(&format!("/api/v1/tables/{table}")).await;
    assert_eq!(gone.code(), "no-such-table");
    let events = site.app.store().events(&table.parse().unwrap()).await;
    assert_eq!(events, Ok(vec![]));
    let again = run(site.app.store(), close()).await;
    assert_eq!(again, "refused: there is no such table");
}
