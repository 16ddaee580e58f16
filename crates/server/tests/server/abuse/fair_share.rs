//! Floods of bots, analyses and tables: everybody else keeps a share of the threads and the lists.

use std::time::Duration;

use axum::http::StatusCode;
use convoy_server::{Config, Limits, Pace, Rates, Thinking};
use serde_json::{Value, json};

use super::{From, PROXY, only, stranger};
use crate::common::database::Storage;
use crate::common::{Site, Socket, Visitor, config, limits, paced, until};

/// A site with one thread to think, and an address of our own choosing for every visitor.
async fn one_thread(presence: Duration, queue: usize) -> Site {
    Site::with(Config {
        thinking: Thinking {
            threads: 1,
            queue,
            presence,
            ..config().thinking
        },
        limits: Limits {
            sockets_per_session: 100,
            analyses_per_session: 100,
            analyses_per_address: 100,
            ..limits()
        },
        ..config()
    })
    .await
}

const PRESENCE: Duration = Duration::from_secs(90);

/// Opens a table against a bot that is to move first, from an address.
async fn open_from(who: &Visitor, address: &str, level: u8) -> String {
    let from = From {
        peer: PROXY,
        told: &[address],
    };
    let new_table = json!({ "opponent": "bot", "level": level, "color": "b" });
    let answer = who
        .send_from(from, "/api/v1/tables", Some(&new_table))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn socket_from(who: &Visitor, address: &str, path: &str) -> Socket {
    who.socket_with(path, &[("x-forwarded-for", address)]).await
}

/// Waits until the bot has moved.
async fn bot_moves(socket: &mut Socket) {
    socket
        .until_view(|view| {
            view["turns"]
                .as_array()
                .is_some_and(|turns| !turns.is_empty())
        })
        .await;
}

#[tokio::test]
async fn h1_a_flood_of_strong_bots_leaves_a_weak_one_its_turn() {
    let site = one_thread(PRESENCE, 256).await;
    let (flood, ann) = (site.visitor().await, site.visitor().await);
    let mut tables = Vec::new();
    for _ in 0..40 {
        tables.push(open_from(&flood, "192.0.2.1", 10).await);
    }
    let mut held = Vec::new();
    for table in &tables {
        held.push(socket_from(&flood, "192.0.2.1", &format!("/ws/table/{table}")).await);
    }
    let table = open_from(&ann, "192.0.2.2", 1).await;
    let mut socket = socket_from(&ann, "192.0.2.2", &format!("/ws/table/{table}")).await;
    bot_moves(&mut socket).await;
    let mut moved = 0;
    for table in &tables {
        let turns = flood.view(table).await["turns"].as_array().unwrap().len();
        moved += usize::from(turns > 0);
    }
    assert!(moved < tables.len() / 2, "{moved} of the flood came first");
}

#[tokio::test]
async fn h1_bots_think_for_people_who_are_there() {
    let site = one_thread(Duration::ZERO, 256).await;
    let ann = site.visitor().await;
    // Nobody is at the first table when the bot at the second one moves.
    let first = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let second = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let mut socket = ann.join(&second).await;
    bot_moves(&mut socket).await;
    assert_eq!(ann.view(&first).await["turns"], json!([]));
    // Whoever comes finds the bot at work.
    let mut socket = ann.join(&first).await;
    bot_moves(&mut socket).await;
}

#[tokio::test]
async fn h1_a_bot_answers_people_who_play_by_calls_alone() {
    let site = one_thread(PRESENCE, 256).await;
    let ann = site.visitor().await;
    let table = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    until("the bot moves without a socket", async || {
        ann.view(&table).await["turns"] != json!([])
    })
    .await;
}

#[tokio::test]
async fn h1_no_move_is_lost_when_the_queue_is_full() {
    let site = one_thread(PRESENCE, 1).await;
    let ann = site.visitor().await;
    let mut sockets = Vec::new();
    for _ in 0..12 {
        let table = ann
            .open(json!({ "opponent": "bot", "level": 5, "color": "b" }))
            .await;
        sockets.push(ann.join(&table).await);
    }
    for socket in &mut sockets {
        bot_moves(socket).await;
    }
}

#[tokio::test]
async fn h1_hints_are_counted_by_address() {
    let rates = Rates {
        hints_per_address: only(1.0),
        ..config().rates
    };
    let pace = Pace {
        commit: 50,
        window: 50,
        ..Pace::BRISK
    };
    let config = Config { rates, ..config() };
    let site = Site::with(paced(pace, config)).await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let mut refused = 0;
    for who in [&ann, &bob] {
        let table = who.open(json!({ "game": "tractor", "level": 1 })).await;
        let path = format!("/ws/table/{table}");
        let mut socket = socket_from(who, "192.0.2.1", &path).await;
        // Before the cards are out there is nothing to advise on; a hint that is asked for then is
        // not counted.
        socket.until_view(|view| view["turn"] == 0).await;
        socket
            .send(&json!({ "t": "ask", "id": 1, "d": { "what": "hint" } }))
            .await;
        loop {
            let frame = socket.next().await;
            match frame["t"].as_str() {
                Some("answer") => break,
                Some("refused") => {
                    assert_eq!(frame["d"]["code"], "too-fast");
                    refused += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    assert_eq!(refused, 1);
}

#[tokio::test]
async fn m1_a_flood_of_analyses_leaves_another_its_turn() {
    let site = one_thread(PRESENCE, 256).await;
    let (flood, ann) = (site.visitor().await, site.visitor().await);
    let ask = json!({ "t": "analyse", "id": "x", "d": { "ms": 120_000 } });
    let mut held = Vec::new();
    for _ in 0..30 {
        let mut socket = socket_from(&flood, "192.0.2.1", "/ws/analysis").await;
        socket.send(&ask).await;
        held.push(socket);
    }
    held[0].until("line").await;
    // The flood would take an hour; its end is not waited for.
    let mut socket = socket_from(&ann, "192.0.2.2", "/ws/analysis").await;
    socket.send(&ask).await;
    let line = socket.until("line").await;
    assert!(line["d"]["depth"].as_u64() >= Some(1));
}

#[tokio::test]
async fn m2_tables_without_people_do_not_push_others_out_of_the_lobby() {
    let storage = Storage::new("lobby").await;
    let site = Site::over(storage.open().await, config()).await;
    let (ann, flood) = (site.visitor().await, stranger(&site).await);
    let new_table = json!({ "opponent": "open" });
    let attended = ann.open(new_table.clone()).await;
    let _socket = ann.join(&attended).await;
    for _ in 0..410 {
        flood.open(new_table.clone()).await;
    }
    assert_eq!(listed(&ann).await, [json!(attended)]);

    // After a restart too.
    site.app.store().close().await.unwrap();
    let site = Site::over(storage.open().await, config()).await;
    let ann = Visitor { site, ..ann };
    let _socket = ann.join(&attended).await;
    assert_eq!(listed(&ann).await, [json!(attended)]);
}

/// The open tables of the lobby.
async fn listed(who: &Visitor) -> Vec<Value> {
    let listed = who.get("/api/v1/tables?state=open").await.json();
    let tables = listed["tables"].as_array().unwrap();
    tables.iter().map(|row| row["id"].clone()).collect()
}

#[tokio::test]
async fn m2_people_of_one_address_cannot_fill_the_lobby() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let new_table = json!({ "opponent": "open" });
    let attended = ann.open(new_table.clone()).await;
    let mut held = vec![ann.join(&attended).await];
    for _ in 0..20 {
        let crowd = site.visitor().await;
        for _ in 0..3 {
            let table = crowd.open(new_table.clone()).await;
            let path = format!("/ws/table/{table}");
            held.push(socket_from(&crowd, "192.0.2.1", &path).await);
        }
    }
    let most = Limits::default().listed_per_address;
    // The last sockets are being joined.
    until("all that may be listed are", async || {
        let listed = ann.get("/api/v1/tables?state=open").await.json();
        let tables = listed["tables"].as_array().unwrap();
        assert!(tables.len() <= most + 1);
        let is_whole = tables.len() == most + 1;
        assert!(!is_whole || tables.iter().any(|row| row["id"] == *attended));
        is_whole
    })
    .await;
}
