//! Views and events as JSON. The full state of a round has no serialiser: see `View`.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod driver;

use driver::{Dice, event, setup};
use serde_json::{Value, json};
use tractor::{Deck, Event, Round, Rules, Seat, Seed, Setup, View};

fn round() -> Round {
    let deck = Deck::of(&Seed::from_bytes([0; 32]), 1);
    Round::new(Setup::first(Rules::DEFAULT), deck)
}

#[test]
fn a_view_is_json_in_the_notation_of_the_rules() {
    let mut round = round();
    round.apply(Event::Deal { count: 6 }).unwrap();
    let view = serde_json::to_value(View::of(&round, Some(Seat::ALL[0]))).unwrap();
    assert_eq!(view["hand"], json!(["KH0", "9S0"]));
    assert_eq!(view["held"], json!([2, 2, 1, 1]));
    assert_eq!(view["trump"], json!({"rank": "2", "suit": "N"}));
    assert_eq!(
        (&view["stage"], &view["dealt"]),
        (&json!("dealing"), &json!(6))
    );
    assert_eq!((&view["viewer"], &view["turn"]), (&json!(0), &Value::Null));
    assert_eq!(view["rules"]["throw_mode"], "certain");
    assert_eq!(view["levels"], json!(["2", "2"]));
    let other = serde_json::to_value(View::of(&round, Some(Seat::ALL[3]))).unwrap();
    assert_eq!(
        other["offers"],
        json!([{"bid": {"type": "single", "suit": "C"}, "cards": ["2C0"]}])
    );
}

#[test]
fn events_are_read_from_json() {
    for (text, line) in [
        (r#"{"kind":"deal","count":25}"#, "deal 25"),
        (
            r#"{"kind":"declare","seat":3,"cards":["2C0"]}"#,
            "declare 3 2C0",
        ),
        (
            r#"{"kind":"play","seat":0,"cards":["9S1","9S0"]}"#,
            "play 0 9S0 9S1",
        ),
        (
            r#"{"kind":"throw","seat":0,"parts":[["9S1","9S0"],["KS0"]]}"#,
            "throw 0 9S0 9S1 + KS0",
        ),
        (r#"{"kind":"takeBack","seat":1}"#, "take-back 1"),
        (r#"{"kind":"close"}"#, "close"),
    ] {
        let event: Event = serde_json::from_str(text).unwrap();
        assert_eq!(event.to_string(), line);
    }
    for bad in [
        r#"{"kind":"play","seat":4,"cards":["9S0"]}"#,
        r#"{"kind":"play","seat":0,"cards":["9S0","9S0"]}"#,
        r#"{"kind":"jump","seat":0}"#,
        r#"{"seat":0}"#,
    ] {
        assert!(serde_json::from_str::<Event>(bad).is_err(), "{bad}");
    }
}

/// Every card that a JSON value names.
fn named(value: &Value, cards: &mut Vec<String>) {
    match value {
        Value::String(text) if text.parse::<tractor::Card>().is_ok() => cards.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|item| named(item, cards)),
        Value::Object(map) => map.values().for_each(|item| named(item, cards)),
        _ => {}
    }
}

#[test]
fn json_names_no_card_that_the_viewer_may_not_see() {
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        let setup = setup(&mut dice);
        let deck = Deck::of(&Seed::from_number(seed), setup.number);
        let mut round = Round::new(setup, deck);
        while let Some(next) = event(&round, &mut dice) {
            round.apply(next).unwrap();
            let viewer = Seat::new(dice.below(5));
            let view = View::of(&round, viewer);
            let mut cards = Vec::new();
            named(&serde_json::to_value(&view).unwrap(), &mut cards);
            for card in cards {
                let card = card.parse().unwrap();
                let hidden = Seat::ALL.into_iter().any(|seat| {
                    Some(seat) != viewer
                        && round.hand(seat).has(card)
                        && !view.exposed[seat.index()].has(card)
                });
                let shown = view.revealed == Some(card)
                    || view
                        .declarations
                        .iter()
                        .any(|declaration| declaration.cards.has(card));
                assert!(!hidden || shown, "{card} is shown to {viewer:?}");
            }
        }
    }
}
