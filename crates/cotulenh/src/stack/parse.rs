//! Stacks as text.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use super::Stack;
use crate::Piece;

/// The text is no lawful stack in FEN notation.
///
/// ```
/// use cotulenh::{ParseStackError, Stack};
/// assert_eq!("(NTI)".parse::<Stack>(), Err(ParseStackError::Unlawful));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseStackError {
    /// The text is not a piece, nor pieces in parentheses.
    Malformed,
    /// A letter that names no role.
    Letter(char),
    /// Red and blue pieces in one stack.
    Colors,
    /// Rule 4.2: these pieces do not stack.
    Unlawful,
}

impl FromStr for Stack {
    type Err = ParseStackError;

    /// Reads `T`, `+t`, `(N+FT)` or `NFT`, in any order of the pieces.
    fn from_str(s: &str) -> Result<Self, ParseStackError> {
        let inner = match s.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')').ok_or(ParseStackError::Malformed)?,
            None => s,
        };
        let (mut pieces, mut heroic) = (Vec::new(), false);
        for letter in inner.chars() {
            if letter == '+' {
                if heroic {
                    return Err(ParseStackError::Malformed);
                }
                heroic = true;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(ParseStackError::Letter(letter))?;
            pieces.push(Piece { heroic, ..piece });
            heroic = false;
        }
        match pieces.first() {
            Some(first) if !heroic => {
                if pieces.iter().any(|piece| piece.color != first.color) {
                    return Err(ParseStackError::Colors);
                }
            }
            _ => return Err(ParseStackError::Malformed),
        }
        Self::new(pieces).ok_or(ParseStackError::Unlawful)
    }
}

impl fmt::Display for ParseStackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("not a piece, nor pieces in parentheses"),
            Self::Letter(letter) => write!(f, "{letter:?} names no piece"),
            Self::Colors => f.write_str("red and blue pieces cannot share a square"),
            Self::Unlawful => f.write_str("these pieces do not stack"),
        }
    }
}

impl Error for ParseStackError {}
