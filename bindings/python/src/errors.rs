//! One Python exception for each way of saying no; all are `ConvoyError`, which is a `ValueError`.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    convoy_games,
    ConvoyError,
    PyValueError,
    "The base of all refusals of this package."
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
    "A text that is no PGN of a legal game; the message has line and column."
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

pub(crate) fn illegal_move(why: impl Display) -> PyErr {
    IllegalMoveError::new_err(why.to_string())
}

pub(crate) fn invalid_text(why: impl Display) -> PyErr {
    InvalidTextError::new_err(why.to_string())
}

pub(crate) fn illegal_event(why: impl Display) -> PyErr {
    IllegalEventError::new_err(why.to_string())
}

pub(crate) fn illegal_action(why: impl Display) -> PyErr {
    IllegalActionError::new_err(why.to_string())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ConvoyError", py.get_type::<ConvoyError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("InvalidFenError", py.get_type::<InvalidFenError>())?;
    module.add("InvalidPgnError", py.get_type::<InvalidPgnError>())?;
    module.add("InvalidTextError", py.get_type::<InvalidTextError>())?;
    module.add("IllegalEventError", py.get_type::<IllegalEventError>())?;
    module.add("IllegalActionError", py.get_type::<IllegalActionError>())?;
    module.add("BufferError", py.get_type::<BufferError>())
}
