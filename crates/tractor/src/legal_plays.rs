//! Legal plays as one bounded answer: how many there are, and the first so many of them.

use alloc::vec::Vec;

use crate::card_set::{CardSet, Faces};
use crate::judge::Judge;
use crate::lead::Lead;
use crate::ranked_cards::RankedCards;
use crate::round::RoundError;
use crate::throw::Knowledge;
use crate::view::{Stage, View};

/// The legal plays of a turn: all are counted, the first so many are listed. [`View::legal_plays`] and
/// [`Judge::legal_plays`] make one.
///
/// ```
/// # use tractor::{Judge, Knowledge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let hand = judge.ranked("7H 7H 8H 8H 9C".parse()?);
/// let lead = judge.lead(judge.ranked("3H 3H".parse()?))?;
/// let known = Knowledge::at_start(&judge, hand);
/// let follows = judge.legal_plays(hand, Some(&lead), &known, 100);
/// assert_eq!((follows.count, follows.is_complete()), (2, true));
/// assert_eq!(follows.plays[0].to_string(), "7H 7H");
/// let leads = judge.legal_plays(hand, None, &known, 1);
/// assert_eq!((leads.count, leads.plays.len()), (6, 1));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct LegalPlays<T = Faces> {
    /// How many legal plays there are; two copies of a face count as one.
    pub count: u64,
    /// The first of them, at most as many as were asked for.
    pub plays: Vec<T>,
}

impl<T> LegalPlays<T> {
    /// Whether every legal play is listed.
    pub fn is_complete(&self) -> bool {
        self.plays.len() as u64 == self.count
    }
}

impl Judge {
    /// The legal plays of `hand`: follows to `lead`, or leads where there is none (Rules 3.2, 3.3). At most `limit` of
    /// them are listed; nothing is listed to be counted.
    ///
    /// [`Judge::leads`] and [`Duty::plays`](crate::Duty::plays) are the iterators behind it.
    pub fn legal_plays(
        &self,
        hand: RankedCards,
        lead: Option<&Lead>,
        known: &Knowledge,
        limit: usize,
    ) -> LegalPlays {
        let faces = |play| self.faces(play);
        match lead {
            Some(lead) => {
                let duty = self.duty(lead, hand);
                LegalPlays {
                    count: duty.count(),
                    plays: duty.plays().take(limit).map(faces).collect(),
                }
            }
            None => LegalPlays {
                count: self.count_leads(hand, known),
                plays: self.leads(hand, known).take(limit).map(faces).collect(),
            },
        }
    }
}

impl View {
    /// The viewer's legal plays, as cards of its hand; an error where it is not its turn to play. At most `limit` of
    /// them are listed, and `limit = 0` only counts.
    ///
    /// ```
    /// # use tractor::{Deck, Event, Round, RoundError, Rules, Seed, Setup, View};
    /// # let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
    /// # round.apply(Event::Deal { count: 100 })?;
    /// # round.apply(Event::Close)?;
    /// # let starter = round.starter();
    /// # let cards = round.hand(starter).iter().take(8).collect();
    /// # round.apply(Event::Bury { seat: starter, cards })?;
    /// let view = View::of(&round, Some(starter));
    /// let legal = view.legal_plays(10)?;
    /// assert_eq!(legal.plays.len(), 10);
    /// assert!(legal.plays.iter().all(|&cards| view.check(cards).is_ok()));
    /// assert!(View::of(&round, Some(starter.next())).legal_plays(10).is_err());
    /// # Ok::<_, RoundError>(())
    /// ```
    pub fn legal_plays(&self, limit: usize) -> Result<LegalPlays<CardSet>, RoundError> {
        let turn = match (self.stage, self.turn) {
            (Stage::Playing, Some(turn)) => turn,
            (Stage::Over, _) => return Err(RoundError::Over),
            _ => return Err(RoundError::NotPlaying),
        };
        let judge = self.judge();
        let known = self
            .knowledge(&judge)
            .filter(|_| self.viewer == Some(turn))
            .ok_or(RoundError::OutOfTurn { turn })?;
        let hand = judge.ranked(self.hand.faces());
        let legal = judge.legal_plays(hand, self.lead(&judge).as_ref(), &known, limit);
        let cards = |faces| self.hand.pick(faces);
        Ok(LegalPlays {
            count: legal.count,
            plays: legal.plays.into_iter().filter_map(cards).collect(),
        })
    }
}
