//! Cards, trumps and house rules as requests spell them.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde_json::Value;
use tractor::{
    Card, CardSet, Face, Faces, Judge, Level, RankedCards, Rules, Seat, Suit, Team, Trump,
};

use super::Fault;

/// A card of a request, with its deck digit or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) face: Face,
    pub(crate) copy: Option<bool>,
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"TS\", \"TS1\" or \"sj\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Named, E> {
                if let Ok(face) = text.parse() {
                    return Ok(Named { face, copy: None });
                }
                text.parse::<Card>()
                    .map(|card| Named {
                        face: card.face(),
                        copy: Some(card.copy() == 1),
                    })
                    .map_err(|_| E::custom(format_args!("{text:?} is no card")))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// Reads the card lists of one request, and writes cards as that request does: all with deck digits
/// or all without.
#[derive(Debug, Default)]
pub(crate) struct Notation {
    digits: Option<bool>,
}

impl Notation {
    /// A list of different cards.
    pub(crate) fn set(&mut self, list: &[Named]) -> Result<CardSet, Fault> {
        self.try_set(list)?
            .map_err(|fault| Fault::new("cards", fault))
    }

    /// A list of different cards; the inner fault is one of the game, not of the request.
    pub(crate) fn try_set(&mut self, list: &[Named]) -> Result<Result<CardSet, String>, Fault> {
        let mut set = CardSet::EMPTY;
        let mut fault = None;
        for named in list {
            let digit = named.copy.is_some();
            if *self.digits.get_or_insert(digit) != digit {
                return Err(Fault::new(
                    "cards",
                    "give all cards of a request a deck digit, or none",
                ));
            }
            let face = named.face;
            let new = match named.copy {
                Some(second) => set.insert(Card::new(face, second)),
                None => set.insert(Card::new(face, false)) || set.insert(Card::new(face, true)),
            };
            if !new && fault.is_none() {
                fault = Some(match named.copy {
                    Some(second) => format!("the card {} is named twice", Card::new(face, second)),
                    None => format!("there are only two {face} in the two decks"),
                });
            }
        }
        Ok(fault.map_or(Ok(set), Err))
    }

    /// A list of cards in its order.
    pub(crate) fn list(&mut self, list: &[Named]) -> Result<Vec<Card>, Fault> {
        self.set(list)?;
        let mut seen = CardSet::EMPTY;
        let card = |named: &Named| {
            let second = named.copy.unwrap_or(seen.has(Card::new(named.face, false)));
            let card = Card::new(named.face, second);
            seen.insert(card);
            card
        };
        Ok(list.iter().map(card).collect())
    }

    /// Cards of `hand`: without deck digits any copies that it holds will do.
    pub(crate) fn of_hand(&self, hand: CardSet, cards: CardSet) -> CardSet {
        match self.digits {
            Some(false) => hand.pick(cards.faces()).unwrap_or(cards),
            _ => cards,
        }
    }

    /// A card as the request writes cards.
    pub(crate) fn show(&self, card: Card) -> String {
        match self.digits {
            Some(false) => card.face().to_string(),
            _ => card.to_string(),
        }
    }

    /// Faces, in the order of their index.
    pub(crate) fn show_all(&self, cards: CardSet) -> Vec<String> {
        cards.iter().map(|card| self.show(card)).collect()
    }

    /// The cards of `from` that show these faces.
    pub(crate) fn show_part(&self, from: &mut CardSet, faces: Faces) -> Vec<String> {
        let part = from.pick(faces).unwrap_or_default();
        *from = from.less(part).unwrap_or_default();
        self.show_all(part)
    }
}

/// `{"rank":"7","suit":"H"}`; the suit may be `N` or null, the rank `NT`.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct TrumpText {
    rank: Level,
    suit: Option<String>,
}

impl TrumpText {
    pub(crate) fn read(&self) -> Result<Trump, Fault> {
        let suit = match self.suit.as_deref() {
            None | Some("N") => None,
            Some(letter) => Some(letter.parse::<Suit>().map_err(|_| {
                Fault::new(
                    "malformed",
                    format!("{letter:?} is no suit: S, H, C, D or N"),
                )
            })?),
        };
        match (self.rank.rank(), suit) {
            (Some(rank), suit) => Ok(Trump::new(rank, suit)),
            (None, None) => Ok(Trump::JOKERS),
            (None, Some(_)) => Err(Fault::new("malformed", "level NT has no trump suit")),
        }
    }
}

/// A preset's name, or an object of switches.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct RulesText(Value);

impl RulesText {
    pub(crate) fn read(&self) -> Result<Rules, Fault> {
        let preset = |name: &str| {
            Rules::preset(name).ok_or_else(|| {
                let names = Rules::PRESETS.join(", ");
                Fault::new("rules", format!("{name:?} is no preset: {names}"))
            })
        };
        let switches = match &self.0 {
            Value::Null => return Ok(Rules::DEFAULT),
            Value::String(name) => return preset(name),
            Value::Object(switches) => switches,
            _ => {
                return Err(Fault::new(
                    "rules",
                    "rules are a preset's name or an object of switches",
                ));
            }
        };
        let mut rules = match switches.get("preset") {
            None => Rules::DEFAULT,
            Some(Value::String(name)) => preset(name)?,
            Some(_) => return Err(Fault::new("rules", "the preset is a name")),
        };
        for (switch, value) in switches.iter().filter(|(switch, _)| *switch != "preset") {
            rules
                .set(switch, &plain(value))
                .map_err(|error| Fault::new("rules", format!("{switch:?}: {error}")))?;
        }
        Ok(rules)
    }
}

/// A value as the switches read it: lists and objects as words in their order.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(scoring) => ["step", "turnover", "dead_zone", "shutout"]
            .iter()
            .filter_map(|part| scoring.get(*part))
            .map(plain)
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    }
}

/// The judge of a request.
pub(crate) fn judge(trump: &TrumpText, rules: &RulesText) -> Result<Judge, Fault> {
    Ok(Judge::new(trump.read()?, rules.read()?))
}

/// Cards laid out.
pub(crate) fn hand(judge: &Judge, cards: CardSet) -> RankedCards {
    judge.ranked(cards.faces())
}

/// A seat by its number.
pub(crate) fn seat(index: usize) -> Result<Seat, Fault> {
    Seat::new(index).ok_or_else(|| Fault::new("malformed", "a seat is 0, 1, 2 or 3"))
}

/// A team by its letter.
pub(crate) fn team(letter: &str) -> Result<Team, Fault> {
    match letter {
        "A" => Ok(Team::A),
        "B" => Ok(Team::B),
        _ => Err(Fault::new("malformed", "a team is \"A\" or \"B\"")),
    }
}
