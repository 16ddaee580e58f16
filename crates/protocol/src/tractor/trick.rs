//! Following, and who wins: follow, trick.

use serde::{Deserialize, Serialize};
use tractor::{CardSet, Judge, Lead, Seat, Trick, Trump};

use super::cards::{CardName, HouseRules, Notation, hand, judge, too_many};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// A seat and what it played.
pub type PlayedCards = (Seat, Vec<CardName>);

/// 1, or 0 and the reason.
pub type Verdict = (u8, Option<String>);

/// Op `follow`: whether cards may follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FollowRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// What was led.
    pub lead: Vec<CardName>,
    /// The hand of the follower.
    pub hand: Vec<CardName>,
    /// What might follow.
    pub tries: Vec<Vec<CardName>>,
}

/// The answer to `follow`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowAnswer {
    /// For each of the tries 1 and null, or 0 and the reason.
    pub verdicts: Vec<Verdict>,
}

impl Operation for FollowRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "follow";
    type Answer = FollowAnswer;

    fn answer(&self) -> Result<FollowAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let led = read_lead(&judge, notation.set(&self.lead)?)?;
        let held = notation.set(&self.hand)?;
        let duty = judge.duty(&led, hand(&judge, held));
        let mut verdicts = Vec::with_capacity(self.tries.len());
        for cards in &self.tries {
            let verdict = match notation.try_set(cards)? {
                Err(reason) => Err(reason),
                Ok(cards) => {
                    let cards = notation.of_hand(held, cards);
                    match cards.iter().find(|&card| !held.has(card)) {
                        Some(card) => Err(format!("you do not hold {}", notation.show(card))),
                        None => duty
                            .check(hand(&judge, cards))
                            .map_err(|refusal| refusal.to_string()),
                    }
                }
            };
            verdicts.push((u8::from(verdict.is_ok()), verdict.err()));
        }
        Ok(FollowAnswer { verdicts })
    }
}

/// Cards as a lead: of one group.
pub(super) fn read_lead(judge: &Judge, cards: CardSet) -> Result<Lead, Error> {
    judge
        .lead(hand(judge, cards))
        .map_err(|error| Error::new(ErrorCode::Lead, error.to_string()))
}

/// Op `trick`: who wins a trick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrickRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// One to four plays, the lead first.
    pub plays: Vec<PlayedCards>,
}

/// The answer to `trick`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrickAnswer {
    /// The seat ahead after each play.
    pub win_after: Vec<Seat>,
    /// The seat ahead in the end.
    pub winner: Seat,
    /// The points of all cards.
    pub points: u32,
}

impl Operation for TrickRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "trick";
    type Answer = TrickAnswer;

    fn answer(&self) -> Result<TrickAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let malformed = |message: &str| Error::new(ErrorCode::Malformed, message);
        let [(leader, led), rest @ ..] = &self.plays[..] else {
            return Err(malformed("a trick has at least its lead"));
        };
        if rest.len() > 3 {
            return Err(malformed("a trick has at most four plays"));
        }
        let led = notation.set(led)?;
        let mut gone = led.faces();
        let mut trick = Trick::new(read_lead(&judge, led)?, &judge);
        let mut seats = vec![*leader];
        let mut win_after = seats.clone();
        for (by, cards) in rest {
            let cards = notation.set(cards)?;
            gone = gone
                .plus(cards.faces())
                .ok_or_else(|| too_many("a card is played more often than it is there"))?;
            seats.push(*by);
            trick.play(&judge, hand(&judge, cards));
            win_after.push(seats[trick.winner()]);
        }
        Ok(TrickAnswer {
            win_after,
            winner: seats[trick.winner()],
            points: gone.points(),
        })
    }
}
