//! How cards, seats and rules look in JSON: the notation of the rules, as texts.

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use crate::bid::{Bid, Declaration};
use crate::card::{Card, Face, Rank, Suit};
use crate::card_set::CardSet;
use crate::level::Level;
use crate::round::KittyBonus;
use crate::rules::Rules;
use crate::seat::{Seat, Team};
use crate::trump::Trump;

macro_rules! as_text {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
}

as_text!(Card, Face, Level, Rank, Suit, Team);

macro_rules! from_text {
    ($($type:ty),+) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    )+};
}

from_text!(Card, Face, Level, Rank, Suit);

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.index() as u64)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(usize::deserialize(deserializer)?)
            .ok_or_else(|| de::Error::custom("a seat is 0, 1, 2 or 3"))
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        Self::read(texts.iter().map(String::as_str)).map_err(de::Error::custom)
    }
}

/// `{"rank":"7","suit":"H"}`; the suit is `N` without a trump suit, the rank `NT` without a rank.
impl Serialize for Trump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut trump = serializer.serialize_struct("Trump", 2)?;
        let level = self.rank().map_or(Level::NT, Level::from);
        trump.serialize_field("rank", &level)?;
        trump.serialize_field("suit", &self.suit().map_or('N', Suit::letter))?;
        trump.end()
    }
}

/// Every switch by name, each value as text.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Self::SWITCHES.len()))?;
        for switch in Self::SWITCHES {
            map.serialize_entry(switch, &self.value(switch))?;
        }
        map.end()
    }
}

impl Bid {
    /// The word of the line protocols: `single`, `pair`, `smallJokerPair`, `bigJokerPair`, and for
    /// lone jokers `smallJoker`, `bigJoker`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Single(_) => "single",
            Self::SmallJoker => "smallJoker",
            Self::BigJoker => "bigJoker",
            Self::Pair(_) => "pair",
            Self::SmallJokers => "smallJokerPair",
            Self::BigJokers => "bigJokerPair",
        }
    }
}

/// `{"type":"pair","suit":"H"}`; the suit is `N` for jokers.
impl Serialize for Bid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bid = serializer.serialize_struct("Bid", 2)?;
        bid.serialize_field("type", self.word())?;
        bid.serialize_field("suit", &self.suit().map_or('N', Suit::letter))?;
        bid.end()
    }
}

impl Serialize for Declaration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut declaration = serializer.serialize_struct("Declaration", 5)?;
        declaration.serialize_field("seat", &self.seat)?;
        declaration.serialize_field("type", self.bid.word())?;
        declaration.serialize_field("suit", &self.bid.suit().map_or('N', Suit::letter))?;
        declaration.serialize_field("cards", &self.cards)?;
        declaration.serialize_field("at", &self.at)?;
        declaration.end()
    }
}

impl Serialize for KittyBonus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bonus = serializer.serialize_struct("KittyBonus", 3)?;
        bonus.serialize_field("kittyPoints", &self.points)?;
        bonus.serialize_field("multiplier", &self.multiplier)?;
        bonus.serialize_field("bonusPoints", &self.total())?;
        bonus.end()
    }
}
