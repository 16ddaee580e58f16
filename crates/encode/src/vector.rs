//! Many games stepped in one call, written into buffers of the caller's.
//!
//! A batch steps all its games with one action each. A game that ends is started anew at once: its rewards and its `done` are those of
//! the game that ended, everything else is already the new game's. All actions are checked before any game moves. The games are split
//! among threads that live no longer than the call, so a process may fork between two calls.

mod cotulenh;
mod tractor;

use std::error::Error;
use std::fmt;
use std::thread;

pub use self::cotulenh::{CotulenhBatch, CotulenhBuffers};
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

/// The number of threads to use: `threads`, or all cores for 0.
fn threads_or_all(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        given => given,
    }
}

/// Checks one action for each game.
fn check<G>(
    games: &[G],
    actions: &[i32],
    mut judge: impl FnMut(&G, i32) -> Result<(), IllegalAction>,
) -> Result<(), StepError> {
    if actions.len() != games.len() {
        return Err(StepError::Count {
            given: actions.len(),
            games: games.len(),
        });
    }
    for (game, (env, action)) in games.iter().zip(actions).enumerate() {
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

/// Runs each job on a thread of its own, the first on this one.
fn run_all<J: Send>(jobs: Vec<J>, run: impl Fn(J) + Sync) {
    let run = &run;
    let mut jobs = jobs.into_iter();
    let first = jobs.next();
    thread::scope(|scope| {
        for job in jobs {
            scope.spawn(move || run(job));
        }
        if let Some(job) = first {
            run(job);
        }
    });
}
