//! Rules 2.1 to 2.5: table, phases, deal, declaring, kitty.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, bury, dealt, deck, declare, play, seat, set, suit, to_play};
use tractor::{
    Bid, Card, Deck, DeclOffer, DeclareError, Event, Level, Phase, Rank, Round, RoundError, Rules,
    Seat, Seed, Setup, Start, Suit, Team, Trump, View, may_declare, offers,
};

/// The recorded deals: seed, round, words, deck.
const DEALS: &str = include_str!("data/deals.txt");

#[test]
fn rule_2_1_1_seats_act_in_turn_and_sit_opposite_their_partner() {
    let order: Vec<usize> = (0..5).map(|steps| seat(2).after(steps).index()).collect();
    assert_eq!(order, [2, 3, 0, 1, 2]);
    assert_eq!(
        Seat::ALL.map(Seat::team),
        [Team::A, Team::B, Team::A, Team::B]
    );
    assert_eq!(seat(3).partner(), seat(1));
}

#[test]
fn rule_2_1_2_both_teams_begin_on_two_and_a_defends() {
    let setup = Setup::first(RULES);
    assert_eq!(setup.start.levels, [Level::TWO; 2]);
    let round = Round::new(setup, Deck::of(&Seed::from_number(1), 1));
    assert_eq!((round.defending(), round.starter()), (Team::A, seat(0)));
}

#[test]
fn rule_2_2_1_the_phases_follow_one_another() {
    let mut round = dealt(RULES, SUITS, "");
    assert!(matches!(round.phase(), Phase::Dealing(_)));
    round.apply(Event::Close).unwrap();
    assert!(matches!(round.phase(), Phase::Burying(_)));
    to_play(&mut round);
    assert!(matches!(round.phase(), Phase::Playing(_)));
    table::play_out(&mut round);
    assert!(matches!(round.phase(), Phase::Over(_)));
    assert_eq!(round.apply(Event::Close), Err(RoundError::DeclaringOver));
    assert_eq!(
        round.apply(Event::Deal { count: 1 }),
        Err(RoundError::DealtOut)
    );
}

#[test]
fn rule_2_2_2_a_refusal_changes_nothing() {
    let mut round = dealt(RULES, SUITS, "");
    for event in [
        Event::Deal { count: 1 },
        Event::Deal { count: 0 },
        Event::Declare {
            seat: seat(0),
            cards: set("3S0"),
        },
        Event::Declare {
            seat: seat(0),
            cards: set("2H0"),
        },
        Event::Retract { seat: seat(0) },
        Event::Bury {
            seat: seat(0),
            cards: set("3S0"),
        },
        Event::Play {
            seat: seat(0),
            cards: set("3S0"),
        },
        Event::TakeBack { seat: seat(0) },
        Event::EndEarly { seat: seat(0) },
    ] {
        let before = round.clone();
        assert!(round.apply(event.clone()).is_err(), "{event}");
        assert_eq!(round, before, "{event}");
    }
}

#[test]
fn rule_2_3_1_the_last_eight_cards_are_the_kitty() {
    let deck = Deck::of(&Seed::from_number(3), 1);
    let round = Round::new(Setup::first(RULES), deck.clone());
    let kitty: Vec<Card> = round.kitty().iter().collect();
    let mut last = deck.cards()[100..].to_vec();
    last.sort();
    assert_eq!(kitty, last);
}

/// A later round with this starter.
fn later(starter: usize, deck: Deck) -> Round {
    let start = Start {
        starter: seat(starter),
        defending: seat(starter).team(),
        levels: [Level::from(Rank::Five), Level::from(Rank::Nine)],
    };
    let setup = Setup {
        number: 4,
        start,
        ..Setup::first(RULES)
    };
    Round::new(setup, deck)
}

#[test]
fn rule_2_3_2_cards_go_out_in_turn_order() {
    let deck = Deck::of(&Seed::from_number(3), 1);
    let mut first = Round::new(Setup::first(RULES), deck.clone());
    first.apply(Event::Deal { count: 5 }).unwrap();
    assert!(first.hand(seat(0)).has(deck.cards()[0]) && first.hand(seat(0)).has(deck.cards()[4]));
    assert!(first.hand(seat(1)).has(deck.cards()[1]));
    let mut other = later(3, deck.clone());
    other.apply(Event::Deal { count: 2 }).unwrap();
    assert!(other.hand(seat(3)).has(deck.cards()[0]) && other.hand(seat(0)).has(deck.cards()[1]));
    other.apply(Event::Deal { count: 98 }).unwrap();
    assert_eq!(Seat::ALL.map(|seat| other.hand(seat).len()), [25; 4]);
}

#[test]
fn rule_2_3_3_the_trump_rank_is_the_defenders_level() {
    let deck = Deck::of(&Seed::from_number(3), 1);
    assert_eq!(later(3, deck.clone()).trump(), Trump::new(Rank::Nine, None));
    assert_eq!(later(2, deck).trump(), Trump::new(Rank::Five, None));
}

#[test]
fn rule_2_3_4_seed_and_round_give_the_deal() {
    let deck = |number, round| Deck::of(&Seed::from_number(number), round);
    assert_eq!(deck(1, 1), deck(1, 1));
    assert_ne!(deck(1, 1), deck(1, 2));
    assert_ne!(deck(1, 1), deck(2, 1));
    assert_eq!(DEALS.lines().count(), 4);
    for line in DEALS.lines() {
        let [head, _, cards] = line.split(" : ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (seed, round) = head.split_once(' ').unwrap();
        let deck = Deck::of(&seed.parse().unwrap(), round.parse().unwrap());
        let texts: Vec<String> = deck.cards().iter().map(Card::to_string).collect();
        assert_eq!(texts.join(" "), cards);
    }
}

#[test]
fn rule_2_3_8_the_order_is_that_of_the_exchanges() {
    // The first words of the zero seed in round 1: the first brings place 25, AH0, to place 107, the
    // second a card from below to place 106.
    let words = [975_025_213_usize, 673_829_792];
    assert_eq!(words[0] % 108, 25);
    let [last, before] =
        [107, 106].map(|place| Deck::of(&Seed::from_bytes([0; 32]), 1).cards()[place].to_string());
    assert_eq!(last, "AH0");
    let place = words[1] % 107 - 54;
    let rank = &"23456789TJQKA"[place % 13..=place % 13];
    assert_eq!(
        before,
        format!("{rank}{}1", ["S", "H", "C", "D"][place / 13])
    );
}

#[test]
fn rule_2_3_10_places_are_dealt_in_order() {
    let deck = Deck::of(&Seed::from_number(5), 1);
    let mut round = Round::new(Setup::first(RULES), deck.clone());
    for place in 0..100 {
        round.apply(Event::Deal { count: 1 }).unwrap();
        assert!(round.hand(seat(place % 4)).has(deck.cards()[place]));
    }
    assert_eq!(deck.kitty(), &deck.cards()[100..]);
}

#[test]
fn rule_2_4_1_four_declarations_of_rising_strength() {
    let two = Some(Rank::Two);
    let bid = |text: &str| Bid::of(text.parse().unwrap(), two);
    let rising = ["2S", "2H 2H", "sj sj", "bj bj"].map(|text| bid(text).unwrap());
    for pair in rising.windows(2) {
        assert!(pair[1].beats(pair[0], RULES.bid_policy));
        assert!(!pair[0].beats(pair[1], RULES.bid_policy));
    }
    assert_eq!(rising.map(Bid::suit), [suit('S'), suit('H'), None, None]);
    for none in ["3S", "2S 2H", "sj bj", "3S 3S", "2S 2S 2H"] {
        assert_eq!(bid(none), None, "{none}");
    }
    for joker in ["sj", "bj"] {
        let refusal = may_declare(&RULES, None, seat(0), bid(joker).unwrap());
        assert_eq!(refusal, Err(DeclareError::JokersOff));
    }
}

#[test]
fn rule_2_4_2_only_cards_dealt_may_be_shown_and_they_stay() {
    let mut round = Round::new(Setup::first(RULES), deck(seat(0), SUITS, ""));
    let missing = "2S0".parse().unwrap();
    assert_eq!(
        declare(&mut round, 0, "2S0"),
        Err(RoundError::NotHeld(missing))
    );
    round.apply(Event::Deal { count: 100 }).unwrap();
    declare(&mut round, 0, "2S0").unwrap();
    assert!(round.hand(seat(0)).has(missing) && round.hand(seat(0)).len() == 25);
}

#[test]
fn rule_2_4_3_another_seat_needs_more_strength() {
    let mut round = dealt(RULES, ["2S0 bj0 bj1", "2H0 2H1", "2C0 2C1", "sj0 sj1"], "");
    declare(&mut round, 0, "2S0").unwrap();
    declare(&mut round, 1, "2H0 2H1").unwrap();
    let stands = RoundError::Declare(DeclareError::TooWeak(Bid::Pair(Suit::Hearts)));
    assert_eq!(declare(&mut round, 2, "2C0 2C1"), Err(stands));
    declare(&mut round, 3, "sj0 sj1").unwrap();
    declare(&mut round, 0, "bj0 bj1").unwrap();
    assert_eq!(round.declarations().len(), 4);
}

#[test]
fn rule_2_4_4_ones_own_single_may_only_become_its_pair() {
    let mut round = dealt(RULES, ["2S0 2S1 2H0 2H1 sj0 sj1", "", "", ""], "");
    declare(&mut round, 0, "2S0").unwrap();
    let own = RoundError::Declare(DeclareError::OwnStands(Bid::Single(Suit::Spades)));
    for other in ["2H0", "2H0 2H1", "sj0 sj1"] {
        assert_eq!(declare(&mut round, 0, other), Err(own));
    }
    declare(&mut round, 0, "2S0 2S1").unwrap();
    let mut round = dealt(RULES, ["sj0 sj1 bj0 bj1", "", "", ""], "");
    declare(&mut round, 0, "sj0 sj1").unwrap();
    assert!(declare(&mut round, 0, "bj0 bj1").is_err());
}

#[test]
fn rule_2_4_5_an_overridden_seat_is_another_seat_again() {
    let mut round = dealt(RULES, ["2S0 2S1 sj0 sj1", "2H0 2H1", "", ""], "");
    declare(&mut round, 0, "2S0").unwrap();
    declare(&mut round, 1, "2H0 2H1").unwrap();
    assert!(declare(&mut round, 0, "2S0 2S1").is_err());
    declare(&mut round, 0, "sj0 sj1").unwrap();
}

#[test]
fn rule_2_4_6_declaring_ends_when_all_have_passed() {
    let mut round = Round::new(Setup::first(RULES), deck(seat(0), SUITS, ""));
    round.apply(Event::Deal { count: 1 }).unwrap();
    declare(&mut round, 0, "2S0").unwrap();
    assert_eq!(
        round.apply(Event::Pass { seat: seat(1) }),
        Err(RoundError::StillDealing)
    );
    assert_eq!(round.apply(Event::Close), Err(RoundError::StillDealing));
    round.apply(Event::Deal { count: 99 }).unwrap();
    for index in 0..3 {
        round.apply(Event::Pass { seat: seat(index) }).unwrap();
    }
    let again = Event::Pass { seat: seat(2) };
    assert_eq!(round.apply(again), Err(RoundError::HasPassed));
    // A new declaration opens the window for all again.
    declare(&mut round, 3, "2D0 2D1").unwrap();
    for index in [3, 1, 0, 2] {
        assert!(matches!(round.phase(), Phase::Dealing(_)));
        round.apply(Event::Pass { seat: seat(index) }).unwrap();
    }
    assert!(matches!(round.phase(), Phase::Burying(_)));
    assert_eq!(
        declare(&mut round, 0, "2S0"),
        Err(RoundError::DeclaringOver)
    );
}

#[test]
fn rule_2_4_7_a_declaration_sets_suit_and_in_round_one_the_starter() {
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 2, "2C0").unwrap();
    assert_eq!(round.trump().suit(), suit('C'));
    assert_eq!((round.starter(), round.defending()), (seat(2), Team::A));
    declare(&mut round, 3, "2D0 2D1").unwrap();
    assert_eq!(round.trump().suit(), suit('D'));
    assert_eq!((round.starter(), round.defending()), (seat(3), Team::B));

    let mut round = later(2, deck(seat(2), ["5S0", "", "", "5D0"], ""));
    round.apply(Event::Deal { count: 100 }).unwrap();
    declare(&mut round, 3, "5D0").unwrap();
    assert_eq!(round.trump().suit(), suit('D'));
    assert_eq!((round.starter(), round.defending()), (seat(2), Team::A));
}

#[test]
fn rule_2_4_8_without_a_declaration_there_is_no_trump_suit() {
    let mut round = dealt(RULES, SUITS, "");
    round.apply(Event::Close).unwrap();
    assert_eq!(round.trump(), Trump::new(Rank::Two, None));
    assert_eq!((round.starter(), round.defending()), (seat(0), Team::A));
    assert_eq!(round.hand(seat(0)).len(), 33);
}

#[test]
fn rule_2_4_9_a_single_may_be_shown_by_the_holder_of_the_pair() {
    let hand = set("2S0 2S1 2H1 sj0 bj0 bj1");
    let list = |rules: &Rules| -> Vec<Bid> {
        offers(rules, Level::TWO, hand, seat(0), None)
            .into_iter()
            .map(|(bid, _)| bid)
            .collect()
    };
    let (single, pair) = (Bid::Single(Suit::Spades), Bid::Pair(Suit::Spades));
    let hearts = Bid::Single(Suit::Hearts);
    assert_eq!(list(&RULES), [hearts, single, pair, Bid::BigJokers]);
    let pair_only = Rules {
        decl_offer: DeclOffer::PairOnly,
        ..RULES
    };
    assert_eq!(list(&pair_only), [hearts, pair, Bid::BigJokers]);
    assert_eq!(may_declare(&pair_only, None, seat(0), single), Ok(()));
}

#[test]
fn rule_2_5_1_the_starter_buries_any_eight_of_33() {
    let mut round = dealt(RULES, SUITS, "");
    round.apply(Event::Close).unwrap();
    assert_eq!(round.hand(seat(0)).len(), 33);
    let count = |given| Err(RoundError::BuryCount { given });
    assert_eq!(bury(&mut round, 0, "2S0 2S1 3S0"), count(3));
    assert_eq!(
        bury(&mut round, 0, "2S0 2S1 3S0 3S1 5S0 5S1 6S0 6S1 7S0"),
        count(9)
    );
    let missing = RoundError::NotHeld("2H0".parse().unwrap());
    let other = "2S0 2S1 3S0 3S1 5S0 5S1 6S0 2H0";
    assert_eq!(bury(&mut round, 0, other), Err(missing));
    let points_and_trumps = "KS0 KS1 TS0 TS1 bj0 bj1 2S0 2S1";
    let turn = RoundError::OutOfTurn { turn: seat(0) };
    assert_eq!(bury(&mut round, 1, points_and_trumps), Err(turn));
    bury(&mut round, 0, points_and_trumps).unwrap();
    assert_eq!(round.kitty(), set(points_and_trumps));
    assert_eq!(round.hand(seat(0)).len(), 25);
}

#[test]
fn rule_2_5_2_the_starter_leads() {
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 3, "2D0").unwrap();
    to_play(&mut round);
    assert_eq!(round.turn(), Some(seat(3)));
    let turn = RoundError::OutOfTurn { turn: seat(3) };
    assert_eq!(play(&mut round, 0, "3S0"), Err(turn));
}

#[test]
fn rule_2_5_3_only_the_seat_that_buried_knows_the_kitty() {
    let mut round = dealt(RULES, SUITS, "");
    to_play(&mut round);
    let knows = |round: &Round, viewer| View::of(round, viewer).kitty;
    assert_eq!(knows(&round, Some(seat(0))), Some(round.kitty()));
    for viewer in [None, Some(seat(1)), Some(seat(2)), Some(seat(3))] {
        assert_eq!(knows(&round, viewer), None);
    }
    table::play_out(&mut round);
    assert_eq!(knows(&round, None), Some(round.kitty()));
}
