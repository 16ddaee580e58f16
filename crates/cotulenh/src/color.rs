//! The two sides.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// A side: red sits at rank 1 and moves first, blue at rank 12.
///
/// ```
/// use cotulenh::Color;
/// assert_eq!(!Color::Red, Color::Blue);
/// assert_eq!(Color::Blue.to_string(), "b");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Upper-case letters in a FEN.
    Red,
    /// Lower-case letters in a FEN.
    Blue,
}

impl Color {
    /// Both sides, red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Blue];

    /// 0 for red, 1 for blue: for tables with an entry a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the turn field of a FEN, `r` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'r',
            Self::Blue => 'b',
        }
    }

    /// The side that a turn letter names.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'r' => Some(Self::Red),
            'b' => Some(Self::Blue),
            _ => None,
        }
    }

    /// The other side, usable in constants.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}

impl FromStr for Color {
    type Err = ParseColorError;

    /// Reads `r` or `b`, or the word.
    fn from_str(text: &str) -> Result<Self, ParseColorError> {
        match text {
            "r" | "red" => Ok(Self::Red),
            "b" | "blue" => Ok(Self::Blue),
            _ => Err(ParseColorError),
        }
    }
}

/// The text names no side.
///
/// ```
/// use cotulenh::{Color, ParseColorError};
/// assert_eq!("b".parse(), Ok(Color::Blue));
/// assert_eq!("white".parse::<Color>(), Err(ParseColorError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseColorError;

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a side: r or b")
    }
}

impl core::error::Error for ParseColorError {}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
