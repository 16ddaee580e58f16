//! Reading the records of `tests/data`.
#![allow(dead_code, reason = "each test uses its part")]

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::Value;
use tractor::{CardSet, Faces, Judge, RankedCards, Rules, Trump};

/// Every record of a file.
pub(crate) fn records(bytes: &[u8]) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The records of one kind.
pub(crate) fn of_kind(bytes: &[u8], kind: &str) -> Vec<Value> {
    let mut all = records(bytes);
    all.retain(|record| record["k"] == kind || record["kind"] == kind);
    assert!(!all.is_empty(), "no record of kind {kind}");
    all
}

/// `{"rank":"7","suit":"H"}`; a suit of null is still undeclared, which counts as none.
pub(crate) fn trump(value: &Value) -> Trump {
    match (value["rank"].as_str(), value["suit"].as_str()) {
        (Some(rank), Some(suit)) => format!("{rank}{suit}").parse().unwrap(),
        (Some(rank), None) => format!("{rank}N").parse().unwrap(),
        (None, _) => Trump::JOKERS,
    }
}

pub(crate) fn judge(record: &Value, rules: Rules) -> Judge {
    Judge::new(trump(&record["trump"]), rules)
}

/// A JSON list of cards.
pub(crate) fn cards(value: &Value) -> Faces {
    set(value).faces()
}

pub(crate) fn set(value: &Value) -> CardSet {
    let texts = value.as_array().map(Vec::as_slice).unwrap_or_default();
    CardSet::read(texts.iter().map(|text| text.as_str().unwrap())).unwrap()
}

pub(crate) fn hand(judge: &Judge, value: &Value) -> RankedCards {
    judge.ranked(cards(value))
}

/// Cards as the vectors write them: `10S SJ BJ`.
pub(crate) fn vector_cards(text: &str) -> Faces {
    text.replace("10", "T")
        .replace("SJ", "sj")
        .replace("BJ", "bj")
        .parse()
        .unwrap()
}

pub(crate) fn vector_judge(vector: &Value, rules: Rules) -> Judge {
    let trump = vector["trump"].as_str().unwrap().replace("10", "T");
    Judge::new(trump.parse().unwrap(), rules)
}
