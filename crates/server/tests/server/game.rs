//! Whole games over real sockets.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::{Site, Socket, pair, some_turn};

/// A few pieces each, so that random games end soon.
const FEW: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

async fn play_on(red: &mut Socket, blue: &mut Socket, seed: &mut u64, most: usize) {
    for _ in 0..most {
        if !red.view["outcome"].is_null() {
            break;
        }
        let (mover, other) = if red.is_my_turn() {
            (&mut *red, &mut *blue)
        } else {
            (&mut *blue, &mut *red)
        };
        assert!(mover.is_my_turn(), "{}", mover.view);
        let lan = some_turn(&mover.position(), seed);
        mover.play(&lan).await;
        let seq = mover.view["seq"].clone();
        other.until_view(|view| view["seq"] == seq).await;
    }
}

fn same_but_for_the_seat(red: &Value, blue: &Value) {
    for field in ["fen", "seq", "turns", "outcome", "seats", "offer"] {
        assert_eq!(red[field], blue[field], "{field}");
    }
}

#[tokio::test]
async fn two_people_play_a_whole_game_and_then_another() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({ "minutes": 5, "increment": 3 })).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    let mut watcher = site.visitor().await.join(&table).await;
    assert_eq!(
        (&a.view["you"], &b.view["you"], &watcher.view["you"]),
        (&json!(0), &json!(1), &Value::Null)
    );
    assert_eq!(a.view["clock"]["running"], Value::Null);

    let mut seed = 7;
    play_on(&mut a, &mut b, &mut seed, 60).await;
    if a.view["outcome"].is_null() {
        b.act("resign", Value::Null).await;
    }
    for socket in [&mut a, &mut b, &mut watcher] {
        socket.until_view(|view| view["phase"] == "over").await;
    }
    same_but_for_the_seat(&a.view, &b.view);
    same_but_for_the_seat(&a.view, &watcher.view);
    assert_eq!(a.view["turns"], red.view(&table).await["turns"]);

    a.act("rematch", Value::Null).await;
    b.until_view(|view| view["rematch"] == json!([0])).await;
    b.act("rematch", Value::Null).await;
    a.until_view(|view| !view["next"].is_null()).await;
    let second = a.view["next"].as_str().unwrap().to_owned();
    let (mut a, mut b) = (red.join(&second).await, blue.join(&second).await);
    assert_eq!(
        (&a.view["you"], &a.view["previous"]),
        (&json!(1), &json!(table))
    );
    play_on(&mut b, &mut a, &mut seed, 40).await;
    if a.view["outcome"].is_null() {
        a.act("draw", Value::Null).await;
        b.until_view(|view| view["offer"]["kind"] == "draw").await;
        b.act("draw", Value::Null).await;
        a.until_view(|view| view["outcome"]["reason"] == "agreed")
            .await;
    }

    let archive = red.get("/api/v1/archive").await.json();
    assert_eq!(archive["tables"].as_array().unwrap().len(), 2);
    let pgn = red.get(&format!("/game/{table}.pgn")).await;
    let game: cotulenh::Game = pgn.text.parse().unwrap();
    assert_eq!(
        game.turn_count(),
        red.view(&table).await["turns"].as_array().unwrap().len()
    );
    let picture = red.get(&format!("/game/{table}.png?ply=3&flip=1")).await;
    assert_eq!(picture.headers["content-type"], "image/png");
    assert!(picture.text.contains("PNG\r\n"));
    let fen = red.get(&format!("/game/{table}.fen?ply=0")).await.text;
    assert_eq!(fen.trim(), cotulenh::Position::start().to_string());
}

#[tokio::test]
async fn a_bot_answers_every_move_and_plays_again() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let mut socket = ann.join(&table).await;
    let mut seed = 3;
    for _ in 0..10 {
        socket
            .until_view(|view| !view["outcome"].is_null() || view["turn"] == "b")
            .await;
        if !socket.view["outcome"].is_null() {
            break;
        }
        let lan = some_turn(&socket.position(), &mut seed);
        socket.play(&lan).await;
    }
    if socket.view["outcome"].is_null() {
        socket.until_view(|view| view["turn"] == "b").await;
        let turns = socket.turns();
        socket.act("takeback", Value::Null).await;
        socket
            .until_view(|view| view["turns"].as_array().unwrap().len() == turns - 2)
            .await;
        assert_eq!(socket.view["turn"], "b");
        socket.act("draw", Value::Null).await;
        socket.until_view(|view| !view["offer"].is_null()).await;
        socket.until_view(|view| view["offer"].is_null()).await;
        socket.act("resign", Value::Null).await;
    }
    socket.until_view(|view| view["phase"] == "over").await;
    socket.act("rematch", Value::Null).await;
    socket.until_view(|view| !view["next"].is_null()).await;
    let next = socket.view["next"].as_str().unwrap().to_owned();
    assert_eq!(ann.view(&next).await["you"], 0);
}

#[tokio::test]
async fn a_game_may_begin_from_any_position_and_a_deploy_is_one_turn() {
    let site = Site::start().await;
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let (red, blue, table) = pair(&site, json!({ "fen": fen })).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    assert_eq!(
        a.refused("move", json!({ "steps": ["T>e6"] })).await,
        "illegal-move"
    );
    a.act("move", json!({ "steps": ["T>e6", "."] })).await;
    b.until_view(|view| view["turn"] == "b").await;
    assert_eq!(b.turns(), 1);
    assert_eq!(b.view["turns"][0]["lan"], "e4:(FI):T>e6");
    let over = red
        .post(
            "/api/v1/tables",
            &json!({ "fen": "11/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1" }),
        )
        .await;
    assert_eq!(
        (over.status, &*over.code()),
        (StatusCode::UNPROCESSABLE_ENTITY, "bad-fen")
    );
}

#[tokio::test]
async fn an_optional_victory_ends_the_game_and_holds_in_the_next() {
    let site = Site::start().await;
    let new_table = json!({
        "fen": "5c5/11/11/11/5f5/11/5T5/11/11/11/11/4C6 r - - 0 1",
        "victories": ["air"],
    });
    let (red, blue, table) = pair(&site, new_table).await;
    let page = red.get(&format!("/game/{table}?lang=en")).await.text;
    assert!(page.contains("Optional victory conditions: Air (both aircraft)"));
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    assert_eq!(a.view["victories"], json!(["air"]));
    a.act("move", json!({ "move": "Txf8" })).await;
    b.until_view(|view| !view["outcome"].is_null()).await;
    assert_eq!(b.view["outcome"], json!({ "winner": "r", "reason": "air" }));
    for socket in [&mut a, &mut b] {
        socket.act("rematch", Value::Null).await;
    }
    a.until_view(|view| !view["next"].is_null()).await;
    let next = red.view(a.view["next"].as_str().unwrap()).await;
    assert_eq!(next["victories"], json!(["air"]));
    let refused = red
        .post("/api/v1/tables", &json!({ "victories": ["naval"] }))
        .await;
    assert_eq!(
        (refused.status, &*refused.code()),
        (StatusCode::UNPROCESSABLE_ENTITY, "bad-choice")
    );
}

#[tokio::test]
async fn offers_are_declined_or_lapse_with_the_next_move() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({ "fen": FEW })).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    a.act("draw", Value::Null).await;
    for socket in [&mut a, &mut b] {
        socket.until_view(|view| view["offer"]["by"] == 0).await;
    }
    assert_eq!(a.refused("decline", Value::Null).await, "not-now");
    assert_eq!(a.refused("draw", Value::Null).await, "not-now");
    b.act("decline", Value::Null).await;
    a.until_view(|view| view["offer"].is_null()).await;
    assert_eq!(a.refused("takeback", Value::Null).await, "not-now");
    let mut seed = 1;
    let lan = some_turn(&a.position(), &mut seed);
    a.play(&lan).await;
    a.act("takeback", Value::Null).await;
    b.until_view(|view| view["offer"]["kind"] == "takeback")
        .await;
    b.act("takeback", Value::Null).await;
    a.until_view(|view| view["turns"] == json!([])).await;
    assert_eq!(a.view["fen"], a.view["start"]);
    a.act("abort", Value::Null).await;
    b.until_view(|view| view["outcome"]["reason"] == "aborted")
        .await;
    assert_eq!(b.view["outcome"]["winner"], Value::Null);
}

#[tokio::test]
async fn a_flag_falls_and_clocks_add_the_increment() {
    let site = Site::start().await;
    let (red, blue, table) =
        pair(&site, json!({ "minutes": 5, "increment": 60, "fen": FEW })).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    let mut seed = 5;
    play_on(&mut a, &mut b, &mut seed, 2).await;
    // The first turn of each side is free; from now on time runs.
    assert_eq!(a.view["clock"]["left"], json!([300_000, 300_000]));
    assert_eq!(a.view["clock"]["running"], 0);
    let lan = some_turn(&a.position(), &mut seed);
    a.play(&lan).await;
    let left = a.view["turns"][2]["left"][0].as_u64().unwrap();
    // What the turn took is taken off, and the increment is added: more than a turn can take.
    assert!((300_000..=360_000).contains(&left), "{left}");
    site.app
        .fire_deadline(&table.parse().unwrap())
        .await
        .unwrap();
    b.until_view(|view| view["phase"] == "over").await;
    assert_eq!(
        b.view["outcome"],
        json!({ "winner": "r", "reason": "time" })
    );
    assert_eq!(b.view["clock"]["left"][1], 0);
}

#[tokio::test]
async fn whoever_leaves_may_come_back_and_is_not_forfeited_at_once() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    let b = blue.join(&table).await;
    a.until_online([true, true]).await;
    drop(b);
    a.until_online([true, false]).await;
    assert_eq!(a.refused("claim", Value::Null).await, "not-now");
    let _b = blue.join(&table).await;
    a.until_online([true, true]).await;
}
