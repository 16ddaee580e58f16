//! The one pseudo-random generator of Cờ Tư Lệnh.

/// `SplitMix64`: a small generator whose numbers are the same on every machine.
///
/// The keys of positions are made of them, and so is committed data (openings, tactical positions) and
/// every game from a seed, hence one implementation for all of them.
///
/// ```
/// use cotulenh::SplitMix64;
/// let mut random = SplitMix64::new(0);
/// assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf);
/// assert!(random.below(6) < 6);
/// assert_eq!(random.pick::<u8>(&[]), None);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The seed of the numbers that come next.
    ///
    /// ```
    /// use cotulenh::SplitMix64;
    /// let mut random = SplitMix64::new(7);
    /// random.next_u64();
    /// let mut again = SplitMix64::new(random.seed());
    /// assert_eq!(again.next_u64(), random.next_u64());
    /// ```
    pub const fn seed(&self) -> u64 {
        self.0
    }

    /// The first number of a seed: spreads the bits of a key.
    ///
    /// ```
    /// use cotulenh::SplitMix64;
    /// assert_eq!(SplitMix64::mix(7), SplitMix64::new(7).next_u64());
    /// ```
    #[inline]
    pub const fn mix(seed: u64) -> u64 {
        let mut z = seed.wrapping_add(Self::STEP);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next number.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let number = Self::mix(self.0);
        self.0 = self.0.wrapping_add(Self::STEP);
        number
    }

    /// A number of the sequence of a seed by its place, 0 for the first.
    ///
    /// ```
    /// use cotulenh::SplitMix64;
    /// let mut random = SplitMix64::new(7);
    /// random.next_u64();
    /// assert_eq!(SplitMix64::nth(7, 1), random.next_u64());
    /// ```
    #[inline]
    pub const fn nth(seed: u64, place: u64) -> u64 {
        Self::mix(seed.wrapping_add(place.wrapping_mul(Self::STEP)))
    }

    /// A number below `limit`, or 0 if that is 0. The limits in use are so small that the
    /// remainder is even enough.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "below a limit that is a usize"
    )]
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.next_u64();
        number
            .checked_rem(limit as u64)
            .map_or(0, |rest| rest as usize)
    }

    /// One of the items, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len()))
    }
}
