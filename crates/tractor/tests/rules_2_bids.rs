//! Rules 2.10.8 to 2.10.12: the house rules of declaring.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, dealt, declare, seat, suit};
use tractor::{Bid, BidPolicy, BidReinforce, FirstStarter, JokerBids, Rules, Suit, may_declare};

fn beats(policy: BidPolicy, one: Bid, other: Bid) -> bool {
    one.beats(other, policy)
}

#[test]
fn rule_2_10_8_what_beats_a_declaration() {
    let (hearts, spades) = (Bid::Pair(Suit::Hearts), Bid::Pair(Suit::Spades));
    let single = Bid::Single(Suit::Clubs);
    for policy in BidPolicy::ALL {
        assert!(beats(*policy, hearts, single) && !beats(*policy, single, hearts));
    }
    let policy = BidPolicy::JokerOrGreaterLength;
    assert!(beats(policy, Bid::SmallJokers, spades) && !beats(policy, spades, hearts));
    let policy = BidPolicy::JokerOrHigherSuit;
    assert!(beats(policy, spades, hearts) && !beats(policy, hearts, spades));
    assert!(
        beats(policy, Bid::BigJokers, Bid::SmallJokers) && beats(policy, Bid::SmallJokers, spades)
    );
    assert!(!beats(policy, Bid::Single(Suit::Spades), single));
    let policy = BidPolicy::GreaterLength;
    assert!(
        !beats(policy, Bid::SmallJokers, spades)
            && !beats(policy, Bid::BigJokers, Bid::SmallJokers)
    );
}

#[test]
fn rule_2_10_9_raising_ones_own_declaration() {
    let raise = |bid_reinforce, bid| {
        let rules = Rules {
            bid_reinforce,
            ..RULES
        };
        let standing = Some((seat(0), Bid::Single(Suit::Spades)));
        may_declare(&rules, standing, seat(0), bid).is_ok()
    };
    let (own, other) = (Bid::Pair(Suit::Spades), Bid::Pair(Suit::Hearts));
    assert!(raise(BidReinforce::WhileWinning, own) && !raise(BidReinforce::WhileWinning, other));
    assert!(raise(BidReinforce::OverturnSelf, own) && raise(BidReinforce::OverturnSelf, other));
    assert!(!raise(BidReinforce::Never, own) && !raise(BidReinforce::Never, other));
}

#[test]
fn rule_2_10_10_which_jokers_declare() {
    let may = |joker_bids, standing, bid| {
        let rules = Rules {
            joker_bids,
            ..RULES
        };
        let standing = Option::map(standing, |bid| (seat(1), bid));
        may_declare(&rules, standing, seat(0), bid).is_ok()
    };
    assert!(may(JokerBids::Pairs, None, Bid::SmallJokers));
    assert!(!may(JokerBids::Pairs, None, Bid::BigJoker));
    let single = Some(Bid::Single(Suit::Spades));
    assert!(may(JokerBids::Singles, single, Bid::SmallJoker));
    assert!(may(
        JokerBids::Singles,
        Some(Bid::SmallJoker),
        Bid::BigJoker
    ));
    assert!(may(
        JokerBids::Singles,
        Some(Bid::BigJoker),
        Bid::Pair(Suit::Clubs)
    ));
    assert!(!may(JokerBids::Off, None, Bid::BigJokers));
    assert!(may(JokerBids::Off, None, Bid::Single(Suit::Clubs)));
}

#[test]
fn rule_2_10_11_from_small_jokers_to_big_ones() {
    let may = |own_joker_raise| {
        let rules = Rules {
            own_joker_raise,
            ..RULES
        };
        let standing = Some((seat(0), Bid::SmallJokers));
        may_declare(&rules, standing, seat(0), Bid::BigJokers).is_ok()
    };
    assert!(!may(false) && may(true));
}

#[test]
fn rule_2_10_12_the_first_or_the_last_declaration_makes_the_starter() {
    for (first_starter, starter) in [(FirstStarter::WinningBid, 3), (FirstStarter::FirstBid, 2)] {
        let rules = Rules {
            first_starter,
            ..RULES
        };
        let mut round = dealt(rules, SUITS, "");
        declare(&mut round, 2, "2C0").unwrap();
        declare(&mut round, 3, "2D0 2D1").unwrap();
        assert_eq!(round.starter(), seat(starter));
        assert_eq!(round.defending(), seat(starter).team());
        assert_eq!(round.trump().suit(), suit('D'));
    }
}
