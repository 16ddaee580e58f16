#![doc = include_str!("../README.md")]

pub mod bot;
pub mod cotulenh;
mod diagnose;
mod distinct;
mod envelope;
mod error;
mod line;
mod nearest;
mod operation;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod strict;
pub mod tractor;

pub use distinct::distinct;
pub use error::{At, Error, ErrorCode, EventPhase};
pub use line::{Answer, Request, answer_line, read_line, refuse_long_line, write_answer};
pub use nearest::nearest;
pub use operation::{Description, Operation};
pub use read::read_json;
#[cfg(feature = "schema")]
pub use schema::error_schemas;

/// The most bytes that a line holds: a longer one is no question about a game.
pub const LONGEST_LINE: usize = 1 << 20;
