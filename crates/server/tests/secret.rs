//! Nothing secret in logs, errors or metrics: a round of Tractor and an account, at the finest level
//! of the log. A program of its own, because the log is that of the whole process.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    dead_code,
    missing_docs,
    missing_debug_implementations,
    reason = "tools of tests fail by panicking"
)]

#[path = "server/common/mod.rs"]
mod common;
#[path = "server/tractor/table.rs"]
mod table;

use std::io::Write;
use std::sync::{Arc, Mutex};

use common::Site;
use serde_json::json;
use tractor::Card;

/// A log that can be read.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_card_token_or_password_is_logged_or_counted() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let site = Site::with(table::brisk()).await;
    let mut ann = site.visitor().await;
    let fields = "name=Secretive&password=correct-horse-battery";
    let answer = ann.form("/account/register", fields).await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    ann.take_cookie(&cookie);
    ann.reload().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    // What is refused is told to its sender alone.
    for d in [json!({ "cards": ["3S0"] }), json!({ "cards": "AH1" })] {
        socket.act("play", d).await;
        socket.until("refused").await;
    }
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let wrong = "name=Secretive&password=wrong-horse-battery";
    assert_eq!(ann.form("/account/login", wrong).await.status.as_u16(), 401);
    let metrics = ann.get("/metrics").await.text;

    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a table was opened"), "the log is heard");
    let (token, _) = ann.cookie["convoy=".len()..].split_once('.').unwrap();
    let proof = ann.get(&format!("/game/{id}.round")).await.json();
    let secrets = [
        token,
        "horse-battery",
        table::BITS,
        proof["attempts"][0]["secret"].as_str().unwrap(),
        proof["attempts"][0]["salt"].as_str().unwrap(),
        proof["seed"].as_str().unwrap(),
    ];
    for text in [&log, &metrics] {
        for secret in secrets {
            assert!(!text.contains(secret), "{secret}");
        }
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        for card in Card::all() {
            let card = card.to_string();
            assert!(!words.contains(&card.as_str()), "{card}");
        }
    }
}
