//! What is hidden stays hidden: through every socket and route, at every moment of a round.

use std::collections::BTreeSet;

use convoy_test_client::random::below;
use serde_json::{Value, json};
use tractor::{Card, Deck, Event, Phase, Round, RoundError, Rules, Seat, Seed, Setup, View};

use super::table::{BITS, Four, brisk};
use crate::common::{Site, Visitor, database};

pub(crate) async fn site_with(deck: Deck) -> Site {
    let store = database::fresh().await;
    let mut config = brisk();
    config.games.tractor.decks = vec![deck];
    Site::over(store, config).await
}

/// What happens in a round by chance, up to some moment.
fn script(deck: &Deck, seed: &mut u64, length: usize) -> (Vec<Event>, Round) {
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck.clone());
    round.apply(Event::Deal { count: 100 }).unwrap();
    let mut events = vec![];
    while events.len() < length && !matches!(round.phase(), Phase::Over(_)) {
        let event = match round.turn() {
            None => {
                let seat = Seat::ALL[events.len() % 4];
                Event::Pass { seat }
            }
            Some(seat) => {
                let view = View::of(&round, Some(seat));
                let judge = view.judge();
                if let Phase::Burying(_) = round.phase() {
                    Event::Bury {
                        seat,
                        cards: view.hand.iter().take(8).collect(),
                    }
                } else {
                    let hand = judge.ranked(view.hand.faces());
                    let plays: Vec<_> = match view.lead(&judge) {
                        Some(lead) => judge.duty(&lead, hand).plays().take(40).collect(),
                        None => judge.straight_leads(hand).collect(),
                    };
                    let play = plays[below(seed, plays.len())];
                    Event::Play {
                        seat,
                        cards: view.hand.pick(judge.faces(play)).unwrap(),
                    }
                }
            }
        };
        round.apply(event.clone()).unwrap();
        events.push(event);
    }
    (events, round)
}

/// The same deck with two cards exchanged that seat 0 cannot tell apart by the end of the script.
fn exchanged(deck: &Deck, events: &[Event], end: &Round, seed: &mut u64) -> Option<Deck> {
    let hidden: Vec<usize> = (0..108)
        .filter(|&place| {
            let card = deck.cards()[place];
            let mine = place < 100 && place % 4 == 0;
            let shown = end
                .tricks()
                .iter()
                .any(|trick| trick.plays.iter().any(|play| play.has(card)))
                || View::of(end, Some(Seat::ALL[0]))
                    .open
                    .is_some_and(|open| open.plays.iter().any(|play| play.has(card)));
            let known = View::of(end, Some(Seat::ALL[0])).hand.has(card);
            let buried = end.buried_by() == Some(Seat::ALL[0]) && place >= 100;
            !mine && !shown && !known && !buried
        })
        .collect();
    for _ in 0..200 {
        let (a, b) = (
            hidden[below(seed, hidden.len())],
            hidden[below(seed, hidden.len())],
        );
        if a == b {
            continue;
        }
        let mut cards: Vec<Card> = deck.cards().to_vec();
        cards.swap(a, b);
        let (x, y) = (deck.cards()[a], deck.cards()[b]);
        // What seat 0 did not see, such as a burying, is done with the exchanged cards.
        let other = Deck::new(&cards).unwrap();
        let renamed: Vec<Event> = events.iter().map(|event| rename(event, x, y)).collect();
        if lawful(&other, &renamed).is_ok() {
            return Some(other);
        }
    }
    None
}

fn rename(event: &Event, x: Card, y: Card) -> Event {
    match event.clone() {
        Event::Bury { seat, cards } => {
            let map = |card: Card| {
                if card == x {
                    y
                } else if card == y {
                    x
                } else {
                    card
                }
            };
            Event::Bury {
                seat,
                cards: cards.iter().map(map).collect(),
            }
        }
        other => other,
    }
}

fn lawful(deck: &Deck, events: &[Event]) -> Result<Round, (usize, RoundError)> {
    let all = std::iter::once(Event::Deal { count: 100 }).chain(events.iter().cloned());
    Round::replay(Setup::first(Rules::DEFAULT), deck.clone(), all)
}

/// Everything that seat 0 is sent while the script is played over real sockets.
async fn heard(deck: &Deck, events: &[Event]) -> Vec<String> {
    let site = site_with(deck.clone()).await;
    let mut four = Four::sit(&site, json!({})).await;
    four.until(|view| view["dealt"] == 100 && view["stage"] == "dealing")
        .await;
    let mut frames = vec![];
    let first = four.sockets[0].view.clone();
    frames.push(plain(&first, &first));
    for event in events {
        let (t, d) = match event {
            Event::Pass { .. } => ("pass", json!({})),
            Event::Bury { cards, .. } => ("bury", json!({ "cards": texts(*cards) })),
            Event::Play { cards, .. } => ("play", json!({ "cards": texts(*cards) })),
            other => panic!("{other}"),
        };
        let seat = event.seat().unwrap().index();
        let seq = four.sockets[0].view["seq"].as_u64().unwrap();
        four.sockets[seat].act(t, d).await;
        for socket in &mut four.sockets {
            while socket.view["seq"].as_u64() == Some(seq) {
                let frame = socket.next().await;
                assert_ne!(frame["t"], "refused", "{frame}");
            }
        }
        frames.push(plain(&four.sockets[0].view.clone(), &first));
    }
    frames
}

fn texts(cards: tractor::CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).collect()
}

/// A view without what differs between any two tables: names, time, the hashes of the shuffle.
fn plain(view: &Value, first: &Value) -> String {
    let mut view = view.clone();
    view["timer"] = Value::Null;
    for hash in ["server", "roster", "yours", "seats"] {
        view["shuffle"][hash] = Value::Null;
    }
    view["seq"] = json!(view["seq"].as_u64().unwrap() - first["seq"].as_u64().unwrap());
    view["id"] = Value::Null;
    view["seats"] = Value::Null;
    view.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn exchanging_hidden_cards_changes_nothing_that_a_seat_is_sent() {
    let rounds = if std::env::var_os("CONVOY_DEEP").is_some() {
        60
    } else {
        5
    };
    let mut seed = 11;
    for number in 0..rounds {
        let deck = Deck::of(&Seed::from_number(number), 1);
        let length = 5 + below(&mut seed, 70);
        let (events, end) = script(&deck, &mut seed, length);
        let other =
            exchanged(&deck, &events, &end, &mut seed).expect("some cards can be exchanged");
        let (x, y) = {
            let differ: Vec<usize> = (0..108)
                .filter(|&at| deck.cards()[at] != other.cards()[at])
                .collect();
            (deck.cards()[differ[0]], deck.cards()[differ[1]])
        };
        let renamed: Vec<Event> = events.iter().map(|event| rename(event, x, y)).collect();
        assert_eq!(
            heard(&deck, &events).await,
            heard(&other, &renamed).await,
            "round {number}"
        );
    }
}

/// Card texts that occur anywhere in an answer, but for guests' names, which may end as a card is written.
pub(crate) fn cards_in(text: &str) -> BTreeSet<String> {
    let (first, others) = text.split_once("Guest-").unwrap_or((text, ""));
    let others = others.split("Guest-").filter_map(|part| part.get(4..));
    let text: String = std::iter::once(first).chain(others).collect();
    let all: Vec<String> = Card::all().map(|card| card.to_string()).collect();
    all.into_iter()
        .filter(|card| text.contains(&format!("\"{card}\"")) || text.contains(&format!("{card} ")))
        .collect()
}

/// Everything that a visitor is told of a table, by whatever way there is.
pub(crate) async fn crawl(who: &Visitor, id: &str) -> String {
    let mut all = String::new();
    for path in paths(id) {
        all.push_str(&who.get(&path).await.text);
    }
    for (t, d) in [
        ("declare", json!({ "cards": ["3S0"] })),
        ("bury", json!({ "cards": [] })),
        ("play", json!({ "cards": [] })),
        ("pass", json!({})),
        ("next", json!({})),
        ("commit", json!({ "number": 1, "attempt": 1, "hash": BITS })),
        ("reveal", json!({ "number": 1, "attempt": 1, "bits": BITS })),
        ("fill", json!({})),
        ("takeback", json!({})),
    ] {
        let body = json!({ "t": t, "seq": 1, "d": d });
        all.push_str(
            &who.post(&format!("/api/v1/tables/{id}/act"), &body)
                .await
                .text
                .replace("3S0", ""),
        );
    }
    all + &crawl_sockets(who, id).await
}

fn paths(id: &str) -> Vec<String> {
    let mut paths = vec![];
    for path in [
        "",
        ".json",
        ".round",
        ".round?ply=1",
        ".txt",
        ".svg",
        ".png",
        ".pgn",
        ".fen",
        "/sit",
    ] {
        paths.push(format!("/game/{id}{path}"));
    }
    for path in [
        "/",
        "/archive",
        "/api/v1/tables",
        "/api/v1/archive",
        "/api/v1/me",
        "/metrics",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/rules/cotulenh",
        "/verify",
        "/account",
    ] {
        paths.push(path.to_owned());
    }
    paths.push(format!("/api/v1/tables/{id}"));
    paths.push(format!("/verify?table={id}&round=1"));
    paths
}

async fn crawl_sockets(who: &Visitor, id: &str) -> String {
    let mut all = String::new();
    let mut socket = who.join(id).await;
    all.push_str(&socket.view.to_string());
    for question in [
        json!({ "what": "check", "cards": [] }),
        json!({ "what": "hint" }),
        json!({ "what": "replay", "round": 1, "step": 50, "seat": 1 }),
        json!({ "what": "proof", "round": 1 }),
        json!({ "what": "hand", "seat": 1 }),
        json!({ "what": "view", "seat": 1 }),
    ] {
        socket.act("ask", question).await;
        loop {
            let frame = socket.next().await;
            if frame["t"] == "refused" || frame["t"] == "answer" {
                all.push_str(&frame.to_string());
                break;
            }
        }
    }
    for seq in ["?seq=0", "?seq=1", "?seq=99999"] {
        let mut again = who.socket(&format!("/ws/table/{id}{seq}")).await;
        all.push_str(&again.next().await.to_string());
    }
    let mut lobby = who.socket("/ws/lobby").await;
    all.push_str(&lobby.next().await.to_string());
    all
}

/// The cards that a viewer may know.
fn known(view: &View) -> BTreeSet<String> {
    let tricks = view.tricks.iter().chain(&view.open);
    let plays = tricks.flat_map(|trick| trick.plays.iter().copied());
    let shown = view.declarations.iter().map(|declared| declared.cards);
    let sets = plays.chain(shown).chain([view.hand]).chain(view.kitty);
    sets.flat_map(texts).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_route_and_no_socket_shows_a_hidden_card() {
    let deck = Deck::of(&Seed::from_number(3), 1);
    let site = site_with(deck.clone()).await;
    let mut four = Four::sit(&site, json!({ "opponent": "open" })).await;
    let anonymous = Visitor {
        site: site.clone(),
        cookie: String::new(),
        csrf: String::new(),
    };
    let onlooker = site.visitor().await;
    let (events, _) = script(&deck, &mut 5, 14);
    four.until(|view| view["dealt"] == 100).await;
    let mut mirror = Round::new(Setup::first(Rules::DEFAULT), deck);
    mirror.apply(Event::Deal { count: 100 }).unwrap();
    for (at, event) in events.iter().enumerate() {
        // In the window, in the kitty, at the first lead, in the middle of a trick, after one.
        if matches!(at, 0 | 4 | 5 | 7 | 11) {
            for (seat, who) in [
                (None, &anonymous),
                (None, &onlooker),
                (Some(Seat::ALL[3]), &four.people[3]),
            ] {
                let known = known(&View::of(&mirror, seat));
                let seen = cards_in(&crawl(who, &four.id).await);
                let leaked: Vec<&String> = seen.difference(&known).collect();
                assert!(leaked.is_empty(), "event {at}, {seat:?}: {leaked:?}");
                if seat.is_some() {
                    assert!(!seen.is_empty(), "the crawl sees what may be seen");
                }
            }
        }
        let (t, d) = match event {
            Event::Pass { .. } => ("pass", json!({})),
            Event::Bury { cards, .. } => ("bury", json!({ "cards": texts(*cards) })),
            Event::Play { cards, .. } => ("play", json!({ "cards": texts(*cards) })),
            other => panic!("{other}"),
        };
        let seat = event.seat().unwrap().index();
        // The crawl as seat 3 may have passed for it already.
        let passed =
            t == "pass" && super::table::may(&four.people[seat].view(&four.id).await, "pass");
        if t != "pass" || passed {
            let body = json!({ "t": t, "seq": 1, "d": d });
            let answer = four.people[seat]
                .post(&format!("/api/v1/tables/{}/act", four.id), &body)
                .await;
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
        mirror.apply(event.clone()).unwrap();
    }
}
