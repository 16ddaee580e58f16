//! Every record of ejfn/Tractor's play, under its preset.
//!
//! Left out: combo and identify records marked `orderSensitive`, whose answer depends on the order in which the
//! reference was given the cards.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "a test may be blunt"
)]

mod support;

use serde_json::{Value, json};
use support::{cards, hand, judge, of_kind, set};
use tractor::{Card, Group, Judge, Kind, Knowledge, Memory, Rules, Seat, Trick};

const DATA: &[u8] = include_bytes!("data/ejfn-play.jsonl.gz");

/// Records that differ because the reference errs, with the defect of the rules' section 6.
const EXCEPTED: &[(u64, &str)] = &[];

fn check(kind: &str, want: usize, agrees: impl Fn(&Value, &Judge) -> Result<(), String>) {
    let mut bad = Vec::new();
    let mut run = 0;
    for record in of_kind(DATA, kind) {
        let id = record["id"].as_u64().unwrap();
        let excepted = EXCEPTED.iter().any(|&(known, _)| known == id);
        if record["orderSensitive"] == true {
            continue;
        }
        run += 1;
        let answer = agrees(&record, &judge(&record, Rules::EJFN));
        if answer.is_ok() == excepted {
            bad.push((id, answer));
        }
    }
    assert!(bad.is_empty(), "{} of {run}: {bad:#?}", bad.len());
    assert_eq!(run, want);
}

fn same<T: PartialEq + std::fmt::Debug>(want: T, got: T) -> Result<(), String> {
    if want == got {
        Ok(())
    } else {
        Err(format!("want {want:?} got {got:?}"))
    }
}

/// Components as letters and faces, sorted.
fn components(judge: &Judge, record: &Value) -> (Vec<String>, Vec<String>) {
    let mut want: Vec<_> = record
        .as_array()
        .unwrap()
        .iter()
        .map(|combo| format!("{} {}", combo[0].as_str().unwrap(), cards(&combo[1])))
        .collect();
    let all = record
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|combo| combo[1].as_array().unwrap().clone());
    let play = hand(judge, &Value::Array(all.collect()));
    let mut got: Vec<_> = judge
        .components(play)
        .map(|combo| format!("{} {}", combo.kind.letter(), judge.faces(combo.cards)))
        .collect();
    want.sort();
    got.sort();
    (want, got)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Single => "Single",
        Kind::Pair => "Pair",
        Kind::Tractor { .. } => "Tractor",
    }
}

#[test]
fn combo() {
    check("combo", 674, |record, judge| {
        let play = hand(judge, &record["cards"]);
        let lead = judge.lead(play).ok();
        let kind = lead
            .and_then(|lead| lead.kind())
            .map_or("Invalid", kind_name);
        same(record["type"].as_str(), Some(kind))?;
        same(
            &record["leadMulti"],
            &json!(judge.detect(play, None).is_some()),
        )?;
        let want = &record["structure"];
        let (combos, got) = components(judge, &want["combos"]);
        same(combos, got)?;
        let tractors: Vec<_> = judge
            .components(play)
            .filter(|combo| combo.kind.len() > 2)
            .map(|combo| combo.kind.len() / 2)
            .collect();
        let mut sizes: Vec<_> = want["tractorSizes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|size| size.as_u64().unwrap())
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut found = tractors.clone();
        found.sort_unstable_by(|a, b| b.cmp(a));
        same(json!(sizes), json!(found))?;
        same(
            (
                &want["len"],
                &want["pairs"],
                &want["tractors"],
                &want["tractorPairs"],
            ),
            (
                &json!(play.len()),
                &json!(play.pairs()),
                &json!(tractors.len()),
                &json!(tractors.iter().sum::<usize>()),
            ),
        )?;
        // Where the cards are of one group, the shape says the same.
        if let Some(shape) = judge.shape(play) {
            same(json!(sizes), json!(shape.tractor_sizes()))?;
            same(&want["pairs"], &json!(shape.pairs()))?;
        }
        Ok(())
    });
}

#[test]
fn identify() {
    check("identify", 99, |record, judge| {
        let held = set(&record["hand"]);
        let mut got = Vec::new();
        for (kind, combo) in judge.combos(judge.ranked(held.faces())) {
            let faces = judge.faces(combo);
            let value = faces.iter().map(|face| judge.value(face)).max().unwrap();
            let copies: Vec<Card> = held
                .iter()
                .filter(|card| faces.count(card.face()) > 0)
                .collect();
            let lists = if kind == Kind::Single {
                copies.iter().map(|&card| vec![card]).collect()
            } else {
                vec![copies.clone()]
            };
            let breaking = u8::from(kind == Kind::Single && copies.len() == 2);
            for list in lists {
                let mut texts: Vec<_> = list.iter().map(ToString::to_string).collect();
                texts.sort();
                got.push(json!([kind.letter(), texts, value, breaking]).to_string());
            }
        }
        let mut want: Vec<_> = record["combos"]
            .as_array()
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        want.sort();
        got.sort();
        same(want, got)
    });
}

#[test]
fn lead() {
    check("lead", 700, |record, judge| {
        let seat = Seat::new(usize::try_from(record["seat"].as_u64().unwrap()).unwrap()).unwrap();
        let own = hand(judge, &record["hand"]);
        let play = hand(judge, &record["cards"]);
        let seen = own
            .plus(hand(judge, &record["played"]))
            .and_then(|seen| seen.plus(hand(judge, &record["kitty"])))
            .unwrap();
        let voids = [1, 2, 3].map(|steps| {
            let suits = record["voids"][seat.after(steps).index()].as_str().unwrap();
            suits.chars().fold(0, |bits, letter| {
                let suit = letter.to_string().parse().unwrap();
                bits | 1 << Group::Plain(suit).index()
            })
        });
        let known = Knowledge {
            unseen: judge.ranked(tractor::Faces::FULL).less(seen).unwrap(),
            voids,
        };
        let verdict = judge.check_lead(own, play, &known);
        same(record["valid"].as_bool(), Some(verdict.is_ok()))?;
        let Some(multi) = record.get("multi") else {
            let kind = judge.lead(play).ok().and_then(|lead| lead.kind());
            return same(
                record["type"].as_str(),
                Some(kind.map_or("Invalid", kind_name)),
            );
        };
        let found = judge.detect(play, Some(&known)).ok_or("no throw")?;
        let (combos, got) = components(judge, &multi["components"]);
        same(combos, got)?;
        let validation = found.validation.unwrap();
        let mut beatable: Vec<_> = multi["beatable"]
            .as_array()
            .unwrap()
            .iter()
            .map(|list| cards(list).to_string())
            .collect();
        let mut found: Vec<_> = validation
            .beatable
            .iter()
            .map(|weak| judge.faces(weak.combo.cards).to_string())
            .collect();
        beatable.sort();
        found.sort();
        same(beatable, found)?;
        let mut void: Vec<_> = (0..3)
            .filter(|&at| validation.void[at])
            .map(|at| seat.after(at + 1).index())
            .collect();
        void.sort_unstable();
        same(&multi["voidSeats"], &json!(void))
    });
}

#[test]
fn follow() {
    check("follow", 1000, |record, judge| {
        let lead = judge.lead(hand(judge, &record["lead"])).unwrap();
        let own = hand(judge, &record["hand"]);
        for attempt in record["tries"].as_array().unwrap() {
            let play = hand(judge, &attempt[0]);
            let verdict = judge.follow(&lead, own, play);
            same(attempt[1].as_u64(), Some(u64::from(verdict.is_ok())))
                .map_err(|why| format!("{why}: {} {verdict:?}", attempt[0]))?;
        }
        Ok(())
    });
}

#[test]
fn trick() {
    check("trick", 600, |record, judge| {
        let plays = record["plays"].as_array().unwrap();
        let seat = |at: usize| &plays[at][0];
        let lead = judge.lead(hand(judge, &plays[0][1])).unwrap();
        let mut trick = Trick::new(lead, judge);
        let mut winners = vec![seat(0)];
        let mut points = judge.points(lead.cards());
        for play in &plays[1..] {
            let play = hand(judge, &play[1]);
            trick.play(judge, play);
            winners.push(seat(trick.winner()));
            points += judge.points(play);
        }
        same(&record["winAfter"], &json!(winners))?;
        same(&record["winner"], seat(trick.winner()))?;
        same(&record["points"], &json!(points))
    });
}

#[test]
fn cmp() {
    let mut bad = Vec::new();
    for record in of_kind(DATA, "cmp") {
        // Undeclared and no trump suit are the same here, and the rank counts.
        let judge = judge(&record, Rules::EJFN);
        for pair in record["cmps"].as_array().unwrap() {
            let face = |at: usize| pair[at].as_str().unwrap().parse::<Card>().unwrap().face();
            let got = judge
                .compare(face(0), face(1))
                .map_or(json!("x"), |order| json!(order as i8));
            if got != pair[2] {
                bad.push((record["id"].clone(), pair.clone(), got));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn memory() {
    check("memory", 60, |record, judge| {
        let mut memory = Memory::default();
        let current = record["current"].as_array();
        let tricks = record["tricks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|trick| trick.as_array().unwrap());
        for trick in tricks.chain(current) {
            let lead = judge.lead(hand(judge, &trick[0][1])).unwrap();
            for (at, play) in trick.iter().enumerate() {
                let seat = Seat::new(usize::try_from(play[0].as_u64().unwrap()).unwrap()).unwrap();
                match at {
                    0 => memory.note_lead(judge, &lead, seat),
                    _ => memory.note_follow(judge, &lead, seat, hand(judge, &play[1])),
                }
            }
        }
        let seats = Seat::ALL.map(|seat| {
            let shown = memory.shown(seat);
            let voids: String = tractor::Suit::ALL
                .iter()
                .filter(|&&suit| shown.is_void(Group::Plain(suit)))
                .map(|suit| suit.letter())
                .collect();
            json!({"suitVoids": voids, "trumpVoid": shown.is_void(Group::Trump), "trumpUsed": shown.trumps})
        });
        let got = json!({
            "playedCount": memory.played().len(),
            "trumpCardsPlayed": memory.trumps_played(judge),
            "pointCardsPlayed": memory.point_cards_played(judge),
            "leadTrumpPairsPlayed": memory.trump_pairs_led(),
            "seats": seats,
        });
        same(&record["out"], &got)
    });
}
