//! Rules 1.1 to 1.6: cards, trump, order, combos.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use std::cmp::Ordering;

use table::{RULES, cards, judge, shape, winner};
use tractor::{Card, Face, Faces, Group, Kind, Rank, Rules, Suit, Trump};

fn face(text: &str) -> Face {
    text.parse().unwrap()
}

/// Checks that the faces fall strictly under this trump.
fn falls(trump: &str, faces: &str) {
    let judge = judge(trump, RULES);
    let faces: Vec<Face> = faces.split(' ').map(face).collect();
    for two in faces.windows(2) {
        assert_eq!(
            judge.compare(two[0], two[1]),
            Some(Ordering::Greater),
            "{trump}: {} {}",
            two[0],
            two[1]
        );
        assert_eq!(judge.compare(two[1], two[0]), Some(Ordering::Less));
    }
}

#[test]
fn rule_1_1_1_two_packs_are_108_cards() {
    assert_eq!(Card::all().count(), 108);
    let count = |face| Card::all().filter(|card| card.face() == face).count();
    assert!(Face::all().all(|face| count(face) == 2));
    let suited = |suit| Face::all().filter(|face| face.suit() == Some(suit)).count();
    assert!(Suit::ALL.iter().all(|&suit| suited(suit) == 13));
    assert_eq!(Face::all().filter(|face| face.suit().is_none()).count(), 2);
}

#[test]
fn rule_1_1_2_alike_means_the_same_face() {
    let [a, b]: [Card; 2] = ["TS0", "TS1"].map(|text| text.parse().unwrap());
    assert!(a != b && a.face() == b.face());
    assert_eq!((a.copy(), b.copy()), (0, 1));
}

#[test]
fn rule_1_1_3_fives_tens_and_kings_count() {
    let points: Vec<u32> = ["5S", "TH", "KD", "9C", "sj", "AS"]
        .map(|text| face(text).points())
        .into();
    assert_eq!(points, [5, 10, 10, 0, 0, 0]);
    assert_eq!(Faces::FULL.points(), 200);
}

#[test]
fn rule_1_1_4_ranks_rise_from_two_to_ace() {
    let text: String = Rank::ALL.iter().map(|rank| rank.letter()).collect();
    assert_eq!(text, "23456789TJQKA");
    assert!(Rank::ALL.is_sorted());
}

#[test]
fn rule_1_2_1_jokers_rank_and_suit_are_trump() {
    let trumps = |trump: &str| {
        let trump: Trump = trump.parse().unwrap();
        Face::all()
            .filter(|&face| trump.group(face) == Group::Trump)
            .map(|face| face.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(trumps("7N"), "7C 7D 7H 7S sj bj");
    assert_eq!(
        trumps("7C"),
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 7D 7H 7S sj bj"
    );
}

#[test]
fn rule_1_2_2_the_group_counts_not_the_printed_suit() {
    let judge = judge("2H", RULES);
    let group = |text| judge.group(judge.ranked(cards(text)));
    assert_eq!(group("2S 3H bj"), Some(Group::Trump));
    assert_eq!(group("3S AS"), Some(Group::Plain(Suit::Spades)));
    assert_eq!(group("2S 3S"), None);
}

#[test]
fn rule_1_2_3_groups_have_their_sizes() {
    let sizes = |trump| {
        let judge = judge(trump, RULES);
        let full = judge.ranked(Faces::FULL);
        Group::ALL.map(|group| judge.of_group(full, group).len())
    };
    assert_eq!(sizes("7H"), [24, 24, 0, 24, 36]);
    assert_eq!(sizes("7N"), [24, 24, 24, 24, 12]);
}

#[test]
fn rule_1_2_4_on_the_last_level_only_jokers_are_trump() {
    let judge = judge("N", RULES);
    let full = judge.ranked(Faces::FULL);
    let sizes = Group::ALL.map(|group| judge.of_group(full, group).len());
    assert_eq!(sizes, [26, 26, 26, 26, 4]);
}

#[test]
fn rule_1_3_1_trumps_fall_from_the_jokers_to_the_lowest_of_the_suit() {
    falls("7S", "bj sj 7S 7H AS KS QS JS TS 9S 8S 6S 5S 4S 3S 2S AH");
    falls("7S", "7S 7C AS");
    falls("7S", "7S 7D AS");
}

#[test]
fn rule_1_3_2_without_a_suit_the_four_of_the_rank_are_equal() {
    falls("7N", "bj sj 7S AS");
    let judge = judge("7N", RULES);
    for other in ["7S", "7H", "7D", "7C"] {
        let order = judge.compare(face("7C"), face(other));
        assert_eq!(order, Some(Ordering::Equal));
    }
}

#[test]
fn rule_1_3_3_plain_suits_fall_from_the_ace_without_the_rank() {
    falls("7S", "AH KH QH JH TH 9H 8H 6H 5H 4H 3H 2H");
    falls("AS", "KH QH");
    assert_eq!(judge("AS", RULES).trump().group(face("AH")), Group::Trump);
}

#[test]
fn rule_1_3_4_trump_beats_all_and_plain_suits_do_not_compare() {
    let judge = judge("7S", RULES);
    assert_eq!(
        judge.compare(face("2S"), face("AH")),
        Some(Ordering::Greater)
    );
    assert_eq!(judge.compare(face("2D"), face("AH")), None);
}

#[test]
fn rule_1_4_1_equal_strength_leaves_the_earlier_play_ahead() {
    assert_eq!(winner("3H", RULES, &["2S", "QS", "AS", "AS"]), 3);
    assert_eq!(winner("2S", RULES, &["2H", "2C", "2D", "AS"]), 1);
    assert_eq!(
        winner("2S", RULES, &["2H 2H", "2C 2C", "2S 2S", "sj sj"]),
        4
    );
    assert_eq!(winner("2N", RULES, &["AH", "2C", "2S", "KH"]), 2);
}

#[test]
fn rule_1_5_1_a_pair_is_two_of_one_face() {
    let kind = |text| {
        let judge = judge("2S", RULES);
        judge
            .shape(judge.ranked(cards(text)))
            .and_then(|shape| shape.kind())
    };
    assert_eq!(kind("8H"), Some(Kind::Single));
    assert_eq!(kind("8H 8H"), Some(Kind::Pair));
    assert_eq!(kind("2H 2C"), None);
    assert_eq!(kind("sj bj"), None);
    assert_eq!(kind("8H 8D"), None);
}

#[test]
fn rule_1_6_1_neighbours_of_the_trump_rank_touch() {
    assert_eq!(shape("7S", RULES, "6H 6H 8H 8H"), "T2");
    assert_eq!(shape("2S", RULES, "6H 6H 8H 8H"), "P P");
    assert_eq!(shape("KS", RULES, "QH QH AH AH"), "T2");
    assert_eq!(shape("2S", RULES, "AH AH 3H 3H"), "P P");
    assert_eq!(shape("7S", RULES, "5H 5H 6H 6H 8H 8H"), "T3");
}

#[test]
fn rule_1_6_2_the_ladder_of_trump_with_a_suit() {
    for (text, want) in [
        ("2H 2H 2S 2S", "T2"),
        ("AS AS 2H 2H", "T2"),
        ("2S 2S sj sj", "T2"),
        ("sj sj bj bj", "T2"),
        ("2H 2H sj sj", "P P"),
        ("AS AS 2H 2H 2S 2S sj sj bj bj", "T5"),
        ("KS KS AS AS 2D 2D", "T3"),
    ] {
        assert_eq!(shape("2S", RULES, text), want, "{text}");
    }
}

#[test]
fn rule_1_6_3_the_ladder_of_trump_without_a_suit() {
    let apart = Rules {
        nt_rank_joker_adjacent: false,
        ..RULES
    };
    assert_eq!(shape("2N", RULES, "2H 2H sj sj bj bj"), "T3");
    assert_eq!(shape("2N", apart, "2H 2H sj sj bj bj"), "T2 P");
    assert_eq!(shape("N", RULES, "sj sj bj bj"), "T2");
}

#[test]
fn rule_1_6_4_a_tractor_is_pairs_on_neighbouring_rungs() {
    assert_eq!(shape("2S", RULES, "7H 7H 8H 8H"), "T2");
    assert_eq!(shape("2S", RULES, "7H 7H 8H 8H 9H 9H TH TH"), "T4");
    assert_eq!(shape("2S", RULES, "7H 7H 8H"), "P S");
    assert_eq!(shape("2S", RULES, "7H 8H 9H"), "S S S");
}

#[test]
fn rule_1_6_5_any_face_may_stand_on_the_shared_rung() {
    assert_eq!(shape("2S", RULES, "2H 2H 2C 2C"), "P P");
    assert_eq!(shape("2S", RULES, "AS AS 2H 2H 2C 2C 2S 2S"), "T3 P");
    for other in ["2C 2C", "2D 2D", "2H 2H"] {
        assert_eq!(shape("2S", RULES, &format!("AS AS {other}")), "T2");
    }
    let judge = judge("2S", RULES);
    let hand = judge.ranked(cards("AS AS 2H 2H 2C 2C"));
    assert_eq!(judge.tractors(hand).count(), 2);
}

#[test]
fn rule_1_6_6_the_king_of_trumps_touches_the_other_aces() {
    assert_eq!(shape("AS", RULES, "KS KS AH AH"), "T2");
    assert_eq!(shape("AS", RULES, "KS KS AH AH AS AS"), "T3");
}

#[test]
fn rule_1_6_7_tractors_compare_by_their_top_rung() {
    let plays = ["2H 2H AS AS", "2C 2C 2S 2S"];
    assert_eq!(winner("2S", RULES, &plays), 2);
    assert_eq!(winner("2S", RULES, &["AS AS 2H 2H", "2S 2S 2C 2C"]), 2);
    assert_eq!(
        winner("2S", RULES, &["3H 3H 4H 4H", "5H 5H 6H 6H 7H 7H"]),
        1
    );
}
