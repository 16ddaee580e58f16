//! Every record of rbtying/shengji's play, under its preset.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

mod support;

use support::{cards, hand, judge, of_kind};
use tractor::{RankedCards, Rules, Trick};

const DATA: &[u8] = include_bytes!("data/shengji-play.jsonl.gz");

#[test]
fn follow() {
    let mut bad = Vec::new();
    for record in of_kind(DATA, "follow") {
        let judge = judge(&record, Rules::SHENGJI);
        let lead = judge.lead(hand(&judge, &record["lead"])).unwrap();
        let own = hand(&judge, &record["hand"]);
        for attempt in record["tries"].as_array().unwrap() {
            let got = judge.follow(&lead, own, hand(&judge, &attempt[0]));
            if u64::from(got.is_ok()) != attempt[1] {
                bad.push((
                    record["id"].clone(),
                    attempt[0].to_string(),
                    got,
                    record.to_string(),
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn throw() {
    let mut bad = Vec::new();
    for record in of_kind(DATA, "throw") {
        let judge = judge(&record, Rules::SHENGJI);
        let lead = judge.lead(hand(&judge, &record["cards"])).unwrap();
        let others: [RankedCards; 3] = [0, 1, 2].map(|at| hand(&judge, &record["others"][at]));
        let got = judge.challenge(lead, others);
        let agrees = record["ok"] == got.stopper.is_none()
            && cards(&record["played"]) == judge.faces(got.lead.cards())
            && record["betterSeatOffset"].as_u64() == got.stopper.map(|steps| steps as u64);
        if !agrees {
            bad.push((
                record.to_string(),
                judge.faces(got.lead.cards()).to_string(),
                got.stopper,
            ));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn trick() {
    let mut bad = Vec::new();
    for record in of_kind(DATA, "trick") {
        let judge = judge(&record, Rules::SHENGJI);
        let plays: Vec<_> = record["plays"]
            .as_array()
            .unwrap()
            .iter()
            .map(|play| hand(&judge, play))
            .collect();
        let mut trick = Trick::new(judge.lead(plays[0]).unwrap(), &judge);
        for &play in &plays[1..] {
            trick.play(&judge, play);
        }
        let points: u32 = plays.iter().map(|&play| judge.points(play)).sum();
        if record["winnerOffset"] != trick.winner() || record["points"] != points {
            bad.push((record.to_string(), trick.winner(), points));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
