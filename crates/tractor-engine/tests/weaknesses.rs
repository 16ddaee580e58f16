//! What the reference bot does wrong (its ten known weaknesses), and what ours does in the same positions.

mod support;

use support::{Position, declare};
use tractor::{Bid, Deck, Event, Round, Rules, Seed, Setup, Suit, View};
use tractor_engine::{Limits, Player, SkillLevel};

#[test]
fn weakness_1_the_last_seat_wins_as_cheaply_as_it_can() {
    let position = Position::new("2S", "AH JH 3C 4C 7D 8D").on(&["7H", "8H", "9H"]);
    assert_eq!(position.normal(), "JH");
}

#[test]
fn weakness_2_the_last_seat_feeds_a_partner_who_has_won() {
    let partner = ["6H", "QH", "7H"];
    let position = Position::new("2S", "TH 4H 3C 4C 7D 8D").on(&partner);
    assert_eq!(position.normal(), "TH");
    // Void: the ten of clubs is given, and the partner is not ruffed.
    let position = Position::new("2S", "TC 4C 8S 9S 7D 8D").on(&partner);
    assert_eq!(position.normal(), "TC");
}

#[test]
fn weakness_2_one_copy_seen_is_not_both() {
    // The partner leads the king; one ace is gone, the other is not.
    let position = Position::new("2S", "TH 4H 3C 4C 7D 8D")
        .after(3, ["AH", "3H", "6H", "7H"])
        .on(&["KH", "8H"]);
    assert_eq!(position.normal(), "4H");
}

#[test]
fn weakness_3_throws_weigh_the_risk_of_a_ruff() {
    let hand = "AH AH KH KH 5C 6C 7C 8D 9D 3S";
    let safe = Position::new("2S", hand);
    assert_eq!(safe.normal(), "KH KH AH AH");
    // Both opponents have shown void in hearts, and hold trumps.
    let risky = Position::new("2S", "AH QH 5C 6C 7C 8D 9D 3S")
        .after(0, ["AH", "3S", "3H", "4S"])
        .after(0, ["KH", "5S", "KH", "6S"])
        .view();
    let play = Player::new(SkillLevel::Normal, 1)
        .play(&risky)
        .faces()
        .to_string();
    assert!(!play.contains('H'), "{play}");
}

#[test]
fn weakness_3_trumps_are_counted() {
    // The same voids, but the opponents have shown void in trumps too: nothing can ruff.
    let safe = Position::new("2S", "AH QH 5C 6C 7C 8D 9D 3S")
        .after(0, ["AH", "3C", "3H", "4C"])
        .after(0, ["KH", "5D", "KH", "6D"])
        .after(0, ["AS", "7D", "4S", "9D"])
        .view();
    let play = Player::new(SkillLevel::Normal, 1)
        .play(&safe)
        .faces()
        .to_string();
    assert!(play.contains('H'), "{play}");
}

#[test]
fn weakness_3_a_missing_pair_is_remembered() {
    // Seat 3 followed a pair of clubs with two singles: it has no pair of clubs, and no third club of those faces.
    let view = Position::new("2S", "AC KC KC 5H 6H 7H 8D 9D")
        .after(0, ["7C 7C", "8C 8C", "9C 9C", "JC QC"])
        .view();
    let beliefs = tractor_engine::Beliefs::of(&view, tractor_engine::Weights::NORMAL).unwrap();
    let mut sampler = tractor_engine::Sampler::new(&beliefs, 1);
    let judge = view.judge();
    let clubs = judge.mask(tractor::Group::Plain(Suit::Clubs));
    for _ in 0..200 {
        let hand = sampler.world().hands[3];
        assert_eq!(hand.pair() & clubs, 0);
        let barred = judge.ranked("JC QC".parse().unwrap());
        assert_eq!(hand.any() & barred.any(), 0);
    }
}

#[test]
fn weakness_4_a_part_of_a_throw_is_considered() {
    let view = Position::new("2S", "AH AH KH QH 5C 6C 7C 8D 9D 3S")
        .after(3, ["KH", "3H", "4H", "6H"])
        .after(3, ["QH", "7H", "8H", "9H"])
        .view();
    let mut player = Player::new(SkillLevel::Strong, 1).with_limits(Limits::rollouts(400));
    player.width = 40;
    let hint = player.hint(&view).unwrap();
    let shown: Vec<String> = hint
        .alternatives
        .iter()
        .map(|(cards, _)| cards.faces().to_string())
        .chain([hint.cards.faces().to_string()])
        .collect();
    for part in ["QH KH AH AH", "KH AH AH", "QH AH AH", "QH KH"] {
        assert!(shown.contains(&part.to_owned()), "{part} of {shown:?}");
    }
}

#[test]
fn weakness_4_and_5_the_best_trumps_are_led_as_the_tractor_they_are() {
    let position = Position::new("2S", "bj bj sj sj AS KS QS JS 9S 8S 3C 4D");
    let play = position.normal();
    assert_ne!(play, "sj sj");
    let forced = Position::new("2S", "bj bj sj sj");
    assert_eq!(forced.normal(), "sj sj bj bj");
}

#[test]
fn weakness_6_tractors_are_followed_by_size() {
    // A tractor of three and a single: the run of three is owed, not the lowest two.
    let hand = "3H 3H 4H 4H 6H 6H 7H 7H 8H 8H TH 3C";
    let position = Position::new("2S", hand).on(&["QH QH KH KH AH AH JH"]);
    let play = position.normal();
    assert!(play.contains("6H 6H 7H 7H 8H 8H"), "{play}");
}

#[test]
fn weakness_6_trumps_answer_a_throw_in_its_shape() {
    let hand = "3S 3S 4S 4S 5S 5S 7C 8C 9D";
    let position =
        Position::new("2S", hand).on(&["KH KH AH AH QH", "3H 4H 6H 7H 9H", "TH TH 5H 5H 8H"]);
    let play = position.normal();
    assert!(
        ["3S 3S 4S 4S 5S", "3S 4S 4S 5S 5S"].contains(&play.as_str()),
        "{play}"
    );
}

#[test]
fn weakness_7_an_illegal_play_is_refused_and_never_played() {
    // The answer of weakness 6, two runs of two where a run of three is owed, is refused by the rules ...
    let hand = "3H 3H 4H 4H 6H 6H 7H 7H 8H 8H TH 3C";
    let lead = ["QH QH KH KH AH AH JH"];
    for rules in [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI] {
        let view = Position::new("2S", hand).rules(rules).on(&lead).view();
        let wrong = view.hand.pick("3H 3H 4H 4H 6H 6H 7H".parse().unwrap());
        assert!(view.check(wrong.unwrap()).is_err());
        // ... and whoever plays finds one that is not, whatever its level and however short its time.
        for level in SkillLevel::ALL {
            for seed in 0..20 {
                let player = Player::new(level, seed).with_limits(Limits::rollouts(4));
                let play = player.play(&view);
                assert_eq!(view.check(play), Ok(()), "{level}: {play}");
            }
        }
    }
    // A round that is handed an illegal play stays as it is.
    let deck = Deck::of(&Seed::from_number(7), 1);
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    round.apply(Event::Deal { count: 100 }).unwrap();
    round.apply(Event::Close).unwrap();
    let player = Player::new(SkillLevel::Normal, 1);
    for _ in 0..2 {
        let view = View::of(&round, round.turn());
        round.apply(player.act(&view).unwrap()).unwrap();
    }
    let seat = round.turn().unwrap();
    let before = round.events().to_vec();
    let cards = round.hand(seat).iter().take(9).collect();
    assert!(round.apply(Event::Play { seat, cards }).is_err());
    assert_eq!(round.events(), before);
    assert_eq!(round.turn(), Some(seat));
}

#[test]
fn weakness_8_declaring_counts_ranks_jokers_and_whose_suit_stands() {
    let long = "2S AS KS QS 9S 8S 7S bj sj 3D 4D";
    assert_eq!(
        declare("2", long, 44, None),
        Some(Bid::Single(Suit::Spades))
    );
    // Its own single is made a pair.
    let pair = "2S 2S AS KS QS 9S 8S 7S bj 3D 4D";
    let own = Some((0, Bid::Single(Suit::Spades)));
    assert_eq!(declare("2", pair, 44, own), Some(Bid::Pair(Suit::Spades)));
    // A suit it does not like is overturned, a partner's good one is not.
    let theirs = Some((1, Bid::Single(Suit::Diamonds)));
    assert_eq!(
        declare("2", pair, 44, theirs),
        Some(Bid::Pair(Suit::Spades))
    );
    let even = "2S 2S AS KS 9S 8S AD KD QD 9D 8D 3C";
    let partner = Some((2, Bid::Single(Suit::Diamonds)));
    assert_eq!(declare("2", even, 44, partner), None);
    // Both jokers of a kind: no suit is long, the standing one is bad, the aces are good.
    let jokers = "bj bj sj 2H AC AC AD AD AH KC KD KH QD QH JC 5C 3S";
    let bad = Some((3, Bid::Pair(Suit::Spades)));
    assert_eq!(declare("2", jokers, 68, bad), Some(Bid::BigJokers));
}

#[test]
fn weakness_9_the_last_trick_is_planned() {
    // Points lie in the kitty. The last trump must win the last trick, so the losing club goes first.
    let view = Position::new("2H", "3H 4C")
        .burying("KS KD TD 5D 3S 3D 4S 4D")
        .attackers(60)
        .view();
    let strong = Player::new(SkillLevel::Strong, 1).with_limits(Limits::rollouts(300));
    assert_eq!(strong.play(&view).faces().to_string(), "4C");
}

#[test]
fn weakness_10_the_levels_are_what_they_are_said_to_be() {
    // Easy forgets: the ace of hearts is gone twice, yet it does not take its king for the best.
    let position =
        || Position::new("2S", "KH 5C 6C 7C 8D 9D 3S 4S").after(3, ["AH", "3H", "4H", "AH"]);
    assert_eq!(position().normal(), "KH");
    let easy = Player::new(SkillLevel::Easy, 1);
    assert!(!easy.weights.memory && !easy.weights.throws);
    // Strong and master search, the others do not.
    for (level, searches) in [
        (SkillLevel::Normal, false),
        (SkillLevel::Strong, true),
        (SkillLevel::Master, true),
    ] {
        assert_eq!(Player::new(level, 1).limits.time.is_some(), searches);
    }
}
