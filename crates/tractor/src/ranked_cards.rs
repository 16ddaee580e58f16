//! Cards in the order of a trump.

mod layout;

pub(crate) use layout::Layout;

use crate::planes::Planes;

/// Cards as two bit planes, laid out by a [`Judge`](crate::Judge): each group is one stretch of bits,
/// the stronger card has the higher bit, and a face held twice is set in both planes.
///
/// | bits   | with a trump suit                   | without                           |
/// |--------|-------------------------------------|-----------------------------------|
/// | 0–12   | first plain suit, lowest rank first | ♣                                 |
/// | 13–25  | second plain suit                   | ♦                                 |
/// | 26–38  | third plain suit                    | ♥                                 |
/// | 39–51  | 46–57: trump suit without the rank  | ♠                                 |
/// | 58–60  | the trump rank in the other suits   | 58–61: the trump rank in any suit |
/// | 61     | the trump rank in the trump suit    |                                   |
/// | 62, 63 | small joker, big joker              | the same                          |
///
/// Bits 58 to 60 (or 61) are equal in strength: one rung of the ladder.
///
/// Cards that one judge has ranked are not for the judge of another trump. In builds with debug assertions (so in
/// tests) that panics; in other builds nothing is kept to check, as with the overflow of integers.
///
/// ```
/// # use tractor::{Faces, Group, Judge, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let hand = judge.ranked("AS 9S 9S 2S bj".parse()?);
/// assert_eq!(hand.len(), 5);
/// assert_eq!(hand.any() & judge.mask(Group::Trump), 1 << 63 | 1 << 60);
/// assert_eq!(judge.faces(hand), "AS 9S 9S 2S bj".parse::<Faces>()?);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RankedCards(pub(crate) Planes, pub(crate) Layout);

impl RankedCards {
    /// No card.
    pub const EMPTY: Self = Self(Planes::EMPTY, Layout::ANY);

    /// The cards of two planes, or `None` where `pair` does not lie within `any`. That they are meant for the judge they
    /// are handed to is the caller's business.
    #[inline]
    pub const fn from_planes(any: u64, pair: u64) -> Option<Self> {
        if pair & !any == 0 {
            Some(Self(Planes { any, pair }, Layout::ANY))
        } else {
            None
        }
    }

    /// The plane of faces held at all.
    #[inline]
    pub const fn any(self) -> u64 {
        self.0.any
    }

    /// The plane of faces held twice.
    #[inline]
    pub const fn pair(self) -> u64 {
        self.0.pair
    }

    /// How many cards.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.len() as usize
    }

    /// How many pairs.
    #[inline]
    pub const fn pairs(self) -> usize {
        self.0.pair.count_ones() as usize
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.any == 0
    }

    /// Whether all of `other` is here, copies counted.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0.contains(other.0)
    }

    /// These cards less `other`, or `None` if they are not all here.
    #[inline]
    pub const fn less(self, other: Self) -> Option<Self> {
        match self.0.less(other.0) {
            Some(rest) => Some(Self(rest, self.1.join(other.1))),
            None => None,
        }
    }

    /// These cards and `other`, or `None` if a face would be there three times.
    #[inline]
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.plus(other.0) {
            Some(sum) => Some(Self(sum, self.1.join(other.1))),
            None => None,
        }
    }

    /// These cards less `other`; a wrong set where [`RankedCards::contains`] is false.
    #[inline]
    #[must_use]
    pub const fn less_unchecked(self, other: Self) -> Self {
        Self(self.0.less_unchecked(other.0), self.1.join(other.1))
    }

    /// These cards and `other`; copies are lost where a face would be there three times.
    #[inline]
    #[must_use]
    pub const fn plus_unchecked(self, other: Self) -> Self {
        Self(self.0.plus_unchecked(other.0), self.1.join(other.1))
    }

    /// The cards under a mask of bits, for instance that of a group.
    #[inline]
    #[must_use]
    pub const fn within(self, mask: u64) -> Self {
        Self(self.0.within(mask), self.1)
    }

    /// The bits of the cards, each as often as it is held, weakest first within a group.
    pub fn slots(self) -> impl Iterator<Item = u32> {
        self.0.indices()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Judge, Rules};

    fn judge(trump: &str) -> Judge {
        Judge::new(trump.parse().unwrap(), Rules::DEFAULT)
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "ranked by the judge of another trump")]
    fn cards_of_one_trump_are_not_for_the_judge_of_another() {
        let cards = judge("2H").ranked("AS KS".parse().unwrap());
        let _ = judge("3H").lead(cards);
    }

    #[test]
    fn the_same_trump_under_other_rules_will_do() {
        let cards = judge("2H").ranked("AS KS".parse().unwrap());
        let other = Judge::new("2H".parse().unwrap(), Rules::SHENGJI);
        assert!(other.lead(cards).is_ok());
        assert_eq!(cards, other.ranked("KS AS".parse().unwrap()));
    }
}
