//! Runs of set bits: pairs on touching rungs of a ladder.

/// The rungs where a run of `len` begins.
#[inline]
pub(crate) const fn starts(rungs: u32, len: u32) -> u32 {
    let mut at = rungs;
    let mut step = 1;
    while step < len && at != 0 {
        at &= at >> 1;
        step += 1;
    }
    at
}

/// Whether there is a run of `len`.
#[inline]
pub(crate) const fn has(rungs: u32, len: u32) -> bool {
    starts(rungs, len) != 0
}

/// The rungs that lie in runs of at least `len`.
#[inline]
pub(crate) const fn covered(rungs: u32, len: u32) -> u32 {
    let mut out = starts(rungs, len);
    let mut step = 1;
    while step < len {
        out |= out << 1;
        step += 1;
    }
    out
}

/// The topmost set bit, counted from one; zero for none. Compares like the rung itself.
#[inline]
pub(crate) const fn top(rungs: u32) -> u32 {
    u32::BITS - rungs.leading_zeros()
}

/// The maximal runs as `(first rung, length)`, lowest first.
pub(crate) fn maximal(mut rungs: u32) -> impl Iterator<Item = (u32, u32)> {
    core::iter::from_fn(move || {
        (rungs != 0).then(|| {
            let first = rungs.trailing_zeros();
            let len = (rungs >> first).trailing_ones();
            rungs &= !window(first, len);
            (first, len)
        })
    })
}

/// `len` rungs from `first` on.
#[inline]
pub(crate) const fn window(first: u32, len: u32) -> u32 {
    ((1 << len) - 1) << first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found() {
        let rungs = 0b1_1011_1011;
        assert_eq!(maximal(rungs).collect::<Vec<_>>(), [(0, 2), (3, 3), (7, 2)]);
        assert_eq!(starts(rungs, 2), 0b0_1001_1001);
        assert_eq!(covered(rungs, 3), 0b0_0011_1000);
        assert!(has(rungs, 3) && !has(rungs, 4));
        assert_eq!((top(rungs), top(0)), (9, 0));
    }
}
