//! The worked examples: the recommended verdicts under `default`, and those of both references under theirs.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "a test may be blunt"
)]

mod support;

use serde_json::Value;
use support::{of_kind, vector_cards, vector_judge};
use tractor::{
    Faces, FollowPolicy, Group, Judge, Kind, Knowledge, Lead, RankedCards, Rules, ThrowEval, Trick,
};

const DATA: &[u8] = include_bytes!("data/vectors.jsonl.gz");

/// Vectors on which ejfn/Tractor errs, with the defect of the rules' section 6.
const EJFN_DEFECTS: &[(&str, &str)] = &[
    ("F20", "D13: a second face of the shared rung is not tried"),
    (
        "F26",
        "D8: more tractor pairs are owed than fit, so nothing is legal",
    ),
    (
        "T20",
        "D14: the first listed card of a tractor is compared, not its top",
    ),
];

fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vector[field].as_str().unwrap()
}

fn hand(judge: &Judge, vector: &Value, field: &str) -> RankedCards {
    judge.ranked(vector_cards(text(vector, field)))
}

/// Compares over all vectors of a kind and shows every difference.
fn check(
    kind: &str,
    count: usize,
    rules: Rules,
    agrees: impl Fn(&Value, &Judge) -> Option<String>,
) {
    let vectors = of_kind(DATA, kind);
    let bad: Vec<_> = vectors
        .iter()
        .filter_map(|vector| {
            Some((
                text(vector, "id"),
                agrees(vector, &vector_judge(vector, rules))?,
            ))
        })
        .collect();
    assert!(bad.is_empty(), "{} differ: {bad:#?}", bad.len());
    assert_eq!(vectors.len(), count);
}

fn differs<T: PartialEq + std::fmt::Debug>(want: T, got: T) -> Option<String> {
    (want != got).then(|| format!("want {want:?} got {got:?}"))
}

/// Each component as its cards, sorted.
fn components(judge: &Judge, cards: RankedCards) -> Vec<String> {
    let mut all: Vec<_> = judge
        .components(cards)
        .map(|combo| judge.faces(combo.cards).to_string())
        .collect();
    all.sort();
    all
}

#[test]
fn combo_by_default() {
    check("combo", 33, Rules::DEFAULT, |vector, judge| {
        let cards = hand(judge, vector, "cards");
        let mut want: Vec<_> = vector["expect"]["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|component| {
                let component: Vec<_> = component
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|part| part.as_str().unwrap())
                    .collect();
                let faces = component[1..].join(" ");
                let twice = if component[0] == "single" {
                    String::new()
                } else {
                    faces.clone()
                };
                vector_cards(&format!("{faces} {twice}")).to_string()
            })
            .collect();
        want.sort();
        let single = vector["expect"]["single_suit"].as_bool();
        differs(want, components(judge, cards))
            .or_else(|| differs(single, Some(judge.group(cards).is_some())))
    });
}

#[test]
fn combo_by_shengji() {
    check("combo", 33, Rules::SHENGJI, |vector, judge| {
        let cards = hand(judge, vector, "cards");
        if vector["rbtying"]["rejected"] == true {
            return differs(None, judge.group(cards));
        }
        let fmt = text(&vector["rbtying"], "fmt");
        let fmt = fmt
            .replace("LJ", "sj")
            .replace("HJ", "bj")
            .replace("10", "T");
        let fmt = fmt
            .replace('♡', "H")
            .replace('♤', "S")
            .replace('♧', "C")
            .replace('♢', "D");
        let mut want: Vec<_> = fmt
            .trim_matches(['[', ']'])
            .split("], [")
            .map(|unit| unit.replace(',', "").parse::<Faces>().unwrap().to_string())
            .collect();
        want.sort();
        differs(want, components(judge, cards))
    });
}

fn knowledge(judge: &Judge, vector: &Value) -> Knowledge {
    let mut seen = hand(judge, vector, "hand")
        .plus(hand(judge, vector, "played"))
        .unwrap();
    if vector["starter"] == true {
        seen = seen.plus(hand(judge, vector, "kitty")).unwrap();
    }
    let mut known = Knowledge {
        unseen: judge.ranked(Faces::FULL).less(seen).unwrap(),
        voids: [0; 3],
    };
    if let Some(voids) = vector.get("voids") {
        let suit = text(voids, "suit").parse().unwrap();
        for player in voids["players"].as_array().unwrap() {
            let at = usize::try_from(player.as_u64().unwrap()).unwrap() - 1;
            known.voids[at] |= 1 << Group::Plain(suit).index();
        }
    }
    known
}

fn lead_by(rules: Rules, source: &str) {
    check("lead", 43, rules, |vector, judge| {
        let play = hand(judge, vector, "play");
        let got = judge.check_lead(hand(judge, vector, "hand"), play, &knowledge(judge, vector));
        differs(vector[source]["legal"].as_bool(), Some(got.is_ok()))
    });
}

#[test]
fn lead_by_default() {
    lead_by(Rules::DEFAULT, "expect");
}

#[test]
fn lead_by_ejfn() {
    lead_by(Rules::EJFN, "ejfn");
}

#[test]
fn lead_by_shengji() {
    check("lead", 43, Rules::SHENGJI, |vector, judge| {
        let want = &vector["rbtying"];
        let play = hand(judge, vector, "play");
        let others =
            [0, 1, 2].map(|at| judge.ranked(vector_cards(vector["others"][at].as_str().unwrap())));
        let Ok(outcome) = judge.lead_against(
            hand(judge, vector, "hand"),
            play,
            &knowledge(judge, vector),
            others,
        ) else {
            return differs(Some(true), want["rejected"].as_bool());
        };
        let led = judge.faces(outcome.lead.cards());
        let stopper = outcome.stopper.map(|steps| steps as u64 + 1);
        differs(vector_cards(text(want, "led")), led)
            .or_else(|| differs(want["throwFailedBy"].as_u64(), stopper))
    });
}

fn lead(judge: &Judge, vector: &Value) -> Lead {
    judge.lead(hand(judge, vector, "lead")).unwrap()
}

fn follow_by(rules: Rules, source: &str, verdict: &str, excepted: &[(&str, &str)]) {
    check("follow", 67, rules, |vector, judge| {
        let lead = lead(judge, vector);
        let got = judge.follow(
            &lead,
            hand(judge, vector, "hand"),
            hand(judge, vector, "play"),
        );
        let known = excepted.iter().any(|&(id, _)| id == vector["id"]);
        differs(
            vector[source][verdict]
                .as_bool()
                .map(|legal| legal != known),
            Some(got.is_ok()),
        )
    });
}

#[test]
fn follow_by_default() {
    follow_by(Rules::DEFAULT, "expect", "legal", &[]);
}

#[test]
fn follow_by_ejfn() {
    follow_by(Rules::EJFN, "ejfn", "legal", EJFN_DEFECTS);
}

#[test]
fn follow_by_shengji() {
    follow_by(Rules::SHENGJI, "rbtying", "legal", &[]);
}

#[test]
fn follow_by_shengji_with_suits_only() {
    let rules = Rules {
        follow_policy: FollowPolicy::Free,
        ..Rules::SHENGJI
    };
    follow_by(rules, "rbtying", "noFormat", &[]);
}

fn winner(vector: &Value, judge: &Judge) -> Option<u64> {
    let plays = vector["plays"].as_array().unwrap().iter();
    let mut plays = plays.map(|play| judge.ranked(vector_cards(play.as_str().unwrap())));
    let mut trick = Trick::new(judge.lead(plays.next()?).ok()?, judge);
    for play in plays {
        trick.play(judge, play);
    }
    Some(trick.winner() as u64 + 1)
}

fn trick_by(rules: Rules, source: &str, verdict: &str, excepted: &[(&str, &str)]) {
    check("trick", 44, rules, |vector, judge| {
        let known = excepted.iter().any(|&(id, _)| id == vector["id"]);
        let difference = differs(vector[source][verdict].as_u64(), winner(vector, judge));
        if known {
            differs(true, difference.is_some())
        } else {
            difference
        }
    });
}

#[test]
fn trick_by_default() {
    trick_by(Rules::DEFAULT, "expect", "winner_seed", &[]);
    let rules = Rules {
        throw_eval: ThrowEval::LeadShape,
        ..Rules::DEFAULT
    };
    trick_by(rules, "expect", "winner_lead_shape", &[]);
}

#[test]
fn trick_by_ejfn() {
    trick_by(Rules::EJFN, "ejfn", "winner", EJFN_DEFECTS);
}

#[test]
fn trick_by_shengji() {
    for (throw_eval, verdict) in [
        (ThrowEval::All, "All"),
        (ThrowEval::Highest, "Highest"),
        (ThrowEval::UnitLength, "UnitLen"),
    ] {
        let rules = Rules {
            throw_eval,
            ..Rules::SHENGJI
        };
        trick_by(rules, "rbtying", verdict, &[]);
    }
}

#[test]
fn kinds_are_told_apart() {
    let judge = Judge::new("2S".parse().unwrap(), Rules::DEFAULT);
    let kind = |text: &str| {
        judge
            .lead(judge.ranked(text.parse().unwrap()))
            .unwrap()
            .kind()
    };
    assert_eq!(kind("9H"), Some(Kind::Single));
    assert_eq!(kind("9H 9H"), Some(Kind::Pair));
    assert_eq!(kind("9H 9H TH TH"), Some(Kind::Tractor { pairs: 2 }));
    assert_eq!(kind("9H TH"), None);
}
