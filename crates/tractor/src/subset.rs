//! Choosing bits out of a mask.

/// Every way to choose `k` bits of a mask, each once.
#[derive(Debug, Clone)]
pub(crate) struct Subsets {
    mask: u64,
    next: Option<u64>,
}

impl Subsets {
    /// No way at all.
    pub(crate) const NONE: Self = Self {
        mask: 0,
        next: None,
    };

    #[inline]
    pub(crate) fn new(mask: u64, k: u32) -> Self {
        let next = (mask.count_ones() >= k).then(|| lowest(mask, k));
        Self { mask, next }
    }
}

impl Iterator for Subsets {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let now = self.next?;
        let low = now & now.wrapping_neg();
        // Adding the lowest chosen bit with all gaps filled carries through the block of neighbours it
        // belongs to, and sets the next free bit of the mask; the rest of the block falls to the bottom.
        let (sum, over) = (now | !self.mask).overflowing_add(low);
        let moved = sum & self.mask;
        let fallen = now & !moved;
        self.next = if now == 0 || over {
            None
        } else if fallen == low {
            Some(moved)
        } else {
            Some(moved | lowest(self.mask, fallen.count_ones() - 1))
        };
        Some(now)
    }
}

/// The lowest `k` bits of a mask that has as many.
#[inline]
pub(crate) fn lowest(mask: u64, k: u32) -> u64 {
    let mut rest = mask;
    for _ in 0..k {
        rest &= rest.wrapping_sub(1);
    }
    mask & !rest
}

/// The bit of `mask` with `n` set bits below it; none if there are not as many.
///
/// The bit is drawn at random, so a loop over those below would mispredict its last branch: they are counted byte by byte in
/// one word instead, and a table has the bits within a byte.
#[inline]
pub(crate) fn nth(mask: u64, n: u32) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // How many bits are set up to and with each byte.
    let sums = bytes.wrapping_mul(ONES);
    let n = u64::from(n);
    if n >= sums >> 56 {
        return 0;
    }
    // The high bits of the bytes up to which there are not more than `n`.
    let before = (((n * ONES) | HIGH) - sums) & HIGH;
    let shift = (before >> 7).wrapping_mul(ONES) >> 56 << 3;
    let left = n - (sums << 8 >> shift & 0xff);
    let byte = mask >> shift & 0xff;
    u64::from(NTH[(left & 7) as usize][byte as usize]) << shift
}

/// By a number below eight and a byte: the bit of the byte with as many set bits below it.
static NTH: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "below 256")]
        let (mut rest, mut n) = (byte as u8, 0);
        while rest != 0 {
            table[n][byte] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            n += 1;
        }
        byte += 1;
    }
    table
};

/// How many ways there are to choose `k` of `n`; `n` is at most 54.
#[inline]
pub(crate) fn choose(n: u32, k: u32) -> u64 {
    const TABLE: [[u64; 28]; 55] = {
        let mut table = [[0; 28]; 55];
        let mut n = 0;
        while n < 55 {
            table[n][0] = 1;
            let mut k = 1;
            while k < 28 && n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
                k += 1;
            }
            n += 1;
        }
        table
    };
    if k > n {
        return 0;
    }
    TABLE[n as usize][k.min(n - k) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_complete_and_distinct() {
        for mask in [0, 1, 1 << 63, 0b1011_0110, u64::MAX << 56, 1 << 63 | 0b101] {
            for k in 0..=mask.count_ones() + 1 {
                let mut all: Vec<_> = Subsets::new(mask, k).collect();
                let count = all.len() as u64;
                assert!(all.iter().all(|s| s & !mask == 0 && s.count_ones() == k));
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len() as u64, count);
                assert_eq!(count, choose(mask.count_ones(), k), "{mask:b} {k}");
            }
        }
    }

    #[test]
    fn the_lowest_and_the_nth_bit() {
        assert_eq!(lowest(0b1011_0110, 3), 0b0001_0110);
        assert_eq!(nth(0b1011_0110, 3), 0b0010_0000);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let mask = random.u64(..) & random.u64(..);
            let mut rest = mask;
            for n in 0..=mask.count_ones() {
                assert_eq!(nth(mask, n), rest & rest.wrapping_neg(), "{mask:x} {n}");
                rest &= rest.wrapping_sub(1);
            }
        }
        assert_eq!(
            (nth(0, 0), nth(u64::MAX, 63), nth(u64::MAX, 64)),
            (0, 1 << 63, 0)
        );
        assert_eq!(choose(54, 27), 1_946_939_425_648_112);
    }
}
