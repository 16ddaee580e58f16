//! What a round begins with.

use crate::level::Level;
use crate::rules::Rules;
use crate::score::Start;
use crate::seat::{Seat, Team};
use crate::trump::Trump;

/// What a round begins with, besides its cards.
///
/// ```
/// use tractor::{Level, Rules, Setup};
/// let setup = Setup::first(Rules::DEFAULT);
/// assert_eq!((setup.number, setup.level()), (1, Level::TWO));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Setup {
    /// The house rules.
    pub rules: Rules,
    /// The number of the round, from 1.
    pub number: u32,
    /// Starter, roles and levels.
    pub start: Start,
    /// A trump that the table sets whatever is declared, for studies and replays.
    pub trump: Option<Trump>,
}

impl Setup {
    /// The first round of a game (Rule 2.1.2).
    pub const fn first(rules: Rules) -> Self {
        Self {
            rules,
            number: 1,
            start: Start {
                starter: Seat::ALL[0],
                defending: Team::A,
                levels: [Level::TWO; 2],
            },
            trump: None,
        }
    }

    /// The level that is played (Rule 2.3.3).
    pub const fn level(&self) -> Level {
        self.start.levels[self.start.defending.index()]
    }
}
