//! The turns of a game with variations.

use std::time::Duration;

use cotulenh::{Annotation, Nag, Node, NodeId, Shape, TreeError};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::board::PyBoard;
use crate::cotulenh::PyMove;
use crate::errors::{illegal_move, invalid_text, unreadable};
use crate::game::PyGame;

/// A turn of a game, or its start, in the manner of python-chess: what is written about it, and the turns that follow.
///
/// >>> from convoy_games.cotulenh import Game
/// >>> game = Game()
/// >>> first = game.root.add_variation("Ic6")
/// >>> other = game.root.add_variation("Ik6")
/// >>> other.nags, other.comment, other.shapes = [1], "better", ["Gk5k6"]
/// >>> reply = other.add_variation("Mg7")
/// >>> reply.san, reply.parent == other, reply.is_main_line
/// ('Mg7', True, False)
/// >>> print(str(game).splitlines()[-1])
/// 1. Ic6 (1. Ik6 $1 {[%cal Gk5k6] better} 1... Mg7) *
#[pyclass(name = "GameNode", module = "convoy_games.cotulenh", frozen)]
pub(crate) struct PyNode {
    game: Py<PyGame>,
    id: NodeId,
}

impl PyNode {
    pub(crate) fn new(game: Py<PyGame>, id: NodeId) -> Self {
        Self { game, id }
    }

    fn other(&self, py: Python<'_>, id: NodeId) -> Self {
        Self::new(self.game.clone_ref(py), id)
    }

    fn read<T>(&self, py: Python<'_>, read: impl FnOnce(&Node) -> T) -> PyResult<T> {
        let game = self.game.borrow(py);
        let node = game.tree.node(self.id).ok_or_else(gone)?;
        Ok(read(node))
    }

    fn write<T>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut Annotation) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut game = self.game.borrow_mut(py);
        write(game.tree.annotation_mut(self.id).ok_or_else(gone)?)
    }

    /// The game up to here.
    fn line(&self, py: Python<'_>) -> PyResult<cotulenh::Game> {
        let game = self.game.borrow(py);
        game.tree.game(self.id).ok_or_else(gone)
    }

    /// The text of the turn in the position before it; None at the start.
    fn name(
        &self,
        py: Python<'_>,
        name: impl FnOnce(&cotulenh::Position, &[cotulenh::Move]) -> String,
    ) -> PyResult<Option<String>> {
        let (parent, moves) = self.read(py, |node| (node.parent(), node.moves().to_vec()))?;
        let Some(parent) = parent else {
            return Ok(None);
        };
        let before = self.other(py, parent).line(py)?;
        Ok(Some(name(before.position(), &moves)))
    }
}

/// A node that was removed from its game.
fn gone() -> PyErr {
    PyIndexError::new_err("the node was removed from its game")
}

#[pymethods]
impl PyNode {
    /// The game that it belongs to.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyGame> {
        self.game.clone_ref(py)
    }

    /// The turn before, or None at the start.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let parent = self.read(py, Node::parent)?;
        Ok(parent.map(|parent| self.other(py, parent)))
    }

    /// The turns that follow: the first goes on with the line, the others replace it.
    #[getter]
    fn variations(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let children = self.read(py, |node| node.children().to_vec())?;
        Ok(children.into_iter().map(|id| self.other(py, id)).collect())
    }

    /// The turn that goes on with the line, or None.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let next = self.read(py, |node| node.children().first().copied())?;
        Ok(next.map(|id| self.other(py, id)))
    }

    /// The moves of the turn; none at the start.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<PyMove>> {
        self.read(py, |node| {
            node.moves().iter().copied().map(PyMove).collect()
        })
    }

    /// The SAN of the turn; None at the start.
    #[getter]
    fn san(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.name(py, cotulenh::Position::turn_san)
    }

    /// The LAN of the turn; None at the start.
    #[getter]
    fn lan(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.name(py, cotulenh::Position::turn_lan)
    }

    /// The board after the turn.
    fn board(&self, py: Python<'_>) -> PyResult<PyBoard> {
        self.line(py).map(|game| PyBoard { game })
    }

    /// Whether it lies on the main line.
    #[getter]
    fn is_main_line(&self, py: Python<'_>) -> bool {
        let game = self.game.borrow(py);
        self.id == NodeId::ROOT || game.tree.main_line().any(|id| id == self.id)
    }

    /// The comment, '' where there is none.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |node| node.annotation().comment().to_owned())
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, comment: &str) -> PyResult<()> {
        self.write(py, |note| note.set_comment(comment).map_err(invalid_text))
    }

    /// Its glyphs, 1 for `!`.
    #[getter]
    fn nags(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.read(py, |node| {
            let nags = node.annotation().nags().iter();
            nags.map(|nag| u32::from(nag.0)).collect()
        })
    }

    #[setter]
    fn set_nags(&self, py: Python<'_>, nags: Vec<u32>) -> PyResult<()> {
        let nag = |number: u32| u8::try_from(number).map(Nag);
        let nags: Result<Vec<Nag>, _> = nags.into_iter().map(nag).collect();
        let nags = nags.map_err(|_| invalid_text("glyphs are 0 to 255"))?;
        self.write(py, |note| {
            note.set_nags(nags);
            Ok(())
        })
    }

    /// Its arrows, 'Gc5c6', and circles, 'Gc5'.
    #[getter]
    fn shapes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |node| {
            let shapes = node.annotation().shapes().iter();
            shapes.map(Shape::to_string).collect()
        })
    }

    #[setter]
    fn set_shapes(&self, py: Python<'_>, shapes: Vec<String>) -> PyResult<()> {
        let shapes: Result<Vec<Shape>, _> = shapes.iter().map(|shape| shape.parse()).collect();
        let shapes = shapes.map_err(invalid_text)?;
        self.write(py, |note| {
            note.set_shapes(shapes);
            Ok(())
        })
    }

    /// The clock of whoever made the turn, in seconds, or None.
    #[getter]
    fn clock(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.read(py, |node| {
            node.annotation().clock().map(|clock| clock.as_secs_f64())
        })
    }

    #[setter]
    fn set_clock(&self, py: Python<'_>, clock: Option<f64>) -> PyResult<()> {
        let clock = clock.map(Duration::try_from_secs_f64).transpose();
        let clock = clock.map_err(|why| invalid_text(format!("clock: {why}")))?;
        self.write(py, |note| {
            note.set_clock(clock);
            Ok(())
        })
    }

    /// Adds a turn, SAN or LAN, that follows this one, and answers its node: the one that is there, if the turn is there already.
    fn add_variation(&self, py: Python<'_>, turn: &str) -> PyResult<Self> {
        let added = self.game.borrow_mut(py).tree.play(self.id, turn);
        match added {
            Ok(id) => Ok(self.other(py, id)),
            Err(TreeError::Turn(why)) => Err(unreadable(turn, &why)),
            Err(TreeError::NoNode) => Err(gone()),
            Err(why) => Err(illegal_move(why)),
        }
    }

    /// Removes the turn with all that follows it.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let removed = self.game.borrow_mut(py).tree.remove(self.id);
        removed.map_err(invalid_text)
    }

    /// Moves the turn one place up among those that follow its parent.
    fn promote(&self, py: Python<'_>) -> PyResult<()> {
        let promoted = self.game.borrow_mut(py).tree.promote(self.id);
        promoted.map_err(invalid_text)
    }

    /// Makes the way to the turn the main line.
    fn make_main_line(&self, py: Python<'_>) -> PyResult<()> {
        let made = self.game.borrow_mut(py).tree.make_main_line(self.id);
        made.map_err(invalid_text)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.is(&other.game) && self.id == other.id
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.game.as_ptr() as usize, self.id).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.san(py)? {
            Some(san) => format!("<GameNode {san:?}>"),
            None => "<GameNode: the start>".into(),
        })
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyNode>()
}
