//! The helpers of founding document 003, under its names. A multi-combo is a throw here.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tractor::{Group, Seat, Suit, Trump};

use super::cards::{CardName, HouseRules, Notation, hand, judge};
use super::combo::Sign;
use super::lead::{Table, first_seat};
use super::trick::read_lead;
use crate::error::Error;
use crate::operation::Operation;

/// Op `matchesRequiredStructure`: whether a play has the structure that a throw requires of an answer (Rule 3.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StructureRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The play.
    pub cards: Vec<CardName>,
    /// What was thrown.
    pub required: Vec<CardName>,
}

/// The answer to `matchesRequiredStructure`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StructureAnswer {
    /// Whether it has.
    pub matches: bool,
}

impl Operation for StructureRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "matchesRequiredStructure";
    type Answer = StructureAnswer;

    fn answer(&self) -> Result<StructureAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let required = read_lead(&judge, notation.set(&self.required)?)?;
        let played = hand(&judge, notation.set(&self.cards)?);
        let matches = judge.matches_required_structure(played, required.shape());
        Ok(StructureAnswer { matches })
    }
}

/// Op `compareTrumpMultiCombos`: which of two trump answers to a throw is the stronger one (Rule 3.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// What was thrown.
    pub lead: Vec<CardName>,
    /// One answer.
    pub a: Vec<CardName>,
    /// The other.
    pub b: Vec<CardName>,
}

/// The answer to `compareTrumpMultiCombos`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareAnswer {
    /// 1 if `a` is stronger, -1 if `b` is, 0 if neither; `"x"` where one of them cannot beat the throw at all.
    pub order: Sign,
}

impl Operation for CompareRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "compareTrumpMultiCombos";
    type Answer = CompareAnswer;

    fn answer(&self) -> Result<CompareAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let lead = read_lead(&judge, notation.set(&self.lead)?)?;
        let a = hand(&judge, notation.set(&self.a)?);
        let b = hand(&judge, notation.set(&self.b)?);
        let order = Sign(judge.compare_trump_multi_combos(&lead, a, b));
        Ok(CompareAnswer { order })
    }
}

/// A group of cards: the letter of a plain suit, or `trump`.
///
/// ```
/// use convoy_protocol::tractor::GroupName;
/// let trumps: GroupName = serde_json::from_str("\"trump\"")?;
/// assert!(trumps.0.is_trump());
/// assert_eq!(serde_json::to_string(&trumps)?, "\"trump\"");
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupName(pub Group);

impl Serialize for GroupName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.suit() {
            Some(suit) => serializer.serialize_char(suit.letter()),
            None => serializer.serialize_str("trump"),
        }
    }
}

impl<'de> Deserialize<'de> for GroupName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = GroupName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("S, H, C, D or trump")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<GroupName, E> {
                if text == "trump" {
                    return Ok(GroupName(Group::Trump));
                }
                let suit = text.parse::<Suit>();
                suit.map(|suit| GroupName(Group::Plain(suit)))
                    .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// Op `isVoidAfterPlay`: whether a play takes the last cards of a group out of the hand (Rule 3.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The hand.
    pub hand: Vec<CardName>,
    /// The play.
    pub cards: Vec<CardName>,
    /// The group: the letter of a plain suit, or `trump`.
    pub suit: GroupName,
}

/// The answer to `isVoidAfterPlay`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VoidAnswer {
    /// Whether it does; false for cards that the hand does not hold.
    pub void: bool,
}

impl Operation for VoidRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "isVoidAfterPlay";
    type Answer = VoidAnswer;

    fn answer(&self) -> Result<VoidAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let held = hand(&judge, notation.set(&self.hand)?);
        let play = hand(&judge, notation.set(&self.cards)?);
        let void = judge.is_void_after_play(held, play, self.suit.0);
        Ok(VoidAnswer { void })
    }
}

/// Op `findUnbeatableCombos`: the components of a group of the hand that nothing unseen beats (Rule 3.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnbeatableRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The leader.
    #[serde(default = "first_seat")]
    pub seat: Seat,
    /// The leader's hand.
    pub hand: Vec<CardName>,
    /// What has been played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<CardName>,
    /// The suits that each seat has shown void, such as `"HS"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voids: Option<[String; 4]>,
    /// What the leader buried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitty: Option<Vec<CardName>>,
    /// The group: the letter of a plain suit, or `trump`.
    pub suit: GroupName,
}

/// The answer to `findUnbeatableCombos`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnbeatableAnswer {
    /// The components: `S`, `P` or `T`, and the cards; tractors first, then pairs, then singles.
    pub combos: Vec<(char, Vec<CardName>)>,
}

impl Operation for UnbeatableRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "findUnbeatableCombos";
    type Answer = UnbeatableAnswer;

    fn answer(&self) -> Result<UnbeatableAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let table = Table {
            seat: self.seat,
            hand: &self.hand,
            played: &self.played,
            voids: self.voids.as_ref(),
            kitty: self.kitty.as_deref(),
        };
        let (held, known) = table.read(&judge, &mut notation)?;
        let mut left = held;
        let combos = judge
            .find_unbeatable_combos(hand(&judge, held), self.suit.0, &known)
            .map(|combo| {
                let faces = judge.faces(combo.cards);
                (combo.kind.letter(), notation.show_part(&mut left, faces))
            })
            .collect();
        Ok(UnbeatableAnswer { combos })
    }
}
