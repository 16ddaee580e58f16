#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod air;
mod attack;
mod batch;
mod board;
mod color;
mod deploy;
mod draw;
mod extended;
mod fen;
mod game;
mod headers;
mod legality;
mod movegen;
mod movement;
mod moves;
mod notation;
mod outcome;
mod perft;
mod pgn;
mod piece;
mod piece_kind;
mod position;
mod random;
mod reference_moves;
mod role;
#[cfg(feature = "schema")]
mod schema;
mod select;
#[cfg(feature = "serde")]
mod serialize;
mod setup;
mod square;
mod squareset;
mod stack;
mod targets;
mod terrain;
mod tree;
mod turns;
mod verbose;
#[cfg(feature = "serde")]
pub mod wire;
mod zobrist;

pub use batch::{Batch, BatchError};
pub use color::{Color, ParseColorError};
/// A set of roles, shared with `convoy-stack`.
pub use convoy_stack::RoleSet;
pub use deploy::{Deploy, Step};
pub use draw::{DrawStyle, Drawing};
pub use extended::DeployFieldError;
pub use fen::{ParseFenError, RankError};
pub use game::{Game, NoteError, PlayError, PlayedTurn};
pub use headers::Headers;
pub use movegen::MoveVisitor;
pub use movement::{Direction, Movement, Reach};
pub use moves::{Move, MoveKind, MoveList, MoveListIter};
pub use notation::{Namer, ReadError, TurnMoves};
pub use outcome::{Outcome, ParseReasonError, Reason, Services, VictoryRules};
pub use perft::{perft, perft_made};
pub use pgn::{PgnError, PgnReader, PgnSplitter, PgnStyle, Place, ReadPgnError};
pub use piece::{ParsePieceError, Piece};
pub use piece_kind::PieceKind;
pub use position::{IllegalMoveError, Position};
pub use random::SplitMix64;
pub use role::{ParseRoleError, Role};
pub use select::Selector;
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use squareset::{SquareSet, Squares};
pub use stack::{ParseStackError, Stack, StackRules, Standard, Variant, VariantError};
pub use terrain::Terrain;
pub use tree::{
    Annotation, Brush, GameTree, Nag, Node, NodeId, ParseShapeError, Shape, TreeError, TreeTurn,
};
pub use turns::{VerboseTurn, perft_turns};
pub use verbose::{MoveFlags, VerboseMove};

#[doc = include_str!("../COOKBOOK.md")]
pub mod cookbook {}
