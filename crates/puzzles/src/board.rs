//! Puzzles of Cờ Tư Lệnh.

mod attempt;
mod evaluation;
mod text;
mod theme;

use cotulenh::{Move, Position, TurnMoves};

pub use attempt::{Answer, Attempt};
pub use evaluation::{Evaluation, ParseEvaluationError};
pub use text::ParsePuzzleError;
pub use theme::{ParseThemeError, Theme, is_mated, is_shut_in, themes};

use crate::read::{Difficulty, ReadPuzzlesError, read_lines};

/// The collection.
pub const COLLECTION: &str = include_str!("../data/cotulenh.txt");

/// Reads a file of puzzles.
///
/// ```
/// use convoy_puzzles::board;
/// assert!(!board::read(board::COLLECTION)?.is_empty());
/// # Ok::<_, convoy_puzzles::ReadPuzzlesError<board::ParsePuzzleError>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Puzzle>, ReadPuzzlesError<ParsePuzzleError>> {
    read_lines(text)
}

/// Where a position comes from.
///
/// ```
/// use convoy_puzzles::board::Source;
/// assert_eq!(Source::Game.word(), "game");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A game of the engine against itself.
    Game,
    /// A random position of few pieces.
    Composed,
}

impl Source {
    /// Its word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Composed => "composed",
        }
    }
}

/// One turn of the solver and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The turns that solve it; the line goes on with the first.
    pub turns: Vec<TurnMoves>,
    /// The best defence against the first turn; `None` at the end of the line.
    pub reply: Option<TurnMoves>,
}

/// A puzzle: find the best turn, then those after it. The side to move solves it.
///
/// Its `Display` and `FromStr` are the line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// Where the position comes from.
    pub source: Source,
    /// The position.
    pub position: Position,
    /// The whole line.
    pub steps: Vec<Step>,
    /// What the best turn is worth.
    pub best: Evaluation,
    /// What any other first turn is worth; `None` where a mate is proven and others do not matter.
    pub second: Option<Evaluation>,
    /// How many nodes a search takes to find the first turn and to keep it.
    pub nodes: u64,
    /// What it is about.
    pub themes: Vec<Theme>,
}

impl Puzzle {
    /// From this many nodes on a puzzle is of medium difficulty, or hard.
    pub const MEDIUM: u64 = 400;
    /// From this many nodes on a puzzle is hard.
    pub const HARD: u64 = 6_000;

    /// Its id, which depends on the position alone.
    pub fn id(&self) -> String {
        crate::id_of(&self.position.to_string())
    }

    /// How hard it is.
    pub const fn difficulty(&self) -> Difficulty {
        if self.nodes < Self::MEDIUM {
            Difficulty::Easy
        } else if self.nodes < Self::HARD {
            Difficulty::Medium
        } else {
            Difficulty::Hard
        }
    }

    /// The number of turns of the proven mate that it asks for.
    pub fn mate(&self) -> Option<u32> {
        match (self.best, self.second) {
            (Evaluation::Mate(turns), None) => u32::try_from(turns).ok(),
            _ => None,
        }
    }
}

/// The position after a whole legal turn, or `None` if the moves are not one.
///
/// ```
/// use cotulenh::Position;
/// let start = Position::start();
/// let turn = start.read("Ic6")?;
/// assert!(convoy_puzzles::board::after(&start, &turn).is_some());
/// # Ok::<_, cotulenh::ReadError>(())
/// ```
pub fn after(position: &Position, turn: &[Move]) -> Option<Position> {
    let mut at = position.clone();
    for mv in turn {
        if at.turn() != position.turn() {
            return None;
        }
        at = at.play(*mv).ok()?;
    }
    (at.turn() != position.turn()).then_some(at)
}
