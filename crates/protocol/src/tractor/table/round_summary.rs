//! Rounds that are over, in short.

use serde::Serialize;
use tractor::{Level, Phase, Round, RoundResult, Setup, Team};

/// What came of a round.
///
/// ```
/// use convoy_protocol::tractor::table::RoundSummary;
/// use tractor::{Deck, Round, Rules, Seed, Setup};
/// let round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// assert!(RoundSummary::of(&round).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundSummary {
    /// The number of the round, from 1.
    pub number: u32,
    /// The levels of A and B when it began.
    pub levels: [Level; 2],
    /// Who defended.
    pub defending: Team,
    /// Who won it.
    pub winner: Team,
    /// The attackers' points.
    pub points: i32,
    /// The levels that the winners gained.
    pub rise: u8,
    /// The levels of A and B in the next round, if there is one.
    pub next: Option<[Level; 2]>,
}

impl RoundSummary {
    /// The summary of a round from what is known of it.
    pub fn new(setup: &Setup, defending: Team, result: &RoundResult) -> Self {
        Self {
            number: setup.number,
            levels: setup.start.levels,
            defending,
            winner: result.winner,
            points: result.points,
            rise: result.rise,
            next: result.next.map(|next| next.levels),
        }
    }

    /// The summary of a round, if it is over.
    pub fn of(round: &Round) -> Option<Self> {
        match round.phase() {
            Phase::Over(over) => Some(Self::new(round.setup(), round.defending(), &over.result)),
            _ => None,
        }
    }
}
