//! Levels: the ranks a team climbs.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::card::Rank;

/// The rank a team stands on, `2` to `A`, or `NT` after it where the house rules know one (Rule 2.10).
///
/// ```
/// # use tractor::{Level, Rank};
/// assert!(Level::NT > Level::from(Rank::Ace));
/// assert_eq!(Level::from(Rank::Ace).next(), Some(Level::NT));
/// assert_eq!("NT".parse(), Ok(Level::NT));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// Where every team begins.
    pub const TWO: Self = Self(0);
    /// The last level of the plain game.
    pub const ACE: Self = Self(12);
    /// No trump: the jokers alone are trump.
    pub const NT: Self = Self(13);

    /// The trump rank of a round on this level; `None` on NT.
    pub fn rank(self) -> Option<Rank> {
        Rank::ALL.get(usize::from(self.0)).copied()
    }

    /// The level above, or `None` above NT.
    pub fn next(self) -> Option<Self> {
        (self < Self::NT).then(|| Self(self.0 + 1))
    }

    /// The index, 0 for two to 13 for NT.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Rank> for Level {
    fn from(rank: Rank) -> Self {
        Self(rank as u8)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank() {
            Some(rank) => write!(f, "{rank}"),
            None => f.write_str("NT"),
        }
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(s: &str) -> Result<Self, ParseLevelError> {
        match s {
            "NT" => Ok(Self::NT),
            _ => s
                .parse::<Rank>()
                .map(Self::from)
                .map_err(|_| ParseLevelError),
        }
    }
}

/// A text that names no level.
///
/// ```
/// # use tractor::{Level, ParseLevelError};
/// assert_eq!("10".parse::<Level>(), Err(ParseLevelError));
/// assert_eq!(ParseLevelError.to_string(), "a level is 2 to 9, T (ten), J, Q, K, A or NT");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is 2 to 9, T (ten), J, Q, K, A or NT")
    }
}

impl Error for ParseLevelError {}

/// A set of levels.
///
/// ```
/// # use tractor::{Level, LevelSet};
/// let stops: LevelSet = "5 T K A".parse()?;
/// assert!(stops.has(Level::ACE) && !stops.has(Level::TWO));
/// assert_eq!(stops.to_string(), "5 T K A");
/// # Ok::<_, tractor::ParseLevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LevelSet(u16);

impl LevelSet {
    /// No level.
    pub const EMPTY: Self = Self(0);
    /// The ace alone.
    pub const ACE: Self = Self(1 << 12);

    /// The set with `level` in it.
    #[must_use]
    pub const fn with(self, level: Level) -> Self {
        Self(self.0 | 1 << level.0)
    }

    /// Whether `level` is in the set.
    pub const fn has(self, level: Level) -> bool {
        self.0 >> level.0 & 1 == 1
    }

    /// The levels of the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Level> {
        (0..=Level::NT.0)
            .map(Level)
            .filter(move |&level| self.has(level))
    }
}

impl fmt::Display for LevelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, level) in self.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{level}")?;
        }
        Ok(())
    }
}

impl FromStr for LevelSet {
    type Err = ParseLevelError;

    fn from_str(s: &str) -> Result<Self, ParseLevelError> {
        s.split_whitespace()
            .try_fold(Self::EMPTY, |set, level| Ok(set.with(level.parse()?)))
    }
}
