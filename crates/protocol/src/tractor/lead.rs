//! Leading: whether cards may be led, and what becomes of a throw.

use serde::{Deserialize, Serialize};
use tractor::{
    CardSet, Detection, Faces, Group, Judge, Knowledge, LeadError, RankedCards, Seat, Suit, Trump,
};

use super::cards::{CardName, HouseRules, Notation, hand, judge, too_many};
use super::combo::{components, type_word};
use super::trick::read_lead;
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// Op `lead`: whether cards may be led.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeadRequest {
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
    /// Who started the round; does not matter, since `kitty` tells what the leader buried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter_seat: Option<Seat>,
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
    /// What is to be led.
    pub cards: Vec<CardName>,
}

/// The answer to `lead`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeadAnswer {
    /// `Single`, `Pair`, `Tractor`, `Multi` for a throw, or `Invalid`.
    pub r#type: String,
    /// Whether it may be led.
    pub valid: bool,
    /// Why not.
    pub reason: Option<String>,
    /// More about a throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multi: Option<Multi>,
}

/// More about a throw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Multi {
    /// The other seats that are known to be void in its group.
    pub void_seats: Vec<Seat>,
    /// The components that unseen cards may beat.
    pub beatable: Vec<Vec<CardName>>,
    /// All components: `S`, `P` or `T`, and the cards.
    pub components: Vec<(char, Vec<CardName>)>,
    /// For each beatable component, unseen cards that beat it.
    pub beaten_by: Vec<Vec<CardName>>,
}

/// The leader where none is named.
pub(super) fn first_seat() -> Seat {
    Seat::ALL[0]
}

/// What a leader knows: its hand, what was played, who has shown void, what it buried.
pub(super) struct Table<'a> {
    pub(super) seat: Seat,
    pub(super) hand: &'a [CardName],
    pub(super) played: &'a [CardName],
    pub(super) voids: Option<&'a [String; 4]>,
    pub(super) kitty: Option<&'a [CardName]>,
}

impl Table<'_> {
    /// The hand, and what it tells of the rest.
    pub(super) fn read(
        &self,
        judge: &Judge,
        notation: &mut Notation,
    ) -> Result<(CardSet, Knowledge), Error> {
        let held = notation.set(self.hand)?;
        let mut seen = held.faces();
        for list in [Some(self.played), self.kitty].into_iter().flatten() {
            let cards = notation.set(list)?;
            seen = seen
                .plus(cards.faces())
                .ok_or_else(|| too_many("a card is there more often than two decks have it"))?;
        }
        let unseen = Faces::FULL.less(seen).unwrap_or_default();
        let mut voids = [0; 3];
        for (offset, groups) in voids.iter_mut().enumerate() {
            let seat = self.seat.after(offset + 1);
            let text = self.voids.map_or("", |voids| &voids[seat.index()]);
            for letter in text.chars() {
                let suit = Suit::from_letter(letter).ok_or_else(|| {
                    let message = format!("voids: {letter:?} is no suit");
                    Error::new(ErrorCode::Malformed, message)
                })?;
                *groups |= 1 << Group::Plain(suit).index();
            }
        }
        let unseen = judge.ranked(unseen);
        Ok((held, Knowledge { unseen, voids }))
    }
}

/// Why `cards` of a hand may not be led.
pub(super) fn refusal(
    judge: &Judge,
    held: CardSet,
    cards: CardSet,
    known: &Knowledge,
) -> Option<LeadError> {
    match held.less(cards) {
        Some(_) => {
            let play = hand(judge, cards);
            judge.check_lead(hand(judge, held), play, known).err()
        }
        None => not_held(held, cards),
    }
}

/// The refusal for a card that is not in the hand.
fn not_held(held: CardSet, cards: CardSet) -> Option<LeadError> {
    let missing = cards.iter().find(|&card| !held.has(card))?;
    Some(LeadError::NotHeld(missing.face()))
}

impl LeadRequest {
    fn table(&self) -> Table<'_> {
        Table {
            seat: self.seat,
            hand: &self.hand,
            played: &self.played,
            voids: self.voids.as_ref(),
            kitty: self.kitty.as_deref(),
        }
    }

    fn multi(
        &self,
        judge: &Judge,
        notation: &Notation,
        cards: CardSet,
        throw: Detection,
    ) -> Option<Multi> {
        let weak = throw.validation?;
        let list = |part| notation.show_part(&mut cards.clone(), judge.faces(part));
        let faces = |part: RankedCards| judge.faces(part).iter().map(CardName::from).collect();
        let void = (1..4).filter(|offset| weak.void[offset - 1]);
        let beatable = weak.beatable.iter();
        Some(Multi {
            void_seats: void.map(|offset| self.seat.after(offset)).collect(),
            beatable: beatable
                .clone()
                .map(|weak| list(weak.combo.cards))
                .collect(),
            components: components(judge, notation, cards),
            beaten_by: beatable.map(|weak| faces(weak.by)).collect(),
        })
    }
}

impl Operation for LeadRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "lead";
    type Answer = LeadAnswer;

    fn answer(&self) -> Result<LeadAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let (held, known) = self.table().read(&judge, &mut notation)?;
        let cards = match notation.try_set(&self.cards)? {
            Ok(cards) => cards,
            Err(reason) => {
                return Ok(LeadAnswer {
                    r#type: "Invalid".to_owned(),
                    valid: false,
                    reason: Some(reason),
                    multi: None,
                });
            }
        };
        let cards = notation.of_hand(held, cards);
        let play = hand(&judge, cards);
        let refusal = refusal(&judge, held, cards, &known);
        let throw = judge.detect(play, Some(&known));
        let word = match judge.lead(play) {
            Ok(_) if throw.is_some() => "Multi",
            Ok(lead) => type_word(lead.kind()),
            Err(_) => "Invalid",
        };
        Ok(LeadAnswer {
            r#type: word.to_owned(),
            valid: refusal.is_none(),
            reason: refusal.map(|refusal| refusal.to_string()),
            multi: throw.and_then(|throw| self.multi(&judge, &notation, cards, throw)),
        })
    }
}

/// Op `throw`: what becomes of a throw against the real hands, whatever `throw_mode` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ThrowRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The leader's hand.
    pub hand: Vec<CardName>,
    /// What is thrown.
    pub cards: Vec<CardName>,
    /// The three other hands in turn order.
    pub others: [Vec<CardName>; 3],
}

/// The answer to `throw`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThrowAnswer {
    /// Whether the throw stands.
    pub ok: bool,
    /// What is really led.
    pub played: Vec<CardName>,
    /// Who stops it: 1 to 3 seats on.
    pub better_seat_offset: Option<usize>,
    /// The components.
    pub units: Vec<Vec<CardName>>,
}

impl Operation for ThrowRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "throw";
    type Answer = ThrowAnswer;

    fn answer(&self) -> Result<ThrowAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let held = notation.set(&self.hand)?;
        let cards = notation.set(&self.cards)?;
        let cards = notation.of_hand(held, cards);
        let illegal = |refusal: LeadError| Error::new(ErrorCode::Illegal, refusal.to_string());
        if let Some(refusal) = not_held(held, cards) {
            return Err(illegal(refusal));
        }
        let mut others = [RankedCards::EMPTY; 3];
        for (other, list) in others.iter_mut().zip(&self.others) {
            *other = hand(&judge, notation.set(list)?);
        }
        let led = read_lead(&judge, cards)?;
        if led.is_throw() && led.group().is_trump() && !judge.rules().allow_trump_throw {
            return Err(illegal(LeadError::TrumpThrow));
        }
        let outcome = judge.challenge(led, others);
        let units = components(&judge, &notation, cards).into_iter();
        Ok(ThrowAnswer {
            ok: outcome.stopper.is_none(),
            played: notation.show_part(&mut cards.clone(), judge.faces(outcome.lead.cards())),
            better_seat_offset: outcome.stopper,
            units: units.map(|(_, cards)| cards).collect(),
        })
    }
}
