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
        let block = now.count_ones() + 1 - moved.count_ones();
        self.next = if now == 0 || over || moved == 0 || block > now.count_ones() {
            None
        } else if block == 1 {
            Some(moved)
        } else {
            Some(moved | lowest(self.mask, block - 1))
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

/// The bit number `n` of a mask, counted from zero.
#[inline]
pub(crate) fn nth(mask: u64, n: u32) -> u64 {
    let mut rest = mask;
    for _ in 0..n {
        rest &= rest.wrapping_sub(1);
    }
    rest & rest.wrapping_neg()
}

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
        assert_eq!(choose(54, 27), 1_946_939_425_648_112);
    }
}
