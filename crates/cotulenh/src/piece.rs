//! A single piece.

use std::fmt;

use crate::{Color, Role};

/// One piece: what it is, whose it is, whether it is heroic.
///
/// ```
/// use cotulenh::{Color, Piece, Role};
/// let tank = Piece { role: Role::Tank, color: Color::Blue, heroic: true };
/// assert_eq!(tank.to_string(), "+t");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.heroic { "+" } else { "" };
        write!(f, "{plus}{}", char::from(self.letter()))
    }
}
