//! The one pseudo-random generator of Cờ Tư Lệnh's tools.

/// `SplitMix64`: a small generator whose numbers are the same on every machine.
///
/// Committed data comes from its sequences (openings, tactical positions), and so do games from a
/// seed, hence one implementation for all of them.
///
/// ```
/// use cotulenh_engine::SplitMix64;
/// let mut random = SplitMix64::new(0);
/// assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf);
/// assert!(random.below(6) < 6);
/// assert_eq!(random.pick::<u8>(&[]), None);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// A number below `limit`, or 0 if that is 0. The limits in use are so small that the
    /// remainder is even enough.
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

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of the generator from a state: spreads the bits of a key.
pub(crate) const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(STEP);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
