//! The transposition table, shared by all threads without a lock.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use cotulenh::Move;

use crate::params::{TABLE_AGE_WEIGHT, TABLE_KEEP_DEPTH};
use crate::score::MATE_BOUND;

/// The bound that a stored score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// No score, only a move.
    None = 0,
    /// Upper bound: the true score is at most this.
    Upper = 1,
    /// Lower bound: the true score is at least this.
    Lower = 2,
    /// Exact score.
    Exact = 3,
}

/// An entry as the search sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// A packed entry: the data, and the key combined with it by XOR, so that a torn write matches no key.
///
/// | bits of the data | meaning                    |
/// |------------------|----------------------------|
/// | 0–24             | the move, or 0           |
/// | 25–40            | score + 32768              |
/// | 41–48            | depth + 8                  |
/// | 49–50            | bound                      |
/// | 51–56            | age                        |
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const WAYS: usize = 4;
const AGES: u8 = 64;

/// One cache line of entries whose keys share their upper bits.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of about so many MiB, one at least.
    pub(crate) fn new(mib: usize) -> Self {
        let count = (mib.max(1) << 20) / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.resize_with(count, Bucket::default);
        Self {
            buckets,
            age: AtomicU8::new(0),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: entries of older ones are replaced first.
    pub(crate) fn new_generation(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the product is below the length"
    )]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The entry of a position, `ply` turns below the root: mate scores are adjusted by it.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let matches = data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key;
            matches.then(|| unpack(data, ply))
        })
    }

    /// Stores an entry in place of the shallowest and oldest one of its bucket.
    pub(crate) fn store(&self, key: u64, ply: usize, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut chosen = &self.bucket(key).0[0];
        let mut lowest = i32::MAX;
        let mut mv = entry.mv;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key {
                let old = unpack(data, ply);
                let fresh = age_of(data) == age;
                let deeper =
                    old.depth > entry.depth + TABLE_KEEP_DEPTH && entry.bound != Bound::Exact;
                if fresh && deeper && old.bound != Bound::None {
                    return;
                }
                mv = mv.or(old.mv);
                chosen = slot;
                break;
            }
            let behind = i32::from((AGES + age - age_of(data)) % AGES);
            let priority = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - TABLE_AGE_WEIGHT * behind
            };
            if priority < lowest {
                lowest = priority;
                chosen = slot;
            }
        }
        let data = pack(Entry { mv, ..entry }, ply, age);
        chosen.check.store(key ^ data, Ordering::Relaxed);
        chosen.data.store(data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub(crate) fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.map(|slot| slot.data.load(Ordering::Relaxed));
        let used = used
            .filter(|data| *data != 0 && age_of(*data) == age)
            .count();
        used * 1000 / (sample.len() * WAYS)
    }
}

#[allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "all fields are kept small"
)]
fn pack(entry: Entry, ply: usize, age: u8) -> u64 {
    // Mates are stored as seen from the position, not from the root.
    let ply = ply as i32;
    let score = match entry.score {
        score if score > MATE_BOUND => score + ply,
        score if score < -MATE_BOUND => score - ply,
        score => score,
    };
    u64::from(entry.mv.map_or(0, Move::bits))
        | ((score + 32_768) as u64 & 0xffff) << 25
        | ((entry.depth + 8).clamp(0, 255) as u64) << 41
        | (entry.bound as u64) << 49
        | u64::from(age) << 51
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "masked"
)]
fn unpack(data: u64, ply: usize) -> Entry {
    let ply = ply as i32;
    let score = match (data >> 25 & 0xffff) as i32 - 32_768 {
        score if score > MATE_BOUND => score - ply,
        score if score < -MATE_BOUND => score + ply,
        score => score,
    };
    let bits = data as u32 & 0x1ff_ffff;
    Entry {
        mv: if bits == 0 {
            None
        } else {
            Move::from_bits(bits)
        },
        score,
        depth: depth_of(data),
        bound: match data >> 49 & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "masked"
)]
const fn depth_of(data: u64) -> i32 {
    (data >> 41 & 0xff) as i32 - 8
}

#[allow(clippy::cast_possible_truncation, reason = "masked")]
const fn age_of(data: u64) -> u8 {
    (data >> 51 & 63) as u8
}

#[cfg(test)]
mod tests {
    use cotulenh::Position;

    use super::*;
    use crate::score::MATE;

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1);
        let mv = Position::start().legal_moves()[7];
        for (score, depth) in [(0, 3), (-31_000, 0), (1234, 60), (MATE - 9, -1)] {
            let entry = Entry {
                mv: Some(mv),
                score,
                depth,
                bound: Bound::Lower,
            };
            table.clear();
            table.store(0xdead_beef_0bad_cafe, 4, entry);
            let found = table.probe(0xdead_beef_0bad_cafe, 4).expect("just stored");
            assert_eq!(
                (found.mv, found.score, found.depth),
                (Some(mv), score, depth)
            );
            assert_eq!(found.bound, Bound::Lower);
        }
        assert!(table.probe(1, 0).is_none());
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let table = TranspositionTable::new(1);
        let entry = Entry {
            mv: None,
            score: MATE - 9,
            depth: 5,
            bound: Bound::Exact,
        };
        table.store(42, 4, entry);
        assert_eq!(table.probe(42, 6).map(|entry| entry.score), Some(MATE - 11));
    }

    #[test]
    fn old_entries_give_way() {
        let table = TranspositionTable::new(1);
        for key in 0..5_u64 {
            table.new_generation();
            let entry = Entry {
                mv: None,
                score: 0,
                depth: 9,
                bound: Bound::Exact,
            };
            table.store(key, 0, entry);
        }
        assert!(table.probe(0, 0).is_none() && table.probe(4, 0).is_some());
    }
}
