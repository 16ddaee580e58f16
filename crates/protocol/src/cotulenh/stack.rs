//! Stacks: combine, splits, remove, validate.

use convoy_stack::COTULENH;
use cotulenh::{Piece, Role, RoleSet, Stack};
use serde::{Deserialize, Serialize};

use super::piece::Pieces;
use crate::error::{At, Error, ErrorCode};
use crate::operation::Operation;

/// Op `combine`: the stack that pieces make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CombineRequest {
    /// The pieces.
    pub pieces: Pieces,
}

/// A stack: the answer to `combine`, and an element of that to `combinations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CombineAnswer {
    /// The stack, as FEN writes it.
    pub stack: String,
    /// Its packed state (Rule 4.2.2), hexadecimal.
    pub state: String,
    /// Its mask of roles.
    pub mask: u16,
}

impl CombineAnswer {
    pub(super) fn of(stack: Stack) -> Self {
        Self {
            stack: stack.to_string(),
            state: format!("{:#x}", stack.state()),
            mask: stack.roles().bits(),
        }
    }
}

impl Operation for CombineRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "combine";
    type Answer = CombineAnswer;

    fn answer(&self) -> Result<CombineAnswer, Error> {
        let pieces = self.pieces.pieces()?;
        lawful(&pieces).map(CombineAnswer::of)
    }
}

/// The stack of these pieces, or an error with every reason why they make none.
pub(super) fn lawful(pieces: &[Piece]) -> Result<Stack, Error> {
    Stack::new(pieces.iter().copied()).ok_or_else(|| cannot_combine(reasons(pieces)))
}

fn cannot_combine(conflicts: Vec<String>) -> Error {
    let message = conflicts.join("; ");
    Error::new(ErrorCode::CannotCombine, message).at(At::Conflicts { conflicts })
}

/// Every reason why the pieces are no stack; none where they are one.
fn reasons(pieces: &[Piece]) -> Vec<String> {
    let mut reasons = Vec::new();
    if pieces.iter().any(|piece| piece.color != pieces[0].color) {
        reasons.push("red and blue pieces cannot share a square".to_owned());
    }
    for role in Role::ALL {
        let count = pieces.iter().filter(|piece| piece.role == role).count();
        if count > 1 {
            reasons.push(format!("{role} is there {count} times"));
        }
    }
    let errors = COTULENH.errors(roles(pieces));
    reasons.extend(errors.iter().map(ToString::to_string));
    reasons
}

/// The roles of pieces as a set.
pub(super) fn roles(pieces: &[Piece]) -> RoleSet {
    let roles = pieces.iter().map(|piece| piece.role.set());
    roles.fold(RoleSet::EMPTY, |all, role| all | role)
}

/// Op `splits`: every division of a stack into lawful stacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SplitsRequest {
    /// The pieces of the stack.
    pub stack: Pieces,
}

/// The answer to `splits`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SplitsAnswer {
    /// Each division as a list of stacks, the fewest stacks first.
    pub splits: Vec<Vec<String>>,
}

impl Operation for SplitsRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "splits";
    type Answer = SplitsAnswer;

    fn answer(&self) -> Result<SplitsAnswer, Error> {
        let stack = lawful(&self.stack.pieces()?)?;
        let show = |parts: Vec<Stack>| parts.iter().map(ToString::to_string).collect();
        let splits = stack.splits().map(show).collect();
        Ok(SplitsAnswer { splits })
    }
}

/// Op `remove`: what is left of a stack without some of its roles.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::cotulenh::RemoveRequest;
/// let request = RemoveRequest { stack: "(NFT)".into(), role: "navy".into() };
/// assert_eq!(request.answer()?.stack.as_deref(), Some("(FT)"));
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RemoveRequest {
    /// The pieces of the stack.
    pub stack: Pieces,
    /// The role to go, or several.
    pub role: Pieces,
}

/// The answer to `remove`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemoveAnswer {
    /// The rest, as FEN writes it; null if nothing is left.
    pub stack: Option<String>,
    /// Its packed state, hexadecimal.
    pub state: Option<String>,
    /// Its mask of roles.
    pub mask: u16,
}

impl Operation for RemoveRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "remove";
    type Answer = RemoveAnswer;

    fn answer(&self) -> Result<RemoveAnswer, Error> {
        let pieces = self.stack.pieces()?;
        let stack = lawful(&pieces)?;
        let gone = self.role.roles()?;
        if gone.is_empty() {
            return Err(Error::new(ErrorCode::BadPiece, "role names no piece"));
        }
        if let Some(role) = gone.iter().find(|role| !stack.has(**role)) {
            let name = COTULENH.blueprint().names(role.set());
            let message = format!("{stack} holds no {name}");
            return Err(Error::new(ErrorCode::PieceMissing, message));
        }
        let rest: Vec<Piece> = stack
            .pieces()
            .filter(|piece| !gone.contains(&piece.role))
            .collect();
        if rest.is_empty() {
            return Ok(RemoveAnswer {
                stack: None,
                state: None,
                mask: 0,
            });
        }
        let rest = CombineAnswer::of(lawful(&rest)?);
        Ok(RemoveAnswer {
            stack: Some(rest.stack),
            state: Some(rest.state),
            mask: rest.mask,
        })
    }
}

/// Op `validate`: whether pieces make a stack, and every reason why not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The pieces.
    pub pieces: Pieces,
}

/// The answer to `validate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidateAnswer {
    /// Whether they make a stack.
    pub lawful: bool,
    /// The stack, as FEN writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
    /// Every reason why they make none.
    pub reasons: Vec<String>,
}

impl Operation for ValidateRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "validate";
    type Answer = ValidateAnswer;

    fn answer(&self) -> Result<ValidateAnswer, Error> {
        let pieces = self.pieces.pieces()?;
        let stack = Stack::new(pieces.iter().copied());
        Ok(ValidateAnswer {
            lawful: stack.is_some(),
            stack: stack.map(|stack| stack.to_string()),
            reasons: stack.map_or_else(|| reasons(&pieces), |_| Vec::new()),
        })
    }
}
