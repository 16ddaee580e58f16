//! A small seeded generator: the same numbers on every machine.

/// A stream of pseudo-random numbers (splitmix64): one word of state, a few instructions a number.
///
/// ```
/// # use tractor_engine::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next(), b.next());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next number.
    #[allow(
        clippy::should_implement_trait,
        reason = "a stream without an end is no iterator to loop over"
    )]
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero. The bias of the multiplication is below 2^-32 for small `n`.
    #[inline]
    pub const fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// A number from 0 up to 1.
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "24 bits fit a float exactly")]
    pub const fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }
}

/// Mixes a number into a seed, for streams that must differ.
pub(crate) const fn mix(seed: u64, salt: u64) -> u64 {
    Rng::new(seed ^ salt.wrapping_mul(0xd6e8_feb8_6659_fd93)).next()
}
