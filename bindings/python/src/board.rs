//! Boards of Cờ Tư Lệnh, in the manner of python-chess.

use std::hash::{DefaultHasher, Hash, Hasher};

use convoy_protocol::cotulenh::{MAX_PERFT_DEPTH, fen_error};
use convoy_protocol::{Error, ErrorCode};
use cotulenh::{Game, PlayError, Position, perft};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cotulenh::{
    PyLegalMoves, PyMove, PyOutcome, color as color_of, is_red, number, square as square_of,
};
use crate::errors::{refused, unplayable, unreadable};

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
                Game::new(position.map_err(|why| refused(&fen_error(&why)))?)
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
        let played = self.game.play(r#move.0);
        played.map_err(|why| unplayable(r#move.0, why))
    }

    /// Reads and plays a move, steps or a whole turn, as SAN or LAN; all of it or nothing. Answers the moves played.
    fn push_san(&mut self, san: &str) -> PyResult<Vec<PyMove>> {
        let moves = self.game.play_text(san);
        let moves = moves.map_err(|why| unreadable(san, &why))?;
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
            .map_err(|why| unreadable(san, &why))
    }

    /// The moves of a whole turn, or of some steps of one.
    fn parse_turn(&self, text: &str) -> PyResult<Vec<PyMove>> {
        let moves = self.position().read(text);
        let moves = moves.map_err(|why| unreadable(text, &why))?;
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
        let stack = self.position().stack_at(square_of(square)?);
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
        self.position().commander(color_of(color)).map(number)
    }

    /// The pieces of a side that attack a square: the square and the letter of each.
    fn attackers(&self, color: bool, square: u8) -> PyResult<Vec<(u8, char)>> {
        let attackers = self
            .position()
            .attackers(square_of(square)?, color_of(color));
        Ok(attackers
            .map(|(from, role)| (number(from), role.letter()))
            .collect())
    }

    /// The squares that a side's air defence covers.
    fn air_cover(&self, color: bool) -> Vec<u8> {
        let cover = self.position().air_cover(color_of(color));
        cover.into_iter().map(number).collect()
    }

    /// The number of ways to play so many moves, steps counted one by one.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > MAX_PERFT_DEPTH {
            let message = format!("depth is {depth}, and {MAX_PERFT_DEPTH} at most");
            return Err(refused(&Error::new(ErrorCode::TooMuch, message)));
        }
        Ok(py.detach(|| perft(self.position(), depth)))
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
        let marked: Vec<u8> = last.map_or(Vec::new(), |mv| {
            vec![number(mv.0.from()), number(mv.0.to())]
        });
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
        let played = self.position().play(mv.0).map(drop);
        played.map_err(|why| unplayable(mv.0, PlayError::Illegal(why)))
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
    module.add_class::<PyBoard>()
}
