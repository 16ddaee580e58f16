//! Rules 3.1 to 3.4 and 4.1, 4.2: throws, following, winning.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, cards, follows, judge, leads, shape, winner};
use tractor::{
    Eligibility, FollowPolicy, Group, Knowledge, ResponseMapping, Rules, Suit, ThrowEval, ThrowMode,
};

const NOBODY: [bool; 3] = [false; 3];

fn lead(hand: &str, play: &str, seen: &str) -> bool {
    leads(("2H", RULES), hand, play, seen, NOBODY).is_ok()
}

#[test]
fn rule_3_1_1_a_throw_has_several_components() {
    let throw = |text| {
        let judge = judge("2S", RULES);
        judge.detect(judge.ranked(cards(text)), None).is_some()
    };
    assert!(throw("AH KH QH") && throw("AH AH KH") && throw("KH KH QH QH JH 9H"));
    assert!(!throw("AH") && !throw("AH AH") && !throw("AH AH KH KH") && !throw("AH KD"));
}

#[test]
fn rule_3_1_2_the_longest_tractor_is_taken_first() {
    assert_eq!(shape("2S", RULES, "KH KH QH QH JH 9H"), "T2 S S");
    assert_eq!(shape("2S", RULES, "AH AH KH KH TH TH 9H 9H"), "T2 T2");
    assert_eq!(
        shape("2S", RULES, "3H 3H 4H 4H 5H 5H 7H 7H 8H 8H 9H"),
        "T3 T2 S"
    );
}

#[test]
fn rule_3_1_3_every_face_of_the_shared_rung_is_tried() {
    assert_eq!(shape("2S", RULES, "AS AS 2H 2H 2C 2C 2S 2S"), "T3 P");
    let judge = judge("2S", RULES);
    let parts: Vec<String> = judge
        .components(judge.ranked(cards("AS AS 2H 2H 2C 2C")))
        .map(|combo| judge.faces(combo.cards).to_string())
        .collect();
    assert_eq!(parts, ["2C 2C AS AS", "2H 2H"]);
}

#[test]
fn rule_3_1_4_touching_pairs_are_one_tractor() {
    assert_eq!(shape("2H", RULES, "AS AS KS KS JS"), "T2 S");
    assert_eq!(shape("2H", RULES, "AS AS QS QS JS"), "P P S");
}

#[test]
fn rule_3_1_5_components_partition_the_cards() {
    let judge = judge("2S", RULES);
    let hand = judge.ranked(cards("AS AS 2H 2H 2C 2C 2S 2S sj 9S KH KH QH"));
    let mut left = hand;
    for combo in judge.components(hand) {
        left = left.less(combo.cards).unwrap();
    }
    assert!(left.is_empty());
}

#[test]
fn rule_3_2_1_a_lead_is_of_one_group() {
    assert!(!lead("AS AD", "AS AD", ""));
    assert!(!lead("AS 2S", "AS 2S", ""));
}

#[test]
fn rule_3_2_2_straight_leads_are_always_legal() {
    for play in ["3S", "3S 3S", "3S 3S 4S 4S", "3H 3H", "2H 2H 2S 2S"] {
        assert!(lead(play, play, ""), "{play}");
    }
}

#[test]
fn rule_3_2_3_trump_is_not_thrown() {
    assert!(!lead("bj bj sj", "bj bj sj", ""));
    assert!(leads(("2N", RULES), "2S 2S bj", "2S 2S bj", "", NOBODY).is_err());
    let allowed = Rules {
        allow_trump_throw: true,
        ..RULES
    };
    assert!(leads(("2H", allowed), "bj bj sj", "bj bj sj", "", NOBODY).is_ok());
    assert!(leads(("2H", allowed), "bj sj", "bj sj", "", NOBODY).is_err());
}

#[test]
fn rule_3_2_4_all_three_others_must_have_shown_void() {
    let tried = |voids| leads(("2H", RULES), "7S 8S 9S 4D", "7S 8S 9S", "", voids).is_ok();
    assert!(tried([true; 3]));
    assert!(!tried([true, true, false]) && !tried([false, true, true]));
}

#[test]
fn rule_3_2_5_unseen_cards_decide() {
    assert!(lead("AS KS QS 3D", "AS KS QS", "AS KS QS"));
    assert!(!lead("AS KS QS 3D", "AS KS QS", ""));
    // The buried aces count as seen for the seat that buried them alone.
    assert!(lead("KS QS QS", "KS QS QS", "AS AS KS"));
    assert!(!lead("KS QS QS", "KS QS QS", "KS"));
}

#[test]
fn rule_3_2_6_a_single_is_beaten_by_any_higher_card() {
    assert!(!lead("AS KS", "AS KS", ""));
    assert!(lead("AS KS", "AS KS", "AS"));
}

#[test]
fn rule_3_2_7_a_pair_is_beaten_only_by_two_alike() {
    assert!(!lead("AS AS KS JS JS", "AS AS KS JS JS", ""));
    assert!(lead("AS AS KS JS JS", "AS AS KS JS JS", "QS"));
    assert!(lead("AS KS KS", "AS KS KS", ""));
}

#[test]
fn rule_3_2_8_a_tractor_is_beaten_only_by_as_long_a_run() {
    let hand = "6S 6S 7S 7S 9S 9S";
    assert!(lead(hand, hand, "AS KS QS JS TS"));
    assert!(!lead("6S 6S 7S 7S AS AS", "6S 6S 7S 7S AS AS", ""));
    // A run of three outside holds two runs of two.
    assert!(!lead("6S 6S 7S 7S AS", "6S 6S 7S 7S AS", "AS KS QS"));
}

#[test]
fn rule_3_2_9_equal_cards_do_not_beat() {
    assert!(lead("AS KS", "AS KS", "AS"));
    assert!(lead("KS KS QS QS AS", "KS KS QS QS AS", ""));
}

#[test]
fn rule_3_2_11_a_refusal_names_the_component_and_what_beats_it() {
    let told = leads(("2H", RULES), "AS QS QS", "AS QS QS", "", NOBODY).unwrap_err();
    assert!(told.contains("QS QS") && told.contains("KS KS"), "{told}");
    let judge = judge("2H", RULES);
    let hand = judge.ranked(cards("AS QS QS 9S"));
    let throw = judge.lead(judge.ranked(cards("AS QS QS 9S"))).unwrap();
    let verdict = judge.validate(&throw, &Knowledge::at_start(&judge, hand));
    assert!(!verdict.valid);
    let weak: Vec<String> = verdict
        .beatable
        .iter()
        .map(|weak| {
            format!(
                "{} by {}",
                judge.faces(weak.combo.cards),
                judge.faces(weak.by)
            )
        })
        .collect();
    assert_eq!(weak, ["QS QS by KS KS", "9S by AS"]);
}

#[test]
fn rule_3_2_12_the_first_stopper_forces_the_lowest_component() {
    let judge = judge("2H", Rules::SHENGJI);
    let hand = |text| judge.ranked(cards(text));
    for (throw, others, stopper, led) in [
        ("5S 9S 9S KS", ["TS TS", "AS", ""], 1, "5S"),
        ("9S 9S KS", ["TS TS", "AS", ""], 1, "9S 9S"),
        ("KS KS QS QS TS", ["JS", "AS", ""], 1, "TS"),
        ("KS 5S", ["", "AS", ""], 2, "5S"),
    ] {
        let outcome = judge.challenge(judge.lead(hand(throw)).unwrap(), others.map(hand));
        assert_eq!(outcome.stopper, Some(stopper), "{throw}");
        assert_eq!(judge.faces(outcome.lead.cards()), cards(led), "{throw}");
    }
}

#[test]
fn rule_3_2_13_what_nobody_beats_stands() {
    let judge = judge("2H", Rules::SHENGJI);
    let hand = |text| judge.ranked(cards(text));
    for (throw, others) in [
        ("AS QS QS", ["KS", "KS", ""]),
        ("bj sj 2H", ["3H", "4H", "5H"]),
    ] {
        let lead = judge.lead(hand(throw)).unwrap();
        let outcome = judge.challenge(lead, others.map(hand));
        assert_eq!((outcome.stopper, outcome.lead), (None, lead));
    }
    assert_eq!(Rules::SHENGJI.throw_mode, ThrowMode::Challenge);
}

fn may(trump: &str, lead: &str, hand: &str, play: &str) -> bool {
    follows(trump, RULES, lead, hand, play)
}

#[test]
fn rule_3_3_1_as_many_cards_as_were_led_from_the_hand() {
    assert!(may("2S", "5H", "KH AC", "KH"));
    assert!(!may("2S", "5H", "KH QH", "KH QH"));
    assert!(!may("2S", "5H", "KH AC", "AH"));
    assert!(!may("2S", "5H 5H", "KH AC AC", "KH KH"));
}

#[test]
fn rule_3_3_2_the_led_group_comes_first() {
    assert!(!may("2S", "5H", "KH AC QD", "AC"));
    assert!(!may("2H", "KS", "2S QS 3D", "2S"));
    assert!(may("2H", "KS", "2S 3D", "3D"));
    assert!(!may("2S", "AH KH QH", "9H 8H 7H 6H 3D", "9H 8H 3D"));
    assert!(!may("2N", "2S", "AS KS 2H", "AS"));
    assert!(!may("2S", "AH AH KH", "9H 8H 3D 3D 5S", "9H 3D 3D"));
}

#[test]
fn rule_3_3_3_an_exhausted_group_leaves_the_rest_free() {
    assert!(may("2H", "KS QS JS TS", "9S 8S 7S 5H", "9S 8S 7S 5H"));
    assert!(may("2S", "AH AH KH", "9H 8H 3D 3D 5S", "9H 8H 3D"));
    assert!(may("2S", "3H 3H", "7H 8C 9D", "7H 8C"));
}

#[test]
fn rule_3_3_4_pairs_are_owed_for_pairs() {
    assert!(!may("2S", "3H 3H", "7H 7H 8H 9C", "7H 8H"));
    assert!(!may("2S", "AH AH KH", "9H 9H 7H 6H 3H", "9H 7H 6H"));
    assert!(may("2S", "AH AH KH", "9H 9H 7H 6H 3H", "9H 9H 7H"));
    let hand = "TH 9H 8H 8H 7H 6H 5H";
    assert!(!may("2S", "KH KH QH QH JH", hand, "TH 9H 8H 7H 6H"));
    assert!(may("2H", "5H 5H", "bj sj AH KC", "bj sj"));
}

#[test]
fn rule_3_3_5_a_tractor_is_owed_for_a_tractor() {
    let hand = "7H 7H 8H 8H JH JH 9C";
    assert!(!may("2S", "3H 3H 4H 4H", hand, "7H 7H JH JH"));
    assert!(may("2S", "3H 3H 4H 4H", hand, "7H 7H 8H 8H"));
    assert!(may("2S", "3H 3H 4H 4H", "6H 6H 9H 9H TC", "6H 6H 9H 9H"));
    let long = "7H 7H 8H 8H JH JH KH KH 9C";
    assert!(may("2S", "3H 3H 4H 4H 5H 5H", long, "7H 7H JH JH KH KH"));
    let hand = "AS AS 2H 2H 2C 2C KD";
    assert!(may("2S", "3S 3S 4S 4S", hand, "AS AS 2C 2C"));
    assert!(may("2S", "3S 3S 4S 4S", hand, "AS AS 2H 2H"));
}

#[test]
fn rule_3_3_6_throws_call_for_the_tractor_pairs_that_fit() {
    let hand = "5H 5H 6H 6H 9H 9H 3H";
    assert!(!may("2S", "KH KH QH QH JH", hand, "5H 5H 9H 9H 3H"));
    assert!(may("2S", "KH KH QH QH JH", hand, "5H 5H 6H 6H 3H"));
    let lead = "AH AH KH KH QH QH JH";
    let hand = "3H 3H 4H 4H 6H 6H 7H 7H 9H TH";
    assert!(may("2S", lead, hand, "3H 3H 4H 4H 6H 6H 9H"));
    let lead = "6H 6H 7H 7H KH KH AH AH";
    let hand = "3H 3H 4H 4H 5H 5H 9H 9H QH QH JH";
    assert!(!may("2S", lead, hand, "3H 3H 4H 4H 9H 9H QH QH"));
    assert!(may("2S", lead, hand, "3H 3H 4H 4H 5H 5H 9H 9H"));
}

#[test]
fn rule_3_3_7_singles_call_for_no_pairs_and_nobody_must_ruff() {
    assert!(may("2S", "AH KH QH JH", "9H 9H 8H 8H 7H 6H", "9H 8H 7H 6H"));
    assert!(may("2S", "5H", "AC KD QS", "KD"));
    assert!(may("2S", "5H", "AH 3H", "3H"));
}

#[test]
fn rule_3_3_8_deadlock_hands_have_a_legal_play() {
    for rules in [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI] {
        for (lead, hand) in [
            (
                "AH AH KH KH QH QH TH",
                "3H 3H 4H 4H 6H 6H 7H 7H 9H 5D 6D 8C",
            ),
            ("AH AH KH KH QH QH JH", "3H 3H 4H 4H 6H 6H 7H 7H 9H TH"),
        ] {
            let judge = judge("2S", rules);
            let lead = judge.lead(judge.ranked(cards(lead))).unwrap();
            let duty = judge.duty(&lead, judge.ranked(cards(hand)));
            assert!(duty.count() > 0 && duty.plays().all(|play| duty.allows(play)));
        }
    }
}

#[test]
fn rule_3_3_9_strict_following_loosens_step_by_step() {
    let strict = Rules {
        follow_policy: FollowPolicy::Strict,
        ..RULES
    };
    let lead = "3H 3H 4H 4H 5H 5H";
    let hand = "7H 7H 8H 8H JH JH KH KH 9C";
    assert!(!follows("2S", strict, lead, hand, "7H 7H JH JH KH KH"));
    assert!(follows("2S", strict, lead, hand, "7H 7H 8H 8H KH KH"));
    let hand = "7H 7H 9H 9H JH QH KH AH";
    assert!(!follows("2S", strict, lead, hand, "7H 7H JH QH KH AH"));
    assert!(follows("2S", strict, lead, hand, "7H 7H 9H 9H QH KH"));
}

#[test]
fn rule_3_3_10_free_following_asks_for_the_group_alone() {
    let free = Rules {
        follow_policy: FollowPolicy::Free,
        ..RULES
    };
    assert!(follows("2S", free, "3H 3H", "7H 7H 8H", "7H 8H"));
    assert!(!follows("2S", free, "3H 3H", "7H 7H 8H 9C", "7H 9C"));
}

#[test]
fn rule_3_3_11_order_and_copies_mean_nothing() {
    for (hand, play) in [
        ("AS AS 2H 2H 2C 2C KD", "2C 2C AS AS"),
        ("2C 2C 2H 2H AS AS KD", "AS AS 2C 2C"),
        ("2H 2H KD AS AS 2C 2C", "2H 2H AS AS"),
    ] {
        assert!(may("2S", "3S 3S 4S 4S", hand, play));
    }
}

#[test]
fn rule_3_4_1_mixed_plays_and_other_suits_never_win() {
    assert_eq!(
        winner("2H", RULES, &["KS QS", "AH 3D", "4C 5C", "5D 6C"]),
        1
    );
    assert_eq!(winner("2H", RULES, &["3S", "AD", "AC", "KD"]), 1);
}

#[test]
fn rule_3_4_2_straight_leads_are_beaten_in_kind() {
    assert_eq!(
        winner("3H", RULES, &["2S 2S", "QS 4S", "AS 6S", "5S 5S"]),
        4
    );
    assert_eq!(
        winner("2S", RULES, &["9H 9H", "AS KS", "3S 3S", "AH KH"]),
        3
    );
    let plays = ["3H 3H 4H 4H", "9H 9H KH KH", "3S 3S 5S 5S", "6S 6S 7S 7S"];
    assert_eq!(winner("2S", RULES, &plays), 4);
}

#[test]
fn rule_3_4_3_only_trump_beats_a_throw() {
    assert_eq!(
        winner("2H", RULES, &["9S 8S", "AS KS", "4D 5D", "5C 6C"]),
        1
    );
    assert_eq!(
        winner("2H", RULES, &["AS KS", "TS 9S", "3H 4H", "5C 6C"]),
        3
    );
}

#[test]
fn rule_3_4_4_an_answer_must_reach_the_summary_of_the_throw() {
    for (plays, want) in [
        (["KS KS QS 8S", "AH KH QH JH"], 1),
        (["KS QS", "3H 3H"], 2),
        (["AS AS QS QS", "3H 3H 4H 4H"], 2),
        (["AS AS KS KS QS QS JS", "3H 3H 4H 4H 6H 6H 8H"], 1),
        (["AS AS KS KS TS TS 9S 9S", "3H 3H 4H 4H 5H 5H 6H 6H"], 1),
    ] {
        assert_eq!(winner("2H", RULES, &plays), want, "{plays:?}");
    }
}

#[test]
fn rule_3_4_5_embedding_gives_each_component_its_own_part() {
    let embed = Rules {
        eligibility: Eligibility::Embed,
        ..RULES
    };
    let plays = ["AS AS KS KS TS TS 9S 9S", "3H 3H 4H 4H 5H 5H 6H 6H"];
    assert_eq!(winner("2H", embed, &plays), 2);
    assert_eq!(winner("2H", RULES, &plays), 1);
}

#[test]
fn rule_3_4_6_the_first_answer_needs_no_high_cards() {
    let plays = ["AS AS KS", "3H 3H 4H", "QS QS JS", "5C 6C 7C"];
    assert_eq!(winner("2H", RULES, &plays), 2);
}

/// Rules with another way to compare answers.
fn eval(throw_eval: ThrowEval) -> Rules {
    Rules {
        throw_eval,
        ..RULES
    }
}

#[test]
fn rule_3_4_7_seed_compares_the_kind_of_the_answers() {
    assert_eq!(
        winner("2H", RULES, &["KS QS", "AH KH", "3H 3H", "5C 6C"]),
        3
    );
    let plays = ["AS AS QS QS", "9H 9H 5H 5H", "3H 3H 4H 4H", "3C 4C 5C 6C"];
    assert_eq!(winner("2H", RULES, &plays), 3);
    let plays = ["AS AS KS", "2C 2C 3H", "2D 2D AH", "3C 4C 5C"];
    assert_eq!(winner("2H", RULES, &plays), 2);
}

#[test]
fn rule_3_4_8_lead_shape_compares_at_the_kind_of_the_lead() {
    let rules = eval(ThrowEval::LeadShape);
    assert_eq!(
        winner("2H", rules, &["KS QS", "AH KH", "3H 3H", "5C 6C"]),
        2
    );
    let plays = ["AS AS QS QS", "9H 9H 5H 5H", "3H 3H 4H 4H", "3C 4C 5C 6C"];
    assert_eq!(winner("2H", rules, &plays), 2);
    assert_eq!(
        winner("2H", rules, &["KS QS", "3H 4H", "AH AH", "5C 6C"]),
        3
    );
}

#[test]
fn rule_3_4_9_all_asks_every_component_to_win() {
    let rules = eval(ThrowEval::All);
    let plays = ["AS AS KS", "3D 3D 8D", "4D 4D 6D", "6S 7S 8H"];
    assert_eq!(winner("2D", rules, &plays), 2);
    let plays = ["AS AS KS", "3D 3D 8D", "4D 4D 9D", "6S 7S 8H"];
    assert_eq!(winner("2D", rules, &plays), 3);
}

#[test]
fn rule_3_4_10_highest_looks_at_the_highest_card() {
    let rules = eval(ThrowEval::Highest);
    let plays = ["AS KS QS", "3H 4H 5H", "3H 4H 6H", "bj 4D 5D"];
    assert_eq!(winner("2H", rules, &plays), 3);
    let plays = ["AS AS KS", "3D 3D 8D", "4D 4D 6D", "6S 7S 8H"];
    assert_eq!(winner("2D", rules, &plays), 2);
}

#[test]
fn rule_3_4_11_unit_length_looks_at_the_largest_first() {
    let rules = eval(ThrowEval::UnitLength);
    let plays = ["AS AS KS", "3D 3D 8D", "4D 4D 6D", "6S 7S 8H"];
    assert_eq!(winner("2D", rules, &plays), 3);
    assert_eq!(
        winner("2H", rules, &["KS QS", "2C 3H", "2D 4H", "5C 6C"]),
        3
    );
}

#[test]
fn rule_3_4_12_parts_are_given_from_above_or_from_below() {
    let plays = ["9H 9H QH 6H", "JS JS 3S 3S", "8S 8S AS TS", "3C 4C 5C 6C"];
    let rules = |response_mapping| Rules {
        throw_eval: ThrowEval::UnitLength,
        eligibility: Eligibility::Embed,
        response_mapping,
        ..RULES
    };
    assert_eq!(winner("2S", rules(ResponseMapping::Strongest), &plays), 2);
    assert_eq!(winner("2S", rules(ResponseMapping::LowestFirst), &plays), 3);
}

#[test]
fn rule_4_1_the_summary_counts_cards_pairs_and_tractors() {
    let judge = judge("2S", RULES);
    let shape = judge
        .shape(judge.ranked(cards("3H 3H 4H 4H 5H 5H 7H 7H 8H 8H TH TH QH AH")))
        .unwrap();
    assert_eq!((shape.len(), shape.pairs(), shape.tractors()), (14, 6, 2));
    assert_eq!(shape.tractor_sizes(), [3, 2]);
    assert_eq!(shape.tractors(), shape.tractor_sizes().len());
    assert!(shape.tractor_pairs() <= shape.pairs());
    assert_eq!(shape.singles(), shape.len() - 2 * shape.pairs());
}

#[test]
fn rule_4_2_a_detection_names_suit_summary_components_and_verdict() {
    let judge = judge("2H", RULES);
    let hand = judge.ranked(cards("KS KS QS 5D"));
    let throw = judge.ranked(cards("KS KS QS"));
    let found = judge.detect(throw, None).unwrap();
    assert_eq!(found.shape.group(), Group::Plain(Suit::Spades));
    assert_eq!((found.components.len(), found.validation), (2, None));
    let known = Knowledge::at_start(&judge, hand);
    let verdict = judge
        .detect(throw, Some(&known))
        .unwrap()
        .validation
        .unwrap();
    assert!(!verdict.valid && verdict.void == NOBODY && verdict.beatable.len() == 2);
    assert!(judge.shape(judge.ranked(cards("3H 3H"))).is_some());
}
