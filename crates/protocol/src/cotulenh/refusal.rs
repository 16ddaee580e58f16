//! Why the rules refuse something: a code, a finer word for translations, and a sentence. The judgement is the
//! rules crate's; the exhaustive matches are here.

use cotulenh::{IllegalMoveError, ParseFenError, ReadError, ReadPgnError, SetupError};

use crate::error::{At, Error, ErrorCode};

/// The reasons of `illegal-move`, for translations.
pub const MOVE_REASONS: [&str; 15] = [
    "over",
    "nobody",
    "absent",
    "deploy-open",
    "no-deploy",
    "deployed",
    "unreachable",
    "danger",
    "stranded",
    "dead-end",
    "no-move",
    "not-heroic",
    "stay",
    "unfinished",
    "ended",
];

/// The reasons of `bad-fen`, for translations.
pub const FEN_REASONS: [&str; 7] = [
    "fields",
    "rank",
    "turn",
    "number",
    "terrain",
    "commanders",
    "deploy",
];

const fn reason(error: IllegalMoveError) -> &'static str {
    match error {
        IllegalMoveError::NoCommander => "over",
        IllegalMoveError::Nobody(_) => "nobody",
        IllegalMoveError::Absent(..) => "absent",
        IllegalMoveError::DeployOpen(_) => "deploy-open",
        IllegalMoveError::NoDeploy => "no-deploy",
        IllegalMoveError::Deployed(_) => "deployed",
        IllegalMoveError::Unreachable(..)
        | IllegalMoveError::OutOfRange { .. }
        | IllegalMoveError::Terrain(..)
        | IllegalMoveError::NoTarget(_)
        | IllegalMoveError::Occupied(_)
        | IllegalMoveError::Friend(_)
        | IllegalMoveError::NoStack(_) => "unreachable",
        IllegalMoveError::Danger => "danger",
        IllegalMoveError::Stranded(_) => "stranded",
        IllegalMoveError::DeadEnd => "dead-end",
    }
}

/// A text that names no legal move or turn.
///
/// ```
/// use convoy_protocol::{ErrorCode, cotulenh::move_error};
/// let error = cotulenh::Position::start().read("Ic5c9").expect_err("too far");
/// let error = move_error("Ic5c9", &error);
/// assert_eq!((error.code, error.reason.as_deref()), (ErrorCode::IllegalMove, Some("unreachable")));
/// ```
pub fn move_error(text: &str, error: &ReadError) -> Error {
    let (code, word) = match error {
        ReadError::Syntax { .. } => (ErrorCode::BadNotation, None),
        ReadError::Illegal(Some(error)) => (ErrorCode::IllegalMove, Some(reason(*error))),
        ReadError::Illegal(None) | ReadError::NoneFits { .. } => {
            (ErrorCode::IllegalMove, Some("no-move"))
        }
        ReadError::Ambiguous { .. } => (ErrorCode::AmbiguousMove, None),
        ReadError::NotHeroic(_) => (ErrorCode::IllegalMove, Some("not-heroic")),
        ReadError::Stay(_) => (ErrorCode::IllegalMove, Some("stay")),
        ReadError::Unfinished(_) => (ErrorCode::IllegalMove, Some("unfinished")),
        ReadError::Over(_) => (ErrorCode::GameOver, None),
    };
    Error {
        reason: word.map(str::to_owned),
        ..Error::new(code, format!("{text}: {error}"))
    }
    .at(At::Move {
        index: 0,
        r#move: text.to_owned(),
    })
}

/// A move that the rules forbid.
pub fn illegal_move_error(text: &str, error: IllegalMoveError) -> Error {
    move_error(text, &ReadError::Illegal(Some(error)))
}

/// A step after the turn has ended.
pub fn ended_error(text: &str) -> Error {
    let message = format!("{text}: the turn has ended before");
    Error::new(ErrorCode::IllegalMove, message).because("ended")
}

/// The error of one of several moves.
pub(super) fn listed_move_error(index: usize, text: &str, error: &ReadError) -> Error {
    Error {
        message: format!("move {} {text:?}: {error}", index + 1),
        at: Some(At::Move {
            index,
            r#move: text.to_owned(),
        }),
        ..move_error(text, error)
    }
}

/// A text that is no position.
///
/// ```
/// use convoy_protocol::cotulenh::fen_error;
/// let error = "x".parse::<cotulenh::Position>().expect_err("no FEN");
/// assert_eq!(fen_error(&error).reason.as_deref(), Some("fields"));
/// ```
pub fn fen_error(error: &ParseFenError) -> Error {
    let word = match error {
        ParseFenError::Fields(_) | ParseFenError::Ranks(_) | ParseFenError::Dash(_) => "fields",
        ParseFenError::RankLength { .. }
        | ParseFenError::Rank { .. }
        | ParseFenError::Setup(SetupError::Unlawful(..)) => "rank",
        ParseFenError::Turn => "turn",
        ParseFenError::HalfmoveClock
        | ParseFenError::MoveNumber
        | ParseFenError::Setup(SetupError::MoveNumber) => "number",
        ParseFenError::Setup(SetupError::Terrain(..)) => "terrain",
        ParseFenError::Setup(SetupError::Commanders(..)) => "commanders",
        ParseFenError::Deploy(_) => "deploy",
    };
    Error::new(ErrorCode::BadFen, error.to_string()).because(word)
}

/// A text that is no PGN.
pub fn pgn_error(error: &ReadPgnError) -> Error {
    Error::new(ErrorCode::BadPgn, error.to_string()).at(At::Text {
        line: error.place.line,
        column: error.place.column,
    })
}
