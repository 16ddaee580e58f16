//! A socket that behaves as a page does.

use std::net::SocketAddr;

use axum::http::StatusCode;
use axum::http::header::COOKIE;
use convoy_test_client::random::below;
use cotulenh::Position;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::{LONG, schema};

pub(crate) type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Connects, or answers the status of the refusal.
pub(crate) async fn connect(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    origin: Option<&str>,
) -> Result<Stream, StatusCode> {
    let origin = origin.map(|origin| ("origin", origin));
    let headers: Vec<(&'static str, &str)> = origin.into_iter().collect();
    connect_with(address, path, cookie, &headers).await
}

pub(super) async fn connect_with(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    headers: &[(&'static str, &str)],
) -> Result<Stream, StatusCode> {
    let mut request = format!("ws://{address}{path}")
        .into_client_request()
        .unwrap();
    if !cookie.is_empty() {
        request
            .headers_mut()
            .insert(COOKIE, cookie.parse().unwrap());
    }
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match tokio_tungstenite::connect_async(request).await {
        Ok((stream, _)) => Ok(stream),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status()),
        Err(error) => panic!("{error}"),
    }
}

/// A socket that keeps its view as a page does.
#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) stream: Stream,
    pub(crate) view: Value,
    pub(crate) presence: Value,
}

impl Socket {
    /// The next frame, taken in; `None` once the socket is closed.
    pub(crate) async fn frame(&mut self) -> Option<Value> {
        let late = Instant::now() + LONG;
        loop {
            // Pings are no frames: they must not keep a test waiting for one.
            let next = tokio::time::timeout_at(late, self.stream.next()).await;
            match next.expect("a frame comes in time") {
                Some(Ok(Message::Text(text))) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    apply(&mut self.view, &frame);
                    if frame["t"] == "view" {
                        let view = schema::resolve("#/components/schemas/View");
                        schema::check(view, &frame["d"], "view").unwrap();
                    }
                    if frame["t"] == "presence" {
                        self.presence = frame["d"].clone();
                    }
                    return Some(frame);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub(crate) async fn next(&mut self) -> Value {
        self.frame().await.expect("the socket is open")
    }

    /// Frames until one of this kind.
    pub(crate) async fn until(&mut self, t: &str) -> Value {
        let late = Instant::now() + LONG;
        loop {
            let frame = self.next_before(late).await;
            if frame["t"] == t {
                return frame;
            }
        }
    }

    async fn next_before(&mut self, late: Instant) -> Value {
        let next = tokio::time::timeout_at(late, self.next()).await;
        next.unwrap_or_else(|_| {
            panic!(
                "what was waited for did not come; the view is {}",
                self.view
            )
        })
    }

    /// Frames until the view meets the condition.
    pub(crate) async fn until_view(&mut self, condition: impl Fn(&Value) -> bool) {
        let late = Instant::now() + LONG;
        while !condition(&self.view) {
            self.next_before(late).await;
        }
    }

    /// Frames until these seats are told to be here and the others gone.
    pub(crate) async fn until_online(&mut self, seats: [bool; 2]) {
        let late = Instant::now() + LONG;
        while self.presence["online"] != json!(seats) {
            self.next_before(late).await;
        }
    }

    pub(crate) async fn send(&mut self, frame: &Value) {
        self.text(&frame.to_string()).await;
    }

    pub(crate) async fn text(&mut self, text: &str) {
        // A server that has closed the socket is what some tests are about.
        let _ = self.stream.send(Message::text(text)).await;
    }

    pub(crate) async fn act(&mut self, t: &str, d: Value) {
        let seq = self.view["seq"].clone();
        self.send(&json!({ "t": t, "seq": seq, "id": "x", "d": d }))
            .await;
    }

    /// Acts, and answers the code of the refusal.
    pub(crate) async fn refused(&mut self, t: &str, d: Value) -> String {
        self.act(t, d).await;
        let frame = self.until("refused").await;
        assert_eq!(frame["d"]["re"], "x");
        assert!(!frame["d"]["message"].as_str().unwrap().is_empty());
        frame["d"]["code"].as_str().unwrap().to_owned()
    }

    /// Plays a turn and waits until it is told.
    pub(crate) async fn play(&mut self, lan: &str) {
        let turns = self.turns();
        self.act("move", json!({ "move": lan })).await;
        while self.turns() == turns {
            let frame = self.next().await;
            assert_ne!(frame["t"], "refused", "{lan}: {frame}");
        }
    }

    pub(crate) fn turns(&self) -> usize {
        self.view["turns"].as_array().map_or(0, Vec::len)
    }

    pub(crate) fn position(&self) -> Position {
        self.view["fen"].as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn is_my_turn(&self) -> bool {
        self.view["can"]
            .as_array()
            .unwrap()
            .contains(&json!("move"))
    }
}

/// What a page does with a frame.
fn apply(view: &mut Value, frame: &Value) {
    match frame["t"].as_str() {
        Some("view") => *view = frame["d"].clone(),
        Some("resumed") => assign(view, &frame["d"]),
        Some("event") => {
            let seq = frame["seq"].as_u64().unwrap();
            if seq <= view["seq"].as_u64().unwrap() {
                return;
            }
            assert_eq!(Some(seq), view["seq"].as_u64().map(|seq| seq + 1), "a gap");
            assign(view, &frame["d"]["set"]);
            let turns = view["turns"].as_array_mut().unwrap();
            if let Some(length) = frame["d"]["turns"].as_u64() {
                turns.truncate(usize::try_from(length).unwrap());
            }
            if !frame["d"]["turn"].is_null() {
                turns.push(frame["d"]["turn"].clone());
            }
        }
        _ => {}
    }
}

fn assign(view: &mut Value, set: &Value) {
    for (name, value) in set.as_object().unwrap() {
        view[name] = value.clone();
    }
}

/// Some legal turn, chosen by `seed`.
pub(crate) fn some_turn(position: &Position, seed: &mut u64) -> String {
    let mut now = position.clone();
    let mut actions = Vec::new();
    loop {
        let moves = now.legal_moves();
        let index = below(seed, moves.len());
        actions.push(moves[index]);
        now = now.play(moves[index]).unwrap();
        if now.deploy().is_none() {
            return position.turn_lan(&actions);
        }
    }
}
