//! Sets of squares.

use alloc::string::ToString;
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use crate::Square;

/// A set of squares: one bit a square, twelve ranks of sixteen bits, four ranks a word.
///
/// ```
/// use cotulenh::{Square, SquareSet};
/// let c4: Square = "c4".parse()?;
/// let set = SquareSet::EMPTY.with(c4);
/// assert!(set.contains(c4) && !(!set).contains(c4));
/// assert_eq!((!set).len(), 131);
/// assert_eq!(set.into_iter().next(), Some(c4));
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SquareSet(pub(crate) [u64; 3]);

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self([0; 3]);

    /// All 132 squares.
    pub const ALL: Self = Self([0x07ff_07ff_07ff_07ff; 3]);

    /// The set with one more square.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        let mut words = self.0;
        words[square.index() >> 6] |= 1 << (square.index() & 63);
        Self(words)
    }

    /// The set less one square.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        let mut words = self.0;
        words[square.index() >> 6] &= !(1 << (square.index() & 63));
        Self(words)
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0[square.index() >> 6] |= 1 << (square.index() & 63);
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0[square.index() >> 6] &= !(1 << (square.index() & 63));
    }

    /// Whether the square is a member.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    /// Whether there is no member.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// How many members there are.
    #[inline]
    pub const fn len(self) -> u32 {
        let [a, b, c] = self.0;
        if cfg!(target_feature = "popcnt") {
            return a.count_ones() + b.count_ones() + c.count_ones();
        }
        // Without the instruction: the three words are added bit by bit into ones and twos, which
        // are then counted side by side.
        let (ones, twos) = (a ^ b ^ c, a & b | c & (a ^ b));
        let (ones, twos) = (quads(ones), quads(twos));
        let quads = ones + 2 * twos;
        let bytes = (quads & 0x0f0f_0f0f_0f0f_0f0f) + (quads >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        #[allow(clippy::cast_possible_truncation, reason = "at most 132")]
        let len = (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32;
        len
    }

    /// Whether the sets share a square.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The common members, usable in constants.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & b[0], a[1] & b[1], a[2] & b[2]])
    }

    /// The members of either, usable in constants.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// The members of `self` that are not in `other`, usable in constants.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2]])
    }

    /// The members row by row, rank 12 first: bit 0 for the a-file.
    ///
    /// ```
    /// use cotulenh::SquareSet;
    /// let set = SquareSet::EMPTY.with("c12".parse()?).with("k1".parse()?);
    /// assert_eq!((set.rows()[0], set.rows()[11]), (0b100, 1 << 10));
    /// # Ok::<_, cotulenh::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn rows(self) -> [u16; 12] {
        let mut rows = [0; 12];
        let mut row = 0;
        while row < 12 {
            let bytes = self.0[row / 4].to_le_bytes();
            rows[row] = u16::from_le_bytes([bytes[row % 4 * 2], bytes[row % 4 * 2 + 1]]);
            row += 1;
        }
        rows
    }

    /// The member with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        let mut word = 0;
        while word < 3 {
            if self.0[word] != 0 {
                #[allow(clippy::cast_possible_truncation, reason = "below 192")]
                let index = (64 * word as u32 + self.0[word].trailing_zeros()) as u8;
                return Some(Square::new_unchecked(index));
            }
            word += 1;
        }
        None
    }

    /// The member with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        let mut word = 3;
        while word > 0 {
            word -= 1;
            if self.0[word] != 0 {
                #[allow(clippy::cast_possible_truncation, reason = "below 192")]
                let index = (64 * word as u32 + 63 - self.0[word].leading_zeros()) as u8;
                return Some(Square::new_unchecked(index));
            }
        }
        None
    }
}

/// How many bits are set in every four.
#[inline]
const fn quads(bits: u64) -> u64 {
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

impl BitAnd for SquareSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.and(other)
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitXor for SquareSet {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2]])
    }
}

impl Sub for SquareSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.minus(other)
    }
}

impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::ALL.minus(self)
    }
}

impl BitAndAssign for SquareSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares { set: self, word: 0 }
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.into_iter().map(|square| square.to_string()))
            .finish()
    }
}

/// The members of a [`SquareSet`], `a12` side first.
#[derive(Debug, Clone)]
pub struct Squares {
    set: SquareSet,
    word: usize,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.word < 3 {
            let bits = &mut self.set.0[self.word];
            if *bits != 0 {
                #[allow(clippy::cast_possible_truncation, reason = "below 192")]
                let index = (64 * self.word as u32 + bits.trailing_zeros()) as u8;
                *bits &= *bits - 1;
                return Some(Square::new_unchecked(index));
            }
            self.word += 1;
        }
        None
    }

    /// Word by word, which `next` cannot keep in registers.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (mut bits, base) in self.set.0.into_iter().zip([0, 64, 128]) {
            while bits != 0 {
                #[allow(clippy::cast_possible_truncation, reason = "below 192")]
                let index = base + bits.trailing_zeros() as u8;
                bits &= bits - 1;
                folded = f(folded, Square::new_unchecked(index));
            }
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_counted() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let set = SquareSet([(); 3].map(|()| random.u64(..))) & SquareSet::ALL;
            assert_eq!(set.len() as usize, set.into_iter().count());
        }
        assert_eq!(SquareSet::ALL.len() as usize, Square::COUNT);
    }
}
