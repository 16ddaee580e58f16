//! People at a card table, as programs: each knows its view and nothing else.

use std::time::Duration;

use axum::http::StatusCode;
use convoy_server::{Config, Pace};
use serde_json::{Value, json};
use tractor::{CardSet, Judge, Rules, Trump};

use crate::common::{self, STILL, Site, Socket, Visitor};

/// What every browser of these tests adds to the shuffle.
pub(crate) const BITS: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Nothing is slowed down for eyes.
pub(crate) fn brisk() -> Config {
    common::paced(Pace { deal: 0, ..STILL }, common::config())
}

/// Four people at one table.
pub(crate) struct Four {
    pub(crate) id: String,
    pub(crate) people: Vec<Visitor>,
    pub(crate) sockets: Vec<Socket>,
}

impl Four {
    /// Opens a table and lets all four sit down, commit and reveal.
    pub(crate) async fn sit(site: &Site, new_table: Value) -> Self {
        let mut people = vec![];
        for _ in 0..4 {
            people.push(site.visitor().await);
        }
        let mut new_table = new_table;
        new_table["game"] = json!("tractor");
        new_table["opponent"] = json!("friend");
        let id = people[0].open(new_table).await;
        for person in &people[1..] {
            assert_eq!(person.sit(&id).await.status, StatusCode::OK);
        }
        let mut sockets = vec![];
        for person in &people {
            sockets.push(person.join(&id).await);
        }
        shuffle(&mut sockets).await;
        Self {
            id,
            people,
            sockets,
        }
    }

    pub(crate) async fn until(&mut self, condition: impl Fn(&Value) -> bool) {
        for socket in &mut self.sockets {
            socket.until_view(&condition).await;
        }
    }

    pub(crate) fn turn(&self) -> usize {
        self.sockets[0].view["turn"].as_u64().unwrap() as usize
    }
}

/// What a browser does for the shuffle: all commit, then all reveal.
pub(crate) async fn shuffle(sockets: &mut [Socket]) {
    for socket in sockets.iter_mut() {
        commit(socket).await;
    }
    for socket in sockets {
        reveal(socket).await;
    }
}

/// The frame that commits to these bits for the shuffle of a view.
pub(crate) fn commit_frame(view: &Value, bits: &str) -> Value {
    let (shuffle, seat) = (&view["shuffle"], view["you"].as_u64().unwrap());
    let server = shuffle["server"].as_str().unwrap();
    let hash = convoy_server::commit_hash(server, u8::try_from(seat).unwrap(), bits);
    json!({ "number": shuffle["number"], "attempt": shuffle["attempt"], "hash": hash.unwrap() })
}

/// The frame that reveals them.
pub(crate) fn reveal_frame(view: &Value, bits: &str) -> Value {
    let shuffle = &view["shuffle"];
    json!({ "number": shuffle["number"], "attempt": shuffle["attempt"], "bits": bits })
}

/// Commits, once and if it is asked for.
pub(crate) async fn commit(socket: &mut Socket) {
    socket
        .until_view(|view| view["shuffle"]["number"] == view["number"])
        .await;
    if may(&socket.view, "commit") {
        socket.act("commit", commit_frame(&socket.view, BITS)).await;
        socket.until_view(|view| !may(view, "commit")).await;
    }
}

/// Reveals, once the roster is fixed.
pub(crate) async fn reveal(socket: &mut Socket) {
    socket
        .until_view(|view| view["stage"] != "shuffling" || may(view, "reveal"))
        .await;
    if may(&socket.view, "reveal") {
        socket.act("reveal", reveal_frame(&socket.view, BITS)).await;
        socket.until_view(|view| !may(view, "reveal")).await;
    }
}

pub(crate) fn may(view: &Value, what: &str) -> bool {
    view["can"]
        .as_array()
        .is_some_and(|can| can.contains(&json!(what)))
}

/// The answer to a question.
pub(crate) async fn ask(socket: &mut Socket, d: Value) -> Value {
    socket.act("ask", d).await;
    let answer = socket.until("answer").await;
    assert_eq!(answer["d"]["re"], "x");
    answer["d"].clone()
}

/// The cards of a view's own hand, as laid out.
pub(crate) fn hand(view: &Value) -> Vec<String> {
    let groups = view["groups"].as_array().unwrap();
    let cards = groups
        .iter()
        .flat_map(|group| group["cards"].as_array().unwrap());
    cards
        .map(|card| card.as_str().unwrap().to_owned())
        .collect()
}

/// How many cards are laid out.
pub(crate) fn count(groups: &Value) -> usize {
    let groups = groups.as_array().unwrap();
    groups
        .iter()
        .map(|group| group["cards"].as_array().unwrap().len())
        .sum()
}

pub(crate) fn play_card(view: &Value) -> String {
    hand(view).pop().unwrap()
}

fn set(cards: &Value) -> CardSet {
    let texts: Vec<&str> = cards
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c.as_str().unwrap())
        .collect();
    CardSet::read(texts).unwrap()
}

/// Some legal play for a view whose turn it is.
pub(crate) fn some_play(view: &Value) -> Vec<String> {
    let trump = &view["trump"];
    let trump = format!(
        "{}{}",
        trump["rank"].as_str().unwrap(),
        trump["suit"].as_str().unwrap()
    );
    let judge = Judge::new(trump.parse::<Trump>().unwrap(), Rules::DEFAULT);
    let own = set(&view["hand"]);
    let play = match view["open"]["plays"].get(0) {
        None => return vec![play_card(view)],
        Some(lead) => {
            let lead = judge.lead(judge.ranked(set(lead).faces())).unwrap();
            judge
                .duty(&lead, judge.ranked(own.faces()))
                .plays()
                .next()
                .unwrap()
        }
    };
    let picked = own.pick(judge.faces(play)).unwrap();
    picked.iter().map(|card| card.to_string()).collect()
}

/// Does whatever these people can do until the round is over.
pub(crate) async fn play_round(sockets: &mut [Socket]) {
    let mut acted = vec![0; sockets.len()];
    shuffle(sockets).await;
    let begun = std::time::Instant::now();
    while sockets.iter().any(|socket| socket.view["stage"] != "over") {
        for (at, socket) in sockets.iter_mut().enumerate() {
            drain(socket).await;
            let seq = socket.view["seq"].as_u64().unwrap();
            if acted[at] != seq && step(socket).await {
                acted[at] = seq;
            }
        }
        assert!(begun.elapsed() < common::LONG * 3, "the round does not end");
    }
}

/// Takes in what has come. Whatever comes after these two milliseconds is taken in next time.
pub(crate) async fn drain(socket: &mut Socket) {
    while let Ok(Some(frame)) = tokio::time::timeout(Duration::from_millis(2), socket.frame()).await
    {
        assert_ne!(frame["t"], "refused", "{frame}");
    }
}

/// One action, where one is due, and its echo.
pub(crate) async fn step(socket: &mut Socket) -> bool {
    let view = &socket.view;
    let held = hand(view).len();
    let (what, d) = if may(view, "pass") {
        ("pass", json!({}))
    } else if may(view, "bury") {
        let cards: Vec<String> = hand(view).into_iter().rev().take(8).collect();
        ("bury", json!({ "cards": cards }))
    } else if may(view, "play") {
        ("play", json!({ "cards": some_play(view) }))
    } else {
        return false;
    };
    socket.act(what, d).await;
    socket
        .until_view(|view| !may(view, what) || hand(view).len() < held)
        .await;
    true
}
