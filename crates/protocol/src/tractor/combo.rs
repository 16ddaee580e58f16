//! What cards are: combo, identify, cmp.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tractor::{Card, CardSet, Group, Judge, Kind, Trump};

use super::cards::{CardName, HouseRules, Notation, hand, judge};
use crate::error::Error;
use crate::operation::Operation;

/// Op `combo`: what cards are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComboRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The cards.
    pub cards: Vec<CardName>,
}

/// The answer to `combo`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComboAnswer {
    /// `Single`, `Pair`, `Tractor` or `Invalid`.
    pub r#type: String,
    /// Whether it is a throw.
    pub lead_multi: bool,
    /// What it is made of.
    pub structure: Structure,
}

/// What cards are made of; those of several groups are described group by group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Structure {
    /// How many cards.
    pub len: usize,
    /// How many pairs.
    pub pairs: usize,
    /// How many tractors.
    pub tractors: usize,
    /// Their lengths in pairs, longest first.
    pub tractor_sizes: Vec<u8>,
    /// The pairs inside tractors.
    pub tractor_pairs: usize,
    /// Whether all are trumps.
    pub trump: bool,
    /// The components: `S`, `P` or `T`, and the cards.
    pub combos: Vec<(char, Vec<CardName>)>,
}

/// The word for a straight play.
pub(super) fn type_word(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Single) => "Single",
        Some(Kind::Pair) => "Pair",
        Some(Kind::Tractor { .. }) => "Tractor",
        None => "Invalid",
    }
}

/// The canonical components of cards, each with its letter.
pub(super) fn components(
    judge: &Judge,
    notation: &Notation,
    cards: CardSet,
) -> Vec<(char, Vec<CardName>)> {
    let mut left = cards;
    judge
        .components(hand(judge, cards))
        .map(|combo| {
            let faces = judge.faces(combo.cards);
            (combo.kind.letter(), notation.show_part(&mut left, faces))
        })
        .collect()
}

impl Operation for ComboRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "combo";
    type Answer = ComboAnswer;

    fn answer(&self) -> Result<ComboAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let cards = notation.set(&self.cards)?;
        let laid = hand(&judge, cards);
        let shapes = Group::ALL
            .into_iter()
            .filter_map(|group| judge.shape(judge.of_group(laid, group)));
        let mut sizes: Vec<u8> = shapes
            .flat_map(|shape| shape.tractor_sizes().to_vec())
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let kind = judge.shape(laid).and_then(|shape| shape.kind());
        Ok(ComboAnswer {
            r#type: type_word(kind).to_owned(),
            lead_multi: judge.detect(laid, None).is_some(),
            structure: Structure {
                len: laid.len(),
                pairs: laid.pairs(),
                tractors: sizes.len(),
                tractor_pairs: sizes.iter().map(|&size| usize::from(size)).sum(),
                tractor_sizes: sizes,
                trump: judge.group(laid) == Some(Group::Trump),
                combos: components(&judge, &notation, cards),
            },
        })
    }
}

/// Op `identify`: every combo of a hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IdentifyRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The hand.
    pub hand: Vec<CardName>,
}

/// The answer to `identify`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdentifyAnswer {
    /// Every single, pair and tractor: `S`, `P` or `T`, its cards, the value of its top card, and 1 for a single that
    /// is half of a pair.
    pub combos: Vec<(char, Vec<CardName>, u32, u8)>,
}

impl Operation for IdentifyRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "identify";
    type Answer = IdentifyAnswer;

    fn answer(&self) -> Result<IdentifyAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let cards = notation.set(&self.hand)?;
        let laid = hand(&judge, cards);
        let value = |card: Card| judge.value(card.face());
        let single = |card: Card| {
            let broken = cards.faces().count(card.face()) == 2;
            let shown = vec![notation.show(card)];
            ('S', shown, value(card), u8::from(broken))
        };
        let mut combos: Vec<_> = cards.iter().map(single).collect();
        for (kind, part) in judge.combos(laid).filter(|(kind, _)| *kind != Kind::Single) {
            let part = cards.pick(judge.faces(part)).unwrap_or_default();
            let mut shown = notation.show_all(part);
            shown.sort_by_cached_key(ToString::to_string);
            let top = part.iter().map(value).max().unwrap_or(0);
            combos.push((kind.letter(), shown, top, 0));
        }
        combos.sort_by_cached_key(|(letter, shown, value, broken)| {
            let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
            (*letter, shown, *value, *broken)
        });
        Ok(IdentifyAnswer { combos })
    }
}

/// Op `cmp`: which of two cards is higher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CmpRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// Pairs of cards to compare.
    pub cmps: Vec<(CardName, CardName)>,
}

/// How one card stands to another: -1 below, 0 equal, 1 above, or `"x"` for two plain suits.
///
/// ```
/// use convoy_protocol::tractor::Sign;
/// assert_eq!(serde_json::to_string(&[Sign(None), Sign(Some(std::cmp::Ordering::Less))])?, r#"["x",-1]"#);
/// assert_eq!(serde_json::from_str::<Sign>("1")?, Sign(Some(std::cmp::Ordering::Greater)));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign(pub Option<Ordering>);

impl Serialize for Sign {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(order) => serializer.serialize_i8(order as i8),
            None => serializer.serialize_str("x"),
        }
    }
}

impl<'de> Deserialize<'de> for Sign {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl Visitor<'_> for Any {
            type Value = Sign;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("-1, 0, 1 or \"x\"")
            }

            fn visit_i64<E: de::Error>(self, sign: i64) -> Result<Sign, E> {
                Ok(Sign(Some(sign.cmp(&0))))
            }

            fn visit_u64<E: de::Error>(self, sign: u64) -> Result<Sign, E> {
                Ok(Sign(Some(sign.cmp(&0))))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Sign, E> {
                match text {
                    "x" => Ok(Sign(None)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// The answer to `cmp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CmpAnswer {
    /// Each pair with how the first stands to the second.
    pub cmps: Vec<(CardName, CardName, Sign)>,
}

impl Operation for CmpRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "cmp";
    type Answer = CmpAnswer;

    fn answer(&self) -> Result<CmpAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let mut cmps = Vec::with_capacity(self.cmps.len());
        for &(a, b) in &self.cmps {
            let [a, b] = [notation.list(&[a])?[0], notation.list(&[b])?[0]];
            let sign = Sign(judge.compare(a.face(), b.face()));
            cmps.push((notation.show(a), notation.show(b), sign));
        }
        Ok(CmpAnswer { cmps })
    }
}
