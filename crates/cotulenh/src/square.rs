//! The 132 points of the board.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A square of the 11×12 board, `a1` to `k12`.
///
/// The index is `16 * (12 - rank) + file`: it grows in the order in which a FEN lists the squares
/// and moves are generated (Rule 3.9). Five spare columns a rank let a ray of up to five steps
/// leave the board without wrapping, and twelve ranks of sixteen are three `u64`.
///
/// ```
/// use cotulenh::Square;
/// let c4: Square = "c4".parse()?;
/// assert_eq!((c4.file(), c4.rank()), (2, 3));
/// assert_eq!(c4.offset(0, 8).map(|sq| sq.to_string()), Some("c12".into()));
/// assert_eq!(c4.offset(-3, 0), None);
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text names no square of the board.
///
/// ```
/// use cotulenh::{ParseSquareError, Square};
/// assert_eq!("c13".parse::<Square>(), Err(ParseSquareError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSquareError;

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 132;

    /// One more than the greatest index: the length of a table with an entry a square.
    pub const INDEX_LEN: usize = 192;

    /// The square at a zero-based file and rank, or `None` off the board.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 11 && rank < 12 {
            Some(Self((11 - rank) << 4 | file))
        } else {
            None
        }
    }

    /// The square with an index (see the type), or `None` if there is none.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::INDEX_LEN && index & 15 < 11 {
            #[allow(clippy::cast_possible_truncation, reason = "below 192")]
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// For indices that come out of a set of squares or a move, which hold nothing else.
    #[inline]
    pub(crate) const fn new_unchecked(index: u8) -> Self {
        debug_assert!(index < 192 && index & 15 < 11);
        Self(index)
    }

    /// The index (see the type).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    /// The number of the square without gaps, 0 (`a12`) to 131 (`k1`).
    #[inline]
    pub const fn dense(self) -> usize {
        (self.0 >> 4) as usize * 11 + (self.0 & 15) as usize
    }

    /// The zero-based file: 0 is `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// The zero-based rank: 0 is rank 1.
    #[inline]
    pub const fn rank(self) -> u8 {
        11 - (self.0 >> 4)
    }

    /// The square `dx` files right and `dy` ranks up, or `None` off the board.
    #[inline]
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match (
            self.file().checked_add_signed(dx),
            self.rank().checked_add_signed(dy),
        ) {
            (Some(file), Some(rank)) => Self::at(file, rank),
            _ => None,
        }
    }

    /// The square seen from the other side of the board: ranks are counted from the other end.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self((11 - (self.0 >> 4)) << 4 | self.0 & 15)
    }

    /// Every square, `a12` to `k12` first, `k1` last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::INDEX_LEN).filter_map(Self::from_index)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(s: &str) -> Result<Self, ParseSquareError> {
        let (file, rank) = match *s.as_bytes() {
            [file, rank @ b'1'..=b'9'] => (file, rank - b'1'),
            [file, b'1', rank @ b'0'..=b'2'] => (file, rank - b'0' + 9),
            _ => return Err(ParseSquareError),
        };
        Self::at(file.wrapping_sub(b'a'), rank).ok_or(ParseSquareError)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square from a1 to k12")
    }
}

impl Error for ParseSquareError {}
