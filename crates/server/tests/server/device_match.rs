//! Games of Tractor that were played on a device and are handed in later.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tractor::{Game, Rules, Seed};

use crate::common::{Site, Visitor, play_round, register, whole_match};

fn handed_in(id: &str, record: &str) -> Value {
    json!({ "id": id, "record": record, "level": 2, "at": 1_700_000_000_000_i64 })
}

async fn upload(who: &Visitor, game: &Value) -> (StatusCode, Value) {
    let answer = who.post("/api/v1/device-games/tractor", game).await;
    (answer.status, answer.json())
}

#[tokio::test]
async fn a_match_of_a_device_is_kept_once_marked_and_proves_nothing() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    let game = whole_match();
    let body = handed_in("m-1", &game.to_string());
    let (status, first) = upload(&ann, &body).await;
    assert_eq!(
        (status, &first["isNew"]),
        (StatusCode::CREATED, &json!(true)),
        "{first}"
    );
    let (status, again) = upload(&ann, &body).await;
    assert_eq!((status, &again["isNew"]), (StatusCode::OK, &json!(false)));
    assert_eq!(first["id"], again["id"]);
    let listed = ann.get("/api/v1/archive").await.json();
    let listed = listed["tables"].as_array().unwrap();
    let winner = game.winner().unwrap().to_string();
    let result = json!({ "winner": winner, "reason": "tractor", "device": true });
    assert_eq!((listed.len(), &listed[0]["result"]), (1, &result));
    let page = ann.get("/archive?lang=en").await.text;
    assert!(page.contains("played on a device, unrated"), "{page}");

    // The page says that the deal proves nothing, and offers no check.
    let path = first["url"].as_str().unwrap();
    let page = ann.get(&format!("{path}?lang=en")).await.text;
    assert!(page.contains("the deal proves nothing"), "{page}");
    assert!(!page.contains("/verify?table"), "{page}");
    // There is no file of a round that anybody could take for a proof; the rounds can be taken away and looked at.
    let file = ann.get(&format!("{path}.round")).await;
    assert_eq!(file.status, StatusCode::NOT_FOUND);
    let text = ann.get(&format!("{path}.txt")).await.text;
    assert_eq!(text.trim_end(), game.to_string().trim_end());
    let id = first["id"].as_str().unwrap();
    let mut socket = ann.join(id).await;
    assert_eq!(socket.view["device"], true);
    assert_eq!(socket.view["shuffle"], Value::Null);
    let rounds = socket.view["rounds"].as_array().unwrap().len();
    assert_eq!(rounds, game.finished().len() + 1);
    let question = json!({ "what": "proof", "round": 1 });
    socket.act("ask", question).await;
    let refused = socket.until("refused").await;
    assert_eq!(refused["d"]["why"]["code"], "no-proof");
}

#[tokio::test]
async fn what_is_no_match_of_a_device_is_refused() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let game = whole_match();
    let record = game.to_string();
    let (status, refused) = upload(&ann, &handed_in("m-1", &record)).await;
    assert_eq!(
        (status, &refused["error"]["why"]["code"]),
        (StatusCode::CONFLICT, &json!("no-account"))
    );
    register(&mut ann, "Ann").await;
    let rounds: Vec<&str> = record.split("\n\n").collect();
    let open = rounds[..rounds.len() - 1].join("\n\n");
    let skipped = [&rounds[..1], &rounds[2..]].concat().join("\n\n");
    let other_rules = {
        let mut game = Game::new(Rules::SHENGJI, Seed::from_number(1));
        play_round(&mut game);
        game.to_string()
    };
    let (before, play) = record.split_once("\nplay ").unwrap();
    let forged = format!("{before}\nplay 0 2S0\nplay {play}");
    let many = vec![rounds[0]; 101].join("\n\n");
    for (field, value, code) in [
        ("record", json!(open), "not-now"),
        ("record", json!(skipped), "malformed"),
        ("record", json!(rounds[1..].join("\n\n")), "malformed"),
        ("record", json!(other_rules), "malformed"),
        ("record", json!(forged), "malformed"),
        ("record", json!(many), "malformed"),
        ("record", json!("nonsense"), "malformed"),
        ("level", json!(5), "bad-choice"),
        ("id", json!("../x"), "malformed"),
        ("more", json!(1), "unknown-field"),
    ] {
        let mut body = handed_in("m-2", &record);
        body[field] = value;
        let (status, answer) = upload(&ann, &body).await;
        let error = &answer["error"];
        assert!(status.is_client_error(), "{field}: {error}");
        assert_eq!(error["code"], code, "{field}: {error}");
        if field == "record" && code == "malformed" {
            assert_eq!(error["why"]["field"], "record", "{error}");
        }
    }
    let long = "x".repeat(300_000);
    let (status, _) = upload(&ann, &handed_in("m-3", &long)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let listed = ann.get("/api/v1/archive").await.json();
    assert_eq!(listed["tables"], json!([]));
}
