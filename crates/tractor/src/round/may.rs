//! Whether a seat may do what needs no cards: asked for every viewer after every event, so nothing is
//! tried out.

use super::{Phase, Playing, Round, RoundError};
use crate::deal::Deck;
use crate::seat::Seat;

impl Round {
    /// Whether a seat may pass now, in the window for declaring or for theft.
    ///
    /// ```
    /// use tractor::{Deck, Event, Round, Rules, Seat, Seed, Setup};
    /// let deck = Deck::of(&Seed::from_number(7), 1);
    /// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    /// assert!(!round.may_pass(Seat::ALL[2]));
    /// round.apply(Event::Deal { count: 100 })?;
    /// assert!(round.may_pass(Seat::ALL[2]));
    /// # Ok::<_, tractor::RoundError>(())
    /// ```
    pub fn may_pass(&self, seat: Seat) -> bool {
        self.check_pass(Some(seat)).is_ok()
    }

    /// Whether a seat may take its declaration back.
    pub fn may_retract(&self, seat: Seat) -> bool {
        self.check_retract(seat).is_ok()
    }

    /// Whether a seat may take its last play back.
    pub fn may_take_back(&self, seat: Seat) -> bool {
        self.check_take_back(seat).is_ok()
    }

    /// Whether the round may be ended early, by anyone.
    pub fn may_end_early(&self) -> bool {
        self.check_end_early().is_ok()
    }

    pub(super) fn check_pass(&self, seat: Option<Seat>) -> Result<(), RoundError> {
        let passed = match &self.phase {
            Phase::Dealing(dealing) if dealing.dealt == Deck::DEALT => dealing.passed,
            Phase::Dealing(_) => return Err(RoundError::StillDealing),
            Phase::Stealing(stealing) => stealing.passed,
            _ => return Err(RoundError::DeclaringOver),
        };
        match seat {
            Some(seat) if passed[seat.index()] => Err(RoundError::HasPassed),
            _ => Ok(()),
        }
    }

    pub(super) fn check_retract(&self, seat: Seat) -> Result<(), RoundError> {
        if !self.setup.rules.take_back {
            return Err(RoundError::Off("take_back"));
        }
        if !matches!(self.phase, Phase::Dealing(_)) {
            return Err(RoundError::DeclaringOver);
        }
        match self.declarations.last() {
            Some(last) if last.seat == seat => Ok(()),
            _ => Err(RoundError::NothingToTakeBack),
        }
    }

    pub(super) fn check_take_back(&self, seat: Seat) -> Result<(), RoundError> {
        if !self.setup.rules.take_back {
            return Err(RoundError::Off("take_back"));
        }
        let Phase::Playing(playing) = &self.phase else {
            return Err(RoundError::NotPlaying);
        };
        // A failed throw has been seen by all: it stays.
        let stays = playing.plays.len() == 1 && playing.failed.is_some();
        if playing.turn() != seat.next() || playing.plays.is_empty() || stays {
            return Err(RoundError::NothingToTakeBack);
        }
        Ok(())
    }

    /// The play that would be ended.
    pub(super) fn check_end_early(&self) -> Result<&Playing, RoundError> {
        let Phase::Playing(playing) = &self.phase else {
            return Err(RoundError::NotPlaying);
        };
        if !self.setup.rules.end_early {
            return Err(RoundError::Off("end_early"));
        }
        if !playing.plays.is_empty() {
            return Err(RoundError::TrickOpen);
        }
        if !self.is_decided() {
            return Err(RoundError::Undecided);
        }
        Ok(playing)
    }
}
