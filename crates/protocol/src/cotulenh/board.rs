//! What a position holds: attackers, air cover, its canonical FEN, its perft.

use std::collections::BTreeMap;

use cotulenh::{Color, Outcome, perft, perft_turns};
use serde::{Deserialize, Serialize};

use super::{after, position, square};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// The most plies that `perft` counts: more are never counted to the end, and each takes room on the stack.
pub const MAX_PERFT_DEPTH: u32 = 99;

/// Op `perft`: how many sequences of moves there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PerftRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves to play first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// How many plies, [`MAX_PERFT_DEPTH`] at most.
    pub depth: u32,
    /// What a ply is.
    #[serde(default, skip_serializing_if = "PerftUnit::is_step")]
    pub unit: PerftUnit,
}

/// What perft counts as one ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PerftUnit {
    /// One action, commit included.
    #[default]
    Step,
    /// A whole turn.
    Turn,
}

impl PerftUnit {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    const fn is_step(&self) -> bool {
        matches!(self, Self::Step)
    }
}

/// The answer to `perft`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerftAnswer {
    /// How many sequences.
    pub nodes: u64,
}

impl Operation for PerftRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "perft";
    type Answer = PerftAnswer;

    fn answer(&self) -> Result<PerftAnswer, Error> {
        if self.depth > MAX_PERFT_DEPTH {
            let message = format!("depth is {}, and {MAX_PERFT_DEPTH} at most", self.depth);
            return Err(Error::new(ErrorCode::TooMuch, message));
        }
        let position = after(self.fen.as_deref(), &self.steps)?;
        let nodes = match self.unit {
            PerftUnit::Step => perft(&position, self.depth),
            PerftUnit::Turn => perft_turns(&position, self.depth),
        };
        Ok(PerftAnswer { nodes })
    }
}

/// Op `attackers`: who attacks a square.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AttackersRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The square attacked.
    pub square: String,
    /// The attacking side, `r` or `b`.
    pub color: char,
}

/// The answer to `attackers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttackersAnswer {
    /// Each as `square:type`, sorted.
    pub attackers: Vec<String>,
}

impl Operation for AttackersRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "attackers";
    type Answer = AttackersAnswer;

    fn answer(&self) -> Result<AttackersAnswer, Error> {
        let position = position(self.fen.as_deref())?;
        let target = square(&self.square)?;
        let color = Color::from_letter(self.color).ok_or_else(|| {
            let message = format!("{:?} is neither r nor b", self.color);
            Error::new(ErrorCode::BadColor, message)
        })?;
        let mut attackers: Vec<String> = position
            .attackers(target, color)
            .map(|(from, role)| format!("{from}:{}", role.letter().to_ascii_lowercase()))
            .collect();
        attackers.sort_unstable();
        Ok(AttackersAnswer { attackers })
    }
}

/// Op `cover`: the air cover of both sides.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoverRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

/// The answer to `cover`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoverAnswer {
    /// The cover of both sides.
    pub cover: Cover,
}

/// The air cover of both sides: from a square to the squares of its providers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cover {
    /// That of blue.
    pub b: BTreeMap<String, Vec<String>>,
    /// That of red.
    pub r: BTreeMap<String, Vec<String>>,
}

impl Operation for CoverRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "cover";
    type Answer = CoverAnswer;

    fn answer(&self) -> Result<CoverAnswer, Error> {
        let position = position(self.fen.as_deref())?;
        let side = |color| {
            let covered = position.air_cover(color).into_iter().map(|square| {
                let providers = position.air_providers(square, color);
                let providers = providers.map(|from| from.to_string());
                (square.to_string(), providers.collect())
            });
            covered.collect()
        };
        let cover = Cover {
            b: side(Color::Blue),
            r: side(Color::Red),
        };
        Ok(CoverAnswer { cover })
    }
}

/// Op `fen`: a position in canonical form.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FenRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

/// The answer to `fen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FenAnswer {
    /// The canonical FEN.
    pub fen: String,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
}

impl Operation for FenRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "fen";
    type Answer = FenAnswer;

    fn answer(&self) -> Result<FenAnswer, Error> {
        let position = position(self.fen.as_deref())?;
        Ok(FenAnswer {
            fen: position.to_string(),
            outcome: position.outcome(),
        })
    }
}
