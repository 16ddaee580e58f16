//! One Python exception for each way of saying no; all are `ConvoyError`, which is a `ValueError`, with a code of docs/protocol.md.

use std::fmt::Display;

use convoy_protocol::cotulenh::move_error;
use convoy_protocol::{Error, ErrorCode};
use cotulenh::{Move, PlayError, ReadError};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    convoy_games,
    ConvoyError,
    PyValueError,
    "The base of all refusals of this package. `code` is a word for programs, one of docs/protocol.md; `reason` a finer word or None; `at` a \
     dictionary that says where in a longer input the fault lies, or None."
);
create_exception!(
    convoy_games,
    IllegalMoveError,
    ConvoyError,
    "A move or a turn that is not legal, or a text that names none; the board is as it was."
);
create_exception!(
    convoy_games,
    InvalidFenError,
    ConvoyError,
    "A text that is no FEN of a lawful position."
);
create_exception!(
    convoy_games,
    InvalidPgnError,
    ConvoyError,
    "A text that is no PGN of a legal game; the message and `at` have line and column."
);
create_exception!(
    convoy_games,
    InvalidTextError,
    ConvoyError,
    "A text that names no square, card, rule, level, seat, stack or record."
);
create_exception!(
    convoy_games,
    IllegalEventError,
    ConvoyError,
    "An event that the rules of Tractor refuse; the round is as it was."
);
create_exception!(
    convoy_games,
    IllegalActionError,
    ConvoyError,
    "An action index that is not legal; no game has moved."
);
create_exception!(
    convoy_games,
    BufferError,
    ConvoyError,
    "A buffer of the wrong shape, type or layout; no game has moved."
);
create_exception!(
    convoy_games,
    QueryError,
    ConvoyError,
    "A question that cannot be answered as it is asked: no such game, op or field, or too much at once."
);

/// Which exception a code is, unless the way in knows better.
fn class(py: Python<'_>, code: ErrorCode) -> Bound<'_, pyo3::types::PyType> {
    use ErrorCode as Code;
    match code {
        Code::BadFen => py.get_type::<InvalidFenError>(),
        Code::BadPgn => py.get_type::<InvalidPgnError>(),
        Code::BadSquare | Code::BadPiece | Code::BadColor | Code::Cards | Code::Rules => {
            py.get_type::<InvalidTextError>()
        }
        Code::BadNotation
        | Code::IllegalMove
        | Code::AmbiguousMove
        | Code::GameOver
        | Code::NoStack
        | Code::NobodyMoves
        | Code::DeployOpen
        | Code::PieceMissing
        | Code::PieceTwice
        | Code::PieceForgotten
        | Code::StayNotLawful
        | Code::GroupNotLawful
        | Code::WrongTerrain
        | Code::StepNotLegal
        | Code::CommanderInDanger
        | Code::CannotCombine => py.get_type::<IllegalMoveError>(),
        Code::Lead | Code::Illegal => py.get_type::<IllegalEventError>(),
        Code::Malformed
        | Code::TooLong
        | Code::UnknownField
        | Code::UnknownGame
        | Code::UnknownOp
        | Code::TooMuch => py.get_type::<QueryError>(),
    }
}

/// A refusal of the rule surface as an exception.
pub(crate) fn refused(error: &Error) -> PyErr {
    Python::attach(|py| {
        let made = (|| {
            let exception = class(py, error.code).call1((error.message.as_str(),))?;
            exception.setattr("code", error.code.word())?;
            exception.setattr("reason", error.reason.as_deref())?;
            if let Some(at) = &error.at {
                let text = serde_json::to_string(at).map_err(invalid_text)?;
                let at = py.import("json")?.getattr("loads")?.call1((text,))?;
                exception.setattr("at", at)?;
            }
            Ok(exception)
        })();
        made.map_or_else(|fault: PyErr| fault, PyErr::from_value)
    })
}

/// An exception with another code than its class has.
fn coded(exception: PyErr, code: ErrorCode) -> PyErr {
    Python::attach(|py| {
        let set = exception.value(py).setattr("code", code.word());
        set.err().unwrap_or(exception)
    })
}

/// A text that names no legal move or turn.
pub(crate) fn unreadable(text: &str, why: &ReadError) -> PyErr {
    let message = why.to_string();
    refused(&Error {
        message,
        ..move_error(text, why)
    })
}

/// A move that cannot be played.
pub(crate) fn unplayable(mv: Move, why: PlayError) -> PyErr {
    let why = match why {
        PlayError::Over(outcome) => ReadError::Over(outcome),
        PlayError::Illegal(reason) => ReadError::Illegal(Some(reason)),
    };
    unreadable(&mv.to_string(), &why)
}

pub(crate) fn illegal_move(why: impl Display) -> PyErr {
    IllegalMoveError::new_err(why.to_string())
}

pub(crate) fn invalid_text(why: impl Display) -> PyErr {
    InvalidTextError::new_err(why.to_string())
}

pub(crate) fn bad_square(why: impl Display) -> PyErr {
    coded(invalid_text(why), ErrorCode::BadSquare)
}

pub(crate) fn bad_cards(why: impl Display) -> PyErr {
    coded(invalid_text(why), ErrorCode::Cards)
}

pub(crate) fn bad_rules(why: impl Display) -> PyErr {
    coded(invalid_text(why), ErrorCode::Rules)
}

pub(crate) fn cannot_combine(why: impl Display) -> PyErr {
    coded(invalid_text(why), ErrorCode::CannotCombine)
}

pub(crate) fn bad_lead(why: impl Display) -> PyErr {
    coded(illegal_event(why), ErrorCode::Lead)
}

pub(crate) fn illegal_event(why: impl Display) -> PyErr {
    IllegalEventError::new_err(why.to_string())
}

pub(crate) fn illegal_action(why: impl Display) -> PyErr {
    IllegalActionError::new_err(why.to_string())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let base = py.get_type::<ConvoyError>();
    base.setattr("reason", py.None())?;
    base.setattr("at", py.None())?;
    for (name, class, code) in [
        ("ConvoyError", base, ErrorCode::Malformed),
        (
            "IllegalMoveError",
            py.get_type::<IllegalMoveError>(),
            ErrorCode::IllegalMove,
        ),
        (
            "InvalidFenError",
            py.get_type::<InvalidFenError>(),
            ErrorCode::BadFen,
        ),
        (
            "InvalidPgnError",
            py.get_type::<InvalidPgnError>(),
            ErrorCode::BadPgn,
        ),
        (
            "InvalidTextError",
            py.get_type::<InvalidTextError>(),
            ErrorCode::Malformed,
        ),
        (
            "IllegalEventError",
            py.get_type::<IllegalEventError>(),
            ErrorCode::Illegal,
        ),
        (
            "IllegalActionError",
            py.get_type::<IllegalActionError>(),
            ErrorCode::Illegal,
        ),
        (
            "BufferError",
            py.get_type::<BufferError>(),
            ErrorCode::Malformed,
        ),
        (
            "QueryError",
            py.get_type::<QueryError>(),
            ErrorCode::Malformed,
        ),
    ] {
        class.setattr("code", code.word())?;
        module.add(name, class)?;
    }
    Ok(())
}
