//! The trump by which cards were ranked: kept in builds with debug assertions, and nothing at all in others.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use crate::trump::Trump;

/// The layout of ranked cards. It is no part of their value: equal cards of two layouts are equal.
#[cfg(debug_assertions)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Layout(u8);

#[cfg(debug_assertions)]
impl Layout {
    /// Of cards that fit every judge: none at all, or planes that a caller made.
    pub(crate) const ANY: Self = Self(0);

    pub(crate) const fn of(trump: Trump) -> Self {
        let rank = match trump.rank() {
            Some(rank) => rank as u8,
            None => 13,
        };
        let suit = match trump.suit() {
            Some(suit) => suit as u8,
            None => 4,
        };
        Self(1 + 5 * rank + suit)
    }

    /// The layout of cards of both: that of either, where one fits every judge.
    pub(crate) const fn join(self, other: Self) -> Self {
        if self.0 == 0 { other } else { self }
    }

    /// Panics where cards of one trump meet the judge of another.
    #[track_caller]
    pub(crate) const fn check(self, cards: Self) {
        assert!(
            cards.0 == 0 || self.0 == cards.0,
            "these cards were ranked by the judge of another trump"
        );
    }
}

#[cfg(not(debug_assertions))]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Layout;

#[cfg(not(debug_assertions))]
impl Layout {
    pub(crate) const ANY: Self = Self;

    pub(crate) const fn of(_: Trump) -> Self {
        Self
    }

    pub(crate) const fn join(self, _: Self) -> Self {
        self
    }

    pub(crate) const fn check(self, _: Self) {}
}

impl PartialEq for Layout {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Layout {}

impl PartialOrd for Layout {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Layout {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
