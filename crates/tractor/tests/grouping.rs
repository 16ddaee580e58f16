//! Rule 3.1: a leader who names the components.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use tractor::{Judge, Kind, Knowledge, LeadError, RankedCards, Rules};

fn judge() -> Judge {
    let rules = Rules {
        name_grouping: true,
        ..Rules::SHENGJI
    };
    Judge::new("2S".parse().unwrap(), rules)
}

fn parts(judge: &Judge, texts: &[&str]) -> Vec<RankedCards> {
    let read = |text: &&str| judge.ranked(text.parse().unwrap());
    texts.iter().map(read).collect()
}

#[test]
fn named_components_are_challenged_as_named() {
    let judge = judge();
    let others = ["9H 9H", "5C", "6C"].map(|hand| judge.ranked(hand.parse().unwrap()));
    let whole = judge
        .lead(judge.ranked("7H 7H 8H 8H AH".parse().unwrap()))
        .unwrap();
    assert_eq!(judge.challenge(whole, others).stopper, None);
    let named = judge
        .grouped_lead(&parts(&judge, &["8H 8H", "AH", "7H 7H"]))
        .unwrap();
    assert_eq!(named.shape().components(), 3);
    let outcome = judge.challenge(named, others);
    assert_eq!(outcome.stopper, Some(1));
    assert_eq!(judge.faces(outcome.lead.cards()).to_string(), "7H 7H");
}

#[test]
fn named_tractors_keep_their_tops() {
    let judge = judge();
    let texts = ["3H 3H 4H 4H", "5H 5H 6H 6H 7H 7H", "KH KH AH AH"];
    let lead = judge.grouped_lead(&parts(&judge, &texts)).unwrap();
    assert_eq!(lead.shape().tractor_sizes(), [3, 2, 2]);
    let known = Knowledge {
        unseen: judge.ranked("8H 8H 9H 9H".parse().unwrap()),
        voids: [0; 3],
    };
    let weak = judge.validate(&lead, &known).beatable;
    assert_eq!(weak.len(), 1);
    assert_eq!(weak[0].combo.kind, Kind::Tractor { pairs: 2 });
    assert_eq!(judge.faces(weak[0].combo.cards).to_string(), texts[0]);
}

#[test]
fn pairs_are_not_split_and_parts_are_combos() {
    let judge = judge();
    for texts in [
        &["9H", "9H"][..],
        &["9H", "TH JH"],
        &["9H 9H", "9H"],
        &["9H", "9S"],
    ] {
        assert!(
            judge.grouped_lead(&parts(&judge, texts)).is_err(),
            "{texts:?}"
        );
    }
    let plain = Judge::new("2S".parse().unwrap(), Rules::DEFAULT);
    let cut = parts(&plain, &["7H 7H", "8H 8H"]);
    assert_eq!(plain.grouped_lead(&cut), Err(LeadError::Grouping));
    let whole = parts(&plain, &["7H 7H 8H 8H", "KH"]);
    assert!(plain.grouped_lead(&whole).is_ok());
}
