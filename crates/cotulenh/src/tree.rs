//! A game with variations: a tree of turns, each with what is written about it.

mod annotation;
mod of_game;

use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::{Game, Headers, Move, Position, ReadError, StackRules, Standard, TurnMoves};

pub use annotation::{Annotation, Brush, Nag, ParseShapeError, Shape};

/// A node of a [`GameTree`]: the start, or a turn. It keeps its id when others are removed or moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: Self = Self(0);
}

/// The start of a game or one of its turns.
#[derive(Debug, Clone)]
pub struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    moves: Option<TurnMoves>,
    annotation: Annotation,
}

impl Node {
    /// The turn before; the start has none.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The turns that follow: the first goes on with the line, the others are variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The moves of the turn; none at the start.
    pub fn moves(&self) -> &[Move] {
        self.moves.as_deref().unwrap_or_default()
    }

    /// What is written about it.
    pub fn annotation(&self) -> &Annotation {
        &self.annotation
    }
}

/// A turn of a tree with the positions before and after it.
#[derive(Debug, Clone)]
pub struct TreeTurn<R: StackRules = Standard> {
    /// Its node.
    pub node: NodeId,
    /// The position it is played in.
    pub before: Position<R>,
    /// The position after it; a deploy may be open there.
    pub after: Position<R>,
}

/// A game with variations, comments, glyphs, arrows and circles: what a PGN can hold.
///
/// Every line is played by the rules: no turn follows the end of the game. A tree has at most
/// [`GameTree::MAX_NODES`] nodes, and variations lie at most [`GameTree::MAX_DEPTH`] deep in one another.
/// Two trees are equal if they hold the same, whatever their ids.
///
/// ```
/// use cotulenh::{GameTree, NodeId};
/// let mut tree: GameTree = "1. Ic6 $1 (1. Ik6 {[%cal Gk5k6] too slow}) 1... Mg7 *".parse()?;
/// let first = tree.node(NodeId::ROOT).expect("the start").children().to_vec();
/// assert_eq!(first.len(), 2);
/// tree.play(first[1], "Mg7")?;
/// tree.promote(first[1])?;
/// let text = tree.pgn();
/// assert!(text.ends_with("1. Ik6 {[%cal Gk5k6] too slow} (1. Ic6 $1 Mg7) 1... Mg7 *\n"), "{text}");
/// assert_eq!(text.parse::<GameTree>()?, tree);
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GameTree<R: StackRules = Standard> {
    start: Position<R>,
    headers: Headers,
    /// Removed nodes leave a gap, so that ids stay what they are.
    nodes: Vec<Option<Node>>,
    len: usize,
}

/// Why a tree was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeError {
    /// There is no such node.
    NoNode,
    /// The start can be neither removed nor promoted.
    Root,
    /// A deploy is open after that turn, so nothing follows it.
    Open,
    /// The turn cannot be read or played.
    Turn(ReadError),
    /// The tree would have more than [`GameTree::MAX_NODES`] nodes.
    TooLarge,
    /// Variations would lie more than [`GameTree::MAX_DEPTH`] deep in one another.
    TooDeep,
}

impl Default for GameTree {
    /// A tree from the usual start.
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl<R: StackRules> GameTree<R> {
    /// The most nodes that a tree has.
    pub const MAX_NODES: usize = 50_000;
    /// How deep variations may lie in one another.
    pub const MAX_DEPTH: usize = 64;

    /// A tree from any position. If a deploy is open in it, the tree begins before that turn.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a tree takes its position over"
    )]
    pub fn new(start: Position<R>) -> Self {
        let root = Node {
            parent: None,
            children: Vec::new(),
            moves: None,
            annotation: Annotation::default(),
        };
        Self {
            start: start.turn_start(),
            headers: Headers::default(),
            nodes: vec![Some(root)],
            len: 1,
        }
    }

    /// The position at the start.
    pub fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The tags.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// The tags, to be changed.
    pub fn headers_mut(&mut self) -> &mut Headers {
        &mut self.headers
    }

    /// How many nodes there are; the start is one.
    #[allow(clippy::len_without_is_empty, reason = "there is always the start")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// A node, unless it was removed.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)?.as_ref()
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0 as usize)?.as_mut()
    }

    /// The annotation of a node, to be changed.
    ///
    /// ```
    /// use cotulenh::{GameTree, NodeId};
    /// let mut tree = GameTree::default();
    /// let node = tree.play(NodeId::ROOT, "Ic6")?;
    /// let annotation = tree.annotation_mut(node).expect("just played");
    /// annotation.set_comment("quiet")?;
    /// assert!(tree.pgn().ends_with("1. Ic6 {quiet} *\n"));
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn annotation_mut(&mut self, id: NodeId) -> Option<&mut Annotation> {
        self.node_mut(id).map(|node| &mut node.annotation)
    }

    /// The children of a node; none if there is no such node.
    fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], Node::children)
    }

    /// The nodes from the first turn to this one; empty for the start.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = self.node(at).and_then(Node::parent) {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The nodes of the main line, from the first turn.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        let next = |id: &NodeId| self.children(*id).first().copied();
        core::iter::successors(next(&NodeId::ROOT), next)
    }

    /// The game up to a node, so that repetitions and the end are known; `None` if there is no such node.
    ///
    /// ```
    /// use cotulenh::GameTree;
    /// let tree: GameTree = "1. Ic6 Mg7 (1... Mf8) *".parse()?;
    /// let last = tree.main_line().last().expect("two turns");
    /// assert_eq!(tree.game(last).expect("a node").sans(), ["Ic6", "Mg7"]);
    /// # Ok::<_, cotulenh::ReadPgnError>(())
    /// ```
    pub fn game(&self, id: NodeId) -> Option<Game<R>> {
        self.node(id)?;
        let mut game = Game::new(self.start.clone());
        for id in self.path(id) {
            game.play_unchecked(self.node(id)?.moves());
        }
        game.judge();
        Some(game)
    }

    /// Every turn with its positions: each line to its end before the variations beside it, so that a parent
    /// comes before its children.
    pub fn turns(&self) -> impl Iterator<Item = TreeTurn<R>> {
        let mut waiting: Vec<(NodeId, Position<R>)> = Vec::new();
        let push = |waiting: &mut Vec<_>, parent, after: &Position<R>| {
            let children = self.children(parent).iter().rev();
            waiting.extend(children.map(|child| (*child, after.clone())));
        };
        push(&mut waiting, NodeId::ROOT, &self.start);
        core::iter::from_fn(move || {
            let (node, before) = waiting.pop()?;
            let mut after = before.clone();
            for mv in self.node(node)?.moves() {
                after.play_unchecked(*mv);
            }
            push(&mut waiting, node, &after);
            Some(TreeTurn {
                node,
                before,
                after,
            })
        })
    }

    /// Reads and plays a turn after a node, SAN or LAN: the node of that turn, which may have been there
    /// already. A new one is added as the last variation.
    pub fn play(&mut self, parent: NodeId, text: &str) -> Result<NodeId, TreeError> {
        let moves = self.read(parent, text)?;
        let same = |id: &&NodeId| self.node(**id).is_some_and(|node| *node.moves() == *moves);
        match self.children(parent).iter().find(same) {
            Some(known) => Ok(*known),
            None => self.add_moves(parent, moves),
        }
    }

    /// The same, but always a new node: a PGN may hold one turn twice.
    pub fn add(&mut self, parent: NodeId, text: &str) -> Result<NodeId, TreeError> {
        let moves = self.read(parent, text)?;
        self.add_moves(parent, moves)
    }

    fn read(&self, parent: NodeId, text: &str) -> Result<TurnMoves, TreeError> {
        let mut game = self.game(parent).ok_or(TreeError::NoNode)?;
        if game.position().deploy().is_some() {
            return Err(TreeError::Open);
        }
        game.play_text(text).map_err(TreeError::Turn)
    }

    fn add_moves(&mut self, parent: NodeId, moves: TurnMoves) -> Result<NodeId, TreeError> {
        if self.len >= Self::MAX_NODES {
            return Err(TreeError::TooLarge);
        }
        let branches = usize::from(!self.children(parent).is_empty());
        if self.depth(parent) + branches > Self::MAX_DEPTH {
            return Err(TreeError::TooDeep);
        }
        Ok(self.push(parent, moves))
    }

    /// Adds a turn that is known to be legal and within the limits.
    pub(crate) fn push(&mut self, parent: NodeId, moves: TurnMoves) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Some(Node {
            parent: Some(parent),
            children: Vec::new(),
            moves: Some(moves),
            annotation: Annotation::default(),
        }));
        self.len += 1;
        if let Some(parent) = self.node_mut(parent) {
            parent.children.push(id);
        }
        id
    }

    /// In how many variations a node lies.
    fn depth(&self, id: NodeId) -> usize {
        let branches = self.path(id).into_iter();
        branches.filter(|id| self.place(*id) > 0).count()
    }

    /// Where a node stands among the children of its parent.
    fn place(&self, id: NodeId) -> usize {
        let parent = self.node(id).and_then(Node::parent);
        let siblings = parent.map_or(&[][..], |parent| self.children(parent));
        siblings.iter().position(|other| *other == id).unwrap_or(0)
    }

    /// Removes a node with all that follows it. If it went on with the line, the first variation does now.
    pub fn remove(&mut self, id: NodeId) -> Result<(), TreeError> {
        let parent = self.parent(id)?;
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|child| *child != id);
        }
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            if let Some(node) = self.nodes.get_mut(id.0 as usize).and_then(Option::take) {
                self.len -= 1;
                doomed.extend(node.children);
            }
        }
        Ok(())
    }

    fn parent(&self, id: NodeId) -> Result<NodeId, TreeError> {
        let node = self.node(id).ok_or(TreeError::NoNode)?;
        node.parent.ok_or(TreeError::Root)
    }

    /// Moves a variation one place up among those beside it; the first of them becomes the line. Nothing changes
    /// where it goes on with the line already.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        let (parent, old) = (self.parent(id)?, self.place(id));
        let new = old.saturating_sub(1);
        self.reorder(parent, old, new);
        // What was the line is a variation now, and all that branches off it lies deeper.
        if self.deepest() > Self::MAX_DEPTH {
            self.reorder(parent, new, old);
            return Err(TreeError::TooDeep);
        }
        Ok(())
    }

    /// Makes the way to a node the main line.
    ///
    /// ```
    /// use cotulenh::GameTree;
    /// let mut tree: GameTree = "1. Ic6 Mg7 (1... Mf8 2. Ik6) *".parse()?;
    /// let last = tree.turns().last().expect("five nodes").node;
    /// tree.make_main_line(last)?;
    /// assert_eq!(tree.main_line().last(), Some(last));
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn make_main_line(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.parent(id)?;
        let before = self.clone();
        for id in self.path(id) {
            self.reorder(self.parent(id)?, self.place(id), 0);
        }
        if self.deepest() > Self::MAX_DEPTH {
            *self = before;
            return Err(TreeError::TooDeep);
        }
        Ok(())
    }

    fn reorder(&mut self, parent: NodeId, old: usize, new: usize) {
        if let Some(parent) = self.node_mut(parent) {
            let id = parent.children.remove(old);
            parent.children.insert(new, id);
        }
    }

    /// How deep the deepest variation lies.
    fn deepest(&self) -> usize {
        let mut deepest = 0;
        let mut waiting = vec![(NodeId::ROOT, 0)];
        while let Some((id, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            for (place, child) in self.children(id).iter().enumerate() {
                waiting.push((*child, depth + usize::from(place > 0)));
            }
        }
        deepest
    }
}

impl<R: StackRules> PartialEq for GameTree<R> {
    fn eq(&self, other: &Self) -> bool {
        // The tag may be out of date: the rules tell the result where they can.
        let tags = |tree: &Self| {
            let mut headers = tree.headers.clone();
            headers.remove("Result");
            headers
        };
        if self.start != other.start
            || self.len != other.len
            || self.result() != other.result()
            || tags(self) != tags(other)
        {
            return false;
        }
        let mut waiting = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((mine, theirs)) = waiting.pop() {
            let (Some(mine), Some(theirs)) = (self.node(mine), other.node(theirs)) else {
                return false;
            };
            let alike = mine.moves() == theirs.moves()
                && mine.annotation == theirs.annotation
                && mine.children.len() == theirs.children.len();
            if !alike {
                return false;
            }
            let pairs = mine.children.iter().zip(&theirs.children);
            waiting.extend(pairs.map(|(mine, theirs)| (*mine, *theirs)));
        }
        true
    }
}

impl<R: StackRules> Eq for GameTree<R> {}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoNode => "there is no such node",
            Self::Root => "the start can be neither removed nor promoted",
            Self::Open => "a deploy is open after that turn",
            Self::Turn(error) => return error.fmt(f),
            Self::TooLarge => "the tree has too many turns",
            Self::TooDeep => "variations lie too deep in one another",
        })
    }
}

impl Error for TreeError {}
