//! Keys: positions as 64-bit numbers.

use crate::stack::table::Info;
use crate::{PieceKind, SplitMix64, Square};

/// The number of a kind of piece of a colour on a square: each has its place in one random sequence.
const fn piece(square: usize, color: usize, kind: usize) -> u64 {
    let place = (square * PieceKind::COUNT + kind) * 2 + color;
    SplitMix64::nth(0xc071_e1e4, place as u64)
}

/// The numbers of the pieces of one colour on a square, from a table.
#[cfg(not(target_family = "wasm"))]
struct Pieces(&'static [u64; PieceKind::COUNT]);

#[cfg(not(target_family = "wasm"))]
impl Pieces {
    #[inline]
    fn of(square: Square, color: usize) -> Self {
        static TABLE: [[[u64; PieceKind::COUNT]; 2]; Square::INDEX_LEN] = {
            let mut table = [[[0; PieceKind::COUNT]; 2]; Square::INDEX_LEN];
            let mut square = 0;
            while square < Square::INDEX_LEN {
                let mut kind = 0;
                while kind < PieceKind::COUNT {
                    table[square][0][kind] = piece(square, 0, kind);
                    table[square][1][kind] = piece(square, 1, kind);
                    kind += 1;
                }
                square += 1;
            }
            table
        };
        Self(&TABLE[square.index()][color])
    }

    #[inline]
    const fn key(&self, kind: PieceKind) -> u64 {
        self.0[kind.index()]
    }
}

/// The numbers of the pieces of one colour on a square, made when they are asked for: no compression makes a table of
/// random numbers smaller, and WebAssembly is downloaded.
#[cfg(target_family = "wasm")]
struct Pieces(Square, usize);

#[cfg(target_family = "wasm")]
impl Pieces {
    #[inline]
    const fn of(square: Square, color: usize) -> Self {
        Self(square, color)
    }

    #[inline]
    const fn key(&self, kind: PieceKind) -> u64 {
        piece(self.0.index(), self.1, kind.index())
    }
}

/// Blue is to move.
pub(crate) const BLUE_TO_MOVE: u64 = 0x6a09_e667_f3bc_c908;

/// The share of one stack in the key.
#[inline]
pub(crate) fn stack(square: Square, color: usize, info: &Info) -> u64 {
    let pieces = Pieces::of(square, color);
    let members = &info.members;
    let mut key = pieces.key(members[0]);
    for kind in &members[1..] {
        if *kind != PieceKind::NONE {
            key ^= pieces.key(*kind);
        }
    }
    key
}

/// Mixes a step of an open deploy into its share of the key; the order of the steps counts.
pub(crate) const fn step(before: u64, packed: u32) -> u64 {
    SplitMix64::mix(before ^ packed as u64)
}
