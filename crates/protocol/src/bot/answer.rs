//! What bots answer.

use serde::{Deserialize, Serialize};
use tractor::{Card, CardSet, Face, Offer, View};

use crate::error::{Error, ErrorCode};
use crate::tractor::{CardName, named_too_often, suit_letter};

/// The answer to `declare`.
///
/// ```
/// use convoy_protocol::bot::DeclareAnswer;
/// let pass: DeclareAnswer = serde_json::from_str(r#"{"declare":null}"#)?;
/// assert_eq!(pass.declare, None);
/// assert!(serde_json::from_str::<DeclareAnswer>("{}").is_err(), "the field must be there");
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeclareAnswer {
    /// What is declared, if anything.
    #[serde(deserialize_with = "Option::deserialize")]
    pub declare: Option<Declared>,
}

/// A declaration by type and suit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// Its type.
    pub r#type: String,
    /// Its suit; it does not matter for jokers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suit: Option<String>,
    /// Its cards; they do not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardName>>,
}

impl Declared {
    /// The declaration of an offer.
    pub fn of(offer: &Offer, cards: Vec<CardName>) -> Self {
        Self {
            r#type: offer.bid.word().to_owned(),
            suit: Some(suit_letter(offer.bid.suit()).to_string()),
            cards: Some(cards),
        }
    }

    /// The cards of the offer that it names; none where the rules offer no such thing now.
    pub fn offer(&self, view: &View) -> Option<CardSet> {
        let named = |offer: &&Offer| {
            let letter = suit_letter(offer.bid.suit()).to_string();
            self.r#type == offer.bid.word()
                && (offer.bid.is_joker() || self.suit.as_deref() == Some(&letter))
        };
        view.offers.iter().find(named).map(|offer| offer.cards)
    }
}

/// The answer to `kitty` and `play`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardsAnswer {
    /// The cards to bury or to play.
    pub cards: Vec<CardName>,
    /// The milliseconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl CardsAnswer {
    /// The cards out of a hand: without deck digits any copies that it holds will do. The code of the error is
    /// `illegal` for cards that are not in the hand, `cards` for those that cannot be.
    ///
    /// ```
    /// use convoy_protocol::bot::CardsAnswer;
    /// let answer: CardsAnswer = serde_json::from_str(r#"{"cards":["AS"]}"#)?;
    /// let hand = "AS1 3D0".parse::<tractor::CardSet>().expect("cards");
    /// assert_eq!(answer.of_hand(hand).expect("held").to_string(), "AS1");
    /// # Ok::<_, serde_json::Error>(())
    /// ```
    pub fn of_hand(&self, hand: CardSet) -> Result<CardSet, Error> {
        let mut exact = CardSet::EMPTY;
        for card in &self.cards {
            let first = Card::new(card.face, false);
            let second = card.copy.unwrap_or_else(|| exact.has(first));
            if !exact.insert(Card::new(card.face, second)) {
                return Err(Error::new(ErrorCode::Cards, named_too_often(*card)));
            }
        }
        if self.cards.iter().all(|card| card.copy.is_some()) {
            return Ok(exact);
        }
        let missing = || {
            let faces = exact.faces().iter();
            let short = |face: &Face| exact.faces().count(*face) > hand.faces().count(*face);
            let face = faces.into_iter().find(short);
            let face = face.map(|face| face.to_string()).unwrap_or_default();
            Error::new(ErrorCode::Illegal, format!("{face} is not in the hand"))
        };
        hand.pick(exact.faces()).ok_or_else(missing)
    }
}
