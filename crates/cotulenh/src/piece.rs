//! A single piece.

use core::fmt;
use core::str::FromStr;

use crate::{Color, Role};

/// One piece: what it is, whose it is, whether it is heroic.
///
/// ```
/// use cotulenh::{Color, Piece, Role};
/// let tank = Piece { role: Role::Tank, color: Color::Blue, heroic: true };
/// assert_eq!(tank.to_string(), "+t");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// What it is.
    pub role: Role,
    /// Whose it is.
    pub color: Color,
    /// Rule 8: promoted, so it reaches further and in all directions.
    pub heroic: bool,
}

impl Piece {
    /// The letter of the piece in a FEN: upper case for red, lower case for blue.
    pub(crate) const fn letter(self) -> u8 {
        let letter = self.role.letter() as u8;
        match self.color {
            Color::Red => letter,
            Color::Blue => letter.to_ascii_lowercase(),
        }
    }

    /// The plain piece that a letter of a FEN names: upper case for red, lower case for blue.
    ///
    /// ```
    /// use cotulenh::{Color, Piece, Role};
    /// let piece = Piece::from_letter('t').unwrap();
    /// assert_eq!((piece.role, piece.color), (Role::Tank, Color::Blue));
    /// assert_eq!(Piece::from_letter('x'), None);
    /// ```
    #[inline]
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Blue
        };
        Role::from_letter(letter).map(|role| Self {
            role,
            color,
            heroic: false,
        })
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Reads a letter of a FEN, with `+` before it if the piece is heroic.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let plain = text.strip_prefix('+').unwrap_or(text);
        let heroic = plain.len() < text.len();
        let mut letters = plain.chars();
        match (letters.next().and_then(Self::from_letter), letters.next()) {
            (Some(piece), None) => Ok(Self { heroic, ..piece }),
            _ => Err(ParsePieceError),
        }
    }
}

/// The text is not one piece of a FEN.
///
/// ```
/// use cotulenh::{ParsePieceError, Piece};
/// let piece: Piece = "+t".parse()?;
/// assert_eq!(piece.to_string(), "+t");
/// assert_eq!("tt".parse::<Piece>(), Err(ParsePieceError));
/// # Ok::<_, ParsePieceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsePieceError;

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a piece such as T, t or +T")
    }
}

impl core::error::Error for ParsePieceError {}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.heroic { "+" } else { "" };
        write!(f, "{plus}{}", char::from(self.letter()))
    }
}
