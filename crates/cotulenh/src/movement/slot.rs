//! Squares told by direction and distance from another.

use super::{Direction, NEAR};
use crate::{Square, SquareSet};

const LINE_MIDDLE: usize = 17 * NEAR as usize;

/// A square of a star as seen from its centre, `8 * direction + distance`: the order of these
/// numbers is that of Rule 3.9.
pub(crate) type Slot = u8;

/// Difference of two indices → slot. No two differences within five squares look alike, because
/// a rank is sixteen wide.
static SLOTS: [Slot; 2 * LINE_MIDDLE + 1] = {
    let mut table = [0; 2 * LINE_MIDDLE + 1];
    let mut slot: Slot = 0;
    while slot < 64 {
        if !slot.is_multiple_of(8) && slot % 8 <= NEAR {
            let delta = DELTAS[slot as usize];
            table[LINE_MIDDLE.wrapping_add_signed(delta as isize)] = slot;
        }
        slot += 1;
    }
    table
};

/// Slot → difference of two indices; slots that no piece reaches are left out.
static DELTAS: [i8; 64] = {
    let mut table = [0; 64];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        let (mut distance, mut delta) = (1, 0);
        while distance <= NEAR as usize {
            delta += dx - 16 * dy;
            table[8 * direction + distance] = delta;
            distance += 1;
        }
        direction += 1;
    }
    table
};

/// Difference of two indices → the bit of the slot.
static SLOT_BITS: [u64; 2 * LINE_MIDDLE + 1] = {
    let mut table = [0; 2 * LINE_MIDDLE + 1];
    let mut index = 0;
    while index < table.len() {
        table[index] = 1 << SLOTS[index];
        index += 1;
    }
    table
};

/// Squares of the star of another as bits, numbered by their slots.
#[inline]
pub(crate) fn slots(from: Square, to: SquareSet) -> u64 {
    let first = LINE_MIDDLE.wrapping_sub(from.index());
    to.into_iter().fold(0, |slots, to| {
        slots | SLOT_BITS[first.wrapping_add(to.index())]
    })
}

/// The slot of a square in the star of another.
#[inline]
fn slot(from: Square, to: Square) -> Slot {
    SLOTS[LINE_MIDDLE + to.index() - from.index()]
}

/// The square in a slot of a star; it must be on the board.
#[inline]
pub(crate) fn at_slot(from: Square, slot: Slot) -> Square {
    let delta = DELTAS[slot as usize & 63];
    Square::new_unchecked(from.byte().wrapping_add_signed(delta))
}

/// The direction and distance from one square to another of its [`star`].
#[inline]
pub(crate) fn line(from: Square, to: Square) -> (Direction, u8) {
    let slot = slot(from, to);
    (Direction::ALL[(slot >> 3) as usize & 7], slot & 7)
}
