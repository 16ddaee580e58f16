//! Scores.

use std::fmt;

/// The score of a mate at the root; one less for every turn until then.
pub(crate) const MATE: i32 = 32_000;
/// More than any score.
pub(crate) const INFINITY: i32 = 32_500;
/// Scores beyond this are mate scores.
pub(crate) const MATE_BOUND: i32 = MATE - 512;

/// The score of a position for the side to move.
///
/// ```
/// use cotulenh_engine::Score;
/// assert_eq!(Score::Centi(35).to_string(), "cp 35");
/// assert_eq!(Score::Mate(-2).to_string(), "mate -2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// In hundredths of an infantry.
    Centi(i32),
    /// Mate in so many turns of the side to move or, below zero, of the other side. Zero: the side
    /// to move has lost.
    Mate(i32),
}

impl Score {
    pub(crate) fn of(value: i32) -> Self {
        if value > MATE_BOUND {
            Self::Mate((MATE - value + 1) / 2)
        } else if value < -MATE_BOUND {
            Self::Mate(-(i32::midpoint(MATE, value)))
        } else {
            Self::Centi(value)
        }
    }

    /// One number for comparisons: the further from zero, the surer the win.
    pub const fn value(self) -> i32 {
        match self {
            Self::Centi(value) => value,
            Self::Mate(turns) if turns > 0 => MATE - 2 * turns + 1,
            Self::Mate(turns) => -MATE - 2 * turns,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centi(value) => write!(f, "cp {value}"),
            Self::Mate(turns) => write!(f, "mate {turns}"),
        }
    }
}

/// The score of being mated at a ply.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    #[allow(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        reason = "a ply is small"
    )]
    {
        ply as i32 - MATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_turns() {
        assert_eq!(Score::of(MATE - 1), Score::Mate(1));
        assert_eq!(Score::of(MATE - 3), Score::Mate(2));
        assert_eq!(Score::of(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::of(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::of(mated_in(4)).value(), mated_in(4));
        assert_eq!(Score::of(MATE - 5).value(), MATE - 5);
    }
}
