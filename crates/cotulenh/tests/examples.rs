//! The worked examples of the rules: what the reference does, less its fixed defects.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

mod common;

use common::{all, from, game, open, outcome, sq};
use cotulenh::{Color, Position};

fn sorted(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words
}

fn state(fen: &str, expected: &str) {
    let position: Position = fen.parse().unwrap();
    for fact in expected.split(' ') {
        let (name, value) = fact.split_once('=').unwrap();
        let found = match name {
            "moves" => all(fen).len().to_string(),
            "check" => position.in_check().to_string(),
            "danger" => position.in_danger(position.turn()).to_string(),
            "outcome" => position
                .outcome()
                .map_or("none".into(), |end| end.reason.to_string()),
            _ => panic!("{name}"),
        };
        assert_eq!(found, value, "{fen} {name}");
    }
}

fn play(fen: &str, input: &str, expected: &str) {
    let mut played = game(fen, "");
    for text in input.split(' ') {
        match text {
            "undo" => assert!(if played.position().deploy().is_some() {
                played.undo_step()
            } else {
                played.undo()
            }),
            "cancel" => assert!(played.undo()),
            text => drop(
                played
                    .play_text(text)
                    .unwrap_or_else(|error| panic!("{fen} {text}: {error}")),
            ),
        }
    }
    assert_eq!(played.position().to_string(), expected);
}

/// The last of the moves is not offered.
fn refuse(fen: &str, input: &str, refused: &str) {
    let before = input.strip_suffix(refused).unwrap().trim_end();
    let offered = open(fen, before);
    assert!(!offered.contains(&refused.to_owned()), "{offered:?}");
    assert!(game(fen, before).play_text(refused).is_err());
}

#[test]
fn every_example_agrees() {
    let table = include_str!("data/examples.tsv");
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [row, what, fen, input, expected, _defect] = fields[..] else {
            panic!("{line}");
        };
        let (kind, place) = what.split_once(' ').unwrap_or((what, ""));
        match kind {
            "state" => state(fen, expected),
            "all" => {
                // The table names moves within one square, so hints against others are not there.
                let found = from(fen, place);
                assert_eq!(sorted(&bare(&found)), sorted(expected), "row {row}");
            }
            "some" => {
                let (lawful, unlawful) = expected.split_once('|').unwrap_or((expected, ""));
                let found = bare(&from(fen, place));
                let found = sorted(&found);
                assert!(
                    lawful.split_whitespace().all(|san| found.contains(&san)),
                    "row {row}: {found:?}"
                );
                assert!(
                    unlawful.split_whitespace().all(|san| !found.contains(&san)),
                    "row {row}: {found:?}"
                );
            }
            "to" => {
                let found: Vec<String> = all(fen)
                    .into_iter()
                    .filter(|san| san.ends_with(place))
                    .collect();
                assert_eq!(sorted(&found.join(" ")), sorted(expected), "row {row}");
            }
            "play" => play(fen, input, expected),
            "refuse" => refuse(fen, input, expected),
            "outcome" => {
                let end = game(fen, input).outcome().map(|end| end.reason.to_string());
                assert_eq!(
                    end.as_deref(),
                    Some(expected),
                    "row {row} {}",
                    outcome(fen, input)
                );
            }
            "cover" => {
                let position = game(fen, input).position().clone();
                let wanted = expected.split(' ').map(sq).collect();
                assert_eq!(position.air_cover(Color::Red), wanted, "row {row}");
            }
            other => panic!("row {row}: {other}"),
        }
        rows += 1;
    }
    assert_eq!(rows, 99);
}

/// SANs without their hints.
fn bare(sans: &str) -> String {
    let plain = |san: &str| {
        let Some(target) = san.rfind(|letter: char| ('a'..='k').contains(&letter)) else {
            return san.to_owned();
        };
        let letters = san
            .find(|letter: char| !matches!(letter, '(' | ')' | '+' | 'A'..='Z'))
            .unwrap_or(target);
        let sign = san[letters..target].trim_start_matches(|letter: char| {
            ('a'..='k').contains(&letter) || letter.is_ascii_digit()
        });
        format!("{}{sign}{}", &san[..letters], &san[target..])
    };
    sans.split_whitespace()
        .map(plain)
        .collect::<Vec<_>>()
        .join(" ")
}
