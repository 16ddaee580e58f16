//! Many games stepped in one call, written into buffers of the caller's.
//!
//! A batch steps all its games with one action each. A game that ends is started anew at once: its rewards and its `done` are those of
//! the game that ended, everything else is already the new game's. All actions are checked before any game moves. The games are shared
//! out among the threads of a [`Crew`]; unless another is brought, these live no longer than the call, so a process may fork between two
//! calls. What is written does not depend on the threads.

mod cotulenh;
mod crew;
mod tractor;

use std::error::Error;
use std::fmt;
use std::sync::Mutex;

use ::cotulenh::SplitMix64;

pub use self::cotulenh::{CotulenhBatch, CotulenhBuffers};
pub use self::crew::{Crew, Scoped};
use self::crew::{Plan, run_all};
pub use self::tractor::{TractorBatch, TractorBuffers};
use crate::IllegalAction;

/// Why a batch was not stepped; no game has moved.
///
/// ```
/// use convoy_encode::vector::{CotulenhBatch, StepError};
/// let batch = CotulenhBatch::new(2, 1);
/// let wrong = batch.check(&[0]).unwrap_err();
/// assert_eq!(wrong, StepError::Count { given: 1, games: 2 });
/// assert_eq!(batch.check(&[-1, 0]).unwrap_err().to_string(),
///     "game 0: action -1 is not legal here; 116 others are");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepError {
    /// There is not one action for each game.
    Count {
        /// How many were given.
        given: usize,
        /// How many games there are.
        games: usize,
    },
    /// An action is not legal.
    Illegal {
        /// In which game.
        game: usize,
        /// Which.
        reason: IllegalAction,
    },
    /// A buffer has the wrong length.
    Buffer {
        /// Which.
        name: &'static str,
        /// Its length.
        given: usize,
        /// What it should be.
        needed: usize,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { given, games } => {
                write!(f, "{given} actions were given for {games} games")
            }
            Self::Illegal { game, reason } => write!(f, "game {game}: {reason}"),
            Self::Buffer {
                name,
                given,
                needed,
            } => {
                write!(
                    f,
                    "the buffer `{name}` has {given} entries and needs {needed}"
                )
            }
        }
    }
}

impl Error for StepError {}

impl StepError {
    /// The game that is to blame, where it is one.
    const fn game(&self) -> usize {
        match self {
            Self::Illegal { game, .. } => *game,
            _ => 0,
        }
    }
}

/// What is done with the games of a part of a batch.
enum Act<'a> {
    /// They are only looked at.
    Observe,
    /// They are started anew.
    Reset,
    /// These actions are carried out, one a game.
    Take(&'a [i32]),
    /// Actions are drawn with a seed, carried out and written down, one a game.
    Draw(u64, &'a mut [i32]),
}

impl<'a> Act<'a> {
    /// What is to be done with the next so many games.
    fn split_off(&mut self, games: usize) -> Act<'a> {
        match self {
            Act::Observe => Act::Observe,
            Act::Reset => Act::Reset,
            Act::Take(actions) => Act::Take(actions.split_off(..games).unwrap_or_default()),
            Act::Draw(seed, actions) => {
                Act::Draw(*seed, actions.split_off_mut(..games).unwrap_or_default())
            }
        }
    }
}

/// A number below `limit` for a game by a seed: threads need not wait for each other's draws.
#[allow(
    clippy::cast_possible_truncation,
    reason = "below a limit that is a usize"
)]
fn draw(seed: u64, game: usize, limit: usize) -> usize {
    let number = SplitMix64::nth(seed, game as u64);
    number
        .checked_rem(limit as u64)
        .map_or(0, |rest| rest as usize)
}

/// Draws one action for each game; `pick` answers a game's action, also by its number.
fn sample<G: Sync>(
    crew: &dyn Crew,
    plan: &Plan,
    games: &[G],
    mut actions: &mut [i32],
    pick: impl Fn(usize, &G) -> i32 + Sync,
) -> Result<(), StepError> {
    fits("actions", actions.len(), games.len())?;
    let jobs: Vec<_> = plan
        .parts()
        .map(|(first, len)| {
            let actions = actions.split_off_mut(..len).unwrap_or_default();
            Mutex::new(Some((first, actions)))
        })
        .collect();
    run_all(
        crew,
        plan,
        &jobs,
        |(first, actions): (usize, &mut [i32])| {
            for (number, action) in (first..).zip(actions) {
                *action = pick(number, &games[number]);
            }
        },
    );
    Ok(())
}

/// Checks the number of actions.
const fn one_each(given: usize, games: usize) -> Result<(), StepError> {
    if given == games {
        Ok(())
    } else {
        Err(StepError::Count { given, games })
    }
}

/// Checks one action for each game; `first` is the number of the first one.
fn check<G>(
    first: usize,
    games: &[G],
    actions: &[i32],
    mut judge: impl FnMut(&G, i32) -> Result<(), IllegalAction>,
) -> Result<(), StepError> {
    for (game, (env, action)) in games.iter().zip(actions).enumerate() {
        let game = first + game;
        judge(env, *action).map_err(|reason| StepError::Illegal { game, reason })?;
    }
    Ok(())
}

/// Checks the length of a buffer.
const fn fits(name: &'static str, given: usize, needed: usize) -> Result<(), StepError> {
    if given == needed {
        Ok(())
    } else {
        Err(StepError::Buffer {
            name,
            given,
            needed,
        })
    }
}
