//! Tractor over real sockets: rounds, views, storage, shuffles.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    missing_docs,
    missing_debug_implementations,
    reason = "tools of tests fail by panicking"
)]

mod hidden;
mod old_log;
mod shuffle;
pub(crate) mod table;
mod takeover;

use axum::http::StatusCode;
use convoy_server::Receipt;
use serde_json::json;
use table::{Four, brisk, play_card};
use tractor::View;

use crate::common::{Site, Socket};

#[tokio::test]
async fn one_person_and_three_bots_play_a_round() {
    let site = Site::with(brisk()).await;
    let ann = site.visitor().await;
    let id = ann
        .open(json!({ "game": "tractor", "opponent": "bot", "level": 1 }))
        .await;
    let mut socket = ann.join(&id).await;
    table::play_round(std::slice::from_mut(&mut socket)).await;
    assert_eq!(socket.view["rounds"][0]["number"], 1);
    assert_eq!(socket.view["hands"].as_array().unwrap().len(), 4);
    assert_eq!(socket.view["kitty"].as_array().unwrap().len(), 8);
    // The next round continues the levels.
    socket.act("next", json!({})).await;
    socket.until_view(|view| view["number"] == 2).await;
    assert_eq!(socket.view["levels"], socket.view["rounds"][0]["next"]);
    table::play_round(std::slice::from_mut(&mut socket)).await;
    // Both rounds prove their shuffle, with what this browser added.
    let kept = Receipt {
        mine: Some((0, table::BITS.to_owned())),
        ..Receipt::default()
    };
    for number in 1..=2 {
        let file = ann.get(&format!("/game/{id}.round?ply={number}")).await;
        assert_eq!(file.status, StatusCode::OK);
        let verified = convoy_server::verify(&file.text, &kept).unwrap();
        assert_eq!(verified.number, number);
        assert_eq!((verified.contributions, verified.voided), (1, 0));
    }
    assert_eq!(
        ann.get(&format!("/game/{id}.round?ply=3")).await.status,
        StatusCode::NOT_FOUND
    );
}

/// A client in Rust reads what its socket tells as the view of its seat, and nothing is lost.
fn reads_a_view(socket: &Socket) {
    let view: View = serde_json::from_value(socket.view.clone()).unwrap();
    for (field, value) in serde_json::to_value(&view).unwrap().as_object().unwrap() {
        let told = match &**field {
            // Tables have their own words for these; the rules are told with their preset.
            "viewer" => &socket.view["you"],
            "rules" | "tricks" => continue,
            name => &socket.view[name],
        };
        assert_eq!(value, told, "{field}");
    }
    assert_eq!(view.tricks.len(), socket.turns());
    let switches = &socket.view["rules"]["switches"];
    assert_eq!(json!(view.rules), *switches);
}

#[tokio::test]
async fn four_people_play_and_refusals_have_reasons() {
    let site = Site::with(brisk()).await;
    let mut four = Four::sit(&site, json!({})).await;
    four.until(|view| view["stage"] == "dealing" && view["dealt"] == 100)
        .await;
    for socket in &mut four.sockets {
        socket.act("pass", json!({})).await;
    }
    four.until(|view| view["stage"] == "burying").await;
    let starter = four.turn();
    refuses_the_wrong_seat(&mut four.sockets[(starter + 1) % 4]).await;
    let eight = buries_eight(&mut four.sockets[starter]).await;
    four.until(|view| view["stage"] == "playing").await;
    four.sockets.iter().for_each(reads_a_view);
    // A check names a selection; a refused play changes nothing.
    let socket = &mut four.sockets[starter];
    let card = play_card(&socket.view);
    let asked = table::ask(socket, json!({ "what": "check", "cards": [card] })).await;
    assert_eq!(asked["name"]["parts"], json!([{ "kind": "single" }]));
    assert_eq!(asked["ok"], true);
    let seq = socket.view["seq"].clone();
    assert_eq!(
        socket.refused("play", json!({ "cards": [eight[0]] })).await,
        "illegal"
    );
    assert_eq!(socket.view["seq"], seq);
    table::play_round(&mut four.sockets).await;
    four.sockets.iter().for_each(reads_a_view);
    let sum: usize = (0..4)
        .map(|seat| table::count(&four.sockets[0].view["hands"][seat]))
        .sum();
    assert_eq!(sum, 100);
}

/// Whose turn it is not, and what nobody may do now.
async fn refuses_the_wrong_seat(socket: &mut Socket) {
    assert_eq!(
        socket.refused("bury", json!({ "cards": [] })).await,
        "not-your-turn"
    );
    assert_eq!(
        socket.refused("play", json!({ "cards": ["2S"] })).await,
        "malformed"
    );
    assert_eq!(socket.refused("next", json!({})).await, "not-now");
    assert_eq!(
        socket
            .refused("commit", json!({ "number": 1, "attempt": 1, "hash": "00" }))
            .await,
        "not-now"
    );
    assert_eq!(socket.refused("dance", json!({})).await, "unknown-action");
}

/// Seven cards are not buried; eight are, and answered.
async fn buries_eight(starter: &mut Socket) -> Vec<String> {
    let hand = table::hand(&starter.view);
    let seven = &hand[..7];
    assert_eq!(
        starter.refused("bury", json!({ "cards": seven })).await,
        "illegal"
    );
    let asked = table::ask(starter, json!({ "what": "check", "cards": seven })).await;
    assert_eq!(
        (&asked["ok"], &asked["why"]["code"]),
        (&json!(false), &json!("bury"))
    );
    let eight = hand[..8].to_vec();
    starter.act("bury", json!({ "cards": eight })).await;
    eight
}

#[tokio::test]
async fn open_seats_are_filled_by_bots_on_request() {
    let site = Site::with(brisk()).await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let id = ann
        .open(json!({ "game": "tractor", "opponent": "friend", "level": 2 }))
        .await;
    assert_eq!(bob.sit(&id).await.status, StatusCode::OK);
    let mut socket = ann.join(&id).await;
    assert_eq!(socket.view["phase"], "waiting");
    assert_eq!(socket.view["can"], json!(["fill"]));
    let mut watcher = site.visitor().await.join(&id).await;
    assert_eq!(watcher.refused("fill", json!({})).await, "not-seated");
    socket.act("fill", json!({})).await;
    socket.until_view(|view| view["phase"] == "playing").await;
    assert_eq!(socket.view["seats"][2]["kind"], "bot");
    // Bob never came: the shuffle does not wait for him, and a bot declares and passes for him.
    table::commit(&mut socket).await;
    site.app.fire_deadline(&id.parse().unwrap()).await.unwrap();
    table::reveal(&mut socket).await;
    socket
        .until_view(|view| view["dealt"].as_u64() > Some(0))
        .await;
}

#[tokio::test]
async fn house_rules_are_shown_to_all() {
    let site = Site::with(brisk()).await;
    let ann = site.visitor().await;
    let new_table =
        "game=tractor&opponent=open&preset=shengji&take_back=true&throw_mode=&seconds=20&level=2";
    let answer = ann.form("/play", new_table).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let id = answer.location().strip_prefix("/game/").unwrap().to_owned();
    let view = site.visitor().await.view(&id).await;
    assert_eq!(view["rules"]["preset"], "shengji");
    assert_eq!(view["rules"]["switches"]["take_back"], "true");
    assert_eq!(view["rules"]["switches"]["throw_mode"], "challenge");
    assert_eq!(view["seconds"], 20);
    let page = site.visitor().await.get(&format!("/game/{id}")).await;
    assert_eq!(page.status, StatusCode::OK);
    let bad = ann
        .post(
            "/api/v1/tables",
            &json!({ "game": "tractor", "rules": { "take_back": "perhaps" } }),
        )
        .await;
    assert_eq!(bad.json()["error"]["why"]["code"], "switch");
}

#[tokio::test]
async fn the_clock_plays_for_whoever_is_too_slow() {
    let site = Site::with(brisk()).await;
    let ann = site.visitor().await;
    let id = ann
        .open(json!({ "game": "tractor", "level": 1, "seconds": 5 }))
        .await;
    let mut socket = ann.join(&id).await;
    table::shuffle(std::slice::from_mut(&mut socket)).await;
    let table: convoy_server::TableId = id.parse().unwrap();
    socket.until_view(|view| table::may(view, "pass")).await;
    site.app.fire_deadline(&table).await.unwrap();
    socket
        .until_view(|view| view["timer"]["for"] == "turn")
        .await;
    let seq = socket.view["seq"].as_u64().unwrap();
    site.app.fire_deadline(&table).await.unwrap();
    socket
        .until_view(|view| view["seq"].as_u64() > Some(seq))
        .await;
}

#[tokio::test]
async fn any_moment_of_a_finished_round_is_shown_from_any_seat() {
    let site = Site::with(brisk()).await;
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    assert_eq!(
        socket
            .refused("ask", json!({ "what": "replay", "round": 1 }))
            .await,
        "not-now"
    );
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let mut watcher = site.visitor().await.join(&id).await;
    let end = table::ask(
        &mut watcher,
        json!({ "what": "replay", "round": 1, "step": 999, "seat": 2 }),
    )
    .await;
    assert_eq!(end["step"], end["steps"]);
    assert_eq!(end["view"]["stage"], "over");
    let middle = table::ask(
        &mut watcher,
        json!({ "what": "replay", "round": 1, "step": 12, "seat": 2 }),
    )
    .await;
    // How many cards are left by then is a matter of what was led.
    assert!(table::count(&middle["view"]["hands"][2]) > 0);
    assert_eq!(table::count(&middle["view"]["hands"][1]), 0);
    let all = table::ask(
        &mut watcher,
        json!({ "what": "replay", "round": 1, "step": 12, "seat": null }),
    )
    .await;
    assert!(table::count(&all["view"]["hands"][1]) > 0);
}
