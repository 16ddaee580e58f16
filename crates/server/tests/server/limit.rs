//! What somebody may hold at once, and how long a request may take: one too many is refused, and
//! what is given back can be had again.

use std::time::Duration;

use axum::http::StatusCode;
use convoy_server::{Config, Limits, Rate, Rates};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::common::{LONG, Site, Visitor, config, connect, limits, until};

async fn site(limits: Limits) -> Site {
    Site::with(Config { limits, ..config() }).await
}

async fn lobby(who: &Visitor) -> Result<crate::common::Stream, StatusCode> {
    connect(who.site.address, "/ws/lobby", &who.cookie, None).await
}

#[tokio::test]
async fn a_session_has_so_many_sockets() {
    let site = site(Limits {
        sockets_per_session: 2,
        ..limits()
    })
    .await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let first = lobby(&ann).await.unwrap();
    let _second = lobby(&ann).await.unwrap();
    let refused = lobby(&ann).await.err();
    assert_eq!(refused, Some(StatusCode::TOO_MANY_REQUESTS));
    assert!(lobby(&bob).await.is_ok());
    drop(first);
    // The server notices the end in its own time.
    until("a socket has room", async || lobby(&ann).await.is_ok()).await;
}

#[tokio::test]
async fn an_address_has_so_many_sockets() {
    let site = site(Limits {
        sockets_per_address: 2,
        ..limits()
    })
    .await;
    let from = async |address: &str| {
        let mut request = format!("ws://{}/ws/lobby", site.address)
            .into_client_request()
            .unwrap();
        let headers = request.headers_mut();
        headers.insert("x-forwarded-for", address.parse().unwrap());
        tokio_tungstenite::connect_async(request).await
    };
    // Without a cookie each is another session, but the address is the same.
    let _held = (
        from("192.0.2.1").await.unwrap(),
        from("192.0.2.1").await.unwrap(),
    );
    assert!(from("192.0.2.1").await.is_err());
    assert!(from("192.0.2.2").await.is_ok());
}

#[tokio::test]
async fn a_player_has_so_many_tables_that_are_not_over() {
    let site = site(Limits {
        tables_per_session: 2,
        ..limits()
    })
    .await;
    let ann = site.visitor().await;
    let new_table = json!({ "opponent": "friend", "color": "r" });
    let first = ann.open(new_table.clone()).await;
    ann.open(new_table.clone()).await;
    let answer = ann.post("/api/v1/tables", &new_table).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.json()["error"]["why"]["code"], "tables");
    let page = ann.form("/play", "game=cotulenh&opponent=friend").await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(
        page.text.contains("finish one first"),
        "the page says what to do"
    );
    // One that is over counts no more.
    let mut socket = ann.join(&first).await;
    socket.act("abort", Value::Null).await;
    socket.until_view(|view| view["phase"] == "over").await;
    // The table gives its place back a moment after it has told its end.
    until("a table has room", async || {
        ann.post("/api/v1/tables", &new_table).await.status == StatusCode::CREATED
    })
    .await;
}

#[tokio::test]
async fn a_session_has_so_many_analyses() {
    let site = site(Limits {
        analyses_per_session: 1,
        ..limits()
    })
    .await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let ask = json!({ "t": "analyse", "id": "x", "d": { "ms": 60_000 } });
    let mut first = ann.socket("/ws/analysis").await;
    let mut second = ann.socket("/ws/analysis").await;
    first.send(&ask).await;
    first.until("line").await;
    second.send(&ask).await;
    let refused = second.until("refused").await;
    assert_eq!(refused["d"]["code"], "too-many");
    assert_eq!(refused["d"]["why"]["code"], "analyses");
    // Another question on the same socket replaces the first, and so do others' go on.
    drop(first);
    // The server notices that in its own time.
    until("an analysis has room", async || {
        second.send(&ask).await;
        second.next().await["t"] == "line"
    })
    .await;
    drop(second);
    let mut other = bob.socket("/ws/analysis").await;
    other.send(&ask).await;
    other.until("line").await;
}

#[tokio::test]
async fn analyses_are_not_begun_too_fast() {
    let analyses = Rate {
        burst: 2.0,
        per_second: 0.001,
    };
    let rates = Rates {
        analyses,
        ..config().rates
    };
    let site = Site::with(Config { rates, ..config() }).await;
    let mut socket = site.visitor().await.socket("/ws/analysis").await;
    for _ in 0..3 {
        socket
            .send(&json!({ "t": "analyse", "id": "x", "d": { "ms": 1 } }))
            .await;
    }
    let refused = socket.until("refused").await;
    assert_eq!(refused["d"]["code"], "too-fast");
}

/// What the server answers to these bytes before it closes the connection.
async fn answer_to(site: &Site, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(site.address)
        .await
        .expect("the server listens");
    stream
        .write_all(bytes)
        .await
        .expect("the server takes them");
    let mut answer = Vec::new();
    let read = timeout(LONG, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the server closes the connection");
    String::from_utf8_lossy(&answer).into_owned()
}

async fn site_of_short_bodies() -> Site {
    site(Limits {
        body_time: Duration::from_millis(200),
        ..limits()
    })
    .await
}

#[tokio::test]
async fn headers_and_bodies_that_do_not_come_are_not_waited_for() {
    let site = site(Limits {
        // As soon as it may be: nothing here comes in time.
        header_time: Duration::from_millis(200),
        ..limits()
    })
    .await;
    // Silence, half a line, half of the headers, half of a handshake.
    for bytes in [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nhost: test\r\nx-slow: ",
        "GET /ws/lobby HTTP/1.1\r\nhost: test\r\nupgrade: websocket\r\n",
    ] {
        let answer = answer_to(&site, bytes.as_bytes()).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    let site = site_of_short_bodies().await;
    for (path, kind) in [
        ("/api/v1/tables", "application/json"),
        ("/play", "application/x-www-form-urlencoded"),
    ] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: test\r\ncontent-type: {kind}\r\ncontent-length: 90\r\n\r\n{{"
        );
        let answer = answer_to(&site, head.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    // Whoever is in time is served, and the connection may be used again.
    let site = Site::start().await;
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    for _ in 0..2 {
        let request = b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
        let mut rest = [0; 4096];
        let _ = stream.read(&mut rest).await.unwrap();
    }
}

#[tokio::test]
async fn questions_of_one_socket_queue_up_only_so_far() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    for number in 0..40 {
        socket
            .send(&json!({ "t": "ask", "id": number, "d": { "what": "proof", "round": 1 } }))
            .await;
    }
    // Each is answered or refused, none is forgotten.
    let mut heard = 0;
    while heard < 40 {
        let frame = socket.next().await;
        heard += usize::from(frame["t"] == "refused");
    }
}
