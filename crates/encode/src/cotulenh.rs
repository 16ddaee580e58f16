//! Cờ Tư Lệnh: planes, action indices, one game.
//!
//! Both see the board from the side to move: Blue's ranks are turned round, so that a player's own side is always at the bottom
//! (rank 1), and the sea always on the left.

mod actions;
mod env;
mod planes;

pub use actions::{ACTIONS, COMMIT, LINES, Mode, decode, index};
pub use env::Env;
pub use planes::{OBSERVATION_LEN, PLANES, Plane, SHAPE, observe};

/// The version of the planes and of the action indices; it grows when either changes.
pub const VERSION: u32 = 1;

use cotulenh::{Color, Square};

/// The number of a square as the side to move sees it: 0 is its own `a12`, 131 its own `k1`.
#[inline]
fn seen_from(square: Square, turn: Color) -> usize {
    usize::from(SEEN[turn.index()][square.index()])
}

/// Those numbers by colour and [`Square::index`].
static SEEN: [[u8; Square::INDEX_LEN]; 2] = [seen(Color::Red), seen(Color::Blue)];

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are 132 squares, and `try_from` is not const"
)]
const fn seen(turn: Color) -> [u8; Square::INDEX_LEN] {
    let mut table = [0; Square::INDEX_LEN];
    let mut index = 0;
    while index < Square::INDEX_LEN {
        if let Some(square) = Square::from_index(index) {
            let seen = match turn {
                Color::Red => square,
                Color::Blue => square.flipped(),
            };
            table[index] = seen.dense() as u8;
        }
        index += 1;
    }
    table
}
