//! Bad input is refused with a reason that a player understands, and changes nothing.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, dealt, declare, to_play};
use tractor::{CardSet, Event, Game, Record, Redacted, Round};

/// A round in the middle of a trick: spades are trump, seat 0 has led the big jokers.
fn playing() -> Round {
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 0, "2S0").unwrap();
    to_play(&mut round);
    round.apply("play 0 bj0 bj1".parse().unwrap()).unwrap();
    round
}

fn burying() -> Round {
    let mut round = dealt(RULES, SUITS, "");
    round.apply(Event::Close).unwrap();
    round
}

/// How a round is made, the event, and what is said to it.
type Row = (fn() -> Round, &'static str, &'static str);

fn dealing() -> Round {
    dealt(RULES, SUITS, "")
}

fn over() -> Round {
    let mut round = burying();
    to_play(&mut round);
    table::play_out(&mut round);
    round
}

const EVENTS: [Row; 22] = [
    (playing, "play 2 2C0 2C1", "it is the turn of seat 1"),
    (
        playing,
        "play 1 3H0 3H1",
        "you still hold trumps: play them first (2H 2H)",
    ),
    (
        playing,
        "play 1 2H0",
        "play 2 cards, as many as were led, not 1",
    ),
    (
        playing,
        "play 1 2H0 2H1 3H0",
        "play 2 cards, as many as were led, not 3",
    ),
    (
        playing,
        "play 1 2H0 2S0",
        "the card 2S0 is not in your hand",
    ),
    (
        playing,
        "throw 1 2H0 + 2H1",
        "components are named for a lead only",
    ),
    (
        playing,
        "bury 0 3S0 3S1 5S0 5S1 6S0 6S1 7S0 7S1",
        "nothing is to be buried now",
    ),
    (
        playing,
        "declare 1 2H0 2H1",
        "the time for declaring is over",
    ),
    (
        playing,
        "take-back 0",
        "the house rules do not allow it (take_back is off)",
    ),
    (
        playing,
        "end-early 0",
        "the house rules do not allow it (end_early is off)",
    ),
    (playing, "pass 1", "the time for declaring is over"),
    (playing, "deal 1", "that many cards are not left to deal"),
    (
        dealing,
        "declare 0 3S0",
        "declare with one card of the trump rank, two alike, or both jokers of a kind",
    ),
    (dealing, "declare 0 2H0", "the card 2H0 is not in your hand"),
    (
        dealing,
        "declare 0 2S0 3S0",
        "declare with one card of the trump rank, two alike, or both jokers of a kind",
    ),
    (dealing, "play 0 3S0", "no trick is being played now"),
    (
        dealing,
        "retract 0",
        "the house rules do not allow it (take_back is off)",
    ),
    (burying, "bury 0 3S0", "bury exactly 8 cards, not 1"),
    (
        burying,
        "bury 1 3H0 3H1 5H0 5H1 6H0 6H1 7H0 7H1",
        "it is the turn of seat 0",
    ),
    (
        burying,
        "bury 0 3H0 3S1 5S0 5S1 6S0 6S1 7S0 7S1",
        "the card 3H0 is not in your hand",
    ),
    (over, "play 0 3S0", "the round is over"),
    (over, "close", "the time for declaring is over"),
];

#[test]
fn events_are_refused_in_words_and_change_nothing() {
    for (make, line, words) in EVENTS {
        let mut round = make();
        let before = round.clone();
        let reason = round.apply(line.parse().unwrap()).unwrap_err();
        assert_eq!(reason.to_string(), words, "{line}");
        assert_eq!(round, before, "{line}");
    }
}

#[test]
fn leads_are_refused_in_words() {
    let mut round = dealt(RULES, ["AS0 QS0 KD0 3D0", "AS1 KS0 KS1", "", ""], "");
    round.apply(Event::Close).unwrap();
    let spare =
        |card: &tractor::Card| !["AS0", "QS0", "KD0", "3D0"].contains(&card.to_string().as_str());
    let cards = round
        .hand(table::seat(0))
        .iter()
        .filter(spare)
        .take(8)
        .collect();
    round
        .apply(Event::Bury {
            seat: table::seat(0),
            cards,
        })
        .unwrap();
    for (line, words) in [
        (
            "play 0 AS0 QS0",
            "not a sure throw: the single QS may be beaten by AS",
        ),
        (
            "play 0 AS0 KD0",
            "a lead is of one suit: these cards are diamonds and spades",
        ),
    ] {
        let before = round.clone();
        let reason = round.apply(line.parse().unwrap()).unwrap_err();
        assert_eq!(reason.to_string(), words, "{line}");
        assert_eq!(round, before);
    }
}

#[test]
fn lists_of_cards_are_refused_in_words() {
    for (text, words) in [
        ("9H0 9H0", "the card 9H0 is named twice"),
        ("9H 9H 9H", "there are only two 9H in the two decks"),
        ("9H0 1S0", "card 2 of the list is unknown"),
        (
            "9H0 9S",
            "card 2 of the list: give all cards a deck digit or none",
        ),
    ] {
        let error = CardSet::read(text.split(' ')).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
}

/// What is written in place of a part of a record, and what is said to it.
const MALFORMED: [(&str, &str, &str); 13] = [
    (
        "tractor 1",
        "tractor 0",
        "line 1: the number of the round is no number from 1",
    ),
    (
        "tractor 1",
        "poker 1",
        "line 1: a line that begins with \"tractor\" is missing",
    ),
    (
        "rules default",
        "rules odd",
        "line 2: there is no preset odd: it is default, ejfn, shengji",
    ),
    (
        "rules default",
        "rules default x=1",
        "line 2: there is no switch x among the house rules",
    ),
    (
        "levels 2 2",
        "levels 2 1",
        "line 3: the levels are not two of 2 to A, or NT",
    ),
    ("defending A", "defending C", "line 4: a team is A or B"),
    ("starter 0", "starter 4", "line 5: a seat is 0, 1, 2 or 3"),
    (
        "starter 0\n",
        "starter 0\ntrump XX\n",
        "line 6: this trump is unknown",
    ),
    (
        "deck 2S0",
        "deck 2H0",
        "line 6: a deck holds each of the 108 cards once",
    ),
    (
        "deck 2S0",
        "seed 2S0",
        "line 6: a seed is 64 hexadecimal digits",
    ),
    (
        "deck 2S0",
        "pack 2S0",
        "line 6: a line that begins with \"seed\" is missing",
    ),
    (
        "declare 0 2S0",
        "declare 0 2S0 2S0",
        "line 8: the card 2S0 is named twice",
    ),
    (
        "close",
        "closed",
        "line 9: the line names no event (deal, declare, bury, play, …)",
    ),
];

#[test]
fn malformed_records_are_refused_by_line() {
    let good = Record::of(&playing()).to_string();
    assert!(good.parse::<Record>().is_ok());
    for (from, to, words) in MALFORMED {
        assert!(good.contains(from), "{from}");
        let error = good.replacen(from, to, 1).parse::<Record>().unwrap_err();
        assert_eq!(error.to_string(), words);
    }
    let order = good.replacen("declare 0 2S0", "declare 0 2S1", 1);
    assert!(order.parse::<Record>().unwrap().round().is_ok());
    let illegal = good
        .replacen("play 0", "play 1", 1)
        .parse::<Record>()
        .unwrap();
    let (place, reason) = illegal.round().unwrap_err();
    assert_eq!(
        (place, reason.to_string().as_str()),
        (4, "it is the turn of seat 0")
    );
    assert!("".parse::<Game>().is_err() && "".parse::<Redacted>().is_err());
}
