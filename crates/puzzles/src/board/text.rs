//! The line of a puzzle.
//!
//! `id;source;FEN;line;best/second;nodes;themes`: the line of play has spaces between turns, `|`
//! between turns that solve it alike, and turns in LAN.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use cotulenh::{ParseFenError, Position, ReadError, TurnMoves};

use super::{Puzzle, Source, Step, Theme, after};

/// Why a line is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsePuzzleError {
    /// It has another number of fields than seven.
    Fields(usize),
    /// The id is not that of the position.
    Id,
    /// The source is neither `game` nor `composed`.
    Source,
    /// The position does not read.
    Position(ParseFenError),
    /// A turn of the line does not read.
    Turn(String, ReadError),
    /// The moves are a part of a turn.
    Unfinished(String),
    /// A turn of the line is named twice, or an answer has alternatives.
    Alternatives(String),
    /// The line does not end with a turn of the solver.
    Ends,
    /// An evaluation does not read.
    Evaluation,
    /// The number of nodes does not read.
    Nodes,
    /// There is no such theme.
    Theme(String),
}

impl fmt::Display for ParsePuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(count) => write!(f, "there are {count} fields, not 7"),
            Self::Id => f.write_str("the id is not that of the position"),
            Self::Source => f.write_str("a source is game or composed"),
            Self::Position(error) => write!(f, "the position: {error}"),
            Self::Turn(text, error) => write!(f, "the turn {text}: {error}"),
            Self::Unfinished(text) => write!(f, "{text} is not a whole turn"),
            Self::Alternatives(text) => {
                write!(f, "{text} names a turn twice, or several answers")
            }
            Self::Ends => f.write_str("the line does not end with a turn of the solver"),
            Self::Evaluation => {
                f.write_str("the evaluations are numbers, or # and a number of turns")
            }
            Self::Nodes => f.write_str("the number of nodes is no number"),
            Self::Theme(word) => write!(f, "there is no theme {word:?}"),
        }
    }
}

impl Error for ParsePuzzleError {}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{};{};", self.id(), self.source.word(), self.position)?;
        let mut at = self.position.clone();
        for (number, step) in self.steps.iter().enumerate() {
            for (place, turn) in step.turns.iter().enumerate() {
                let separator = match (number, place) {
                    (0, 0) => "",
                    (_, 0) => " ",
                    _ => "|",
                };
                write!(f, "{separator}{}", at.turn_lan(turn))?;
            }
            let next = step.turns.first().and_then(|turn| after(&at, turn));
            if let (Some(next), Some(reply)) = (next, step.reply) {
                write!(f, " {}", next.turn_lan(&reply))?;
                at = after(&next, &reply).unwrap_or(next);
            }
        }
        write!(f, ";{}", self.best)?;
        if let Some(second) = self.second {
            write!(f, "/{second}")?;
        }
        write!(f, ";{};", self.nodes)?;
        for (place, theme) in self.themes.iter().enumerate() {
            let separator = if place == 0 { "" } else { " " };
            write!(f, "{separator}{}", theme.word())?;
        }
        Ok(())
    }
}

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Self, ParsePuzzleError> {
        let fields: Vec<&str> = line.split(';').collect();
        let [id, source, fen, play, evaluations, nodes, themes] = fields[..] else {
            return Err(ParsePuzzleError::Fields(fields.len()));
        };
        let source = [Source::Game, Source::Composed]
            .into_iter()
            .find(|known| known.word() == source)
            .ok_or(ParsePuzzleError::Source)?;
        let position: Position = fen.parse().map_err(ParsePuzzleError::Position)?;
        if crate::id_of(&position.to_string()) != id {
            return Err(ParsePuzzleError::Id);
        }
        let evaluation = |text: &str| text.parse().map_err(|_| ParsePuzzleError::Evaluation);
        let (best, second) = match evaluations.split_once('/') {
            Some((best, second)) => (evaluation(best)?, Some(evaluation(second)?)),
            None => (evaluation(evaluations)?, None),
        };
        let theme = |word: &str| {
            Theme::from_word(word).ok_or_else(|| ParsePuzzleError::Theme(word.to_owned()))
        };
        Ok(Self {
            source,
            steps: read_steps(&position, play)?,
            position,
            best,
            second,
            nodes: nodes.parse().map_err(|_| ParsePuzzleError::Nodes)?,
            themes: themes
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(theme)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// A turn and the position after it.
fn read_turn(at: &Position, text: &str) -> Result<(TurnMoves, Position), ParsePuzzleError> {
    let turn = at
        .read(text)
        .map_err(|error| ParsePuzzleError::Turn(text.to_owned(), error))?;
    let next = after(at, &turn).ok_or_else(|| ParsePuzzleError::Unfinished(text.to_owned()))?;
    Ok((turn, next))
}

fn read_steps(position: &Position, text: &str) -> Result<Vec<Step>, ParsePuzzleError> {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = position.clone();
    let words: Vec<&str> = text.split(' ').collect();
    if words.len().is_multiple_of(2) {
        return Err(ParsePuzzleError::Ends);
    }
    for pair in words.chunks(2) {
        let mut turns = Vec::new();
        let mut results: Vec<Position> = Vec::new();
        for word in pair[0].split('|') {
            let (turn, next) = read_turn(&at, word)?;
            if results.contains(&next) {
                return Err(ParsePuzzleError::Alternatives(word.to_owned()));
            }
            turns.push(turn);
            results.push(next);
        }
        at = results.swap_remove(0);
        let mut step = Step { turns, reply: None };
        if let Some(word) = pair.get(1) {
            if word.contains('|') {
                return Err(ParsePuzzleError::Alternatives((*word).to_owned()));
            }
            let (reply, next) = read_turn(&at, word)?;
            step.reply = Some(reply);
            at = next;
        }
        steps.push(step);
    }
    Ok(steps)
}
