//! What may be played: moves, turns.

use cotulenh::wire::Moves;
use cotulenh::{
    Color, MoveFlags, MoveList, Namer, Outcome, Position, Square, Terrain, VictoryRules,
};
use serde::{Deserialize, Serialize};

use super::{Capture, after, listed_move_error, position, square};
use crate::error::Error;
use crate::operation::{Operation, write_json};

/// A way to win beside the commander's (Rule 9.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Victory {
    /// Both ships taken.
    Marine,
    /// Both aircraft taken.
    Air,
    /// All artillery, tanks and infantry taken.
    Land,
}

/// The rules with these ways to win.
///
/// ```
/// use convoy_protocol::cotulenh::{Victory, victory_rules};
/// let rules = victory_rules(&[Victory::Marine]);
/// assert!(rules.marine && !rules.air && !rules.land);
/// ```
pub fn victory_rules(victories: &[Victory]) -> VictoryRules {
    VictoryRules {
        marine: victories.contains(&Victory::Marine),
        air: victories.contains(&Victory::Air),
        land: victories.contains(&Victory::Land),
    }
}

/// The end of the game in `now`, if it began with `start`.
fn outcome(start: &Position, now: &Position, victories: &[Victory]) -> Option<Outcome> {
    let services = victory_rules(victories).services(&start.turn_start());
    now.outcome_under(&services)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_true(flag: &bool) -> bool {
    *flag
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

const fn yes() -> bool {
    true
}

/// Op `moves`: the legal moves of a position.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::cotulenh::MovesRequest;
/// // Nobody but an infantry: without a commander nothing is legal, yet it could move.
/// let fen = "11/11/11/11/11/11/11/4I6/11/11/11/11 r - - 0 1".to_owned();
/// let mut request = MovesRequest { fen: Some(fen), ..MovesRequest::default() };
/// assert!(request.answer()?.moves.is_empty());
/// request.legal = false;
/// assert_eq!(request.answer()?.moves.len(), 4);
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MovesRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves to play first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// Whether the commander's safety counts; without it every pseudo-legal move is listed.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub legal: bool,
    /// Further ways to win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub victories: Vec<Victory>,
}

impl Default for MovesRequest {
    fn default() -> Self {
        Self {
            fen: None,
            steps: Vec::new(),
            legal: true,
            victories: Vec::new(),
        }
    }
}

impl MovesRequest {
    /// The position asked about, and how the game has ended there.
    fn position(&self) -> Result<(Position, Option<Outcome>), Error> {
        let fen = self.fen.as_deref();
        let now = if self.legal {
            after(fen, &self.steps)?
        } else {
            after_pseudo_legal(fen, &self.steps)?
        };
        let outcome = if self.victories.is_empty() {
            now.outcome()
        } else {
            outcome(&position(fen)?, &now, &self.victories)
        };
        Ok((now, outcome))
    }
}

/// The position after steps that the commander's safety may forbid.
fn after_pseudo_legal(fen: Option<&str>, steps: &[String]) -> Result<Position, Error> {
    let mut now = position(fen)?;
    for (index, text) in steps.iter().enumerate() {
        let moves: MoveList = now.pseudo_legal_moves().collect();
        let commit = now.deploy().map(cotulenh::Deploy::commit);
        let read = match commit.filter(|_| text == "." && may_stay(&now)) {
            Some(commit) => Ok(commit),
            None => Namer::new(&now, &moves).read_move(text),
        };
        let mv = read.map_err(|error| listed_move_error(index, text, &error))?;
        now.play_unchecked(mv);
    }
    Ok(now)
}

/// Whether those who have not been deployed may stand where they are.
fn may_stay(position: &Position) -> bool {
    position.deploy().is_some_and(|deploy| {
        let stays = |rest: cotulenh::Stack| Terrain::admits(rest.carrier().role, deploy.origin());
        position.remaining().is_none_or(stays)
    })
}

/// The answer to `moves`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MovesAnswer {
    /// The position, extended while a deploy is open.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// Whether its commander is attacked.
    pub check: bool,
    /// Whether its commander is attacked or exposed.
    pub danger: bool,
    /// Whether the turn may end now; only while a deploy is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_commit: Option<bool>,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
    /// Every move in the order of Rule 3.9.1; commit comes last.
    pub moves: Vec<MoveEntry>,
}

/// One move of a [`MovesAnswer`]; what is false or empty is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(clippy::struct_excessive_bools, reason = "each is a field on the wire")]
pub struct MoveEntry {
    /// Its name with the square of departure; `.` is commit.
    pub lan: String,
    /// Its name.
    pub san: String,
    /// Where it starts; not for commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Square>,
    /// Its target; not for commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Square>,
    /// The letter of the carrier, or of who steps, lower case; not for commit.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub role: Option<char>,
    /// What it is.
    pub flags: MoveFlags,
    /// Whether the mover is heroic.
    #[serde(default, skip_serializing_if = "is_false")]
    pub heroic: bool,
    /// The mover's cargo, upper case, `+` before a heroic piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carry: Vec<String>,
    /// The stack taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub captured: String,
    /// The stack on the target after a combination.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub combined: String,
    /// Whether it joins a piece that was deployed this turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub recombine: bool,
    /// Whether it is a step of a deploy.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deploy: bool,
    /// The FEN afterwards.
    pub after: String,
    /// Whether a deploy is open then.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
}

impl Operation for MovesRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "moves";
    type Answer = MovesAnswer;

    fn answer(&self) -> Result<MovesAnswer, Error> {
        let mut text = Vec::new();
        self.write_answer(&mut text)?;
        Ok(serde_json::from_slice(&text).expect("an answer reads as what it is"))
    }

    /// Each move is written as it is made: nothing but the text is kept.
    fn write_answer(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let (position, outcome) = self.position()?;
        let moves = Moves {
            position: &position,
            outcome,
            legal: self.legal,
        };
        write_json(&moves, out);
        Ok(())
    }
}

/// Op `turns`: the complete turns of a position.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TurnsRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Only the turns of the stack on this square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// Further ways to win: each turn then tells how it ends the game, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub victories: Option<Vec<Victory>>,
}

/// The answer to `turns`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnsAnswer {
    /// One turn for each distinct result.
    pub turns: Vec<TurnEntry>,
}

/// One turn of a [`TurnsAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnEntry {
    /// Its name.
    pub san: String,
    /// Its name with the square of departure: the shortest, then alphabetically first.
    pub lan: String,
    /// The FEN afterwards.
    pub after: String,
    /// What it takes; left out where it takes nothing, and where `victories` is not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captured: Vec<Capture>,
    /// How it ends the game, if it does and `victories` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl Operation for TurnsRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "turns";
    type Answer = TurnsAnswer;

    fn answer(&self) -> Result<TurnsAnswer, Error> {
        let position = position(self.fen.as_deref())?;
        let from = self.square.as_deref().map(square).transpose()?;
        let entry = |turn: cotulenh::VerboseTurn| {
            let end = |victories: &Vec<_>| outcome(&position, &turn.after, victories);
            let told = self.victories.is_some();
            let captures = told.then(|| position.turn_captures(&turn.moves));
            TurnEntry {
                after: turn.after.to_string(),
                captured: Capture::list(captures.unwrap_or_default()),
                outcome: self.victories.as_ref().and_then(end),
                san: turn.san,
                lan: turn.lan,
            }
        };
        let turns = position.turns_from(from).into_iter().map(entry).collect();
        Ok(TurnsAnswer { turns })
    }
}
