//! Workers: they think for nodes over NATS, and nobody needs them.

use std::time::Duration;

use async_nats::{Client, ConnectOptions, Message, Subscriber};
use convoy_server::{Nats, WorkerSize, work};
use convoy_test_nats::Server;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::common::{LONG, STILL, Site, Socket, Visitor, config, paced, until};

/// A connection with the rights of a worker.
async fn as_worker(server: &Server) -> Nats {
    let url = server.worker_url().parse().unwrap();
    Nats::connect(&url).await.unwrap()
}

/// A bare connection with the rights of this user.
async fn bare(server: &Server, user: &str) -> Client {
    let password = convoy_test_nats::PASSWORD.to_owned();
    ConnectOptions::with_user_and_password(user.to_owned(), password)
        .connect(server.address())
        .await
        .unwrap()
}

/// Starts a worker in this process, and waits until it can be found.
async fn start_worker(server: &Server, slots: usize) {
    let nats = as_worker(server).await;
    tokio::spawn(async move {
        let size = WorkerSize { slots, engines: 2 };
        work(&nats, size, std::future::pending()).await
    });
    let client = bare(server, "node").await;
    until("the worker answers", async || {
        let answer = client.request("engine.cotulenh", "nonsense".into()).await;
        answer.is_ok_and(|answer| &*answer.payload == b"\"refused\"")
    })
    .await;
}

/// Takes requests about Cờ Tư Lệnh and leaves the answers to the test.
async fn false_worker(client: &Client) -> Subscriber {
    let group = "workers".to_owned();
    let taken = client.queue_subscribe("engine.cotulenh", group).await;
    client.flush().await.unwrap();
    taken.unwrap()
}

async fn next(messages: &mut Subscriber) -> Message {
    timeout(LONG, messages.next()).await.unwrap().unwrap()
}

/// How many requests to workers ended with this code.
async fn count(who: &Visitor, code: &str) -> u64 {
    let text = who.get("/metrics").await.text;
    let name = format!("convoy_worker_requests_total{{code=\"{code}\"}} ");
    let line = text.lines().find_map(|line| line.strip_prefix(&*name));
    line.map_or(0, |count| count.parse().unwrap())
}

/// Opens a table against the strongest bot, which begins.
async fn against_bot(who: &Visitor) -> Socket {
    let table = json!({ "opponent": "bot", "level": 10, "color": "b" });
    let table = who.open(table).await;
    who.join(&table).await
}

async fn bot_moves(socket: &mut Socket) {
    let moved = |view: &Value| view["turns"].as_array().is_some_and(|t| !t.is_empty());
    socket.until_view(moved).await;
}

async fn analyse(socket: &mut Socket, d: Value) {
    let frame = json!({ "t": "analyse", "id": "x", "d": d });
    socket.send(&frame).await;
}

#[tokio::test]
async fn a_worker_moves_and_analyses_and_learns_no_name() {
    let server = Server::start().unwrap();
    let heard = bare(&server, "worker").await;
    let mut heard = heard.subscribe("engine.>").await.unwrap();
    start_worker(&server, 1).await;
    let site = Site::with_nats(config(), &server).await;
    let ann = site.visitor().await;
    assert_eq!(count(&ann, "done").await, 0);
    let mut table = against_bot(&ann).await;
    bot_moves(&mut table).await;
    assert_eq!(count(&ann, "done").await, 1);

    let mut socket = ann.socket("/ws/analysis").await;
    analyse(&mut socket, json!({ "depth": 3, "lines": 2 })).await;
    for depth in 1..=3 {
        let line = socket.until("line").await;
        assert_eq!(line["d"]["depth"], depth);
        assert_eq!(line["d"]["re"], "x");
        assert_eq!(line["d"]["lines"].as_array().unwrap().len(), 2);
    }
    assert_eq!(socket.until("done").await["d"]["re"], "x");
    assert_eq!(count(&ann, "done").await, 2);

    let me = ann.get("/api/v1/me").await.json();
    let id = table.view["id"].as_str().unwrap();
    let events = site.app.store().events(&id.parse().unwrap()).await.unwrap();
    let opened: Value = serde_json::from_str(&events[0].event).unwrap();
    let names = [
        id,
        opened["seats"][1]["player"].as_str().unwrap(),
        me["player"].as_str().unwrap(),
        "127.0.0.1",
    ];
    let mut requests = 0;
    while requests < 2 {
        let message = next(&mut heard).await;
        let text = String::from_utf8_lossy(&message.payload).into_owned();
        for name in names {
            assert!(name.len() > 3 && !text.contains(name), "{name}: {text}");
        }
        let request: Value = serde_json::from_str(&text).unwrap_or_default();
        requests += usize::from(request["game"] == "cotulenh");
    }
}

#[tokio::test]
async fn a_worker_sees_the_cards_of_one_seat() {
    let server = Server::start().unwrap();
    let heard = bare(&server, "worker").await;
    let mut heard = heard.subscribe("engine.tractor").await.unwrap();
    start_worker(&server, 2).await;
    let site = Site::with_nats(paced(STILL, config()), &server).await;
    let ann = site.visitor().await;
    let table = ann.open(json!({ "game": "tractor", "level": 3 })).await;
    let mut socket = ann.join(&table).await;
    let id = table.parse().unwrap();
    let message = timeout(LONG, async {
        loop {
            tokio::select! {
                message = heard.next() => break message.unwrap(),
                _ = socket.frame() => {}
                // The clock of this table stands still: the test lets it run out, again until the bot is asked.
                () = tokio::time::sleep(Duration::from_millis(20)) => {
                    site.app.fire_deadline(&id).await.unwrap();
                }
            }
        }
    });
    let message = message.await.unwrap();
    let request: Value = serde_json::from_slice(&message.payload).unwrap();
    let fields: Vec<&String> = request.as_object().unwrap().keys().collect();
    let known = ["budget", "class", "client", "game", "id", "key", "task"];
    assert_eq!(fields, known);
    let task: Vec<&String> = request["task"].as_object().unwrap().keys().collect();
    assert_eq!(task, ["kind", "level", "view"]);
    // The view is that of one seat: nothing in it but its own hand is hidden from the others.
    let view: ::tractor::View = serde_json::from_value(request["task"]["view"].clone()).unwrap();
    assert!(view.viewer.is_some());
    let again = serde_json::to_value(&view).unwrap();
    assert_eq!(again, request["task"]["view"]);
    // Ann's own cards are not among them.
    assert!(!view.hand.is_empty() && view.viewer != Some(::tractor::Seat::ALL[0]));
}

#[tokio::test]
async fn without_a_worker_the_node_thinks() {
    let server = Server::start().unwrap();
    let site = Site::with_nats(config(), &server).await;
    let ann = site.visitor().await;
    bot_moves(&mut against_bot(&ann).await).await;
    assert_eq!(count(&ann, "nobody").await, 1);
    assert_eq!(count(&ann, "done").await, 0);
}

#[tokio::test]
async fn a_worker_that_dies_costs_half_a_budget() {
    let server = Server::start().unwrap();
    let client = bare(&server, "worker").await;
    let mut taken = false_worker(&client).await;
    let site = Site::with_nats(config(), &server).await;
    let ann = site.visitor().await;
    let mut table = against_bot(&ann).await;
    let request = next(&mut taken).await;
    let reply = request.reply.unwrap();
    client
        .publish(reply, "{\"alive\":\"w\"}".into())
        .await
        .unwrap();
    bot_moves(&mut table).await;
    assert_eq!(count(&ann, "silent").await, 1);
}

#[tokio::test]
async fn nothing_that_a_worker_says_is_believed() {
    let server = Server::start().unwrap();
    let client = bare(&server, "worker").await;
    let mut taken = false_worker(&client).await;
    let site = Site::with_nats(config(), &server).await;
    let ann = site.visitor().await;
    let mut table = against_bot(&ann).await;
    let mut first = next(&mut taken).await;
    let answer = r#"{"done":{"t":"move","d":{"move":"no such move"}}}"#;
    let reply = first.reply.take().unwrap();
    client.publish(reply, answer.into()).await.unwrap();
    // The node asks nobody else, and plays on.
    bot_moves(&mut table).await;
    assert_eq!(count(&ann, "done").await, 1);

    let mut socket = ann.socket("/ws/analysis").await;
    analyse(&mut socket, json!({ "depth": 1 })).await;
    let mut second = next(&mut taken).await;
    let reply = second.reply.take().unwrap();
    for answer in [
        r#"{"told":{"code":"bye"}}"#,
        r#"{"told":{"depth":9,"nodes":1,"ms":1,"lines":["x"]}}"#,
        r#"{"done":null}"#,
    ] {
        client.publish(reply.clone(), answer.into()).await.unwrap();
    }
    let frame = socket.next().await;
    assert_eq!(frame["t"], "done", "{frame}");
}

#[tokio::test]
async fn moves_of_games_come_before_analyses() {
    let server = Server::start().unwrap();
    start_worker(&server, 1).await;
    let site = Site::with_nats(config(), &server).await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let mut analysis = ann.socket("/ws/analysis").await;
    analyse(&mut analysis, json!({ "ms": 110_000 })).await;
    analysis.until("line").await;
    // The only slot is taken by an analysis that goes on for much longer than the test.
    let mut table = against_bot(&bob).await;
    bot_moves(&mut table).await;
    assert_eq!(count(&ann, "done").await, 1);
    analysis.send(&json!({ "t": "stop" })).await;
    timeout(LONG, async {
        while count(&ann, "stopped").await == 0 {
            tokio::task::yield_now().await;
        }
        // Called off, the worker is free again, though perhaps a moment after the node has noticed: until then the node
        // answers by itself.
        while count(&ann, "done").await == 1 {
            analyse(&mut analysis, json!({ "depth": 1 })).await;
            analysis.until("done").await;
        }
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_lost_connection_is_taken_up_again() {
    let mut server = Server::start().unwrap();
    let site = Site::with_nats(config(), &server).await;
    let ann = site.visitor().await;
    let is_up = async || ann.get("/metrics").await.text.contains("convoy_nats_up 1");
    assert!(is_up().await);
    server.stop().unwrap();
    bot_moves(&mut against_bot(&ann).await).await;
    server.start_again().unwrap();
    start_worker(&server, 1).await;
    until("NATS is up", is_up).await;
    bot_moves(&mut against_bot(&ann).await).await;
    assert!(count(&ann, "done").await > 0);
}
