//! Tricks, and the end of a round.

use std::error::Error;
use std::fmt;

use tractor::{
    Faces, FollowError, KittyBonus, LeadError, Rank, RankedCards, RoundEnd, RoundResult, Seat,
    Stage, ThrowMode, Trick,
};

use super::env::Env;

/// Why cards were not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayError {
    /// No trick is being played.
    NotPlaying,
    /// They may not be led.
    Lead(LeadError),
    /// They do not follow as they must.
    Follow(FollowError),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPlaying => f.write_str("no trick is being played"),
            Self::Lead(why) => why.fmt(f),
            Self::Follow(why) => why.fmt(f),
        }
    }
}

impl Error for PlayError {}

impl Env {
    /// Plays cards that need not be among the candidates, which leave some follows out (see [`CANDIDATES`](super::CANDIDATES)): for
    /// players that choose from all legal plays. Refuses what is not legal and changes nothing then.
    ///
    /// ```
    /// use convoy_encode::tractor::{Env, Options, PlayError};
    ///
    /// let mut env = Env::new(Options::default(), 7);
    /// assert_eq!(env.play_cards("AS".parse()?), Err(PlayError::NotPlaying)); // cards are being declared
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_cards(&mut self, faces: Faces) -> Result<Option<RoundResult>, PlayError> {
        if self.stage != Stage::Playing {
            return Err(PlayError::NotPlaying);
        }
        let (cards, hand) = (self.judge.ranked(faces), self.hands[self.asked.index()]);
        if let Some(trick) = &self.trick {
            let duty = self.judge.duty(trick.lead(), hand);
            duty.check(cards).map_err(PlayError::Follow)?;
        } else {
            let lead = self.judge.check_lead(hand, cards, &self.known());
            lead.map_err(PlayError::Lead)?;
        }
        self.play(cards);
        self.list();
        Ok(self.result)
    }

    /// A play that was found legal.
    pub(super) fn play(&mut self, cards: RankedCards) {
        self.laid = RankedCards::EMPTY;
        let seat = self.asked;
        let Some(mut trick) = self.trick else {
            return self.lead(seat, cards);
        };
        self.memory
            .note_follow(&self.judge, trick.lead(), seat, cards);
        trick.play(&self.judge, cards);
        self.put(seat, cards);
        self.trick = Some(trick);
        self.asked = seat.next();
        if trick.played() == 4 {
            self.end_trick(&trick);
        }
    }

    fn lead(&mut self, seat: Seat, cards: RankedCards) {
        let Ok(mut lead) = self.judge.lead(cards) else {
            return;
        };
        if self.options.rules.throw_mode == ThrowMode::Challenge && lead.is_throw() {
            let others = [1, 2, 3].map(|steps| self.hands[seat.after(steps).index()]);
            let outcome = self.judge.challenge(lead, others);
            if outcome.stopper.is_some() {
                let penalty = i32::from(self.options.rules.throw_penalty);
                let defends = seat.team() == self.defending();
                self.penalty += if defends { penalty } else { -penalty };
                // What was shown is known until it is played; what is led at once leaves it below.
                self.exposed[seat.index()] = most(self.exposed[seat.index()], cards);
            }
            lead = outcome.lead;
        }
        self.memory.note_lead(&self.judge, &lead, seat);
        self.trick = Some(Trick::new(lead, &self.judge));
        self.put(seat, lead.cards());
        self.asked = seat.next();
    }

    /// Moves cards from a hand to the table.
    fn put(&mut self, seat: Seat, cards: RankedCards) {
        let at = seat.index();
        self.hands[at] = self.hands[at].less_unchecked(cards);
        self.played[at] = self.played[at].plus_unchecked(cards);
        self.plays[at] = cards;
        self.exposed[at] = without(self.exposed[at], cards);
    }

    fn end_trick(&mut self, trick: &Trick) {
        let winner = self.leader.after(trick.winner());
        let points = self
            .plays
            .iter()
            .map(|play| self.judge.points(*play))
            .sum::<u32>();
        self.taken[winner.team().index()] += points;
        self.leader = winner;
        self.trick = None;
        self.plays = [RankedCards::EMPTY; 4];
        if self.hands[0].is_empty() {
            self.finish(winner, trick);
        } else {
            self.asked = winner;
        }
    }

    fn finish(&mut self, winner: Seat, trick: &Trick) {
        let judge = &self.judge;
        let attacked = winner.team() != self.defending();
        let bonus = attacked
            .then(|| KittyBonus::of(judge, trick.lead().cards(), judge.faces(self.kitty)))
            .flatten();
        let mut winning = trick.best().slots();
        let jack = winning.next().and_then(|slot| judge.face(slot).rank()) == Some(Rank::Jack);
        let end = RoundEnd {
            starter: self.starter(),
            defending: self.defending(),
            levels: self.setup.start.levels,
            points: self.attackers() + bonus.map_or(0, |bonus| bonus.total()),
            lone_jack: attacked && jack && winning.next().is_none(),
        };
        self.result = Some(end.result(&self.options.rules));
        self.stage = Stage::Over;
    }

    /// The attackers' points so far, without a bonus.
    pub(super) fn attackers(&self) -> i32 {
        self.taken[self.defending().other().index()].cast_signed() + self.penalty
    }
}

/// The larger number of each face.
fn most(one: RankedCards, other: RankedCards) -> RankedCards {
    let pair = one.pair() | other.pair();
    RankedCards::from_planes(one.any() | other.any(), pair).unwrap_or(one)
}

/// What is left of `cards` when `gone` is taken away as far as it is there.
fn without(cards: RankedCards, gone: RankedCards) -> RankedCards {
    let any = cards.any() & !gone.any() | cards.pair() & !gone.pair();
    RankedCards::from_planes(any, cards.pair() & !gone.any()).unwrap_or(cards)
}
