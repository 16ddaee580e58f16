//! Live examples for the rules page: the hands are chosen here, every verdict is the rules crate's.

use convoy_protocol::tractor::{CardName, ValidateRequest, card_set, table};
use serde::Serialize;
use serde_json::{Value, json};
use tractor::{Bid, CardSet, Judge, Knowledge, RankedCards, RoundError, Suit, Trump};

use super::refusal_code;
use crate::refusal::Refusal;

/// What somebody tries with the cards of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Playing them, by the default rules.
    Play,
    /// Comparing two of them.
    Order,
    /// Declaring over what another seat has shown.
    Declare,
    /// Throwing them against the hands of the others.
    Throw,
    /// Playing them as the last of four.
    Trick,
    /// Winning the last trick with them, and so the kitty.
    Kitty,
}

/// One example.
struct Example {
    /// The section of the page.
    section: &'static str,
    kind: Kind,
    trump: &'static str,
    led: &'static str,
    /// What else lies open: the declaration, the three other hands, the plays after the lead, or the kitty.
    more: &'static [&'static str],
    hand: &'static str,
    /// What is tried first.
    tried: &'static str,
}

const fn play(
    section: &'static str,
    trump: &'static str,
    led: &'static str,
    hand: &'static str,
    tried: &'static str,
) -> Example {
    Example {
        section,
        kind: Kind::Play,
        trump,
        led,
        more: &[],
        hand,
        tried,
    }
}

const fn open(
    section: &'static str,
    kind: Kind,
    trump: &'static str,
    more: &'static [&'static str],
    hand: &'static str,
    tried: &'static str,
) -> Example {
    Example {
        section,
        kind,
        trump,
        led: "",
        more,
        hand,
        tried,
    }
}

#[rustfmt::skip]
const EXAMPLES: [Example; 22] = [
    open("trump", Kind::Order, "7H", &[], "bj0 sj0 7H0 7S0 7C0 AH0 AS0 3H0 KD0", "3H0 AS0"),
    open("declaring", Kind::Declare, "2N", &["2D0"], "2S0 2S1 2H0 sj0 sj1 bj0 AS0", "2S0 2S1"),
    open("declaring", Kind::Declare, "2N", &["2D0 2D1"], "2S0 2S1 2H0 sj0 sj1 bj0 AS0", "2S0 2S1"),
    play("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "8H0 8H1"),
    play("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "8H0 8D0"),
    play("pairs", "2S", "", "8H0 8H1 8D0 sj0 bj0 2H0 2C0", "2H0 2C0"),
    play("tractors", "2S", "", "7H0 7H1 8H0 8H1 JH0 JH1", "7H0 7H1 8H0 8H1"),
    play("tractors", "7S", "", "6H0 6H1 8H0 8H1 9C0", "6H0 6H1 8H0 8H1"),
    play("tractors", "2S", "", "AS0 AS1 2H0 2H1 2S0 2S1 sj0 sj1", "AS0 AS1 2H0 2H1 2S0 2S1"),
    play("tractors", "2S", "", "sj0 sj1 bj0 bj1 2H0 2H1", "sj0 sj1 bj0 bj1"),
    play("throws", "2H", "", "AS0 AS1 KS0 QS0 3D0 4D0", "AS0 AS1 KS0"),
    play("throws", "2H", "", "AS0 AS1 KS0 QS0 3D0 4D0", "AS0 KS0 QS0"),
    play("throws", "2H", "", "AS0 AS1 KS0 KS1 QS0 5D0", "AS0 AS1 KS0 KS1 QS0"),
    play("throws", "2H", "", "bj0 bj1 sj0 AC0", "bj0 bj1 sj0"),
    open("failed", Kind::Throw, "2H", &["TS0 9S0 4S0 3D0", "JS0 JS1 5S0 KD0", "KS0 8S0 6S0 7D0"],
        "AS0 QS0 QS1 TS1 9S1 AD0", "AS0 QS0 QS1 TS1"),
    play("following", "2S", "3H0 3H1", "7H0 7H1 8H0 9C0", "7H0 8H0"),
    play("following", "2S", "3H0 3H1", "7H0 8C0 9D0 9D1", "7H0 8C0"),
    play("following", "2S", "3H0 3H1 4H0 4H1", "7H0 7H1 8H0 8H1 JH0 JH1 9C0", "7H0 7H1 JH0 JH1"),
    play("following", "2H", "KS0", "2S0 QS0 3D0", "2S0"),
    play("following", "2S", "AH0 AH1 KH0", "9H0 9H1 7H0 6H0 3H0", "9H0 9H1 7H0"),
    Example { led: "TS0 TS1", ..open("tricks", Kind::Trick, "2H", &["QS0 QS1", "KS0 5S0"], "3H0 3H1 2C0 2D0 KD0 KD1", "3H0 3H1") },
    open("bonus", Kind::Kitty, "2H", &["TD0 5C0 4C0 4D0 6C0 8D0 9C0 JD0"], "QS0 QS1 KS0 KS1 AH0 bj0", "QS0 QS1"),
];

fn cards(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

impl Example {
    /// What the page's script needs; where cards are played by the default rules, with the verdict on the first try.
    fn json(&self) -> Value {
        let lead = (!self.led.is_empty()).then(|| cards(self.led));
        let more: Vec<_> = self.more.iter().map(|row| cards(row)).collect();
        json!({
            "section": self.section, "kind": self.kind, "trump": self.trump, "lead": lead, "more": more,
            "hand": cards(self.hand), "cards": cards(self.tried), "standing": self.standing(),
            "verdict": self.verdict(),
        })
    }

    fn verdict(&self) -> Option<Value> {
        if self.kind != Kind::Play {
            return None;
        }
        let lead = (!self.led.is_empty()).then(|| cards(self.led));
        let asked = json!({
            "trump": self.trump.parse::<Trump>().ok(), "lead": lead, "hand": cards(self.hand),
            "cards": cards(self.tried),
        });
        let request = convoy_protocol::read_json(&asked.to_string()).ok()?;
        judge(&request).ok()
    }

    /// The declaration that stands, as the op `decl` reads it.
    fn standing(&self) -> Option<Value> {
        if self.kind != Kind::Declare {
            return None;
        }
        let shown: CardSet = self.more.first()?.parse().ok()?;
        let bid = Bid::of(shown.faces(), self.trump.parse::<Trump>().ok()?.rank())?;
        let suit = bid.suit().map_or('N', Suit::letter);
        Some(json!({ "seat": 1, "type": bid.word(), "suit": suit }))
    }
}

/// The examples.
pub(super) fn lessons() -> Value {
    EXAMPLES.iter().map(Example::json).collect()
}

/// How many cards each row of each example of a section has, the hand's last.
pub(super) fn places(section: &str) -> Vec<Vec<usize>> {
    let own = EXAMPLES.iter().filter(|example| example.section == section);
    let rows = |example: &Example| {
        let lead = Some(example.led).filter(|led| !led.is_empty());
        let open = lead.into_iter().chain(example.more.iter().copied());
        open.chain([example.hand])
            .map(|row| cards(row).len())
            .collect()
    };
    own.map(rows).collect()
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
    fn every_play_has_a_verdict() {
        let lessons = lessons();
        let lessons = lessons.as_array().unwrap().iter();
        let plays = lessons.filter(|example| example["kind"] == "play");
        let verdicts: Vec<bool> = plays
            .map(|example| example["verdict"]["ok"].as_bool().unwrap())
            .collect();
        let expected = [
            true, false, false, true, true, true, true, true, false, true, false, false, true,
            false, false, true,
        ];
        assert_eq!(verdicts, expected);
    }

    #[test]
    fn cards_are_there_no_more_often_than_two_decks_have_them() {
        for example in &EXAMPLES {
            let mut rows = vec![example.led, example.hand];
            rows.extend(example.more);
            let mut seen = CardSet::EMPTY;
            for row in rows {
                let row: CardSet = row.parse().unwrap();
                assert!(row.iter().all(|card| seen.insert(card)), "{}", example.hand);
            }
        }
    }

    #[test]
    fn declarations_stand_as_they_are_shown() {
        let standing: Vec<_> = EXAMPLES.iter().filter_map(Example::standing).collect();
        let expected = [
            json!({ "seat": 1, "type": "single", "suit": "D" }),
            json!({ "seat": 1, "type": "pair", "suit": "D" }),
        ];
        assert_eq!(standing, expected);
    }
}
