//! Games that were played on a device and are handed in later.

use axum::http::StatusCode;
use convoy_server::Rate;
use serde_json::{Value, json};

use crate::common::{Site, Visitor, config, register};

const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

/// Two turns, after which red resigns.
fn resigned(id: &str) -> Value {
    json!({
        "id": id, "start": START, "turns": ["Ic5c6", "Ic8c7"], "color": "r", "level": 3, "resigned": true,
        "at": 1_700_000_000_000_i64,
    })
}

async fn upload(who: &Visitor, game: &Value) -> (StatusCode, Value) {
    let answer = who.post("/api/v1/device-games", game).await;
    (answer.status, answer.json())
}

async fn games(who: &Visitor) -> Vec<Value> {
    let answer = who.get("/api/v1/archive").await.json();
    answer["tables"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_game_of_a_device_is_kept_once_and_marked() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    let (status, first) = upload(&ann, &resigned("a-1")).await;
    assert_eq!(
        (status, &first["isNew"]),
        (StatusCode::CREATED, &json!(true))
    );
    let (status, again) = upload(&ann, &resigned("a-1")).await;
    assert_eq!((status, &again["isNew"]), (StatusCode::OK, &json!(false)));
    assert_eq!(first["id"], again["id"]);
    let listed = games(&ann).await;
    assert_eq!(listed.len(), 1);
    let result = json!({ "winner": "b", "reason": "resign", "device": true });
    assert_eq!(
        (&listed[0]["result"], &listed[0]["turns"], &listed[0]["at"]),
        (&result, &json!(2), &json!(1_700_000_000_000_i64))
    );
    // It is a game like any other: it can be looked at, and its moves taken away.
    let path = first["url"].as_str().unwrap();
    assert_eq!(ann.get(path).await.status, StatusCode::OK);
    let pgn = ann.get(&format!("{path}.pgn")).await.text;
    assert!(pgn.contains("1. Ic6 Ic7 0-1"), "{pgn}");
    let page = ann.get("/archive?lang=en").await.text;
    assert!(page.contains("played on a device, unrated"), "{page}");
    // Another player's game of the same name is another game.
    let mut bob = site.visitor().await;
    register(&mut bob, "Bob").await;
    let (_, other) = upload(&bob, &resigned("a-1")).await;
    assert_eq!(other["isNew"], true);
    assert_ne!(other["id"], first["id"]);
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_and_leaves_nothing() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let (status, refused) = upload(&ann, &resigned("a-1")).await;
    assert_eq!(
        (status, &refused["error"]["why"]["code"]),
        (StatusCode::CONFLICT, &json!("no-account"))
    );
    register(&mut ann, "Ann").await;
    let cases = [
        ("resigned", json!(false), "not-now", Value::Null),
        ("turns", json!([]), "malformed", json!("turns")),
        (
            "turns",
            json!(vec!["Ic5c6"; 1001]),
            "malformed",
            json!("turns"),
        ),
        (
            "turns",
            json!(["Ic5c6", "Ic5c9"]),
            "malformed",
            json!("turns[1]"),
        ),
        ("turns", json!(["no turn"]), "malformed", json!("turns[0]")),
        ("id", json!(""), "malformed", json!("id")),
        ("id", json!("../x"), "malformed", json!("id")),
        ("id", json!("x".repeat(41)), "malformed", json!("id")),
        ("color", json!("green"), "bad-choice", Value::Null),
        ("level", json!(11), "bad-choice", Value::Null),
        ("start", json!("x"), "bad-fen", Value::Null),
        ("more", json!(1), "unknown-field", json!("more")),
    ];
    for (field, value, code, place) in cases {
        let mut game = resigned("a-2");
        game[field] = value.clone();
        let (status, answer) = upload(&ann, &game).await;
        let error = &answer["error"];
        assert!(status.is_client_error(), "{field} {value}");
        assert_eq!(error["code"], code, "{field} {value}: {error}");
        assert_eq!(
            error["why"].get("field").cloned().unwrap_or_default(),
            place,
            "{field} {value}: {error}"
        );
    }
    // A time to come is no time of a game that is over.
    let mut late = resigned("a-3");
    late["at"] = json!(i64::MAX);
    upload(&ann, &late).await;
    let listed = games(&ann).await;
    assert_eq!(listed.len(), 1);
    assert!(listed[0]["at"].as_i64().unwrap() < 100 * 365 * 24 * 3600 * 1000);
}

#[tokio::test]
async fn uploads_are_limited() {
    let mut config = config();
    config.rates.savings = Rate {
        burst: 2.0,
        per_second: 0.0,
    };
    let site = Site::with(config).await;
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    for (id, code) in [("a", None), ("b", None), ("c", Some("too-fast"))] {
        let (_, answer) = upload(&ann, &resigned(id)).await;
        assert_eq!(answer["error"]["code"].as_str(), code);
    }
}
