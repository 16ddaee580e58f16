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
const fn seen_from(square: Square, turn: Color) -> usize {
    match turn {
        Color::Red => square.dense(),
        Color::Blue => square.flipped().dense(),
    }
}
