//! An attempt at a puzzle.

use cotulenh::{Move, Position};

use super::{Puzzle, Step, after, is_mated};

/// What a turn of the solver came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It does not solve the puzzle; the position has not changed.
    Wrong,
    /// It is right, and the other side has answered.
    GoesOn,
    /// It is right, and the line is at its end.
    Solved,
}

/// An attempt at a puzzle: how far along the line the solver has come.
///
/// A turn that is as good as the one of the line is right too; the line goes on with its own.
///
/// ```
/// use convoy_puzzles::board::{self, Answer, Attempt};
/// let puzzles = board::read(board::COLLECTION)?;
/// let puzzle = &puzzles[0];
/// let mut attempt = Attempt::new(puzzle);
/// assert_eq!(attempt.play(&[]), Answer::Wrong);
/// assert_eq!(attempt.position(), &puzzle.position);
/// # Ok::<_, convoy_puzzles::ReadPuzzlesError<board::ParsePuzzleError>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Attempt<'a> {
    puzzle: &'a Puzzle,
    position: Position,
    done: usize,
}

impl<'a> Attempt<'a> {
    /// An attempt at its beginning.
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self {
            puzzle,
            position: puzzle.position.clone(),
            done: 0,
        }
    }

    /// The position with the solver to move, or the last one.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What is asked for now; `None` if it is solved.
    pub fn step(&self) -> Option<&'a Step> {
        self.puzzle.steps.get(self.done)
    }

    /// Whether the line is at its end.
    pub fn is_solved(&self) -> bool {
        self.step().is_none()
    }

    /// Plays a whole turn of the solver, and the answer to it.
    pub fn play(&mut self, turn: &[Move]) -> Answer {
        let Some(step) = self.step() else {
            return Answer::Wrong;
        };
        let Some(played) = after(&self.position, turn) else {
            return Answer::Wrong;
        };
        let results = step.turns.iter();
        // Turns are the same if their results are.
        let listed = results
            .filter_map(|turn| after(&self.position, turn))
            .any(|result| result == played);
        // Where the line ends in a mate any mate will do.
        let mates = step.reply.is_none() && self.puzzle.mate().is_some() && is_mated(&played);
        if !listed && !mates {
            return Answer::Wrong;
        }
        self.done += 1;
        let Some(reply) = step.reply else {
            self.position = played;
            return Answer::Solved;
        };
        let main = step
            .turns
            .first()
            .and_then(|turn| after(&self.position, turn));
        let next = main.and_then(|main| after(&main, &reply));
        self.position = next.unwrap_or(played);
        Answer::GoesOn
    }
}
