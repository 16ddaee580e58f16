//! SAN and LAN: the names of moves and turns (Rules 6.8 and 10.2), written and read.

mod name;
mod read;
pub(crate) mod text;
mod write;

pub use read::{ReadError, TurnMoves};
pub use write::Namer;

pub(crate) use name::{Letters, of_square, push_stack, stack_text};
pub(crate) use read::column;
pub(crate) use write::Ended;
