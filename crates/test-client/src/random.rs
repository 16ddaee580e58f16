//! Choices that look like chance and are the same in every run.

/// A number below `n`, and 0 if there is none, by a linear congruential generator whose state is `seed`.
pub fn below(seed: &mut u64, n: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap_or(0) % n.max(1)
}
