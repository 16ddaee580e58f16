//! What crosses between nodes over NATS, and what of it is believed.

use std::time::Duration;

use axum::http::StatusCode;
use convoy_server::Pace;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Shared, at, pair};
use crate::common::{LONG, config, paced, some_turn};

#[tokio::test]
async fn what_crosses_between_nodes_is_what_crosses_the_socket() {
    let shared = Shared::start().await;
    let heard = shared.listener().await;
    let mut heard = heard.subscribe("edge.>").await.unwrap();
    let pace = Pace {
        commit: 0,
        reveal: 0,
        ..Pace::BRISK
    };
    let (a, b) = shared.pair_with(paced(pace, config())).await;
    let ann = a.visitor().await;
    let table = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = at(&b, &ann).socket(&format!("/ws/table/{table}")).await;
    let mut frames = Vec::new();
    while socket.view["dealt"] != 100 {
        frames.push(socket.next().await);
    }
    let hand = socket.view["hand"].as_array().unwrap().len();
    assert_eq!(hand, 25);
    // Everything that NATS carried for this socket is a frame that the socket got.
    let mut carried = 0;
    while carried < frames.len() {
        let message = timeout(LONG, heard.next()).await.unwrap().unwrap();
        let text = String::from_utf8(message.payload.to_vec()).unwrap();
        let [_signature, about, frame] = text.splitn(3, '\n').collect::<Vec<_>>()[..] else {
            panic!("{text}");
        };
        // Others count frames.
        if !about.ends_with(" text") {
            continue;
        }
        let frame: Value = serde_json::from_str(frame).unwrap();
        assert!(frames.contains(&frame), "{frame}");
        carried += 1;
    }
}

#[tokio::test]
async fn nobody_but_a_node_is_believed() {
    let shared = Shared::start().await;
    let client = shared.listener().await;
    let mut asked = client.subscribe("node.ask.>").await.unwrap();
    let (a, b) = shared.pair().await;
    let (red, _, table) = pair([&a, &b]).await;
    let seq = red.view(&table).await["seq"].as_u64().unwrap();
    let lan = some_turn(&cotulenh::Position::start(), &mut 1);
    let frame = json!({ "t": "move", "seq": seq, "d": { "move": lan } });
    let act = format!("/api/v1/tables/{table}/act");
    let done = at(&b, &red).post(&act, &frame).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    // What that node asked the owner, in its own words.
    let (subject, text) = loop {
        let message = timeout(LONG, asked.next()).await.unwrap().unwrap();
        let text = String::from_utf8(message.payload.to_vec()).unwrap();
        if text.contains(&lan) {
            break (message.subject, text);
        }
    };
    let (head, body) = text.split_once('\n').unwrap();
    let mut call: Value = serde_json::from_str(body).unwrap();
    let ask = &mut call["table"]["ask"]["action"];
    assert_eq!(ask["action"]["t"], "move");
    ask["action"] = json!({ "t": "resign", "d": null });
    (ask["seq"], ask["id"]) = (json!(seq + 1), Value::Null);
    // Said again, with a signature that was made for something else, and with none.
    let forged = [text.clone(), format!("{head}\n{call}"), call.to_string()];
    for payload in forged {
        let request = async_nats::Request::new()
            .payload(payload.into())
            .timeout(Some(Duration::from_millis(500)));
        let answer = client.send_request(subject.clone(), request).await;
        assert!(answer.is_err(), "{answer:?}");
    }
    let view = red.view(&table).await;
    assert_eq!(
        (&view["seq"], &view["outcome"]),
        (&json!(seq + 1), &Value::Null)
    );
}
