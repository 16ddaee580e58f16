//! `convoy serve` killed in the middle of deal, kitty and play of Tractor, and `convoy verify`.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../../server/examples/load/client.rs"]
mod client;
mod process;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use client::{Client, Socket};
use process::{Folder, Server};
use serde_json::{Value, json};

fn may(view: &Value, what: &str) -> bool {
    view["can"].as_array().unwrap().contains(&json!(what))
}

fn cards(view: &Value) -> Vec<Value> {
    let groups = view["groups"].as_array().unwrap().iter();
    groups
        .flat_map(|group| group["cards"].as_array().unwrap().clone())
        .collect()
}

/// Reads frames until the view is as wished, adding to the shuffle on the way.
async fn until(socket: &mut Socket, wish: impl Fn(&Value) -> bool) {
    let mut added = 0;
    while !wish(&socket.view) {
        if may(&socket.view, "contribute") && added == 0 {
            added = 1;
            let number = socket.view["number"].clone();
            let d = json!({ "number": number, "bits": "00".repeat(16) });
            socket.act("contribute", d).await.unwrap();
        }
        // Only a hang takes this long.
        let next = tokio::time::timeout(Duration::from_mins(2), socket.next());
        next.await.expect("a frame comes").unwrap();
    }
}

/// What must be the same after the end: all that this seat knows, but for the time.
fn facts(view: &Value) -> Value {
    let mut view = view.clone();
    for passing in ["timer", "standIn", "can"] {
        view.as_object_mut().unwrap().remove(passing);
    }
    view
}

#[tokio::test]
async fn killed_in_deal_kitty_and_play_it_goes_on() {
    let data = Folder::new("cards");
    let mut server = Server::start(&data.0);
    let mut clients = vec![];
    for _ in 0..4 {
        clients.push(Client::new(server.address).await.unwrap());
    }
    let wish = json!({ "game": "tractor", "opponent": "friend", "level": 1 });
    let table = clients[0].open(&wish).await.unwrap();
    for client in &clients[1..] {
        client.sit(&table).await.unwrap();
    }
    for stage in ["dealing", "burying", "playing"] {
        let mut sockets = vec![];
        for client in &clients {
            sockets.push(client.join(&table, None).await.unwrap());
        }
        for socket in &mut sockets {
            until(socket, |view| view["dealt"].as_u64() >= Some(20)).await;
        }
        if stage != "dealing" {
            for socket in &mut sockets {
                until(socket, |view| {
                    may(view, "pass") || view["stage"] != "dealing"
                })
                .await;
                if may(&socket.view, "pass") {
                    socket.act("pass", json!({})).await.unwrap();
                }
            }
            for socket in &mut sockets {
                until(socket, |view| view["stage"] != "dealing").await;
            }
        }
        if stage == "playing" {
            for socket in &mut sockets {
                if may(&socket.view, "bury") {
                    let eight = &cards(&socket.view)[25..];
                    socket.act("bury", json!({ "cards": eight })).await.unwrap();
                }
            }
            for socket in &mut sockets {
                until(socket, |view| view["stage"] == "playing").await;
            }
            let leader = usize::try_from(sockets[0].view["turn"].as_u64().unwrap()).unwrap();
            let card = cards(&sockets[leader].view).pop().unwrap();
            sockets[leader]
                .act("play", json!({ "cards": [card] }))
                .await
                .unwrap();
            for socket in &mut sockets {
                until(socket, |view| !view["open"].is_null()).await;
            }
        }
        let told: Vec<Value> = sockets.iter().map(|socket| socket.view.clone()).collect();
        drop(server);
        server = Server::start(&data.0);
        for (seat, client) in clients.iter_mut().enumerate() {
            client.address = server.address;
            let kept = client.view(&table).await.unwrap();
            let (told, kept) = (facts(&told[seat]), facts(&kept));
            // The deal may have gone on between the last frame and the end.
            if kept["seq"] == told["seq"] {
                assert_eq!(kept, told, "{stage}, seat {seat}");
            } else {
                assert_eq!(stage, "dealing");
                let held = told["hand"].as_array().unwrap();
                let still = kept["hand"].as_array().unwrap();
                assert!(held.iter().all(|card| still.contains(card)));
            }
        }
    }
    // One comes back and the others do not: bots stand in, and the trick goes on.
    let mut socket = clients[0].join(&table, None).await.unwrap();
    until(&mut socket, |view| {
        may(view, "play")
            || view["turns"]
                .as_array()
                .is_some_and(|turns| !turns.is_empty())
    })
    .await;
    drop(server);
}

#[test]
fn verify_says_what_does_not_hold() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("no-round.json");
    std::fs::write(&file, "{}").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("verify")
        .arg(&file)
        .output();
    let output = output.unwrap();
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("not the file of a round"), "{words}");
    assert_eq!(words.lines().count(), 1);
}
