//! Whole games of Cờ Tư Lệnh: PGN, tags, comments.

use std::collections::BTreeMap;

use cotulenh::{Game, PgnStyle};
use pyo3::prelude::*;

use crate::board::PyBoard;
use crate::errors::{InvalidPgnError, invalid_text};

/// A game with its tags and comments, as a PGN holds it.
///
/// >>> from convoy_games.cotulenh import Game
/// >>> game = Game.from_pgn('[Red "An"]\n\n1. Ic6 Mg7 {quick} *')
/// >>> game.headers["Red"], game.sans(), game.comment(2)
/// ('An', ['Ic6', 'Mg7'], 'quick')
/// >>> game.board(1).fen().split()[1]
/// 'b'
#[pyclass(name = "Game", module = "convoy_games.cotulenh", eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyGame {
    game: Game,
}

#[pymethods]
impl PyGame {
    /// The game of a board: its start and every move since.
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(board: Option<PyRef<'_, PyBoard>>) -> Self {
        Self {
            game: board.map_or_else(Game::default, |board| board.game.clone()),
        }
    }

    /// Reads one game in PGN, strictly: what is unreadable or illegal is refused with its place.
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Self> {
        let game = text.parse::<Game>();
        game.map(|game| Self { game })
            .map_err(|why| InvalidPgnError::new_err(why.to_string()))
    }

    /// The game as PGN; lines of moves are wrapped before `width` characters, 0 never wraps.
    #[pyo3(signature = (width=80))]
    fn pgn(&self, width: usize) -> String {
        self.game.pgn_in(PgnStyle {
            width,
            clocks: true,
        })
    }

    /// The tags that were set. A changed dictionary changes nothing: see `set_header`.
    #[getter]
    fn headers(&self) -> BTreeMap<String, String> {
        let headers = self.game.headers();
        headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// Sets a tag.
    fn set_header(&mut self, name: &str, value: &str) -> PyResult<()> {
        self.game.set_header(name, value).map_err(invalid_text)
    }

    /// The comment after so many turns, 0 is the start; None if there is none.
    fn comment(&self, turns: usize) -> Option<String> {
        self.game.comment(turns).map(str::to_owned)
    }

    /// Sets the comment after so many turns; an empty one removes it.
    fn set_comment(&mut self, turns: usize, text: &str) -> PyResult<()> {
        self.game.set_comment(turns, text).map_err(invalid_text)
    }

    /// The SAN of every completed turn.
    fn sans(&self) -> Vec<String> {
        self.game.sans()
    }

    /// The LAN of every completed turn.
    fn lans(&self) -> Vec<String> {
        self.game.lans()
    }

    /// The board after so many turns; without a number, after the last move.
    #[pyo3(signature = (turns=None))]
    fn board(&self, turns: Option<usize>) -> PyBoard {
        let mut game = self.game.clone();
        while turns
            .is_some_and(|turns| game.turn_count() > turns || game.position().deploy().is_some())
            && game.undo()
        {}
        PyBoard { game }
    }

    /// '1-0', '0-1', '1/2-1/2', or '*'.
    #[getter]
    fn result(&self) -> String {
        let ended = self
            .game
            .outcome()
            .map(|outcome| crate::cotulenh::PyOutcome::new(outcome).result());
        let tag = || self.game.header("Result").unwrap_or("*").to_owned();
        ended.map_or_else(tag, str::to_owned)
    }

    fn __len__(&self) -> usize {
        self.game.turn_count()
    }

    fn __str__(&self) -> String {
        self.game.pgn()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Game of {} turns, {}>",
            self.game.turn_count(),
            self.result()
        )
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGame>()
}
