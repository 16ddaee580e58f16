//! Steps on the board of Cờ Tư Lệnh: the goal, and what an attempt at it is worth.

mod goal;
mod obstacle;

use cotulenh::{Move, Position, ReadError, Square};
use toml::Spanned;

use crate::course::{Note, RawNote, Source};
use crate::error::LessonError;

pub(crate) use goal::RawGoal;
pub use goal::{BoardMiss, By, Goal, Placed, Threat};
pub use obstacle::Obstacle;

/// More steps than any turn has.
const MOST_STEPS: usize = 8;

/// A position and what to do in it. The side to move is the learner's; the other side passes.
#[derive(Debug, Clone)]
pub struct BoardTask {
    position: Position,
    turns: usize,
    goal: Goal,
    solution: Vec<String>,
    notes: Vec<Note<WrongTry>>,
}

/// What a note speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrongTry {
    /// The position after a legal turn, by its key.
    Turn(u64),
    /// A move that the rules forbid.
    Illegal(Square, Square),
}

/// What turns lead to.
#[derive(Debug, Clone)]
pub struct Attempt<'a> {
    /// Whether the goal is reached.
    pub verdict: Verdict,
    /// The position: after the last turn, or with the learner to move again.
    pub position: Position,
    /// What the author says to the last turn.
    pub note: Option<&'a crate::Words>,
}

/// Whether an attempt has reached the goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It has.
    Done,
    /// Not yet, and there are turns left.
    GoOn,
    /// It cannot any more.
    Wrong(BoardMiss),
}

impl BoardTask {
    pub(crate) fn read(
        source: &Source<'_>,
        fen: &Spanned<String>,
        turns: usize,
        goal: &Spanned<RawGoal>,
        solution: &Spanned<Vec<String>>,
    ) -> Result<Self, LessonError> {
        let position: Position = source.parse(fen, str::parse)?;
        if let Some(outcome) = position.outcome() {
            let message = format!("the game is over here: {}", outcome.reason);
            return Err(source.error(fen.span(), message));
        }
        let task = Self {
            goal: Goal::read(source, goal, &position)?,
            position,
            turns: turns.max(1),
            solution: solution.get_ref().clone(),
            notes: Vec::new(),
        };
        let turns: Vec<Vec<&str>> = task.solution.iter().map(|turn| vec![&**turn]).collect();
        let attempt = task.judge(&turns);
        let attempt = attempt.map_err(|error| {
            let message = format!("{:?}: {error}", task.solution);
            source.error(solution.span(), message)
        })?;
        match attempt.verdict {
            Verdict::Done => Ok(task),
            Verdict::GoOn => Err(source.error(solution.span(), "the solution stops too early")),
            Verdict::Wrong(miss) => {
                let message = format!("the solution misses the goal: {miss:?}");
                Err(source.error(solution.span(), message))
            }
        }
    }

    pub(crate) fn with_notes(
        mut self,
        source: &Source<'_>,
        notes: &[RawNote],
    ) -> Result<Self, LessonError> {
        for note in notes {
            let answer = self.wrong_try(note.answer.get_ref());
            let answer = answer.map_err(|message| {
                let text = note.answer.get_ref();
                source.error(note.answer.span(), format!("{text:?}: {message}"))
            })?;
            self.notes.push(Note {
                answer,
                words: note.words(),
            });
        }
        Ok(self)
    }

    /// A note is for a first turn that misses the goal, or for two squares between which there is no move.
    fn wrong_try(&self, text: &str) -> Result<WrongTry, String> {
        if let Some((from, to)) = squares(text) {
            return match self.obstacle(from, to) {
                Some(_) => Ok(WrongTry::Illegal(from, to)),
                None => Err("this move is legal".to_owned()),
            };
        }
        let attempt = self
            .judge(&[vec![text]])
            .map_err(|error| error.to_string())?;
        match attempt.verdict {
            Verdict::Done => Err("this turn reaches the goal".to_owned()),
            _ => Ok(WrongTry::Turn(attempt.position.key())),
        }
    }

    /// The position at the beginning.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many turns the learner has.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// What to reach.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Turns that reach the goal.
    pub fn solution(&self) -> &[String] {
        &self.solution
    }

    /// What the learner's turns so far are worth. Each turn is one text, or one for each of its steps.
    pub fn judge(&self, turns: &[Vec<&str>]) -> Result<Attempt<'_>, ReadError> {
        let mut position = self.position.clone();
        let mut verdict = Verdict::GoOn;
        let mut note = None;
        for (index, texts) in turns.iter().take(self.turns).enumerate() {
            let moves = read_turn(&mut position, texts)?;
            verdict = match self.goal.check(&self.position, &moves, &position) {
                Ok(()) => Verdict::Done,
                Err(miss) if index + 1 == self.turns || position.in_check() => Verdict::Wrong(miss),
                Err(_) => Verdict::GoOn,
            };
            if verdict == Verdict::GoOn {
                position.pass_unchecked();
            }
            note = self.note(&WrongTry::Turn(position.key()));
            if verdict != Verdict::GoOn {
                break;
            }
        }
        Ok(Attempt {
            note: note.filter(|_| verdict != Verdict::Done),
            verdict,
            position,
        })
    }

    /// Why there is no move from one square to another at the beginning, and what the author says to it; nothing
    /// where there is one.
    pub fn obstacle(&self, from: Square, to: Square) -> Option<Obstacle> {
        Obstacle::between(&self.position, from, to)
    }

    /// What the author says to a move that the rules forbid.
    pub fn obstacle_note(&self, from: Square, to: Square) -> Option<&crate::Words> {
        self.note(&WrongTry::Illegal(from, to))
    }

    /// How many wrong answers have a note.
    pub fn notes(&self) -> usize {
        self.notes.len()
    }

    fn note(&self, tried: &WrongTry) -> Option<&crate::Words> {
        let mut notes = self.notes.iter();
        let note = notes.find(|note| note.answer == *tried);
        note.map(|note| &note.words)
    }
}

/// Plays the one whole turn of these texts.
fn read_turn(position: &mut Position, texts: &[&str]) -> Result<Vec<Move>, ReadError> {
    let mut moves = Vec::new();
    let mut after = position.clone();
    for text in texts.iter().take(MOST_STEPS) {
        for mv in after.read(text)?.iter() {
            after.play_unchecked(*mv);
            moves.push(*mv);
        }
        if after.deploy().is_none() {
            break;
        }
    }
    if moves.is_empty() || after.deploy().is_some() {
        return Err(ReadError::Illegal(None));
    }
    *position = after;
    Ok(moves)
}

/// Two squares written one after the other.
fn squares(text: &str) -> Option<(Square, Square)> {
    let at = text.get(1..)?.find(|c: char| c.is_ascii_lowercase())? + 1;
    let (from, to) = text.split_at_checked(at)?;
    Some((from.parse().ok()?, to.parse().ok()?))
}
