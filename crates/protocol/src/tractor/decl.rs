//! What a seat may declare.

use serde::{Deserialize, Serialize};
use tractor::{Bid, Level, Seat, Suit, offers};

use super::cards::{CardName, HouseRules, Notation};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// Op `decl`: what a seat may declare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeclRequest {
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The trump rank.
    pub rank: Level,
    /// Who might declare.
    pub seat: Seat,
    /// Its cards so far.
    pub hand: Vec<CardName>,
    /// The standing declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Standing>,
    /// Does not matter; it stands in recorded verdicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_human: Option<bool>,
}

/// A declaration that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with seat, type and suit")]
pub struct Standing {
    /// Whose it is.
    pub seat: Seat,
    /// `single`, `pair`, `smallJoker`, `bigJoker`, `smallJokerPair` or `bigJokerPair`.
    pub r#type: String,
    /// Its suit; `N` or null for jokers.
    #[serde(default)]
    pub suit: Option<String>,
    /// Its cards; they do not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardName>>,
}

impl Standing {
    /// Who declared what.
    pub fn read(&self) -> Result<(Seat, Bid), Error> {
        let suit = self.suit.as_deref();
        let suit = suit.and_then(|letter| letter.parse::<Suit>().ok());
        let bid = Bid::from_word(&self.r#type, suit).ok_or_else(|| {
            let message =
                "current has a type (single, pair, smallJokerPair, bigJokerPair) and a suit";
            Error::new(ErrorCode::Malformed, message)
        })?;
        Ok((self.seat, bid))
    }
}

/// The answer to `decl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclAnswer {
    /// Every declaration that the rules allow now.
    pub options: Vec<DeclOption>,
}

/// A declaration: its type, its suit (`N` for jokers), its cards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclOption {
    /// `single`, `pair`, `smallJoker`, `bigJoker`, `smallJokerPair` or `bigJokerPair`.
    pub r#type: String,
    /// Its suit; `N` for jokers.
    pub suit: char,
    /// Its cards.
    pub cards: Vec<CardName>,
}

impl DeclOption {
    /// A bid with its cards.
    pub(crate) fn new(bid: Bid, cards: Vec<CardName>) -> Self {
        Self {
            r#type: bid.word().to_owned(),
            suit: suit_letter(bid.suit()),
            cards,
        }
    }
}

/// How the protocols write a suit that may be none.
pub(crate) fn suit_letter(suit: Option<Suit>) -> char {
    suit.map_or('N', Suit::letter)
}

impl Operation for DeclRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "decl";
    type Answer = DeclAnswer;

    fn answer(&self) -> Result<DeclAnswer, Error> {
        let rules = self.rules.rules()?;
        let mut notation = Notation::default();
        let held = notation.set(&self.hand)?;
        let standing = self.current.as_ref().map(Standing::read).transpose()?;
        let options = offers(&rules, self.rank, held, self.seat, standing)
            .into_iter()
            .map(|(bid, cards)| DeclOption::new(bid, notation.show_all(cards)))
            .collect();
        Ok(DeclAnswer { options })
    }
}
