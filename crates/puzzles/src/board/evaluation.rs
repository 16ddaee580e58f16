//! What a turn is worth.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What a turn is worth to the side that plays it.
///
/// ```
/// use convoy_puzzles::board::Evaluation;
/// assert_eq!("#2".parse(), Ok(Evaluation::Mate(2)));
/// assert_eq!(Evaluation::Centi(-35).to_string(), "-35");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// In hundredths of an infantry.
    Centi(i32),
    /// Mate in so many turns, or being mated in so many below zero.
    Mate(i32),
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centi(value) => write!(f, "{value}"),
            Self::Mate(turns) => write!(f, "#{turns}"),
        }
    }
}

/// The text is no evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseEvaluationError;

impl fmt::Display for ParseEvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an evaluation is a number, or # and a number of turns")
    }
}

impl Error for ParseEvaluationError {}

impl FromStr for Evaluation {
    type Err = ParseEvaluationError;

    fn from_str(text: &str) -> Result<Self, ParseEvaluationError> {
        let number = |text: &str| text.parse().map_err(|_| ParseEvaluationError);
        match text.strip_prefix('#') {
            Some(turns) => Ok(Self::Mate(number(turns)?)),
            None => Ok(Self::Centi(number(text)?)),
        }
    }
}
