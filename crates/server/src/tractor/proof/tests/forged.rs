//! Files that somebody has altered.

use serde_json::Value;

use super::*;
use crate::tractor::shuffle::unhex;

/// All leaves of a value, as paths.
fn leaves(value: &Value, path: &str, into: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (at, item) in list.iter().enumerate() {
                leaves(item, &format!("{path}/{at}"), into);
            }
        }
        Value::Object(object) => {
            for (name, item) in object {
                leaves(item, &format!("{path}/{name}"), into);
            }
        }
        _ => into.push(path.to_owned()),
    }
}

/// Every value of the file, altered: each character of a text, each number. The record has a test of
/// its own.
#[test]
fn nothing_can_be_altered() {
    let json = serde_json::to_value(proof()).unwrap();
    let mut paths = Vec::new();
    leaves(&json, "", &mut paths);
    let mut altered = 0;
    for path in paths.iter().filter(|path| *path != "/record") {
        let value = json.pointer(path).unwrap();
        let changes: Vec<Value> = match value {
            Value::String(text) => (0..text.len())
                .map(|at| {
                    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
                    Value::from(format!("{}{digit}{}", &text[..at], &text[at + 1..]))
                })
                .collect(),
            number => vec![Value::from(number.as_i64().unwrap() + 1)],
        };
        for change in changes {
            let mut forged = json.clone();
            *forged.pointer_mut(path).unwrap() = change;
            let checked = verify(&forged.to_string(), &Receipt::default());
            assert!(checked.is_err(), "{path}");
            altered += 1;
        }
    }
    assert!(altered > 1000, "{altered}");
}

#[test]
fn no_card_can_change_its_place() {
    let json = serde_json::to_value(proof()).unwrap();
    let refused = |value: &Value| verify(&value.to_string(), &Receipt::default()).is_err();
    for at in 0..108 {
        let mut changed = json.clone();
        let other = (at + 1) % 108;
        changed["deck"][at] = json["deck"][other].clone();
        changed["deck"][other] = json["deck"][at].clone();
        assert!(refused(&changed));
    }
    for seat in 0..4 {
        let mut changed = json.clone();
        changed["hands"][seat] = json["hands"][(seat + 1) % 4].clone();
        assert!(refused(&changed));
    }
}

/// The file with another record, its hash made anew: what a forger would do.
fn with_record(proof: &Proof, record: &str) -> Proof {
    let roster = unhex(&proof.attempts.last().unwrap().roster).unwrap();
    Proof {
        record: record.to_owned(),
        record_hash: hex(&record_hash(&roster, record)),
        ..proof.clone()
    }
}

fn fault(proof: &Proof) -> VerifyError {
    proof.check(&Receipt::default()).unwrap_err()
}

/// The lines of the plays of one whole trick, after the one that was taken back.
fn trick(lines: &[&str]) -> std::ops::Range<usize> {
    let back = lines.iter().position(|line| line.starts_with("take-back"));
    back.unwrap() + 1..back.unwrap() + 5
}

#[test]
fn altered_result_levels_rules_and_starter_are_refused() {
    let proof = proof();
    let mut result = proof.clone();
    result.result.points += 5;
    assert_eq!(fault(&result), VerifyError::Result);
    for (from, to, expected) in [
        ("levels 2 2", "levels 2 3", VerifyError::Server(1)),
        ("levels 2 2", "levels A 2", VerifyError::Server(1)),
        (
            "rules default take_back=true",
            "rules default end_early=true take_back=true",
            VerifyError::Server(1),
        ),
        ("starter 0", "starter 2", VerifyError::Server(1)),
        ("defending A", "defending B", VerifyError::Record),
        ("tractor 1", "tractor 2", VerifyError::Record),
    ] {
        assert!(proof.record.contains(from), "{}", proof.record);
        let record = proof.record.replacen(from, to, 1);
        assert_eq!(fault(&with_record(&proof, &record)), expected, "{to}");
    }
    // Another spelling of the same record is not the record.
    let spelled = proof.record.replacen("starter 0\n", "starter 0\r\n", 1);
    assert_eq!(fault(&with_record(&proof, &spelled)), VerifyError::Record);
}

#[test]
fn a_missing_trick_a_card_twice_and_a_wrong_turn_are_refused() {
    let proof = proof();
    let lines: Vec<&str> = proof.record.lines().collect();
    let first = trick(&lines);
    let refused = |lines: &[&str]| {
        let record = lines.join("\n") + "\n";
        let fault = fault(&with_record(&proof, &record));
        assert!(
            matches!(fault, VerifyError::Event { .. } | VerifyError::Unfinished),
            "{fault}"
        );
    };
    // A missing trick, anywhere.
    for at in (first.start..lines.len()).step_by(4) {
        let mut fewer = lines.clone();
        fewer.drain(at..(at + 4).min(lines.len()));
        refused(&fewer);
    }
    // A card played twice: the second trick is the first again.
    let mut twice = lines.clone();
    for at in first.clone() {
        twice[at + 4] = lines[at];
    }
    refused(&twice);
    // Two plays in the wrong order.
    let mut turned = lines.clone();
    turned.swap(first.start, first.start + 1);
    refused(&turned);
}

/// Every card that a seat held and that does not follow suit, in place of the one that did.
#[test]
fn every_revoke_is_refused() {
    let proof = proof();
    let record: Record = proof.record.parse().unwrap();
    let lines: Vec<&str> = proof.record.lines().collect();
    let head = lines.len() - record.events.len();
    let mut revokes = 0;
    for (at, event) in record.events.iter().enumerate() {
        let (Event::Play { .. }, Some(seat)) = (event, event.seat()) else {
            continue;
        };
        let moment = record.replay(at).unwrap();
        let view = View::of(&moment, Some(seat));
        if view.open.as_ref().is_none_or(|open| open.plays.len() != 1) {
            continue;
        }
        for card in view.hand.iter() {
            let Err(illegal) = view.check([card].into_iter().collect()) else {
                continue;
            };
            let play = format!("play {seat} {card}");
            let mut changed = lines.clone();
            changed[head + at] = &play;
            let forged = with_record(&proof, &(changed.join("\n") + "\n"));
            let expected = VerifyError::Event {
                number: at + 1,
                reason: illegal.to_string(),
            };
            assert_eq!(fault(&forged), expected);
            revokes += 1;
        }
    }
    assert!(revokes > 20, "{revokes}");
}

/// A play that was taken back leaves no trace in the rules: the hash of the record covers it.
#[test]
fn a_play_that_was_taken_back_cannot_be_altered() {
    let proof = proof();
    let lines: Vec<&str> = proof.record.lines().collect();
    let at = trick(&lines).start - 2;
    let words: Vec<&str> = lines[at].split(' ').collect();
    assert_eq!(words[0], "play");
    let seat: usize = words[1].parse().unwrap();
    let others = proof.hands[seat].iter().filter(|card| *card != words[2]);
    let mut unnoticed = 0;
    for card in others {
        let play = format!("play {seat} {card}");
        let mut changed = lines.clone();
        changed[at] = &play;
        let record = changed.join("\n") + "\n";
        // With the hash as it was, the file is refused, whether the rules notice or not.
        let altered = Proof {
            record: record.clone(),
            ..proof.clone()
        };
        assert!(altered.check(&Receipt::default()).is_err());
        // With the hash made anew, it is refused by whoever kept the hash.
        let forged = with_record(&proof, &record);
        unnoticed += usize::from(forged.check(&Receipt::default()).is_ok());
        assert!(forged.check(&receipt(&proof)).is_err());
    }
    assert!(unnoticed > 0, "only the hash notices such a change");
}

/// The same alterations in a file of format 1.
#[test]
fn an_altered_old_file_is_refused() {
    let text = include_str!("../../../../tests/data/format_1.round.json");
    let json: Value = serde_json::from_str(text).unwrap();
    assert!(verify(&json.to_string(), &Receipt::default()).is_ok());
    for field in ["commitment", "secret", "salt", "seed"] {
        let digits = json[field].as_str().unwrap();
        for at in 0..digits.len() {
            let digit = if &digits[at..=at] == "0" { "1" } else { "0" };
            let mut forged = json.clone();
            forged[field] = format!("{}{digit}{}", &digits[..at], &digits[at + 1..]).into();
            assert!(verify(&forged.to_string(), &Receipt::default()).is_err());
        }
    }
    let record = json["record"].as_str().unwrap();
    let lines: Vec<&str> = record.lines().collect();
    let refused = |record: String| {
        let mut forged = json.clone();
        forged["record"] = record.into();
        assert!(verify(&forged.to_string(), &Receipt::default()).is_err());
    };
    refused(record.replacen("levels 2 2", "levels A 2", 1));
    refused(record.replacen("starter 0", "starter 1", 1));
    for at in trick(&lines) {
        let mut fewer = lines.clone();
        fewer.remove(at);
        refused(fewer.join("\n") + "\n");
        let mut turned = lines.clone();
        turned.swap(at, at + 1);
        refused(turned.join("\n") + "\n");
    }
}
