//! Faulty connections: dropped, duplicated, delayed, slow. Both ends converge all the same.

use std::time::Duration;

use convoy_server::{App, Config, Limits};
use convoy_test_client::random::below;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;

use crate::common::{Site, Socket, Visitor, config, database, limits, pair, some_turn, until};

/// What two views must agree on.
fn facts(view: &Value) -> Vec<Value> {
    let fields = [
        "seq", "fen", "turns", "turn", "outcome", "offer", "phase", "seats",
    ];
    fields.iter().map(|field| view[*field].clone()).collect()
}

/// Plays its own turns over a connection that breaks at any moment, until `turns` are played.
async fn play_badly(visitor: Visitor, table: String, turns: usize, mut seed: u64) -> Value {
    let mut socket: Socket = visitor.join(&table).await;
    loop {
        if socket.turns() >= turns || !socket.view["outcome"].is_null() {
            return socket.view;
        }
        match below(&mut seed, 6) {
            // Gone without a word, and back after a random time with what was known.
            0 => {
                let view = socket.view.clone();
                drop(socket);
                tokio::time::sleep(Duration::from_millis(below(&mut seed, 20) as u64)).await;
                socket = visitor.resume(&table, Some(view)).await;
            }
            // Gone and back with a memory that is too old.
            1 => {
                let mut view = socket.view.clone();
                view["seq"] = json!(1);
                socket = visitor.resume(&table, Some(view)).await;
            }
            // Late by a random time: the order of what two players do is what is tried.
            2 => tokio::time::sleep(Duration::from_millis(below(&mut seed, 30) as u64)).await,
            _ => {}
        }
        if socket.is_my_turn() {
            let lan = some_turn(&socket.position(), &mut seed);
            let times = 1 + below(&mut seed, 3);
            let seq = socket.view["seq"].clone();
            let frame = json!({ "t": "move", "seq": seq, "d": { "move": lan } });
            for _ in 0..times {
                socket.send(&frame).await;
            }
            if below(&mut seed, 4) == 0 {
                // Gone before the echo: was it played? The next view tells.
                socket = visitor.join(&table).await;
                continue;
            }
        }
        let known = socket.view["seq"].clone();
        while socket.view["seq"] == known && socket.view["outcome"].is_null() {
            // Nothing may come: what was sent can be lost with the line. Then it is tried again.
            match tokio::time::timeout(Duration::from_millis(300), socket.frame()).await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the server closed a lawful socket"),
                Err(_) => break,
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_duplicated_and_delayed_sockets_converge() {
    let site = Site::start().await;
    for seed in 0..4 {
        let (red, blue, table) = pair(&site, json!({ "minutes": 30 })).await;
        let turns = 24;
        let (a, b) = tokio::join!(
            tokio::spawn(play_badly(red.clone(), table.clone(), turns, 2 * seed)),
            tokio::spawn(play_badly(blue.clone(), table.clone(), turns, 2 * seed + 1)),
        );
        // Whoever stopped listening first comes back with what it knew.
        let a = red.resume(&table, Some(a.unwrap())).await.view;
        let b = blue.resume(&table, Some(b.unwrap())).await.view;
        let kept = red.view(&table).await;
        assert!(
            facts(&a) == facts(&kept) && facts(&b) == facts(&kept),
            "seed {seed}"
        );
        // Each turn was played once, whatever was sent twice.
        assert!(kept["turns"].as_array().unwrap().len() <= turns + 1);
    }
}

#[tokio::test]
async fn a_reader_that_falls_behind_is_sent_away_and_comes_back_in_step() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    // This one never reads: its queue fills, and the table goes on without it.
    let sleeper = site.visitor().await.join(&table).await;
    let mut seed = 11;
    for _ in 0..40 {
        if !a.view["outcome"].is_null() {
            break;
        }
        let (mover, other) = if a.is_my_turn() {
            (&mut a, &mut b)
        } else {
            (&mut b, &mut a)
        };
        let lan = some_turn(&mover.position(), &mut seed);
        mover.play(&lan).await;
        let seq = mover.view["seq"].clone();
        other.until_view(|view| view["seq"] == seq).await;
    }
    drop(sleeper);
    let again = site
        .visitor()
        .await
        .resume(&table, Some(json!({ "seq": 2 })))
        .await;
    assert_eq!(facts(&again.view), facts(&a.view));
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_dropped() {
    let limits = Limits {
        write_time: Duration::from_millis(300),
        ..limits()
    };
    let site = Site::with(Config { limits, ..config() }).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(site.address).await.unwrap();
    let request = "GET /openapi.json HTTP/1.1\r\nhost: test\r\n\r\n";
    // More answers than all buffers on the way hold, and nobody reads them.
    let many = request.repeat(2000);
    let hung_up = async {
        let mut bytes = many.as_bytes();
        while stream.write_all(bytes).await.is_ok() {
            bytes = b"x";
            // A closed connection is noticed by writing to it once more.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let dropped = tokio::time::timeout(crate::common::LONG, hung_up).await;
    assert!(dropped.is_ok(), "it is held");
}

#[tokio::test]
async fn a_reconnection_that_missed_nothing_is_short() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    a.play("Ic5c6").await;
    let view = a.view.clone();
    drop(a);
    let mut socket = red
        .socket(&format!("/ws/table/{table}?seq={}", view["seq"]))
        .await;
    socket.view = view.clone();
    let frame = socket.next().await;
    assert_eq!(
        (&frame["t"], &frame["d"]["turns"]),
        (&json!("resumed"), &Value::Null)
    );
    assert_eq!(facts(&socket.view), facts(&view));
}

#[tokio::test]
async fn one_person_may_look_from_two_windows() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let (mut here, mut there) = (red.join(&table).await, red.join(&table).await);
    here.play("Ic5c6").await;
    there.until_view(|view| view["turn"] == "b").await;
    assert_eq!(facts(&here.view), facts(&there.view));
}

#[tokio::test]
async fn a_closing_server_says_so() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    let app = site.app.clone();
    let closing = tokio::spawn(async move { app.close().await });
    assert_eq!(a.until("bye").await["d"]["code"], "restart");
    while a.frame().await.is_some() {}
    closing.await.unwrap();
    assert_eq!(red.get("/readyz").await.status.as_u16(), 503);
}

/// Connects, lets the server be told to stop, and only then asks for something.
async fn ask_while_closing() -> std::io::Result<String> {
    let app = App::new(database::fresh().await, config()).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let (site, served) = Site::until(app, async { drop(stopped.await) }).await;
    let mut early = TcpStream::connect(site.address).await?;
    // Connections are accepted one after the other: with this answer the first one is.
    let head = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n", site.address);
    let request = format!("{head}connection: close\r\n\r\n");
    let mut other = TcpStream::connect(site.address).await?;
    other.write_all(request.as_bytes()).await?;
    let mut text = String::new();
    other.read_to_string(&mut text).await?;
    drop(stop);
    until("the port is closed", async || {
        TcpStream::connect(site.address).await.is_err()
    })
    .await;
    early.write_all(request.as_bytes()).await?;
    text.clear();
    early.read_to_string(&mut text).await?;
    served.await.unwrap()?;
    Ok(text)
}

#[tokio::test]
async fn whoever_came_before_a_server_closes_is_answered() {
    // It waits for a second; this process may be slower than that now and then.
    for _ in 0..20 {
        if let Ok(text) = ask_while_closing().await
            && text.starts_with("HTTP/1.1 200 ")
        {
            return;
        }
    }
    panic!("nobody was answered");
}
