//! Live examples for the rules page: the hands are chosen here, every verdict is the rules crate's.

use serde_json::{Value, json};
use tractor::{CardSet, Judge, Knowledge, RoundError, Rules, Trump};

use super::game::cards;
use super::{card_names, refusal_code};
use crate::refusal::{BadChoice, Refusal};

/// One example: a section of the page, the trump, what was led, the hand, and what is tried first.
const EXAMPLES: [(&str, &str, &str, &str, &str); 16] = [
    ("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "8H0 8H1"),
    ("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "8H0 8D0"),
    ("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "2H0 2C0"),
    (
        "tractors",
        "2S",
        "",
        "7H0 7H1 8H0 8H1 JH0 JH1",
        "7H0 7H1 8H0 8H1",
    ),
    (
        "tractors",
        "7S",
        "",
        "6H0 6H1 8H0 8H1 9C0",
        "6H0 6H1 8H0 8H1",
    ),
    (
        "tractors",
        "2S",
        "",
        "AS0 AS1 2H0 2H1 2S0 2S1 sj0 sj1",
        "AS0 AS1 2H0 2H1 2S0 2S1",
    ),
    (
        "tractors",
        "2S",
        "",
        "sj0 sj1 bj0 bj1 2H0 2H1",
        "sj0 sj1 bj0 bj1",
    ),
    ("throws", "2H", "", "AS0 AS1 KS0 QS0 3D0 4D0", "AS0 AS1 KS0"),
    ("throws", "2H", "", "AS0 AS1 KS0 QS0 3D0 4D0", "AS0 KS0 QS0"),
    (
        "throws",
        "2H",
        "",
        "AS0 AS1 KS0 KS1 QS0 5D0",
        "AS0 AS1 KS0 KS1 QS0",
    ),
    ("throws", "2H", "", "bj0 bj1 sj0 AC0", "bj0 bj1 sj0"),
    ("following", "2S", "3H0 3H1", "7H0 7H1 8H0 9C0", "7H0 8H0"),
    ("following", "2S", "3H0 3H1", "7H0 8C0 9D0 9D1", "7H0 8C0"),
    (
        "following",
        "2S",
        "3H0 3H1 4H0 4H1",
        "7H0 7H1 8H0 8H1 JH0 JH1 9C0",
        "7H0 7H1 JH0 JH1",
    ),
    ("following", "2H", "KS0", "2S0 QS0 3D0", "2S0"),
    (
        "following",
        "2S",
        "AH0 AH1 KH0",
        "9H0 9H1 7H0 6H0 3H0",
        "9H0 9H1 7H0",
    ),
];

/// The examples with their verdicts.
pub(super) fn lessons() -> Value {
    let example = |&(section, trump, led, hand, tried): &(&str, &str, &str, &str, &str)| {
        let list = |text: &str| -> Value { text.split_whitespace().collect() };
        let mut example = json!({
            "trump": trump, "lead": list(led), "hand": list(hand), "cards": list(tried),
        });
        if let Ok(verdict) = judge(&example) {
            example["verdict"] = verdict;
        }
        example["section"] = json!(section);
        example
    };
    EXAMPLES.iter().map(example).collect()
}

/// Judges cards without a table: `{trump, hand, cards, lead}`; without a lead they are led.
pub(crate) fn judge(d: &Value) -> Result<Value, Refusal> {
    let trump: Trump = d["trump"]
        .as_str()
        .and_then(|text| text.parse().ok())
        .ok_or(Refusal::BadChoice(BadChoice::Trump))?;
    let preset = d["rules"].as_str().unwrap_or("default");
    let rules = Rules::preset(preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
    let judge = Judge::new(trump, rules);
    let [hand, chosen, led] = ["hand", "cards", "lead"].map(|name| match &d[name] {
        Value::Null => Ok(CardSet::EMPTY),
        value => cards(value),
    });
    let (hand, chosen, led) = (hand?, chosen?, led?);
    let [own, play, led] = [hand, chosen, led].map(|cards| judge.ranked(cards.faces()));
    let illegal = if chosen.is_empty() {
        Some(RoundError::NoCards)
    } else if led.is_empty() {
        let known = Knowledge::at_start(&judge, own);
        judge
            .check_lead(own, play, &known)
            .err()
            .map(RoundError::Lead)
    } else {
        let first = judge
            .lead(led)
            .map_err(|reason| Refusal::Illegal(refusal_code::reason(&RoundError::Lead(reason))))?;
        judge
            .follow(&first, own, play)
            .err()
            .map(RoundError::Follow)
    };
    let reason = illegal
        .as_ref()
        .map(|illegal| refusal_code::reason(illegal).json());
    Ok(json!({ "name": card_names::name(&judge, play), "ok": illegal.is_none(), "why": reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_a_verdict() {
        let lessons = lessons();
        let verdicts: Vec<bool> = lessons
            .as_array()
            .unwrap()
            .iter()
            .map(|example| example["verdict"]["ok"].as_bool().unwrap())
            .collect();
        let expected = [
            true, false, false, true, true, true, true, true, false, true, false, false, true,
            false, false, true,
        ];
        assert_eq!(verdicts, expected);
    }
}
