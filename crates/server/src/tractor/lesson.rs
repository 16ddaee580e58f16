//! Live examples for the rules page: the hands are chosen here, every verdict is the rules crate's.

use convoy_protocol::tractor::{CardName, ValidateRequest, card_set, table};
use serde_json::{Value, json};
use tractor::{Judge, Knowledge, RankedCards, RoundError, Trump};

use super::refusal_code;
use crate::refusal::Refusal;

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
        let lead = (!led.is_empty()).then(|| list(led));
        let asked = json!({
            "trump": trump.parse::<Trump>().ok(), "lead": lead, "hand": list(hand), "cards": list(tried),
        });
        let asked = convoy_protocol::read_json(&asked.to_string());
        let verdict = asked.ok().and_then(|request| judge(&request).ok());
        json!({
            "section": section, "trump": trump, "lead": list(led), "hand": list(hand), "cards": list(tried),
            "verdict": verdict,
        })
    };
    EXAMPLES.iter().map(example).collect()
}

/// How many cards the examples of a section show: those that were led, and those of the hand.
pub(super) fn places(section: &str) -> Vec<(usize, usize)> {
    let own = EXAMPLES.iter().filter(|example| example.0 == section);
    let count = |text: &str| text.split_whitespace().count();
    own.map(|(_, _, led, hand, _)| (count(led), count(hand)))
        .collect()
}

/// Judges cards without a table: those of the op `validate`, with what they are called and with the reason in parts
/// that a page puts into its language.
pub(crate) fn judge(request: &ValidateRequest) -> Result<Value, Refusal> {
    let judge = Judge::new(request.trump, request.rules.rules()?);
    let ranked = |cards: &[CardName]| -> Result<RankedCards, Refusal> {
        Ok(judge.ranked(card_set(cards)?.faces()))
    };
    let (own, play) = (ranked(&request.hand)?, ranked(&request.cards)?);
    let illegal = if play.is_empty() {
        Some(RoundError::NoCards)
    } else if let Some(led) = &request.lead {
        let first = judge
            .lead(ranked(led)?)
            .map_err(|reason| Refusal::Illegal(refusal_code::reason(&RoundError::Lead(reason))))?;
        let checked = judge.follow(&first, own, play);
        checked.err().map(RoundError::Follow)
    } else {
        let known = Knowledge::at_start(&judge, own);
        let checked = judge.check_lead(own, play, &known);
        checked.err().map(RoundError::Lead)
    };
    let reason = illegal
        .as_ref()
        .map(|illegal| refusal_code::reason(illegal).json());
    Ok(
        json!({ "name": table::selection_name(&judge, play), "ok": illegal.is_none(), "why": reason }),
    )
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
