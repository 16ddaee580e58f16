//! Questions about Cờ Tư Lệnh; `docs/protocol.md` describes every op.
//!
//! ```
//! use convoy_protocol::Operation as _;
//! use convoy_protocol::cotulenh::MovesRequest;
//! let answer = MovesRequest::default().answer()?;
//! assert_eq!((answer.moves.len(), answer.moves[0].san.as_str()), (116, "Ic6"));
//! # Ok::<_, convoy_protocol::Error>(())
//! ```

mod annotated;
mod board;
mod draft;
mod moves;
mod piece;
mod play;
mod refusal;
mod stack;
mod stack_table;

pub use annotated::{
    AnnotatedGame, GameNode, ReadGame, ReadPgnAnswer, ReadPgnRequest, WritePgnAnswer,
    WritePgnRequest,
};
pub use board::{
    AttackersAnswer, AttackersRequest, Cover, CoverAnswer, CoverRequest, FenAnswer, FenRequest,
    MAX_PERFT_DEPTH, PerftAnswer, PerftRequest, PerftUnit,
};
pub use draft::{
    DraftAnswer, DraftCover, DraftDeploy, DraftGroup, DraftMove, DraftRequest, Exposed,
    StepsAnswer, StepsRequest, StepsTurn, TurnStep,
};
pub use moves::{
    MoveEntry, MovesAnswer, MovesRequest, TurnEntry, TurnsAnswer, TurnsRequest, Victory,
    victory_rules,
};
pub use piece::Pieces;
pub use play::{
    Capture, DeployMove, DeployRequest, PgnAnswer, PgnRequest, PgnTurn, PlayAnswer, PlayRequest,
};
use refusal::listed_move_error;
pub use refusal::{
    FEN_REASONS, MOVE_REASONS, ended_error, fen_error, illegal_move_error, move_error, pgn_error,
};
pub use stack::{
    CombineAnswer, CombineRequest, RemoveAnswer, RemoveRequest, SplitsAnswer, SplitsRequest,
    ValidateAnswer, ValidateRequest,
};
pub use stack_table::{
    Attempt, CombinationsAnswer, CombinationsRequest, ConflictEntry, ConflictsAnswer,
    ConflictsRequest, ExplainAnswer, ExplainRequest, TreeAnswer, TreeNode, TreeRequest,
};

use cotulenh::{Position, Square};

use crate::error::{Error, ErrorCode};
use crate::operation::operations;

operations! { "cotulenh", "cotulenh":
    /// The legal moves of a position.
    Moves(MovesRequest),
    /// Its complete turns.
    Turns(TurnsRequest),
    /// Moves played one after another.
    Play(PlayRequest),
    /// A whole deploy at once.
    Deploy(DeployRequest),
    /// How many sequences of moves there are.
    Perft(PerftRequest),
    /// Who attacks a square.
    Attackers(AttackersRequest),
    /// The air cover of both sides.
    Cover(CoverRequest),
    /// A position in canonical form.
    Fen(FenRequest),
    /// A game read from PGN.
    Pgn(PgnRequest),
    /// Every game of a PGN text, with variations and annotations.
    ReadPgn(ReadPgnRequest),
    /// Games with variations and annotations as PGN.
    WritePgn(WritePgnRequest),
    /// What may follow in a turn that is being put together, for boards that know no rules.
    Draft(DraftRequest),
    /// Turns taken apart into their steps.
    Steps(StepsRequest),
    /// The stack that pieces make.
    Combine(CombineRequest),
    /// Every division of a stack.
    Splits(SplitsRequest),
    /// What is left of a stack.
    Remove(RemoveRequest),
    /// Whether pieces make a stack, and every reason why not.
    Validate(ValidateRequest),
    /// Which pieces stand in each other's way.
    Conflicts(ConflictsRequest),
    /// Every stack that some of the pieces make.
    Combinations(CombinationsRequest),
    /// Each carrier tried, and why it failed.
    Explain(ExplainRequest),
    /// All stacks that some of the pieces make, as a tree.
    Tree(TreeRequest),
}

/// The position of a FEN; the usual start where there is none.
fn position(fen: Option<&str>) -> Result<Position, Error> {
    match fen {
        None => Ok(Position::start()),
        Some(fen) => fen.parse().map_err(|error| fen_error(&error)),
    }
}

/// The position after steps, the last of which may leave a deploy open.
fn after(fen: Option<&str>, steps: &[String]) -> Result<Position, Error> {
    let mut position = position(fen)?;
    for (index, text) in steps.iter().enumerate() {
        let moves = position
            .read(text)
            .map_err(|error| listed_move_error(index, text, &error))?;
        for mv in moves.iter() {
            position.play_unchecked(*mv);
        }
    }
    Ok(position)
}

fn square(name: &str) -> Result<Square, Error> {
    name.parse()
        .map_err(|error| Error::new(ErrorCode::BadSquare, format!("{name:?}: {error}")))
}
