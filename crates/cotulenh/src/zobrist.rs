//! Keys: positions as 64-bit numbers.

use crate::stack::table::Info;
use crate::{PieceKind, SplitMix64, Square};

/// A number for each square and each kind of piece of each colour.
static PIECES: [[[u64; PieceKind::COUNT]; 2]; Square::INDEX_LEN] = {
    let mut table = [[[0; PieceKind::COUNT]; 2]; Square::INDEX_LEN];
    let mut random = SplitMix64::new(0xc071_e1e4);
    let mut square = 0;
    while square < Square::INDEX_LEN {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            table[square][0][kind] = random.next_u64();
            table[square][1][kind] = random.next_u64();
            kind += 1;
        }
        square += 1;
    }
    table
};

/// Blue is to move.
pub(crate) const BLUE_TO_MOVE: u64 = 0x6a09_e667_f3bc_c908;

/// The share of one stack in the key.
#[inline]
pub(crate) fn stack(square: Square, color: usize, info: &Info) -> u64 {
    let keys = &PIECES[square.index()][color];
    let members = &info.members;
    let mut key = keys[members[0].index()];
    for kind in &members[1..] {
        if *kind != PieceKind::NONE {
            key ^= keys[kind.index()];
        }
    }
    key
}

/// Mixes a step of an open deploy into its share of the key; the order of the steps counts.
pub(crate) const fn step(before: u64, packed: u32) -> u64 {
    SplitMix64::mix(before ^ packed as u64)
}
