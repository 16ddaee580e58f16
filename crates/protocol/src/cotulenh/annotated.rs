//! Games with variations and annotations: PGN read and written.

use std::time::Duration;

use cotulenh::{GameTree, Nag, NodeId, PgnReader, Shape};
use serde::{Deserialize, Serialize};

use super::{move_error, pgn_error, position};
use crate::error::{At, Error, ErrorCode};
use crate::operation::Operation;

/// The most nodes that are read from one text.
const MOST_NODES: usize = 50_000;

/// The most turns that are played to write games: each node costs as many as lead to it.
const MOST_TURNS: usize = 2_000_000;

/// A game with its variations: the start and every turn, each after the one it follows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    expecting = "an object with headers, start and nodes"
)]
pub struct AnnotatedGame {
    /// Its tags: name and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The position it began with; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The start, then the turns. A parent comes before its children; the first child of a node goes on with its
    /// line, the others are variations.
    pub nodes: Vec<GameNode>,
}

/// The start of an [`AnnotatedGame`] or one of its turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    rename_all = "camelCase",
    expecting = "an object with parent and lan"
)]
pub struct GameNode {
    /// The node before, by its place in the list; the start has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The name of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Its name with the square of departure, which is read rather than the SAN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lan: Option<String>,
    /// The position after it. It is not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// What is written about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Its numeric glyphs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Arrows and circles, `Gc5c6` and `Gc5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    /// The clock of whoever made the turn, after it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
}

/// A game of a [`ReadPgnAnswer`], or why it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ReadGame {
    /// A game.
    Game(AnnotatedGame),
    /// What is wrong, and where in the text.
    Error {
        /// The error.
        error: Error,
    },
}

/// Op `readPgn`: every game of a PGN text, with variations and annotations.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::cotulenh::{ReadGame, ReadPgnRequest, WritePgnRequest};
/// let request = ReadPgnRequest { pgn: "1. Ic6 (1. Ik6 $1 {[%csl Gk6] better}) *".to_owned() };
/// let ReadGame::Game(game) = request.answer()?.games.remove(0) else { panic!("a game") };
/// assert_eq!((game.nodes.len(), game.nodes[2].comment.as_str()), (3, "better"));
/// let written = WritePgnRequest { games: vec![game] }.answer()?.pgn;
/// assert!(written.ends_with("1. Ic6 (1. Ik6 $1 {[%csl Gk6] better}) *\n"));
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadPgnRequest {
    /// The text.
    pub pgn: String,
}

/// The answer to `readPgn`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadPgnAnswer {
    /// The games in their order.
    pub games: Vec<ReadGame>,
}

impl Operation for ReadPgnRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "readPgn";
    type Answer = ReadPgnAnswer;

    fn answer(&self) -> Result<ReadPgnAnswer, Error> {
        let mut games = Vec::new();
        let mut nodes = 0;
        for game in PgnReader::new(&self.pgn) {
            let game = match game {
                Ok(tree) => {
                    nodes += tree.len();
                    ReadGame::Game(described(&tree))
                }
                Err(error) => {
                    nodes += 1;
                    ReadGame::Error {
                        error: pgn_error(&error),
                    }
                }
            };
            if nodes > MOST_NODES {
                let message = format!("more than {MOST_NODES} turns and games");
                return Err(Error::new(ErrorCode::TooMuch, message));
            }
            games.push(game);
        }
        Ok(ReadPgnAnswer { games })
    }
}

fn described(tree: &GameTree) -> AnnotatedGame {
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut game = AnnotatedGame {
        headers: tree.headers().iter().map(owned).collect(),
        start: Some(tree.start().to_string()),
        nodes: vec![node(tree, NodeId::ROOT)],
    };
    // Where each node of the tree stands in the list.
    let mut places = std::collections::HashMap::from([(NodeId::ROOT, 0_u32)]);
    for turn in tree.turns() {
        let Some(known) = tree.node(turn.node) else {
            continue;
        };
        let place = u32::try_from(game.nodes.len()).expect("fewer nodes than bytes of text");
        places.insert(turn.node, place);
        let parent = known.parent().and_then(|parent| places.get(&parent));
        // A turn that leaves a deploy open has no name of its own: its steps are told.
        let (san, lan) = if turn.after.deploy().is_none() {
            let moves = known.moves();
            (turn.before.turn_san(moves), turn.before.turn_lan(moves))
        } else {
            let steps = turn.before.open_san(known.moves());
            (steps.clone(), steps)
        };
        game.nodes.push(GameNode {
            parent: parent.copied(),
            san: Some(san),
            lan: Some(lan),
            fen: Some(turn.after.to_string()),
            ..node(tree, turn.node)
        });
    }
    game
}

/// The annotation of a node.
fn node(tree: &GameTree, id: NodeId) -> GameNode {
    let Some(annotation) = tree.node(id).map(cotulenh::Node::annotation) else {
        return GameNode::default();
    };
    let millis = |clock: Duration| u64::try_from(clock.as_millis()).unwrap_or(u64::MAX);
    GameNode {
        comment: annotation.comment().to_owned(),
        nags: annotation.nags().iter().map(|nag| nag.0).collect(),
        shapes: annotation.shapes().to_vec(),
        clock_ms: annotation.clock().map(millis),
        ..GameNode::default()
    }
}

/// Op `writePgn`: games with variations and annotations as PGN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WritePgnRequest {
    /// The games.
    pub games: Vec<AnnotatedGame>,
}

/// The answer to `writePgn`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WritePgnAnswer {
    /// The text, with an empty line between games.
    pub pgn: String,
}

impl Operation for WritePgnRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "writePgn";
    type Answer = WritePgnAnswer;

    fn answer(&self) -> Result<WritePgnAnswer, Error> {
        self.check_cost()?;
        let mut texts = Vec::new();
        for (index, game) in self.games.iter().enumerate() {
            texts.push(game.tree(&format!("games[{index}]"))?.pgn());
        }
        Ok(WritePgnAnswer {
            pgn: texts.join("\n"),
        })
    }
}

impl WritePgnRequest {
    /// Refuses games that would take long to play.
    fn check_cost(&self) -> Result<(), Error> {
        let mut turns = 0;
        for game in &self.games {
            let mut lengths: Vec<usize> = Vec::with_capacity(game.nodes.len());
            for node in &game.nodes {
                let before = node.parent.and_then(|parent| lengths.get(parent as usize));
                lengths.push(before.map_or(0, |before| before + 1));
            }
            turns += lengths.iter().sum::<usize>();
        }
        if turns <= MOST_TURNS {
            return Ok(());
        }
        let message = format!("{turns} turns to play, and {MOST_TURNS} at most");
        Err(Error::new(ErrorCode::TooMuch, message))
    }
}

impl AnnotatedGame {
    /// The tree; `way` leads to this game within the request.
    fn tree(&self, way: &str) -> Result<GameTree, Error> {
        let mut tree = GameTree::new(position(self.start.as_deref()).map_err(|error| {
            let field = format!("{way}.start");
            error.at(At::Field { field })
        })?);
        for (index, (name, value)) in self.headers.iter().enumerate() {
            let set = tree.headers_mut().set(name, value);
            set.map_err(|error| at_field(format!("{way}.headers[{index}]"), &error))?;
        }
        let mut ids = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let way = format!("{way}.nodes[{index}]");
            let id = node.add(&mut tree, &ids, &way)?;
            node.annotate(&mut tree, id)
                .map_err(|error| at_field(format!("{way}.comment"), &error))?;
            ids.push(id);
        }
        Ok(tree)
    }
}

impl GameNode {
    fn add(&self, tree: &mut GameTree, ids: &[NodeId], way: &str) -> Result<NodeId, Error> {
        let text = self.lan.as_deref().or(self.san.as_deref());
        let (parent, text) = match (self.parent, text) {
            (None, None) if ids.is_empty() => return Ok(NodeId::ROOT),
            (Some(parent), Some(text)) => (parent, text),
            _ => {
                let message = "the first node is the start, each other has a parent and a turn";
                return Err(at_field(way.to_owned(), &message));
            }
        };
        let id = ids.get(parent as usize).ok_or_else(|| {
            let message = format!("no node {parent} comes before this one");
            at_field(format!("{way}.parent"), &message)
        })?;
        let turn = text.strip_suffix("...").unwrap_or(text);
        tree.add(*id, turn).map_err(|error| match error {
            cotulenh::TreeError::Turn(error) => {
                let error = move_error(turn, &error);
                let field = format!("{way}.lan");
                Error {
                    message: format!("{way}: {}", error.message),
                    ..error.at(At::Field { field })
                }
            }
            error => at_field(way.to_owned(), &error),
        })
    }

    fn annotate(&self, tree: &mut GameTree, id: NodeId) -> Result<(), cotulenh::NoteError> {
        let Some(annotation) = tree.annotation_mut(id) else {
            return Ok(());
        };
        annotation.set_comment(&self.comment)?;
        annotation.set_nags(self.nags.iter().copied().map(Nag));
        annotation.set_shapes(self.shapes.iter().copied());
        annotation.set_clock(self.clock_ms.map(Duration::from_millis));
        Ok(())
    }
}

fn at_field(field: String, error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorCode::Malformed, format!("{field}: {error}")).at(At::Field { field })
}
