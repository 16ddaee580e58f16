//! Views, events, rules and records as JSON, both ways. The full state of a round has no serialiser: see `View`.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod driver;

use driver::{Dice, event, setup};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tractor::{
    Bid, CardSet, Deck, Event, Faces, Record, Redacted, Round, Rules, Seat, Seed, Setup, Trump,
    View,
};

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

/// What is written is read back as the same value.
fn same<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn whatever_is_written_is_read_back() {
    let mut stages = std::collections::HashSet::new();
    for seed in 0..30 {
        let mut dice = Dice::new(seed);
        let setup = setup(&mut dice);
        same(&setup.rules);
        let deck = Deck::of(&Seed::from_number(seed), setup.number);
        same(&deck);
        let mut round = Round::new(setup, deck);
        while let Some(next) = event(&round, &mut dice) {
            same(&next);
            round.apply(next).unwrap();
            let viewer = Seat::new(dice.below(5));
            let view = View::of(&round, viewer);
            stages.insert(view.stage);
            same(&view);
        }
        same(&Record::of(&round));
        same(&Redacted::of(&round, Seat::new(dice.below(5))));
        same(&round.seen(None));
    }
    assert_eq!(stages.len(), 5, "every stage was seen: {stages:?}");
}

#[test]
fn a_frame_of_the_server_is_a_view() {
    let mut round = round();
    round.apply(Event::Deal { count: 100 }).unwrap();
    let view = View::of(&round, Some(Seat::ALL[2]));
    let mut frame = serde_json::to_value(&view).unwrap();
    // A frame has other names for two fields, the rules with their preset, and fields of its own.
    let fields = frame.as_object_mut().unwrap();
    for (ours, theirs) in [("viewer", "you"), ("tricks", "turns")] {
        let value = fields.remove(ours).unwrap();
        fields.insert(theirs.into(), value);
    }
    let switches = fields.remove("rules").unwrap();
    fields.insert(
        "rules".into(),
        json!({ "preset": "default", "switches": switches }),
    );
    fields.insert("naturals".into(), json!({}));
    assert_eq!(serde_json::from_value::<View>(frame).unwrap(), view);
}

#[test]
fn rules_are_read_from_a_line_a_map_or_a_preset_with_changes() {
    let rules = Rules {
        throw_penalty: 10,
        ..Rules::SHENGJI
    };
    for text in [
        json!("shengji throw_penalty=10"),
        json!({ "preset": "shengji", "throw_penalty": 10 }),
        json!({ "preset": "shengji", "switches": { "throw_penalty": "10", "kitty_theft": false } }),
        json!(rules),
    ] {
        assert_eq!(serde_json::from_value::<Rules>(text).unwrap(), rules);
    }
}

/// The words with which a value of a type is refused.
fn refused<T: DeserializeOwned + std::fmt::Debug>(value: Value) -> String {
    serde_json::from_value::<T>(value).unwrap_err().to_string()
}

#[test]
fn unknown_seats_cards_and_switches_are_refused() {
    let mut view = serde_json::to_value(View::of(&round(), Some(Seat::ALL[0]))).unwrap();
    for (field, value, words) in [
        ("viewer", json!(4), "a seat is 0, 1, 2 or 3"),
        ("starter", json!(-1), "invalid value"),
        ("hand", json!(["1S0"]), "card 1 of the list is unknown"),
        ("hand", json!(["2S0", "2S0"]), "the card 2S0 is named twice"),
        ("stage", json!("resting"), "unknown variant `resting`"),
        ("defending", json!("C"), "a team is A or B"),
        (
            "trump",
            json!({ "rank": "2", "suit": "X" }),
            "a trump suit is C, D, H, S or N",
        ),
        (
            "trump",
            json!({ "rank": "NT", "suit": "H" }),
            "without a trump rank",
        ),
        ("levels", json!(["2", "10"]), "a level is 2 to 9, T (ten)"),
        (
            "rules",
            json!({ "folow_policy": "free" }),
            "follow_policy is the nearest",
        ),
        (
            "rules",
            json!({ "follow_policy": "odd" }),
            "one of: loose, strict, free",
        ),
        ("rules", json!("odd"), "there is no preset odd"),
    ] {
        let before = view[field].clone();
        view[field] = value;
        let words_got = refused::<View>(view.clone());
        assert!(words_got.contains(words), "{field}: {words_got}");
        view[field] = before;
    }
    assert!(
        refused::<Event>(json!({"kind":"pass","seat":0,"why":"x"})).contains("unknown field `why`")
    );
    assert!(refused::<Bid>(json!({"type":"pair","suit":"N"})).contains("no declaration"));
    assert!(refused::<Deck>(json!(["2S0"])).contains("each of the 108 cards once"));
    assert!(refused::<Faces>(json!(["9H", "9H", "9H"])).contains("only two 9H"));
    assert!(refused::<CardSet>(json!("9H")).contains("invalid type"));
    assert!(refused::<Trump>(json!({"rank":"7"})).contains("missing field `suit`"));
}
