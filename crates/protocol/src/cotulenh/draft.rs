//! What a board asks that knows no rules: the legal steps of a turn that is being put together, what the board looks
//! like then, and why a square that seems free is not; and turns taken apart into steps.

use cotulenh::{
    Color, IllegalMoveError, Move, MoveFlags, MoveKind, MoveList, Namer, Outcome, Piece, Position,
    Role, Square, Stack, Terrain,
};
use serde::{Deserialize, Serialize};

use super::piece::Pieces;
use super::{ended_error, listed_move_error, position, square};
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// More steps than any turn has.
const MOST_STEPS: usize = 16;
/// More turns than a record that is walked through may have in one question.
const MOST_TURNS: usize = 2000;

/// Op `draft`: what may follow in a turn that is being put together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DraftRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The steps chosen so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// A stack to look at: adds `exposed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Parts of that stack that are to move together: adds `groups`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Pieces>,
}

/// The answer to `draft`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DraftAnswer {
    /// The position, extended while a deploy is open.
    pub fen: String,
    /// The placement as it stands, inside a deploy too.
    pub board: String,
    /// The side to move.
    pub turn: Color,
    /// Whether its commander is attacked.
    pub check: bool,
    /// Whether its commander is attacked or exposed.
    pub danger: bool,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
    /// Every legal move.
    pub moves: Vec<DraftMove>,
    /// The squares under each side's air cover.
    pub cover: DraftCover,
    /// Whether the turn may end now; only while a deploy is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_commit: Option<bool>,
    /// Why it may not: `danger` or `terrain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot_commit: Option<String>,
    /// The open deploy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deploy: Option<DraftDeploy>,
    /// The squares that only the commander's safety forbids the stack at `at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed: Option<Vec<Exposed>>,
    /// Where the `parts` can go together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<DraftGroup>>,
}

/// One move of a [`DraftAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftMove {
    /// Its name with the square of departure.
    pub lan: String,
    /// Its name.
    pub san: String,
    /// Where it starts; for commit, the origin.
    pub from: Square,
    /// Its target; for commit, the origin.
    pub to: Square,
    /// The letter of the carrier, or of who steps, lower case.
    #[serde(rename = "type")]
    pub role: char,
    /// What it is.
    pub flags: MoveFlags,
    /// The placement afterwards.
    pub board: String,
    /// Whether a deploy is open then.
    pub open: bool,
    /// Whether it is a step or a commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deploy: bool,
    /// The stack taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<String>,
}

/// The squares under each side's air cover.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftCover {
    /// Blue's.
    pub b: Vec<Square>,
    /// Red's.
    pub r: Vec<Square>,
}

/// The open deploy of a [`DraftAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftDeploy {
    /// Where it began.
    pub origin: Square,
    /// Who is left there, upper case.
    pub left: String,
}

/// A square that only the commander's safety forbids.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exposed {
    /// Where the move would start.
    pub from: Square,
    /// Its target.
    pub to: Square,
    /// Who would move, lower case.
    #[serde(rename = "type")]
    pub role: char,
    /// Whether it would be a step of a deploy.
    pub deploy: bool,
    /// `exposed` or `attacked`: what the commander would be.
    pub reason: String,
}

/// A square where parts of a stack can go together (Rule 6.4): one steps out, the others join it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftGroup {
    /// The steps.
    pub lans: Vec<String>,
    /// The square.
    pub to: Square,
    /// What the first step is.
    pub flags: MoveFlags,
    /// Whether the deploy is open then.
    pub open: bool,
    /// The placement afterwards.
    pub board: String,
    /// The stack taken.
    pub captured: Option<String>,
}

impl Operation for DraftRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "draft";
    type Answer = DraftAnswer;

    fn answer(&self) -> Result<DraftAnswer, Error> {
        let mut now = position(self.fen.as_deref())?;
        at_most(self.steps.len(), MOST_STEPS, "steps")?;
        for (index, text) in self.steps.iter().enumerate() {
            if index > 0 && now.deploy().is_none() {
                return Err(ended_error(text));
            }
            let read = now.read_move(text);
            now = play(
                &now,
                read.map_err(|error| listed_move_error(index, text, &error))?,
            );
        }
        let mut answer = describe(&now);
        if let Some(at) = &self.at {
            let at = square(at)?;
            answer.exposed = Some(exposed(&now, at));
            if let Some(parts) = &self.parts {
                answer.groups = Some(groups(&now, at, &part_roles(parts)?));
            }
        }
        Ok(answer)
    }
}

fn at_most(count: usize, most: usize, what: &str) -> Result<(), Error> {
    if count <= most {
        return Ok(());
    }
    let message = format!("{count} {what}, and {most} at most");
    Err(Error::new(ErrorCode::TooMuch, message))
}

fn part_roles(parts: &Pieces) -> Result<Vec<Role>, Error> {
    let roles = parts.roles()?;
    if (1..=3).contains(&roles.len()) {
        return Ok(roles);
    }
    Err(Error::new(
        ErrorCode::BadPiece,
        "parts names one to three pieces",
    ))
}

fn play(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

fn describe(position: &Position) -> DraftAnswer {
    let moves = position.legal_moves();
    let namer = Namer::new(position, &moves);
    let entries = moves.iter().map(|mv| entry(position, &namer, *mv));
    let cover = |color| position.air_cover(color).into_iter().collect();
    let open = position.deploy();
    let can_commit = open.map(|_| position.can_commit());
    DraftAnswer {
        fen: position.to_string(),
        board: placement(position),
        turn: position.turn(),
        check: position.in_check(),
        danger: position.in_danger(position.turn()),
        outcome: position.outcome(),
        moves: entries.collect(),
        cover: DraftCover {
            b: cover(Color::Blue),
            r: cover(Color::Red),
        },
        can_commit,
        cannot_commit: open.filter(|_| can_commit == Some(false)).map(|deploy| {
            let rest = position.stack_at(deploy.origin());
            let stands =
                rest.is_none_or(|rest| Terrain::admits(rest.carrier().role, deploy.origin()));
            if stands { "danger" } else { "terrain" }.to_owned()
        }),
        deploy: open.map(|deploy| DraftDeploy {
            origin: deploy.origin(),
            left: position.remaining().map(letters).unwrap_or_default(),
        }),
        exposed: None,
        groups: None,
    }
}

fn entry(position: &Position, namer: &Namer<'_>, mv: Move) -> DraftMove {
    let (mut san, mut lan) = (String::new(), String::new());
    namer.san(mv, &mut san);
    namer.lan(mv, &mut lan);
    let next = play(position, mv);
    DraftMove {
        lan,
        san,
        from: mv.from(),
        to: mv.to(),
        role: mv.role().letter().to_ascii_lowercase(),
        flags: mv.flags(),
        board: placement(&next),
        open: next.deploy().is_some(),
        deploy: mv.is_step(),
        captured: position.captured(mv).map(|stack| stack.to_string()),
    }
}

fn groups(position: &Position, square: Square, parts: &[Role]) -> Vec<DraftGroup> {
    let mut found = Vec::new();
    let mut seen: Vec<(Square, MoveKind)> = Vec::new();
    for first in parts {
        for mv in &position.legal_moves() {
            let leads = mv.is_step() && mv.role() == *first && mv.from() == square;
            let stays = matches!(mv.kind(), MoveKind::StayCapture | MoveKind::Kamikaze);
            if !leads || stays || seen.contains(&(mv.to(), mv.kind())) {
                continue;
            }
            let mut lans = vec![position.lan(*mv)];
            let mut next = play(position, *mv);
            let rest: Vec<Role> = parts.iter().copied().filter(|role| role != first).collect();
            if !join(&mut next, mv.to(), &rest, &mut lans) {
                continue;
            }
            seen.push((mv.to(), mv.kind()));
            found.push(DraftGroup {
                lans,
                to: mv.to(),
                flags: mv.flags(),
                open: next.deploy().is_some(),
                board: placement(&next),
                captured: position.captured(*mv).map(|stack| stack.to_string()),
            });
        }
    }
    found
}

/// Lets the parts join on the square, in whatever order the rules allow.
fn join(position: &mut Position, square: Square, parts: &[Role], lans: &mut Vec<String>) -> bool {
    if parts.is_empty() {
        return true;
    }
    for (i, part) in parts.iter().enumerate() {
        let joins = |mv: &&Move| mv.is_recombine() && mv.role() == *part && mv.to() == square;
        let Some(mv) = position.legal_moves().iter().find(joins).copied() else {
            continue;
        };
        let mut next = play(position, mv);
        let mut more = lans.clone();
        more.push(position.lan(mv));
        let rest = parts.iter().enumerate().filter(|(k, _)| *k != i);
        let rest: Vec<Role> = rest.map(|(_, role)| *role).collect();
        if join(&mut next, square, &rest, &mut more) {
            *position = next;
            *lans = more;
            return true;
        }
    }
    false
}

/// Squares that a stack or its parts could reach, were it not for the commander.
fn exposed(position: &Position, from: Square) -> Vec<Exposed> {
    let mine = position
        .stack_at(from)
        .filter(|stack| stack.color() == position.turn());
    let (Some(stack), true) = (mine, position.commander(position.turn()).is_some()) else {
        return Vec::new();
    };
    let legal = position.legal_moves();
    let mut found = Vec::new();
    for to in lines(from) {
        let kinds: &[MoveKind] = match position.stack_at(to) {
            None => &[MoveKind::Quiet],
            Some(other) if other.color() == stack.color() => &[MoveKind::Combine],
            Some(_) => &[MoveKind::Capture, MoveKind::StayCapture],
        };
        for kind in kinds {
            if position.deploy().is_none() {
                let whole = Move::whole(from, to, stack.carrier().role, *kind);
                found.extend(endangers(position, &legal, whole));
            }
            if stack.len() > 1 {
                let step = |piece: Piece| Move::step(from, to, piece.role, *kind);
                let steps = stack.pieces().map(step);
                found.extend(steps.filter_map(|step| endangers(position, &legal, step)));
            }
        }
    }
    found
}

/// The squares in line with one, which no piece leaves in a single move.
fn lines(from: Square) -> impl Iterator<Item = Square> {
    cotulenh::Direction::ALL
        .into_iter()
        .flat_map(move |direction| {
            let (dx, dy) = direction.delta();
            (1..12).map_while(move |k| from.offset(dx * k, dy * k))
        })
}

fn endangers(position: &Position, legal: &MoveList, mv: Move) -> Option<Exposed> {
    if legal.contains(&mv) || position.play(mv) != Err(IllegalMoveError::Danger) {
        return None;
    }
    let next = play(position, mv);
    let reason = if next.is_exposed(position.turn()) {
        "exposed"
    } else {
        "attacked"
    };
    Some(Exposed {
        from: mv.from(),
        to: mv.to(),
        role: mv.role().letter().to_ascii_lowercase(),
        deploy: mv.is_step(),
        reason: reason.to_owned(),
    })
}

fn placement(position: &Position) -> String {
    let fen = position.board_fen();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn letters(stack: Stack) -> String {
    stack.to_string().to_uppercase()
}

/// Op `steps`: turns taken apart into their steps, each with the board afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StepsRequest {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves, steps and whole turns, SAN or LAN.
    pub moves: Vec<String>,
}

/// The answer to `steps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepsAnswer {
    /// The position at the end, extended while a deploy is open.
    pub fen: String,
    /// Each completed turn.
    pub turns: Vec<StepsTurn>,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
}

/// One turn of a [`StepsAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepsTurn {
    /// Its name.
    pub san: String,
    /// Its name with the square of departure.
    pub lan: String,
    /// The FEN afterwards.
    pub fen: String,
    /// Its steps; a plain move is one.
    pub steps: Vec<TurnStep>,
}

/// One step of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnStep {
    /// Its name with the square of departure.
    pub lan: String,
    /// Where it starts.
    pub from: Square,
    /// Its target.
    pub to: Square,
    /// What it is.
    pub flags: MoveFlags,
    /// Who moves, upper case.
    pub piece: Option<String>,
    /// The placement afterwards.
    pub board: String,
}

impl Operation for StepsRequest {
    const GAME: &'static str = "cotulenh";
    const OP: &'static str = "steps";
    type Answer = StepsAnswer;

    fn answer(&self) -> Result<StepsAnswer, Error> {
        let mut now = position(self.fen.as_deref())?;
        at_most(self.moves.len(), MOST_TURNS, "turns")?;
        let mut turns = Vec::new();
        let mut start = now.clone();
        let (mut moves, mut steps): (Vec<Move>, Vec<TurnStep>) = (Vec::new(), Vec::new());
        for (index, text) in self.moves.iter().enumerate() {
            let read = now.read(text);
            let read = read.map_err(|error| listed_move_error(index, text, &error))?;
            for mv in read.iter() {
                let next = play(&now, *mv);
                if !mv.is_commit() {
                    steps.push(step(&now, *mv, &next));
                }
                moves.push(*mv);
                now = next;
                if now.deploy().is_none() {
                    turns.push(StepsTurn {
                        san: start.turn_san(&moves),
                        lan: start.turn_lan(&moves),
                        fen: now.to_string(),
                        steps: std::mem::take(&mut steps),
                    });
                    moves.clear();
                    start.clone_from(&now);
                }
            }
        }
        Ok(StepsAnswer {
            fen: now.to_string(),
            turns,
            outcome: now.outcome(),
        })
    }
}

fn step(position: &Position, mv: Move, next: &Position) -> TurnStep {
    TurnStep {
        lan: position.lan(mv),
        from: mv.from(),
        to: mv.to(),
        flags: mv.flags(),
        piece: position.mover(mv).map(letters),
        board: placement(next),
    }
}
