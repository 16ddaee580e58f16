//! Squares, moves and boards of Cờ Tư Lệnh.

use std::hash::{DefaultHasher, Hash, Hasher};

use cotulenh::{Color, Game, Move, Outcome, Position, Square, Terrain, perft};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

use crate::errors::{InvalidFenError, illegal_move, invalid_text};

/// Squares are numbers in Python, `a1` is 0, `b1` is 1, `k12` is 131.
pub(crate) fn number(square: Square) -> u8 {
    11 * square.rank() + square.file()
}

pub(crate) fn square(number: u8) -> PyResult<Square> {
    Square::at(number % 11, number / 11).ok_or_else(|| {
        invalid_text(format!(
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
        .map_err(|why| invalid_text(format!("{name:?}: {why}")))?;
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
    fn from_bits(bits: u32) -> PyResult<Self> {
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
pub(crate) struct PyLegalMoves(Vec<PyMove>);

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

/// A position with the moves that led to it, in the manner of python-chess. A refused move changes nothing.
///
/// >>> from convoy_games.cotulenh import Board
/// >>> board = Board()
/// >>> len(board.legal_moves)
/// 116
/// >>> board.push_san("Ic6")
/// [Move("Ic5c6")]
/// >>> board.turn, board.fullmove_number
/// (False, 1)
/// >>> board.pop()
/// Move("Ic5c6")
#[pyclass(name = "Board", module = "convoy_games.cotulenh", weakref)]
#[derive(Clone)]
pub(crate) struct PyBoard {
    pub(crate) game: Game,
}

impl PyBoard {
    fn position(&self) -> &Position {
        self.game.position()
    }
}

#[pymethods]
impl PyBoard {
    /// The board of a FEN, extended ones included; without one, the start of a game.
    #[new]
    #[pyo3(signature = (fen=None))]
    fn new(fen: Option<&str>) -> PyResult<Self> {
        let game = match fen {
            None => Game::default(),
            Some(fen) => {
                let position = fen.parse::<Position>();
                Game::new(position.map_err(|why| InvalidFenError::new_err(why.to_string()))?)
            }
        };
        Ok(Self { game })
    }

    /// The FEN of the position; with a deploy open, the extended one.
    fn fen(&self) -> String {
        self.position().to_string()
    }

    /// The FEN of the board as it stands now, an open deploy left out.
    fn board_fen(&self) -> String {
        self.position().board_fen()
    }

    /// RED (True) or BLUE (False).
    #[getter]
    fn turn(&self) -> bool {
        is_red(self.position().turn())
    }

    /// Turns since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.position().halfmove_clock()
    }

    /// The number of the move, from 1; it grows after Blue's turn.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.position().move_number()
    }

    /// Every legal move as the board stands, in the order of the rules; none once the game is over.
    #[getter]
    fn legal_moves(&self) -> PyLegalMoves {
        PyLegalMoves(
            self.game
                .legal_moves()
                .iter()
                .copied()
                .map(PyMove)
                .collect(),
        )
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: PyMove) -> bool {
        !self.game.is_over() && self.position().is_legal(r#move.0)
    }

    /// Plays a legal move.
    fn push(&mut self, r#move: PyMove) -> PyResult<()> {
        self.game.play(r#move.0).map_err(illegal_move)
    }

    /// Reads and plays a move, steps or a whole turn, as SAN or LAN; all of it or nothing. Answers the moves played.
    fn push_san(&mut self, san: &str) -> PyResult<Vec<PyMove>> {
        let moves = self.game.play_text(san).map_err(illegal_move)?;
        Ok(moves.iter().copied().map(PyMove).collect())
    }

    /// Takes the last move back, one step of a deploy or a whole move, and answers it.
    fn pop(&mut self) -> PyResult<PyMove> {
        let last = self.moves().last().copied();
        let last = last.ok_or_else(|| PyIndexError::new_err("pop from an empty move stack"))?;
        self.game.undo_step();
        Ok(last)
    }

    /// Takes the open deploy back, or else the last turn; False if there is none.
    fn pop_turn(&mut self) -> bool {
        self.game.undo()
    }

    /// Every move since the start, steps one by one.
    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        self.moves()
    }

    /// How many whole turns have been played.
    #[getter]
    fn turn_count(&self) -> usize {
        self.game.turn_count()
    }

    /// The SAN of a legal move.
    fn san(&self, r#move: PyMove) -> PyResult<String> {
        self.legal(r#move)?;
        Ok(self.position().san(r#move.0))
    }

    /// The LAN of a legal move.
    fn lan(&self, r#move: PyMove) -> PyResult<String> {
        self.legal(r#move)?;
        Ok(self.position().lan(r#move.0))
    }

    /// The move of a SAN or LAN.
    fn parse_san(&self, san: &str) -> PyResult<PyMove> {
        self.position()
            .read_move(san)
            .map(PyMove)
            .map_err(illegal_move)
    }

    /// The moves of a whole turn, or of some steps of one.
    fn parse_turn(&self, text: &str) -> PyResult<Vec<PyMove>> {
        let moves = self.position().read(text).map_err(illegal_move)?;
        Ok(moves.iter().copied().map(PyMove).collect())
    }

    /// The SAN of every completed turn.
    fn sans(&self) -> Vec<String> {
        self.game.sans()
    }

    /// The LAN of every completed turn.
    fn lans(&self) -> Vec<String> {
        self.game.lans()
    }

    /// Every legal whole turn: its LAN, and its moves.
    fn legal_turns(&self) -> Vec<(String, Vec<PyMove>)> {
        let turns = self.position().turns().into_iter();
        turns
            .map(|turn| {
                let moves = turn.moves.iter().copied();
                (
                    self.position().turn_lan(&turn.moves),
                    moves.map(PyMove).collect(),
                )
            })
            .collect()
    }

    /// Whether a deploy is open.
    #[getter]
    fn is_deploy_open(&self) -> bool {
        self.position().deploy().is_some()
    }

    /// Whether the commander of the side to move is attacked, or gone.
    fn is_check(&self) -> bool {
        self.position().in_check()
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.position().is_checkmate()
    }

    /// Whether the side to move has no legal turn, and is not in check.
    fn is_stalemate(&self) -> bool {
        self.position().is_stalemate()
    }

    /// Whether the game is over, repetition and clock included.
    fn is_game_over(&self) -> bool {
        self.game.is_over()
    }

    /// How the game ended, or None.
    fn outcome(&self) -> Option<PyOutcome> {
        self.game.outcome().map(PyOutcome::new)
    }

    /// '1-0', '0-1', '1/2-1/2', or '*' while the game goes on.
    fn result(&self) -> &'static str {
        self.outcome().map_or("*", |outcome| outcome.result())
    }

    /// How often the position has occurred, this time included.
    fn repetitions(&self) -> usize {
        self.game.repetitions()
    }

    /// The stack on a square as FEN writes it, '(NFT)', or None.
    fn stack_at(&self, square: u8) -> PyResult<Option<String>> {
        let stack = self.position().stack_at(self::square(square)?);
        Ok(stack.map(|stack| stack.to_string()))
    }

    /// Every stack by its square.
    fn stack_map(&self) -> std::collections::BTreeMap<u8, String> {
        let stacks = self.position().stacks();
        stacks
            .map(|(square, stack)| (number(square), stack.to_string()))
            .collect()
    }

    /// The square of a side's commander, alone or in a stack, or None.
    fn commander(&self, color: bool) -> Option<u8> {
        self.position().commander(self::color(color)).map(number)
    }

    /// The pieces of a side that attack a square: the square and the letter of each.
    fn attackers(&self, color: bool, square: u8) -> PyResult<Vec<(u8, char)>> {
        let attackers = self
            .position()
            .attackers(self::square(square)?, self::color(color));
        Ok(attackers
            .map(|(from, role)| (number(from), role.letter()))
            .collect())
    }

    /// The squares that a side's air defence covers.
    fn air_cover(&self, color: bool) -> Vec<u8> {
        let cover = self.position().air_cover(self::color(color));
        cover.into_iter().map(number).collect()
    }

    /// The number of ways to play so many moves, steps counted one by one.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| perft(self.position(), depth))
    }

    /// A number that tells positions apart by placement, side to move and open deploy.
    #[getter]
    fn key(&self) -> u64 {
        self.position().key()
    }

    /// A copy with a history of its own.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position() == other.position()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.position()
            .draw(cotulenh::DrawStyle::default())
            .to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board({:?})", self.fen())
    }

    /// The board as SVG, with the last move marked: what notebooks show.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let last = slf.borrow().moves().last().copied();
        let marked: Vec<u8> = last.map_or(Vec::new(), |mv| vec![mv.from_square(), mv.to_square()]);
        let options = PyDict::new(slf.py());
        options.set_item("marked", marked)?;
        let svg = slf.py().import("convoy_games.svg")?;
        svg.getattr("board")?.call((slf,), Some(&options))
    }

    fn __getstate__(&self) -> (String, Vec<u32>) {
        let moves = self.moves().into_iter().map(|mv| mv.0.bits());
        (self.game.start().to_string(), moves.collect())
    }

    fn __setstate__(&mut self, state: (String, Vec<u32>)) -> PyResult<()> {
        let mut board = Self::new(Some(&state.0))?;
        for bits in state.1 {
            board.push(PyMove::from_bits(bits)?)?;
        }
        *self = board;
        Ok(())
    }
}

impl PyBoard {
    fn legal(&self, mv: PyMove) -> PyResult<()> {
        self.position().play(mv.0).map(drop).map_err(illegal_move)
    }

    fn moves(&self) -> Vec<PyMove> {
        let turns = self.game.turns().flat_map(|turn| turn.moves.to_vec());
        turns
            .chain(self.game.open_moves().iter().copied())
            .map(PyMove)
            .collect()
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_square, module)?)?;
    module.add_function(wrap_pyfunction!(square_name, module)?)?;
    module.add_function(wrap_pyfunction!(terrain, module)?)?;
    module.add_class::<PyMove>()?;
    module.add_class::<PyOutcome>()?;
    module.add_class::<PyLegalMoves>()?;
    module.add_class::<PyBoard>()
}
