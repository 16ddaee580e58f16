//! Why the rules of Cờ Tư Lệnh refuse something: the codes and reasons are those of `convoy-protocol`.

use convoy_protocol::cotulenh::{ended_error, fen_error, illegal_move_error, move_error};
use convoy_protocol::{Error, ErrorCode};
use cotulenh::{IllegalMoveError, ParseFenError, ReadError};

use crate::refusal::Refusal;

/// The reasons for positions that cannot be what they are wanted for, beside those of a text that is no FEN.
#[cfg(test)]
pub(crate) const POSITIONS: [&str; 3] = ["between-turns", "over", "unreadable"];

/// A move that the rules forbid.
pub(crate) fn illegal(text: &str, error: IllegalMoveError) -> Refusal {
    illegal_move_error(text, error).into()
}

/// A step after the turn has ended.
pub(crate) fn ended(text: &str) -> Refusal {
    ended_error(text).into()
}

/// A turn without its end.
pub(crate) fn unfinished() -> Refusal {
    let error = Error::new(ErrorCode::IllegalMove, "the turn is not complete");
    error.because("unfinished").into()
}

/// A text that names no move or turn.
pub(crate) fn unread(text: &str, error: &ReadError) -> Refusal {
    move_error(text, error).into()
}

/// A text that is no position.
pub(crate) fn fen(error: &ParseFenError) -> Refusal {
    fen_error(error).into()
}

/// A position that cannot be what it is wanted for.
pub(crate) fn position(reason: &str, text: &str) -> Refusal {
    Error::new(ErrorCode::BadFen, text).because(reason).into()
}
