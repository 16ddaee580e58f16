//! Rules 3.2.10, 3.2.14, 4.3 and 4.4: what is known, and what is written down.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, dealt, declare, play, seat, set, to_play};
use tractor::{
    Deck, Event, Group, Phase, Record, Redacted, Round, Rules, Seat, Seed, Setup, Suit, ThrowMode,
    View,
};

/// The groups in which a seat has shown itself void.
fn voids(round: &Round, index: usize) -> Vec<Group> {
    let judge = round.judge();
    let shown = round.memory(&judge).shown(seat(index));
    let groups = Group::ALL.into_iter();
    groups.filter(|&group| shown.is_void(group)).collect()
}

#[test]
fn rule_3_2_10_a_void_is_shown_by_playing_another_group() {
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 0, "2S0").unwrap();
    to_play(&mut round);
    // Spades are trump: the others still have their twos.
    for (by, card) in [(0, "bj0"), (1, "2H0"), (2, "2C0"), (3, "2D0")] {
        play(&mut round, by, card).unwrap();
    }
    assert!((0..4).all(|index| voids(&round, index).is_empty()));
    for (by, card) in [(0, "bj1"), (1, "2H1"), (2, "2C1"), (3, "2D1")] {
        play(&mut round, by, card).unwrap();
    }
    assert!((0..4).all(|index| voids(&round, index).is_empty()));
    play(&mut round, 0, "AS0").unwrap();
    play(&mut round, 1, "3H0").unwrap();
    assert_eq!(voids(&round, 1), [Group::Trump]);
    assert!(voids(&round, 2).is_empty());
    assert_eq!(
        View::of(&round, None).memory(&round.judge()),
        round.memory(&round.judge())
    );
}

#[test]
fn rule_3_2_14_cards_of_a_failed_throw_stay_known() {
    let rules = Rules {
        throw_mode: ThrowMode::Challenge,
        ..RULES
    };
    let mut round = dealt(rules, ["AS0 KS0 QS0 3S0", "KS1 AS1 JS0", "", ""], "");
    round.apply(Event::Close).unwrap();
    let spare = |card: &tractor::Card| card.face().suit() != Some(Suit::Spades);
    let cards = round.hand(seat(0)).iter().filter(spare).take(8).collect();
    round
        .apply(Event::Bury {
            seat: seat(0),
            cards,
        })
        .unwrap();
    play(&mut round, 0, "AS0 KS0 QS0").unwrap();
    for viewer in [None, Some(seat(1)), Some(seat(3))] {
        let view = View::of(&round, viewer);
        assert_eq!(view.exposed[0], set("AS0 KS0"));
        assert_eq!(view.held[0], 24);
    }
    let seen = Redacted::of(&round, None).to_string();
    assert!(seen.ends_with("play 0 QS0 KS0 AS0 > QS0 by 1\n"), "{seen}");
    play(&mut round, 1, "AS1").unwrap();
    while round.tricks().is_empty() {
        round.apply(table::any_play(&round, false)).unwrap();
    }
    assert_eq!(View::of(&round, None).exposed[0], set("AS0 KS0"));
}

#[test]
fn rule_4_3_a_view_holds_what_the_seat_may_know() {
    let deck = Deck::of(&Seed::from_number(11), 1);
    let mut round = Round::new(Setup::first(RULES), deck);
    round.apply(Event::Deal { count: 42 }).unwrap();
    let view = View::of(&round, Some(seat(1)));
    assert_eq!((view.dealt, view.held), (42, [11, 11, 10, 10]));
    assert_eq!(view.hand, round.hand(seat(1)));
    let onlooker = View::of(&round, None);
    assert!(onlooker.hand.is_empty() && onlooker.offers.is_empty() && onlooker.kitty.is_none());
}

#[test]
fn rule_4_4_a_round_is_its_setup_deck_and_events() {
    let deck = Deck::of(&Seed::from_number(12), 1);
    let mut round = Round::new(Setup::first(RULES), deck.clone());
    round.apply(Event::Deal { count: 100 }).unwrap();
    to_play(&mut round);
    table::play_out(&mut round);
    assert!(matches!(round.phase(), Phase::Over(_)));
    let record = Record::of(&round);
    assert_eq!(record.round().as_ref(), Ok(&round));
    let text = record.to_string();
    assert_eq!(text.parse::<Record>().unwrap().to_string(), text);
    let mut again = Round::new(Setup::first(RULES), deck);
    for (place, event) in record.events.iter().enumerate() {
        assert_eq!(record.replay(place).as_ref(), Ok(&again));
        again.apply(event.clone()).unwrap();
        for viewer in [None, Some(Seat::ALL[2])] {
            let redacted = Redacted::of(&again, viewer);
            assert_eq!(redacted.to_string().parse(), Ok(redacted));
        }
    }
}
