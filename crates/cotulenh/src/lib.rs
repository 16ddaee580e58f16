#![doc = include_str!("../README.md")]

mod air;
mod attack;
mod board;
mod color;
mod deploy;
mod fen;
mod movegen;
mod movement;
mod moves;
mod outcome;
mod perft;
mod piece;
mod position;
mod rays;
mod role;
mod setup;
mod square;
mod squareset;
mod stack;
mod terrain;
mod zobrist;

pub use color::Color;
pub use deploy::{Deploy, Step};
pub use fen::{FenFault, ParseFenError};
pub use moves::{Move, MoveKind, MoveList};
pub use outcome::{Outcome, Reason, VictoryRules};
pub use perft::{perft, perft_made};
pub use piece::Piece;
pub use position::{IllegalMove, Position};
pub use role::Role;
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use squareset::{SquareSet, Squares};
pub use stack::{ParseStackError, Stack};
pub use terrain::Terrain;
