//! Playing: moves and turns, batch deploys, games in PGN.

use std::collections::BTreeMap;

use cotulenh::{Batch, BatchError, Game, Outcome, Square, Stack};
use serde::{Deserialize, Serialize};

use super::moves::{Victory, victory_rules};
use super::piece::Pieces;
use super::{listed_move_error, pgn_error, position, square};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// A stack that a turn took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capture {
    /// Where it stood.
    pub square: Square,
    /// What it was, as FEN writes it.
    pub stack: Stack,
}

impl Capture {
    pub(super) fn list(captures: impl IntoIterator<Item = (Square, Stack)>) -> Vec<Self> {
        let capture = |(square, stack)| Self { square, stack };
        captures.into_iter().map(capture).collect()
    }
}

/// Op `play`: moves played one after another.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::cotulenh::{PlayRequest, Victory};
/// let request = PlayRequest {
///     fen: Some("6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1".to_owned()),
///     moves: vec!["Nxc7".to_owned()],
///     victories: vec![Victory::Marine],
///     ..PlayRequest::default()
/// };
/// let answer = request.answer()?;
/// assert_eq!(answer.captured[0][0].stack.to_string(), "n");
/// assert_eq!(answer.outcome.expect("blue has no ship left").reason.word(), "marine");
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves, steps and whole turns, SAN or LAN.
    pub moves: Vec<String>,
    /// Further ways to win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub victories: Vec<Victory>,
    /// Whether to answer with `lans` too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lans: bool,
}

/// The answer to `play` and `deploy`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayAnswer {
    /// The position at the end, extended while a deploy is open.
    pub fen: String,
    /// The SAN of each completed turn.
    pub sans: Vec<String>,
    /// The LAN of each completed turn, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lans: Option<Vec<String>>,
    /// The FEN after each completed turn.
    pub fens: Vec<String>,
    /// What each completed turn took; left out where none took anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captured: Vec<Vec<Capture>>,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
}

impl PlayAnswer {
    fn of(game: &Game, lans: bool) -> Self {
        let mut answer = Self {
            fen: game.position().to_string(),
            sans: Vec::new(),
            lans: lans.then(|| game.lans()),
            fens: Vec::new(),
            captured: Vec::new(),
            outcome: game.outcome(),
        };
        for turn in game.turns() {
            answer.sans.push(turn.san());
            answer.fens.push(turn.after.to_string());
            answer.captured.push(Capture::list(turn.captured()));
        }
        if answer.captured.iter().all(Vec::is_empty) {
            answer.captured.clear();
        }
        answer
    }
}

fn game(fen: Option<&str>, victories: &[Victory]) -> Result<Game, Error> {
    Ok(Game::new(position(fen)?).with_rules(victory_rules(victories)))
}

impl Operation for PlayRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "play";
    type Answer = PlayAnswer;

    fn answer(&self) -> Result<PlayAnswer, Error> {
        let mut game = game(self.fen.as_deref(), &self.victories)?;
        for (index, text) in self.moves.iter().enumerate() {
            game.play_text(text)
                .map_err(|error| listed_move_error(index, text, &error))?;
        }
        Ok(PlayAnswer::of(&game, self.lans))
    }
}

/// Op `deploy`: a whole deploy, checked before anything changes and played whole or not at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeployRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Where the stack stands.
    pub from: String,
    /// Who goes where; pieces with one target travel as one group.
    pub moves: Vec<DeployMove>,
    /// Who stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stay: Option<Pieces>,
    /// Further ways to win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub victories: Vec<Victory>,
}

/// One part of a [`DeployRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with piece and to")]
pub struct DeployMove {
    /// A piece or a group of pieces, by letters or names.
    pub piece: Pieces,
    /// Where it goes.
    pub to: String,
}

impl Operation for DeployRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "deploy";
    type Answer = PlayAnswer;

    fn answer(&self) -> Result<PlayAnswer, Error> {
        let mut game = game(self.fen.as_deref(), &self.victories)?;
        let mut moves = Vec::new();
        for part in &self.moves {
            let to = square(&part.to)?;
            moves.extend(part.piece.roles()?.into_iter().map(|role| (role, to)));
        }
        let stay = self.stay.as_ref().map(Pieces::roles).transpose()?;
        let stay = stay.unwrap_or_default();
        let batch = Batch {
            from: square(&self.from)?,
            moves: &moves,
            stay: &stay,
        };
        game.deploy(&batch)
            .map_err(|error| Error::new(error.into(), error.to_string()))?;
        Ok(PlayAnswer::of(&game, false))
    }
}

impl From<BatchError> for ErrorCode {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Open(_) => Self::DeployOpen,
            BatchError::NoStack(_) => Self::NoStack,
            BatchError::Empty => Self::NobodyMoves,
            BatchError::Missing(_) => Self::PieceMissing,
            BatchError::Twice(_) => Self::PieceTwice,
            BatchError::Forgotten(_) => Self::PieceForgotten,
            BatchError::Stay { .. } => Self::StayNotLawful,
            BatchError::Group { .. } => Self::GroupNotLawful,
            BatchError::Terrain(..) => Self::WrongTerrain,
            BatchError::Step { .. } => Self::StepNotLegal,
            BatchError::Danger => Self::CommanderInDanger,
            BatchError::Over(_) => Self::GameOver,
        }
    }
}

/// Op `pgn`: a game read from PGN.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PgnRequest {
    /// The text.
    pub pgn: String,
}

/// The answer to `pgn`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PgnAnswer {
    /// The position it began with.
    pub start: String,
    /// Its turns.
    pub turns: Vec<PgnTurn>,
    /// Its tags.
    pub headers: BTreeMap<String, String>,
    /// How it has ended, if it has.
    pub outcome: Option<Outcome>,
}

/// One turn of a [`PgnAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PgnTurn {
    /// Its name.
    pub san: String,
    /// Its name with the square of departure.
    pub lan: String,
    /// The FEN afterwards.
    pub fen: String,
}

impl Operation for PgnRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "pgn";
    type Answer = PgnAnswer;

    fn answer(&self) -> Result<PgnAnswer, Error> {
        let game: Game = self.pgn.parse().map_err(|error| pgn_error(&error))?;
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let turns = game.turns().map(|turn| PgnTurn {
            san: turn.san(),
            lan: turn.lan(),
            fen: turn.after.to_string(),
        });
        Ok(PgnAnswer {
            start: game.start().to_string(),
            turns: turns.collect(),
            headers: game.headers().map(owned).collect(),
            outcome: game.outcome(),
        })
    }
}
