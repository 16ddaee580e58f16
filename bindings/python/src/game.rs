//! Whole games of Cờ Tư Lệnh: PGN, tags, comments, variations.

use std::collections::BTreeMap;

use convoy_protocol::cotulenh::pgn_error;
use cotulenh::{GameTree, NodeId, PgnReader, PgnSplitter, PgnStyle, Place};
use pyo3::prelude::*;

use crate::board::PyBoard;
use crate::errors::{invalid_text, refused};
use crate::node::PyNode;

/// A game with its tags, comments and variations, as a PGN holds it. Its turns are nodes: `root` is the start, see `GameNode`; what is
/// told by the number of turns is told of the main line.
///
/// >>> from convoy_games.cotulenh import Game
/// >>> game = Game.from_pgn('[Red "An"]\n\n1. Ic6 (1. Ik6 $6) Mg7 {quick} *')
/// >>> game.headers["Red"], game.sans(), game.comment(2)
/// ('An', ['Ic6', 'Mg7'], 'quick')
/// >>> game.board(1).fen().split()[1]
/// 'b'
/// >>> [(node.san, node.nags) for node in game.root.variations]
/// [('Ic6', []), ('Ik6', [6])]
#[pyclass(name = "Game", module = "convoy_games.cotulenh")]
pub(crate) struct PyGame {
    pub(crate) tree: GameTree,
    errors: Vec<Py<PyAny>>,
}

impl PyGame {
    fn of(tree: GameTree) -> Self {
        Self {
            tree,
            errors: Vec::new(),
        }
    }

    /// The node of the main line after so many turns.
    fn after(&self, turns: usize) -> Option<NodeId> {
        match turns {
            0 => Some(NodeId::ROOT),
            turns => self.tree.main_line().nth(turns - 1),
        }
    }

    /// The last node of the main line.
    fn last(&self) -> NodeId {
        self.tree.main_line().last().unwrap_or(NodeId::ROOT)
    }

    /// The game of the main line.
    fn line(&self) -> cotulenh::Game {
        let line = self.tree.game(self.last());
        line.expect("the last node of the main line is one")
    }
}

#[pymethods]
impl PyGame {
    /// The game of a board: its start and every move since.
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(board: Option<PyRef<'_, PyBoard>>) -> Self {
        Self::of(board.map_or_else(GameTree::default, |board| GameTree::from(&board.game)))
    }

    /// Reads one game in PGN, strictly: what is unreadable or illegal is refused with its place. `read_game` reads on after faults.
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Self> {
        let tree = text.parse::<GameTree>();
        tree.map(Self::of).map_err(|why| refused(&pgn_error(&why)))
    }

    /// What was wrong with it where it was read from a file: an `InvalidPgnError` each, twenty at most.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.errors
            .iter()
            .map(|error| error.clone_ref(py))
            .collect()
    }

    /// The game as PGN; lines of moves are wrapped before `width` characters, 0 never wraps.
    #[pyo3(signature = (width=80))]
    fn pgn(&self, width: usize) -> String {
        self.tree.pgn_in(PgnStyle {
            width,
            clocks: true,
        })
    }

    /// The tags that were set. A changed dictionary changes nothing: see `set_header`.
    #[getter]
    fn headers(&self) -> BTreeMap<String, String> {
        let headers = self.tree.headers().iter();
        headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// Sets a tag.
    fn set_header(&mut self, name: &str, value: &str) -> PyResult<()> {
        let set = self.tree.headers_mut().set(name, value);
        set.map_err(invalid_text)
    }

    /// The comment after so many turns, 0 is the start; None if there is none.
    fn comment(&self, turns: usize) -> Option<String> {
        let node = self.tree.node(self.after(turns)?)?;
        Some(node.annotation().comment().to_owned()).filter(|text| !text.is_empty())
    }

    /// Sets the comment after so many turns; an empty one removes it.
    fn set_comment(&mut self, turns: usize, text: &str) -> PyResult<()> {
        let node = self.after(turns);
        let annotation = node.and_then(|node| self.tree.annotation_mut(node));
        let annotation =
            annotation.ok_or_else(|| invalid_text("the game does not have that many turns"))?;
        annotation.set_comment(text).map_err(invalid_text)
    }

    /// The SAN of every completed turn.
    fn sans(&self) -> Vec<String> {
        self.line().sans()
    }

    /// The LAN of every completed turn.
    fn lans(&self) -> Vec<String> {
        self.line().lans()
    }

    /// The board after so many turns; without a number, after the last move.
    #[pyo3(signature = (turns=None))]
    fn board(&self, turns: Option<usize>) -> PyBoard {
        let mut game = self.line();
        while turns
            .is_some_and(|turns| game.turn_count() > turns || game.position().deploy().is_some())
            && game.undo()
        {}
        PyBoard { game }
    }

    /// The start, from which all turns follow.
    #[getter]
    fn root(slf: Py<Self>) -> PyNode {
        PyNode::new(slf, NodeId::ROOT)
    }

    /// The nodes of the main line, from the first turn.
    fn main_line(slf: Bound<'_, Self>) -> Vec<PyNode> {
        let nodes: Vec<NodeId> = slf.borrow().tree.main_line().collect();
        let node = |id| PyNode::new(slf.clone().unbind(), id);
        nodes.into_iter().map(node).collect()
    }

    /// '1-0', '0-1', '1/2-1/2', or '*'.
    #[getter]
    fn result(&self) -> String {
        self.tree.result().to_owned()
    }

    /// A copy with turns and notes of its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self {
            tree: self.tree.clone(),
            errors: self.errors(py),
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.tree == other.tree
    }

    fn __len__(&self) -> usize {
        self.line().turn_count()
    }

    fn __str__(&self) -> String {
        self.tree.pgn()
    }

    fn __repr__(&self) -> String {
        format!("<Game of {} turns, {}>", self.__len__(), self.result())
    }

    fn __getstate__(&self, py: Python<'_>) -> (String, Vec<Py<PyAny>>) {
        (self.tree.pgn(), self.errors(py))
    }

    fn __setstate__(&mut self, state: (String, Vec<Py<PyAny>>)) -> PyResult<()> {
        *self = Self {
            errors: state.1,
            ..Self::from_pgn(&state.0)?
        };
        Ok(())
    }
}

/// Gathers the lines of one game of a PGN file.
#[pyclass(name = "PgnLines", module = "convoy_games._native")]
struct PyPgnLines {
    text: String,
    splitter: PgnSplitter,
    /// Where the text begins in its file.
    place: Place,
    end: Option<usize>,
}

impl PyPgnLines {
    fn own_text(&self) -> &str {
        &self.text[..self.end.unwrap_or(self.text.len())]
    }
}

#[pymethods]
impl PyPgnLines {
    #[new]
    #[pyo3(signature = (line=1, column=1))]
    fn new(line: u32, column: u32) -> Self {
        Self {
            text: String::new(),
            splitter: PgnSplitter::new(),
            place: Place { line, column },
            end: None,
        }
    }

    /// Takes in the next line with its end; answers whether the game is complete. An empty line is the end of the file.
    fn line(&mut self, line: &str) -> bool {
        self.text.push_str(line);
        self.end = match line {
            "" => Some(self.splitter.end()),
            _ => self.splitter.line(line),
        };
        self.end.is_some()
    }

    /// What was taken in beyond the end of the game.
    fn rest(&self) -> &str {
        &self.text[self.end.unwrap_or(self.text.len())..]
    }

    /// Line and column of the end of the game.
    fn end(&self) -> (u32, u32) {
        let Place { line, column } = self.place.after(self.own_text());
        (line, column)
    }

    /// The game, with its errors; None if there is nothing but blanks and comments.
    fn game(&self, py: Python<'_>) -> Option<PyGame> {
        let mut reader = PgnReader::new(self.own_text()).from_place(self.place);
        let (tree, faults) = py.detach(|| reader.next_tolerant())?;
        let errors = faults.iter().map(|fault| {
            let error = refused(&pgn_error(fault));
            error.into_value(py).into_any()
        });
        Some(PyGame {
            tree,
            errors: errors.collect(),
        })
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPgnLines>()?;
    module.add_class::<PyGame>()
}
