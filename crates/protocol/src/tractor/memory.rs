//! What the tricks so far have shown.

use serde::{Deserialize, Serialize};
use tractor::{CardSet, Group, Memory, Seat, Suit, Trump};

use super::cards::{HouseRules, Notation, hand, judge, too_many};
use super::trick::PlayedCards;
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// Op `memory`: what the tricks so far have shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemoryRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The finished tricks.
    pub tricks: Vec<Vec<PlayedCards>>,
    /// The open one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Vec<PlayedCards>>,
}

/// The answer to `memory`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryAnswer {
    /// What has been counted.
    pub out: Counters,
}

/// What has been played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    /// All cards.
    pub played_count: usize,
    /// Trumps.
    pub trump_cards_played: usize,
    /// Cards that count points.
    pub point_cards_played: usize,
    /// Pairs in all trump leads.
    pub lead_trump_pairs_played: usize,
    /// What each seat has shown.
    pub seats: Vec<SeatCounters>,
}

/// What a seat has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeatCounters {
    /// The suits it is void in, in the order CDHS.
    pub suit_voids: String,
    /// Whether it is void in trumps.
    pub trump_void: bool,
    /// How many trumps it has played.
    pub trump_used: u8,
}

impl Operation for MemoryRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "memory";
    type Answer = MemoryAnswer;

    fn answer(&self) -> Result<MemoryAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let mut memory = Memory::default();
        let mut gone = CardSet::EMPTY.faces();
        for plays in self.tricks.iter().chain(&self.current) {
            let mut lead = None;
            for (by, cards) in plays {
                let cards = notation.set(cards)?;
                gone = gone
                    .plus(cards.faces())
                    .ok_or_else(|| too_many("a card is played more often than it is there"))?;
                let play = hand(&judge, cards);
                match &lead {
                    None => {
                        let first = judge.lead(play);
                        let first = first
                            .map_err(|error| Error::new(ErrorCode::Cards, error.to_string()))?;
                        memory.note_lead(&judge, &first, *by);
                        lead = Some(first);
                    }
                    Some(lead) => memory.note_follow(&judge, lead, *by, play),
                }
            }
        }
        let seats = Seat::ALL.map(|seat| {
            let shown = memory.shown(seat);
            let void = |suit: &Suit| shown.is_void(Group::Plain(*suit));
            let voids = Suit::ALL.iter().filter(|suit| void(suit));
            SeatCounters {
                suit_voids: voids.map(|suit| suit.letter()).collect(),
                trump_void: shown.is_void(Group::Trump),
                trump_used: shown.trumps,
            }
        });
        let out = Counters {
            played_count: memory.played().len(),
            trump_cards_played: memory.trumps_played(&judge),
            point_cards_played: memory.point_cards_played(&judge),
            lead_trump_pairs_played: memory.trump_pairs_led(),
            seats: seats.into(),
        };
        Ok(MemoryAnswer { out })
    }
}
