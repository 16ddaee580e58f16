//! The fields of frames, as the types that they are read into.

use convoy_protocol::tractor::CardName;
use convoy_protocol::{Error, ErrorCode};
use serde::Deserialize;
use tractor::{Card, CardSet, Seat};

use crate::refusal::Refusal;

/// More components than any throw has.
const MOST_PARTS: usize = 25;

/// The cards of `declare`, `bury` and `play`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CardsField {
    cards: Vec<CardName>,
}

impl CardsField {
    pub(super) fn read(&self) -> Result<CardSet, Refusal> {
        cards("cards", &self.cards)
    }
}

/// The components of `throw`, as its leader names them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartsField {
    pub(super) parts: Vec<Vec<CardName>>,
}

/// What `check` asks about: the components of a throw, or cards.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckFields {
    pub(super) cards: Option<Vec<CardName>>,
    pub(super) parts: Option<Vec<Vec<CardName>>>,
}

impl CheckFields {
    pub(super) fn parts(&self) -> Result<Option<Vec<CardSet>>, Refusal> {
        self.parts.as_deref().map(parts).transpose()
    }

    pub(super) fn cards(&self) -> Result<CardSet, Refusal> {
        let named = self.cards.as_deref().ok_or_else(|| Refusal::BadField {
            field: "cards".to_owned(),
            reason: "it is missing".to_owned(),
        })?;
        cards("cards", named)
    }
}

/// The round that `proof` asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProofFields {
    pub(super) round: u32,
}

/// The moment that `replay` asks for; the last one if none is named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplayFields {
    pub(super) round: u32,
    pub(super) step: Option<u32>,
    pub(super) seat: Option<Seat>,
}

/// `commit` in an attempt at the shuffle of a round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitFields {
    pub(super) number: u64,
    pub(super) attempt: u64,
    pub(super) hash: String,
}

/// `reveal` in such an attempt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RevealFields {
    pub(super) number: u64,
    pub(super) attempt: u64,
    pub(super) bits: String,
}

/// The cards of each component.
pub(super) fn parts(named: &[Vec<CardName>]) -> Result<Vec<CardSet>, Refusal> {
    if named.len() > MOST_PARTS {
        return Err(Refusal::BadField {
            field: "parts".to_owned(),
            reason: format!(
                "a throw has at most {MOST_PARTS} parts, not {}",
                named.len()
            ),
        });
    }
    let named = named.iter().enumerate();
    let parts = named.map(|(index, names)| cards(&format!("parts[{index}]"), names));
    parts.collect()
}

/// Cards of one's own: named with their deck, each once.
fn cards(field: &str, names: &[CardName]) -> Result<CardSet, Refusal> {
    let mut cards = CardSet::EMPTY;
    for (index, name) in names.iter().enumerate() {
        let second = name.copy.ok_or_else(|| Refusal::BadField {
            field: format!("{field}[{index}]"),
            reason: "a card is named with its deck, such as 7H0".to_owned(),
        })?;
        if !cards.insert(Card::new(name.face, second)) {
            let message = format!("the card {name} is named twice");
            return Err(Error::new(ErrorCode::Cards, message).into());
        }
    }
    Ok(cards)
}
