//! What the table of stacks tells: conflicts, combinations, explanations, trees.

use convoy_stack::{COTULENH, Conflict, Stacker, State};
use cotulenh::{Color, Piece, Role, RoleSet, Stack};
use serde::{Deserialize, Serialize};

use super::piece::Pieces;
use super::stack::{CombineAnswer, roles};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// More pieces than a side has: nobody asks about so many.
const MOST_PIECES: usize = 32;

type PieceStacker = Stacker<'static, Piece, fn(&Piece) -> Option<convoy_stack::Role>>;

fn stacker() -> PieceStacker {
    Stacker::new(&COTULENH, |piece| Some(piece.role.into()))
}

/// The pieces of a request; one of each role where it names none.
fn pieces(named: Option<&Pieces>) -> Result<Vec<Piece>, Error> {
    let pieces = match named {
        Some(named) => named.pieces()?,
        None => Role::ALL
            .map(|role| Piece {
                role,
                color: Color::Red,
                heroic: false,
            })
            .into(),
    };
    if pieces.len() > MOST_PIECES {
        let message = format!("{} pieces, and {MOST_PIECES} at most", pieces.len());
        return Err(Error::new(ErrorCode::TooMuch, message));
    }
    Ok(pieces)
}

fn names(set: RoleSet) -> Vec<String> {
    let blueprint = COTULENH.blueprint();
    let names = set.iter().filter_map(|role| blueprint.name(role));
    names.map(str::to_owned).collect()
}

/// Op `conflicts`: which pieces stand in each other's way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConflictsRequest {
    /// The pieces.
    pub pieces: Pieces,
}

/// The answer to `conflicts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictsAnswer {
    /// Roles that come twice, then the smallest groups that no stack holds together.
    pub conflicts: Vec<ConflictEntry>,
}

/// One conflict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictEntry {
    /// The roles that do not go together; a single one comes twice.
    pub roles: Vec<String>,
    /// Their mask.
    pub mask: u16,
    /// The conflict in words.
    pub reason: String,
}

impl Operation for ConflictsRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "conflicts";
    type Answer = ConflictsAnswer;

    fn answer(&self) -> Result<ConflictsAnswer, Error> {
        let found = stacker().conflicts(&pieces(Some(&self.pieces))?);
        let entry = |conflict: Conflict| {
            let set = match conflict {
                Conflict::Twice(role) => role.set(),
                Conflict::Apart(set) => set,
            };
            ConflictEntry {
                roles: names(set),
                mask: set.bits(),
                reason: conflict.describe(COTULENH.blueprint()),
            }
        };
        let conflicts = found.into_iter().map(entry).collect();
        Ok(ConflictsAnswer { conflicts })
    }
}

/// Op `combinations`: every stack that some of the pieces make.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::cotulenh::CombinationsRequest;
/// // Of all roles: the whole table, lone pieces included.
/// let all = CombinationsRequest::default().answer()?.combinations;
/// assert_eq!(all.len(), 34);
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CombinationsRequest {
    /// The pieces; one of each role if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Pieces>,
}

/// The answer to `combinations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CombinationsAnswer {
    /// Each stack once, the smallest first, with its state and mask.
    pub combinations: Vec<CombineAnswer>,
}

impl Operation for CombinationsRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "combinations";
    type Answer = CombinationsAnswer;

    fn answer(&self) -> Result<CombinationsAnswer, Error> {
        let pieces = pieces(self.pieces.as_ref())?;
        let mut combinations: Vec<CombineAnswer> = Vec::new();
        for stack in stacker().combinations(&pieces) {
            // Pieces of two colours share no square.
            let Some(stack) = Stack::new(stack) else {
                continue;
            };
            let entry = CombineAnswer::of(stack);
            if !combinations.contains(&entry) {
                combinations.push(entry);
            }
        }
        Ok(CombinationsAnswer { combinations })
    }
}

/// Op `explain`: each carrier tried, and why it failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The pieces.
    pub pieces: Pieces,
}

/// The answer to `explain`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainAnswer {
    /// The mask that the table was asked for.
    pub mask: u16,
    /// The packed state, hexadecimal; null if they make no stack.
    pub state: Option<String>,
    /// Each carrier tried.
    pub attempts: Vec<Attempt>,
    /// Every reason why they make no stack.
    pub reasons: Vec<String>,
    /// All of that as a text to print.
    pub text: String,
}

/// One role tried as the carrier of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attempt {
    /// Its name.
    pub carrier: String,
    /// For each of its slots, who would take it.
    pub slots: Vec<Vec<String>>,
    /// Whether all fit.
    pub fits: bool,
    /// Why not.
    pub reasons: Vec<String>,
}

impl Operation for ExplainRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "explain";
    type Answer = ExplainAnswer;

    fn answer(&self) -> Result<ExplainAnswer, Error> {
        let explanation = stacker().explain(&pieces(Some(&self.pieces))?);
        let blueprint = COTULENH.blueprint();
        let attempt = |tried: convoy_stack::Attempt<'_>| Attempt {
            carrier: names(tried.carrier.set()).concat(),
            slots: blueprint
                .slots(tried.carrier)
                .iter()
                .zip(tried.slots)
                .map(|(_, wanting)| names(wanting))
                .collect(),
            fits: tried.fits(),
            reasons: tried.errors().map(|error| error.to_string()).collect(),
        };
        let reasons = explanation.errors().iter().map(ToString::to_string);
        Ok(ExplainAnswer {
            mask: explanation.set().bits(),
            state: explanation.state().map(|state| format!("{state:#x}")),
            attempts: explanation.attempts().map(attempt).collect(),
            reasons: reasons.collect(),
            text: explanation.to_string(),
        })
    }
}

/// Op `tree`: all stacks that some of the pieces make, as a tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// The pieces; one of each role if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Pieces>,
    /// Whether to answer with a drawing too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub svg: bool,
}

/// The answer to `tree`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeAnswer {
    /// Each stack after the one it hangs on.
    pub nodes: Vec<TreeNode>,
    /// The tree as a text to print.
    pub text: String,
    /// The tree as an SVG document, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
}

/// One stack of a [`TreeAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeNode {
    /// The stack, as FEN writes it.
    pub stack: String,
    /// Its packed state, hexadecimal.
    pub state: String,
    /// Its mask of roles.
    pub mask: u16,
    /// The number of the node it hangs on, from 0; null for a lone piece.
    pub parent: Option<usize>,
}

impl TreeNode {
    fn of(state: State, parent: Option<usize>) -> Option<Self> {
        let stack = Stack::of(state.set(), RoleSet::EMPTY, Color::Red)?;
        let CombineAnswer { stack, state, mask } = CombineAnswer::of(stack);
        Some(Self {
            stack,
            state,
            mask,
            parent,
        })
    }
}

impl Operation for TreeRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "tree";
    type Answer = TreeAnswer;

    fn answer(&self) -> Result<TreeAnswer, Error> {
        let tree = COTULENH.tree(roles(&pieces(self.pieces.as_ref())?));
        let nodes = tree.nodes().iter();
        Ok(TreeAnswer {
            nodes: nodes
                .filter_map(|node| TreeNode::of(node.state, node.parent))
                .collect(),
            text: tree.to_string(),
            svg: self.svg.then(|| tree.to_svg()),
        })
    }
}
