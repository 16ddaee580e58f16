//! A person takes a bot's seat over in the middle of a round, and learns what the seat knows.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tractor::{Deck, Seed};

use super::hidden::{cards_in, crawl, site_with};
use super::table::{self, may};
use crate::common::{Socket, Visitor};

fn texts(cards: &Value) -> BTreeSet<String> {
    let cards = cards.as_array().into_iter().flatten();
    cards
        .map(|card| card.as_str().unwrap().to_owned())
        .collect()
}

/// The cards that all have seen, and those that a seat has played.
fn seen(view: &Value, seat: usize) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut all, mut own) = (BTreeSet::new(), BTreeSet::new());
    let tricks = view["turns"].as_array().unwrap().iter();
    for trick in tricks.chain(Some(&view["open"]).filter(|open| !open.is_null())) {
        let leader = trick["leader"].as_u64().unwrap() as usize;
        for (at, play) in trick["plays"].as_array().unwrap().iter().enumerate() {
            all.extend(texts(play));
            if (leader + at) % 4 == seat {
                own.extend(texts(play));
            }
        }
        all.extend(texts(&trick["failed"]["cards"]));
    }
    for declaration in view["declarations"].as_array().unwrap() {
        all.extend(texts(&declaration["cards"]));
    }
    (all, own)
}

/// His hand is what seat 2 was dealt less what its bot has played, and he knows no other card.
async fn knows_what_the_seat_knows(bob: &Visitor, b: &Socket, deck: &Deck, id: &str) {
    let (all, own) = seen(&b.view, 2);
    let kitty = texts(&b.view["kitty"]);
    let buried = b.view["buriedBy"] == 2;
    assert!(buried != kitty.is_empty());
    let dealt = (0..108).filter(|at| if *at < 100 { at % 4 == 2 } else { buried });
    let dealt: BTreeSet<String> = dealt.map(|at| deck.cards()[at].to_string()).collect();
    let hand: BTreeSet<String> = table::hand(&b.view).into_iter().collect();
    let expected: BTreeSet<String> = dealt
        .iter()
        .filter(|card| !own.contains(*card) && !kitty.contains(*card))
        .cloned()
        .collect();
    assert_eq!(hand, expected);
    let told = cards_in(&crawl(bob, id).await);
    let (later, _) = seen(&bob.view(id).await, 2);
    let leaked: Vec<&String> = told
        .iter()
        .filter(|card| !dealt.contains(*card) && !all.contains(*card) && !later.contains(*card))
        .collect();
    assert!(leaked.is_empty(), "{leaked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bots_seat_is_taken_over_in_the_middle_of_a_round() {
    let deck = Deck::of(&Seed::from_number(3), 1);
    let site = site_with(deck.clone()).await;
    let (ann, bob, carl) = (
        site.visitor().await,
        site.visitor().await,
        site.visitor().await,
    );
    let id = ann
        .open(json!({ "game": "tractor", "opponent": "friend", "level": 1 }))
        .await;
    let mut a = ann.join(&id).await;
    a.act("fill", json!({})).await;
    table::shuffle(std::slice::from_mut(&mut a)).await;
    // Some tricks between Ann and three bots.
    while a.turns() < 3 {
        table::drain(&mut a).await;
        table::step(&mut a).await;
    }

    // Bob looks on and sees no hand, but seats that he may have.
    let mut b = bob.join(&id).await;
    assert_eq!(b.view["can"], json!(["sit"]));
    assert_eq!(table::count(&b.view["groups"]), 0);
    let free: Vec<bool> = (0..4)
        .map(|seat| b.view["seats"][seat]["free"].as_bool().unwrap())
        .collect();
    assert_eq!(free, [false, true, true, true]);
    let page = bob.get(&format!("/game/{id}")).await;
    assert!(page.text.contains("id=\"sit\""), "the page offers a seat");
    assert_eq!(b.refused("sit", json!({ "seat": 0 })).await, "seat-taken");

    b.act("sit", json!({ "seat": 2 })).await;
    b.until_view(|view| view["you"] == 2).await;
    assert_eq!(b.view["seats"][2]["kind"], "human");

    knows_what_the_seat_knows(&bob, &b, &deck, &id).await;

    // Whoever does not choose gets some bot's seat; a person's seat stays that person's.
    assert_eq!(carl.sit(&id).await.status, StatusCode::OK);
    assert_eq!(carl.view(&id).await["you"], 1);
    let dora = site.visitor().await;
    drop(b);
    let path = format!("/api/v1/tables/{id}/sit");
    let refused = dora.post(&path, &json!({ "seat": 2 })).await;
    assert_eq!(refused.code(), "seat-taken");

    // He comes back to the same seat, and the round goes on to its end with three people.
    let b = bob.join(&id).await;
    assert_eq!(b.view["you"], 2);
    let c = carl.join(&id).await;
    let mut sockets = [a, b, c];
    table::play_round(&mut sockets).await;
    assert_eq!(sockets[1].view["rounds"][0]["number"], 1);
    assert!(may(&sockets[1].view, "next"));
}

#[tokio::test]
async fn a_table_against_bots_lends_no_seat() {
    let site = site_with(Deck::of(&Seed::from_number(3), 1)).await;
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let bob = site.visitor().await;
    assert_eq!(bob.sit(&id).await.code(), "seat-taken");
    let view = bob.view(&id).await;
    assert_eq!(
        (&view["can"], &view["seats"][1]["free"]),
        (&json!([]), &json!(false))
    );
}
