//! The arithmetic of two bit planes, whatever the bits stand for.

/// A multiset of at most two of each of 64 things: there at all, there twice (`pair` lies within `any`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Planes {
    pub(crate) any: u64,
    pub(crate) pair: u64,
}

impl Planes {
    pub(crate) const EMPTY: Self = Self { any: 0, pair: 0 };

    /// One of each bit of `mask`.
    #[inline]
    pub(crate) const fn once(mask: u64) -> Self {
        Self { any: mask, pair: 0 }
    }

    /// Two of each bit of `mask`.
    #[inline]
    pub(crate) const fn twice(mask: u64) -> Self {
        Self {
            any: mask,
            pair: mask,
        }
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.any.count_ones() + self.pair.count_ones()
    }

    #[inline]
    pub(crate) const fn count(self, index: usize) -> u32 {
        (self.any >> index & 1) as u32 + (self.pair >> index & 1) as u32
    }

    #[inline]
    pub(crate) const fn contains(self, other: Self) -> bool {
        other.any & !self.any | other.pair & !self.pair == 0
    }

    #[inline]
    pub(crate) const fn less(self, other: Self) -> Option<Self> {
        if !self.contains(other) {
            return None;
        }
        Some(self.less_unchecked(other))
    }

    /// What is left if `other` lies within; otherwise a wrong set.
    #[inline]
    pub(crate) const fn less_unchecked(self, other: Self) -> Self {
        Self {
            any: self.any & !other.any | self.pair & !other.pair,
            pair: self.pair & !other.any,
        }
    }

    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Option<Self> {
        if self.pair & other.any | self.any & other.pair != 0 {
            return None;
        }
        Some(self.plus_unchecked(other))
    }

    /// The sum if no third copy arises; otherwise copies are lost.
    #[inline]
    pub(crate) const fn plus_unchecked(self, other: Self) -> Self {
        Self {
            any: self.any | other.any,
            pair: self.pair | other.pair | self.any & other.any,
        }
    }

    /// What lies under `mask`.
    #[inline]
    pub(crate) const fn within(self, mask: u64) -> Self {
        Self {
            any: self.any & mask,
            pair: self.pair & mask,
        }
    }

    #[inline]
    pub(crate) const fn points(self, fives: u64, tens: u64) -> u32 {
        5 * ((self.any & fives).count_ones() + (self.pair & fives).count_ones())
            + 10 * ((self.any & tens).count_ones() + (self.pair & tens).count_ones())
    }

    /// The bits, each as often as it is there, lowest first.
    pub(crate) fn indices(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        core::iter::from_fn(move || {
            (rest.any != 0).then(|| {
                let bit = rest.any & rest.any.wrapping_neg();
                rest = rest.less_unchecked(Self::once(bit));
                bit.trailing_zeros()
            })
        })
    }
}
