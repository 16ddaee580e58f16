//! What lies on the table in a step.

use toml::Spanned;
use tractor::{
    CardSet, Faces, Judge, Knowledge, Lead, LeadError, RankedCards, Rules, Trick, Trump,
};

use crate::course::Source;
use crate::error::LessonError;

/// The trump, the learner's hand, the trick so far and the cards that are gone.
#[derive(Debug, Clone)]
pub struct Table {
    /// The trump.
    pub trump: Trump,
    /// The learner's hand.
    pub hand: CardSet,
    /// The plays of the trick so far, the lead first; the learner is next.
    pub trick: Vec<CardSet>,
    /// Cards played in earlier tricks.
    pub seen: CardSet,
    judge: Judge,
}

impl Table {
    pub(crate) fn read(
        source: &Source<'_>,
        trump: &Spanned<String>,
        hand: Option<&Spanned<String>>,
        trick: &[Spanned<String>],
        seen: Option<&Spanned<String>>,
    ) -> Result<Self, LessonError> {
        let cards = |text: &Spanned<String>| source.parse(text, str::parse::<CardSet>);
        let optional = |text: Option<&Spanned<String>>| text.map(cards).transpose();
        let trump_read: Trump = source.parse(trump, str::parse)?;
        let table = Self {
            trump: trump_read,
            hand: optional(hand)?.unwrap_or(CardSet::EMPTY),
            trick: trick.iter().map(cards).collect::<Result<_, _>>()?,
            seen: optional(seen)?.unwrap_or(CardSet::EMPTY),
            judge: Judge::new(trump_read, Rules::DEFAULT),
        };
        let mut all = table.hand.faces();
        for cards in table.trick.iter().chain([&table.seen]) {
            let together = all.plus(cards.faces());
            all =
                together.ok_or_else(|| source.error(trump.span(), "a card for the third time"))?;
        }
        if let Some(at) = trick.first() {
            let lead = table.lead();
            lead.map_err(|error| source.error(at.span(), error.to_string()))?;
            let odd = |(_, cards): &(_, &CardSet)| cards.len() != table.trick[0].len();
            if let Some((text, _)) = trick.iter().zip(&table.trick).find(odd) {
                return Err(source.error(text.span(), "not as many cards as were led"));
            }
        }
        Ok(table)
    }

    /// The judge of the round.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    pub(super) fn ranked(&self, cards: Faces) -> RankedCards {
        self.judge.ranked(cards)
    }

    /// The lead of the trick.
    pub(super) fn lead(&self) -> Result<Lead, LeadError> {
        let led = self
            .trick
            .first()
            .map_or(Faces::EMPTY, |cards| cards.faces());
        self.judge.lead(self.ranked(led))
    }

    /// The trick so far, where there is one.
    pub(super) fn open_trick(&self) -> Option<Trick> {
        let mut trick = Trick::new(self.lead().ok()?, &self.judge);
        for cards in &self.trick[1..] {
            trick.play(&self.judge, self.ranked(cards.faces()));
        }
        Some(trick)
    }

    /// What the learner has not seen.
    pub(super) fn knowledge(&self) -> Knowledge {
        let mut known = Knowledge::at_start(&self.judge, self.ranked(self.hand.faces()));
        let seen = self.ranked(self.seen.faces());
        known.unseen = known.unseen.less(seen).unwrap_or(known.unseen);
        known
    }
}
