//! How cards, seats and rules look in JSON: the notation of the rules, as texts. Whatever is written is read back.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::bid::{Bid, Declaration};
use crate::card::{Card, Face, ParseCardError, Rank, Suit};
use crate::card_set::{CardSet, Faces};
use crate::deal::{Deck, Seed};
use crate::level::{Level, LevelSet};
use crate::round::KittyBonus;
use crate::rules::{Rules, RulesError};
use crate::seat::{Seat, Team};
use crate::trump::Trump;

macro_rules! as_text {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse()
                    .map_err(|error| de::Error::custom(format!("{text:?}: {error}")))
            }
        }
    )+};
}

as_text!(Card, Face, Level, LevelSet, Rank, Suit, Team);

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

/// A list of cards with their deck digits.
impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Vec::<Cow<'de, str>>::deserialize(deserializer)?;
        Self::read(texts.iter().map(AsRef::as_ref)).map_err(de::Error::custom)
    }
}

/// A list of faces.
impl Serialize for Faces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Faces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CardSet::deserialize(deserializer).map(CardSet::faces)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// The 108 cards in the order of the deal.
impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        Self::new(&cards)
            .ok_or_else(|| de::Error::custom("a deck holds each of the 108 cards once"))
    }
}

/// A trump suit or that of a bid: `N` is none.
fn read_suit(text: &str) -> Result<Option<Suit>, ParseCardError> {
    match text {
        "N" => Ok(None),
        letter => letter.parse().map(Some),
    }
}

/// `{"rank":"7","suit":"H"}`; the suit is `N` without a trump suit, the rank `NT` without a rank.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct TrumpParts {
    rank: Level,
    suit: String,
}

impl Serialize for Trump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TrumpParts {
            rank: self.rank().map_or(Level::NT, Level::from),
            suit: self.suit().map_or('N', Suit::letter).to_string(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Trump {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = TrumpParts::deserialize(deserializer)?;
        match (parts.rank.rank(), read_suit(&parts.suit)) {
            (Some(rank), Ok(suit)) => Ok(Self::new(rank, suit)),
            (None, Ok(None)) => Ok(Self::JOKERS),
            (None, Ok(Some(_))) => Err(de::Error::custom(
                "without a trump rank there is no trump suit",
            )),
            (_, Err(_)) => Err(de::Error::custom("a trump suit is C, D, H, S or N")),
        }
    }
}

/// Every switch by name, each value as text.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Self::SWITCHES.len()))?;
        for switch in Self::SWITCHES {
            map.serialize_entry(switch.name, &switch.get(self))?;
        }
        map.end()
    }
}

/// What stands for the value of a switch: a text, a number or a truth value.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Number(u64),
    Flag(bool),
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum RulesForm {
    /// `"shengji throw_penalty=10"`.
    Line(String),
    /// `{"preset":"shengji","switches":{…}}`, as a server's frame has it.
    Table {
        preset: String,
        switches: BTreeMap<String, Given>,
    },
    /// `{"preset":"shengji","throw_penalty":"10"}`; without a preset over the default.
    Switches(BTreeMap<String, Given>),
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = RulesForm::deserialize(deserializer)?;
        read_rules(form).map_err(de::Error::custom)
    }
}

fn read_rules(form: RulesForm) -> Result<Rules, RulesError> {
    let (preset, switches) = match form {
        RulesForm::Line(line) => return line.parse(),
        RulesForm::Table { preset, switches } => (preset, switches),
        RulesForm::Switches(mut switches) => match switches.remove("preset") {
            Some(Given::Text(preset)) => (preset, switches),
            Some(_) => return Err(RulesError::Preset(String::new())),
            None => (String::from("default"), switches),
        },
    };
    let mut rules = Rules::preset(&preset).ok_or(RulesError::Preset(preset))?;
    for (name, given) in switches {
        let text = match given {
            Given::Text(text) => text,
            Given::Number(number) => number.to_string(),
            Given::Flag(flag) => flag.to_string(),
        };
        rules.set(&name, &text)?;
    }
    Ok(rules)
}

impl Bid {
    /// Every word of [`Bid::word`].
    pub(crate) const WORDS: [&'static str; 6] = [
        "single",
        "smallJoker",
        "bigJoker",
        "pair",
        "smallJokerPair",
        "bigJokerPair",
    ];

    fn read<E: de::Error>(word: &str, suit: &str) -> Result<Self, E> {
        let suit = read_suit(suit).map_err(|_| E::custom("a suit is C, D, H, S or N"))?;
        Self::from_word(word, suit).ok_or_else(|| {
            E::custom(format!(
                "{word:?} in suit {} is no declaration: it is one of {}, jokers in suit N",
                suit.map_or('N', Suit::letter),
                Self::WORDS.join(", ")
            ))
        })
    }

    fn suit_text(self) -> String {
        self.suit().map_or('N', Suit::letter).to_string()
    }
}

/// `{"type":"pair","suit":"H"}`; the suit is `N` for jokers.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct BidParts<'a> {
    #[serde(rename = "type")]
    word: Cow<'a, str>,
    suit: Cow<'a, str>,
}

impl Serialize for Bid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BidParts {
            word: self.word().into(),
            suit: self.suit_text().into(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = BidParts::deserialize(deserializer)?;
        Self::read(&parts.word, &parts.suit)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclarationParts<'a> {
    seat: Seat,
    #[serde(rename = "type")]
    word: Cow<'a, str>,
    suit: Cow<'a, str>,
    cards: CardSet,
    at: u8,
}

impl Serialize for Declaration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DeclarationParts {
            seat: self.seat,
            word: self.bid.word().into(),
            suit: self.bid.suit_text().into(),
            cards: self.cards,
            at: self.at,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Declaration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = DeclarationParts::deserialize(deserializer)?;
        Ok(Self {
            seat: parts.seat,
            bid: Bid::read(&parts.word, &parts.suit)?,
            cards: parts.cards,
            at: parts.at,
        })
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BonusParts {
    kitty_points: u32,
    multiplier: i32,
    bonus_points: i32,
}

impl Serialize for KittyBonus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BonusParts {
            kitty_points: self.points,
            multiplier: self.multiplier,
            bonus_points: self.total(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KittyBonus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = BonusParts::deserialize(deserializer)?;
        let bonus = Self {
            points: parts.kitty_points,
            multiplier: parts.multiplier,
        };
        if bonus.total() == parts.bonus_points {
            Ok(bonus)
        } else {
            Err(de::Error::custom(
                "bonusPoints is not kittyPoints times multiplier",
            ))
        }
    }
}
