//! Cards, trumps and house rules as requests spell them.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tractor::{Card, CardSet, Face, Faces, Judge, Level, RankedCards, Rules, Suit, Trump};

use crate::distinct::distinct_named;
use crate::error::{Error, ErrorCode};
use crate::nearest;

/// A card of a request, with its deck digit or without: `TS`, `TS1`, `sj`.
///
/// ```
/// use convoy_protocol::tractor::CardName;
/// let card: CardName = serde_json::from_str("\"TS1\"")?;
/// assert_eq!((card.face.to_string().as_str(), card.copy), ("TS", Some(true)));
/// assert_eq!(serde_json::to_string(&card)?, "\"TS1\"");
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardName {
    /// What it shows.
    pub face: Face,
    /// Whether it is the second of its kind, if the request tells.
    pub copy: Option<bool>,
}

impl From<Card> for CardName {
    /// With its deck digit.
    fn from(card: Card) -> Self {
        Self {
            face: card.face(),
            copy: Some(card.copy() == 1),
        }
    }
}

impl From<Face> for CardName {
    /// Without a deck digit.
    fn from(face: Face) -> Self {
        Self { face, copy: None }
    }
}

impl fmt::Display for CardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.copy {
            Some(second) => Card::new(self.face, second).fmt(f),
            None => self.face.fmt(f),
        }
    }
}

impl Serialize for CardName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CardName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = CardName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"TS\", \"TS1\" or \"sj\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<CardName, E> {
                if let Ok(face) = text.parse::<Face>() {
                    return Ok(face.into());
                }
                let card = text.parse::<Card>();
                card.map(CardName::from)
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
    /// Notes whether a card has a deck digit: all of a request have one, or none.
    pub(crate) fn note(&mut self, card: CardName) -> Result<(), Error> {
        let digit = card.copy.is_some();
        if *self.digits.get_or_insert(digit) == digit {
            Ok(())
        } else {
            let message = "give all cards of a request a deck digit, or none";
            Err(Error::new(ErrorCode::Cards, message))
        }
    }

    /// A list of different cards.
    pub(super) fn set(&mut self, list: &[CardName]) -> Result<CardSet, Error> {
        self.try_set(list)?
            .map_err(|fault| Error::new(ErrorCode::Cards, fault))
    }

    /// A list of different cards; the inner fault is one of the game, not of the request.
    pub(super) fn try_set(&mut self, list: &[CardName]) -> Result<Result<CardSet, String>, Error> {
        let mut set = CardSet::EMPTY;
        let mut fault = None;
        for card in list {
            self.note(*card)?;
            let face = card.face;
            let new = match card.copy {
                Some(second) => set.insert(Card::new(face, second)),
                None => set.insert(Card::new(face, false)) || set.insert(Card::new(face, true)),
            };
            if !new && fault.is_none() {
                fault = Some(named_too_often(*card));
            }
        }
        Ok(fault.map_or(Ok(set), Err))
    }

    /// A list of cards in its order.
    pub(super) fn list(&mut self, list: &[CardName]) -> Result<Vec<Card>, Error> {
        self.set(list)?;
        let mut seen = CardSet::EMPTY;
        let card = |named: &CardName| {
            let second = named.copy.unwrap_or(seen.has(Card::new(named.face, false)));
            let card = Card::new(named.face, second);
            seen.insert(card);
            card
        };
        Ok(list.iter().map(card).collect())
    }

    /// Cards of `hand`: without deck digits any copies that it holds will do.
    pub(super) fn of_hand(&self, hand: CardSet, cards: CardSet) -> CardSet {
        match self.digits {
            Some(false) => hand.pick(cards.faces()).unwrap_or(cards),
            _ => cards,
        }
    }

    /// A card as the request writes cards.
    pub(crate) fn show(&self, card: Card) -> CardName {
        match self.digits {
            Some(false) => card.face().into(),
            _ => card.into(),
        }
    }

    /// Cards in the order of their index.
    pub(crate) fn show_all(&self, cards: CardSet) -> Vec<CardName> {
        cards.iter().map(|card| self.show(card)).collect()
    }

    /// The cards of `from` that show these faces.
    pub(super) fn show_part(&self, from: &mut CardSet, faces: Faces) -> Vec<CardName> {
        let part = from.pick(faces).unwrap_or_default();
        *from = from.less(part).unwrap_or_default();
        self.show_all(part)
    }
}

/// A list of different cards; without deck digits a face named twice is both copies.
///
/// ```
/// use convoy_protocol::tractor::{CardName, card_set};
/// let list: Vec<CardName> = serde_json::from_str(r#"["3S","3S"]"#)?;
/// assert_eq!(card_set(&list).expect("two copies").to_string(), "3S0 3S1");
/// # Ok::<_, serde_json::Error>(())
/// ```
pub fn card_set(list: &[CardName]) -> Result<CardSet, Error> {
    Notation::default().set(list)
}

/// Why a card cannot be named again.
pub(crate) fn named_too_often(card: CardName) -> String {
    match card.copy {
        Some(_) => format!("the card {card} is named twice"),
        None => format!("there are only two {card} in the two decks"),
    }
}

/// Reads `{"rank":"7","suit":"H"}`; the suit may be `N` or null, the rank `NT`.
pub(crate) fn trump<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Trump, D::Error> {
    TrumpField::deserialize(deserializer)?.read()
}

/// The same where there may be none.
pub(super) fn trump_or_none<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Trump>, D::Error> {
    let field = Option::<TrumpField>::deserialize(deserializer)?;
    field.map(TrumpField::read).transpose()
}

/// The trump of a request.
#[derive(serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with rank and suit")]
pub(super) struct TrumpField {
    rank: Level,
    /// `N` or null for none.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["S", "H", "C", "D", "N", null])))]
    suit: Option<String>,
}

impl TrumpField {
    fn read<E: de::Error>(self) -> Result<Trump, E> {
        read_trump(self.rank, self.suit.as_deref()).map_err(E::custom)
    }
}

/// The trump of a rank and a suit; `N` is none.
pub(crate) fn read_trump(rank: Level, suit: Option<&str>) -> Result<Trump, String> {
    let suit = match suit {
        None | Some("N") => None,
        Some(letter) => {
            let suit = letter.parse::<Suit>();
            Some(suit.map_err(|_| format!("{letter:?} is no suit: S, H, C, D or N"))?)
        }
    };
    match (rank.rank(), suit) {
        (Some(rank), suit) => Ok(Trump::new(rank, suit)),
        (None, None) => Ok(Trump::JOKERS),
        (None, Some(_)) => Err("level NT has no trump suit".to_owned()),
    }
}

/// House rules as requests name them: a preset, or an object of switches, with a `preset` to begin from or without.
///
/// ```
/// use convoy_protocol::tractor::HouseRules;
/// let named: HouseRules = serde_json::from_str(r#"{"preset":"shengji","throw_penalty":10}"#)?;
/// let rules = named.rules().expect("house rules");
/// assert_eq!(rules.to_string(), "shengji throw_penalty=10");
/// assert_eq!(HouseRules::from(rules).rules(), Ok(rules));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct HouseRules(Value);

impl HouseRules {
    /// Whether nothing is named: the default rules.
    pub fn is_default(&self) -> bool {
        self.0.is_null()
    }

    /// The rules that are named.
    pub fn rules(&self) -> Result<Rules, Error> {
        let bad = |message: String| Error::new(ErrorCode::Rules, message);
        let preset = |name: &str| {
            Rules::preset(name).ok_or_else(|| {
                let names = Rules::PRESETS.join(", ");
                bad(format!("{name:?} is no preset: {names}"))
            })
        };
        let switches = match &self.0 {
            Value::Null => return Ok(Rules::DEFAULT),
            Value::String(name) => return preset(name),
            Value::Object(switches) => switches,
            _ => {
                return Err(bad(
                    "rules are a preset's name or an object of switches".into()
                ));
            }
        };
        let mut rules = match switches.get("preset") {
            None => Rules::DEFAULT,
            Some(Value::String(name)) => preset(name)?,
            Some(_) => return Err(bad("the preset is a name".into())),
        };
        for (switch, value) in switches.iter().filter(|(switch, _)| *switch != "preset") {
            rules.set(switch, &plain(value)).map_err(|error| {
                let names = Rules::SWITCHES.iter().map(|known| known.name);
                let near = match Rules::switch(switch) {
                    None => nearest(switch, names),
                    Some(_) => None,
                };
                let hint = near.map(|near| format!("; did you mean {near:?}?"));
                bad(format!("{switch:?}: {error}{}", hint.unwrap_or_default()))
            })?;
        }
        Ok(rules)
    }
}

/// The name of the preset, or every switch.
impl From<Rules> for HouseRules {
    fn from(rules: Rules) -> Self {
        let mut presets = Rules::PRESETS.into_iter();
        let preset = presets.find(|name| Rules::preset(name) == Some(rules));
        Self(match preset {
            Some(name) => name.into(),
            None => Rules::SWITCHES
                .iter()
                .map(|switch| (switch.name.to_owned(), switch.get(&rules).into()))
                .collect::<Map<String, Value>>()
                .into(),
        })
    }
}

impl<'de> Deserialize<'de> for HouseRules {
    /// Anything, to be judged by [`HouseRules::rules`]; but no switch twice.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        distinct_named(deserializer, "switch").map(Self)
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
pub(super) fn judge(trump: Trump, rules: &HouseRules) -> Result<Judge, Error> {
    Ok(Judge::new(trump, rules.rules()?))
}

/// Cards laid out.
pub(super) fn hand(judge: &Judge, cards: CardSet) -> RankedCards {
    judge.ranked(cards.faces())
}

/// The refusal of cards that two decks do not have.
pub(super) fn too_many(message: &str) -> Error {
    Error::new(ErrorCode::Cards, message)
}
