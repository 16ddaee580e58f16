//! Reviews of finished games: made in the background, kept with the game, read by everybody.

use axum::http::StatusCode;
use convoy_server::Limits;
use serde_json::{Value, json};

use crate::common::{self, Site, Visitor, config, pair, until_some};
use crate::tractor::table;

/// Asks for a review and waits until it is there.
pub(crate) async fn reviewed(who: &Visitor, table: &str, round: u32) -> Value {
    let path = format!("/api/v1/tables/{table}/review");
    who.post(&path, &json!({ "round": round })).await;
    let state = until_some("the review ends", async || {
        let state = who.get(&format!("{path}?round={round}")).await.json();
        let (done, all) = (state["done"].as_u64(), state["all"].as_u64());
        assert!(done <= all, "{state}");
        (state["state"] != "running").then_some(state)
    })
    .await;
    assert_eq!(state["state"], "done", "{state}");
    state["review"].clone()
}

/// A finished game of two turns in which red walks past a mate.
pub(crate) async fn missed_mate(site: &Site) -> (Visitor, String) {
    let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
    let (red, blue, table) = pair(site, json!({ "fen": fen })).await;
    red.join(&table).await.play("Af8g8").await;
    let mut socket = blue.join(&table).await;
    socket.play("Gf11f10").await;
    let path = format!("/api/v1/tables/{table}/review");
    let early = red.post(&path, &json!({})).await;
    assert_eq!(early.json()["error"]["why"]["code"], "not-over");
    socket.act("resign", Value::Null).await;
    socket.until_view(|view| view["phase"] == "over").await;
    (red, table)
}

#[tokio::test]
async fn a_game_is_reviewed_once_and_the_review_is_kept() {
    let site = Site::start().await;
    let (red, id) = missed_mate(&site).await;
    let path = format!("/api/v1/tables/{id}/review");
    let before = red.get(&path).await.json();
    assert_eq!(before, json!({ "state": "none" }));
    let review = reviewed(&red, &id, 1).await;
    assert_eq!(review["scores"].as_array().unwrap().len(), 3);
    assert_eq!(review["marked"][0]["ply"], 1);
    assert_eq!(review["scores"][0]["mate"], 1);
    let stored = site.app.store().review(&id.parse().unwrap(), 1).await;
    let stored: Value = serde_json::from_str(&stored.unwrap().unwrap().review).unwrap();
    assert_eq!(stored, review);
    // Whoever looks at the game sees the same, and nothing is thought about again.
    let other = site.visitor().await;
    for answer in [other.get(&path).await, other.post(&path, &json!({})).await] {
        assert_eq!(answer.json(), json!({ "state": "done", "review": review }));
    }
    let page = other.get(&format!("/game/{id}/review?lang=vi")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("Đánh giá ván đấu"));
    for (round, path) in [(2, &path), (0, &path)] {
        let refused = red.post(path, &json!({ "round": round })).await;
        assert_eq!(refused.code(), "not-now", "round {round}");
    }
    let nowhere = "/api/v1/tables/000000000000/review";
    let refused = red.post(nowhere, &json!({})).await;
    assert_eq!(refused.code(), "no-such-table");
}

#[tokio::test]
async fn a_round_is_reviewed_while_the_match_goes_on() {
    let site = Site::with(table::brisk()).await;
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let path = format!("/api/v1/tables/{id}/review");
    let early = ann.post(&path, &json!({})).await;
    assert_eq!(early.json()["error"]["why"]["code"], "round-not-over");
    let mut socket = ann.join(&id).await;
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let review = reviewed(&ann, &id, 1).await;
    assert_eq!(review["points"], socket.view["result"]["points"]);
    let number = |name: &str| review[name].as_f64().unwrap();
    let sum = number("deal") + number("skill") + number("luck");
    assert!((sum - number("points")).abs() < 1e-6, "{review}");
    assert!(!review["decisions"].as_array().unwrap().is_empty());
    let page = ann.get(&format!("/game/{id}/review")).await;
    assert_eq!(page.status, StatusCode::OK);
    let next = ann.get(&format!("/game/{id}/review?round=2")).await;
    assert_eq!(next.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn so_many_reviews_at_once_and_no_more() {
    let limits = Limits {
        analyses_per_session: 0,
        ..common::limits()
    };
    let site = Site::with(convoy_server::Config { limits, ..config() }).await;
    let (red, id) = missed_mate(&site).await;
    let path = format!("/api/v1/tables/{id}/review");
    let refused = red.post(&path, &json!({})).await;
    assert_eq!(refused.code(), "too-many");
    assert_eq!(red.get(&path).await.json(), json!({ "state": "none" }));
}
