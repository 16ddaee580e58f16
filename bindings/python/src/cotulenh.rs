//! Squares, moves and outcomes of Cờ Tư Lệnh.

use cotulenh::{Color, Move, Outcome, Reason, Square, Terrain};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use crate::errors::{bad_square, invalid_text};

/// Squares are numbers in Python, `a1` is 0, `b1` is 1, `k12` is 131.
pub(crate) fn number(square: Square) -> u8 {
    11 * square.rank() + square.file()
}

pub(crate) fn square(number: u8) -> PyResult<Square> {
    Square::at(number % 11, number / 11).ok_or_else(|| {
        bad_square(format!(
            "{number} is no square: they are 0 (a1) to 131 (k12)"
        ))
    })
}

/// `True` is Red in Python, as white is in python-chess.
pub(crate) fn is_red(color: Color) -> bool {
    color == Color::Red
}

pub(crate) fn color(red: bool) -> Color {
    if red { Color::Red } else { Color::Blue }
}

/// The number of a square's name.
///
/// >>> from convoy_games import cotulenh
/// >>> cotulenh.parse_square("c4")
/// 35
#[pyfunction]
fn parse_square(name: &str) -> PyResult<u8> {
    let found: Square = name
        .parse()
        .map_err(|why| bad_square(format!("{name:?}: {why}")))?;
    Ok(number(found))
}

/// The name of a square's number.
///
/// >>> from convoy_games import cotulenh
/// >>> cotulenh.square_name(35)
/// 'c4'
#[pyfunction]
fn square_name(square: u8) -> PyResult<String> {
    self::square(square).map(|square| square.to_string())
}

/// The terrain of a square: 'sea', 'mixed' or 'land'.
///
/// >>> from convoy_games import cotulenh
/// >>> cotulenh.terrain(cotulenh.parse_square("b3"))
/// 'sea'
#[pyfunction]
fn terrain(square: u8) -> PyResult<String> {
    Ok(Terrain::of(self::square(square)?).to_string())
}

/// One action: of a whole stack, one step of a deploy, or the commit that ends it. Moves compare and hash by value.
///
/// >>> from convoy_games.cotulenh import Board
/// >>> move = Board().parse_san("Ic6")
/// >>> move.lan, move.from_square, move.to_square, move.role, move.kind
/// ('Ic5c6', 46, 57, 'I', 'quiet move')
#[pyclass(
    name = "Move",
    module = "convoy_games.cotulenh",
    frozen,
    eq,
    hash,
    from_py_object
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyMove(pub(crate) Move);

#[pymethods]
impl PyMove {
    /// The move of a number that `bits` gave.
    #[staticmethod]
    pub(crate) fn from_bits(bits: u32) -> PyResult<Self> {
        let found = Move::from_bits(bits).map(Self);
        found.ok_or_else(|| invalid_text(format!("{bits} is the number of no move")))
    }

    /// A number that tells the move from all others.
    #[getter]
    fn bits(&self) -> u32 {
        self.0.bits()
    }

    /// Where it starts; for a commit, the origin of the deploy.
    #[getter]
    fn from_square(&self) -> u8 {
        number(self.0.from())
    }

    /// The target, even if the mover does not go there.
    #[getter]
    fn to_square(&self) -> u8 {
        number(self.0.to())
    }

    /// The letter of the piece that steps, or of the carrier of the whole stack.
    #[getter]
    fn role(&self) -> char {
        self.0.role().letter()
    }

    /// What it does, in words: 'quiet move', 'capture', 'stay capture', 'kamikaze', 'combination', 'commit'.
    #[getter]
    fn kind(&self) -> String {
        self.0.kind().to_string()
    }

    /// Whether it is a step of a deploy (a commit is one too).
    #[getter]
    fn is_step(&self) -> bool {
        self.0.is_step()
    }

    /// Whether it joins a piece that was deployed earlier this turn.
    #[getter]
    fn is_recombine(&self) -> bool {
        self.0.is_recombine()
    }

    /// Whether it takes something, in whatever way.
    #[getter]
    fn is_capture(&self) -> bool {
        self.0.is_capture()
    }

    /// Whether it ends a deploy and does nothing else.
    #[getter]
    fn is_commit(&self) -> bool {
        self.0.is_commit()
    }

    /// The long text as far as the move alone tells it: without cargo and heroic marks.
    #[getter]
    fn lan(&self) -> String {
        self.0.to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move({:?})", self.0.to_string())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (u32,))> {
        let make = py.get_type::<Self>().getattr("from_bits")?;
        Ok((make.unbind(), (self.0.bits(),)))
    }
}

/// How a game ended. `winner` is RED (True), BLUE (False) or None for a draw.
///
/// >>> from convoy_games.cotulenh import Board
/// >>> Board("4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1").outcome()
/// Outcome(winner=False, reason='checkmate')
#[pyclass(
    name = "Outcome",
    module = "convoy_games.cotulenh",
    frozen,
    eq,
    get_all
)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyOutcome {
    /// RED, BLUE, or None for a draw.
    winner: Option<bool>,
    /// 'checkmate', 'stalemate', 'commander', 'fifty', 'threefold', 'marine', 'air' or 'land'.
    reason: String,
}

impl PyOutcome {
    pub(crate) fn new(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner.map(is_red),
            reason: outcome.reason.word().into(),
        }
    }
}

#[pymethods]
impl PyOutcome {
    /// An outcome by its winner and its reason.
    #[new]
    #[pyo3(signature = (winner, reason))]
    fn by(winner: Option<bool>, reason: &str) -> PyResult<Self> {
        let reason: Reason = reason.parse().map_err(invalid_text)?;
        let winner = winner.map(color);
        Ok(Self::new(Outcome { winner, reason }))
    }

    fn __getnewargs__(&self) -> (Option<bool>, &str) {
        (self.winner, &self.reason)
    }

    /// '1-0' if Red won, '0-1' if Blue did, '1/2-1/2' for a draw.
    pub(crate) fn result(&self) -> &'static str {
        match self.winner {
            Some(true) => "1-0",
            Some(false) => "0-1",
            None => "1/2-1/2",
        }
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner {
            None => "None",
            Some(true) => "True",
            Some(false) => "False",
        };
        format!("Outcome(winner={winner}, reason='{}')", self.reason)
    }
}

/// The legal moves of a board as it stood: to be counted, iterated over, indexed and looked into.
///
/// >>> from convoy_games.cotulenh import Board
/// >>> moves = Board().legal_moves
/// >>> len(moves), moves.count(), bool(moves), moves[0]
/// (116, 116, True, Move("Ic5c6"))
/// >>> Board().parse_san("Ic6") in moves
/// True
#[pyclass(name = "LegalMoves", module = "convoy_games.cotulenh", frozen)]
pub(crate) struct PyLegalMoves(pub(crate) Vec<PyMove>);

#[pymethods]
impl PyLegalMoves {
    /// How many there are.
    fn count(&self) -> usize {
        self.0.len()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __contains__(&self, r#move: PyMove) -> bool {
        self.0.contains(&r#move)
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyMove> {
        let from_end = index
            .checked_add_unsigned(self.0.len())
            .filter(|_| index < 0);
        let place = usize::try_from(from_end.unwrap_or(index)).ok();
        let found = place.and_then(|place| self.0.get(place).copied());
        found.ok_or_else(|| PyIndexError::new_err("there are fewer legal moves"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.iter().copied())?.try_iter()
    }

    fn __repr__(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(|mv| mv.0.to_string()).collect();
        format!("<LegalMoves ({})>", texts.join(", "))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_square, module)?)?;
    module.add_function(wrap_pyfunction!(square_name, module)?)?;
    module.add_function(wrap_pyfunction!(terrain, module)?)?;
    module.add_class::<PyMove>()?;
    module.add_class::<PyOutcome>()?;
    module.add_class::<PyLegalMoves>()
}
