//! What a step on the board asks for.

use cotulenh::{Color, Move, MoveKind, Position, Role, Square, Stack};
use serde::Deserialize;
use toml::Spanned;

use crate::course::Source;
use crate::error::LessonError;

/// What must be so after the last turn; everything that is given.
#[derive(Debug, Clone, Default)]
pub struct Goal {
    /// Pieces of the learner's on squares, alone or in a stack.
    pub reach: Vec<Placed>,
    /// Stacks of the learner's with exactly these pieces on squares.
    pub stack: Vec<Placed>,
    /// Squares on which enemies are taken.
    pub capture: Vec<Square>,
    /// What the last turn has among its moves.
    pub by: Option<By>,
    /// A heroic piece of the learner's on a square.
    pub heroic: Option<Placed>,
    /// What happens to the enemy commander.
    pub threat: Option<Threat>,
    /// The first turn is one of these, by the positions that they lead to.
    pub one_of: Vec<Position>,
    /// Any legal turn will do.
    pub any: bool,
}

/// What a turn has among its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A move of this kind.
    Kind(MoveKind),
    /// The steps of a deployment.
    Deploy,
}

/// What happens to a commander.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat {
    /// It is attacked.
    Check,
    /// It is checkmated or captured.
    Mate,
}

/// Pieces on a square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The pieces.
    pub roles: Vec<Role>,
    /// The square.
    pub square: Square,
}

/// What is missing of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardMiss {
    /// The piece is not there.
    Reach(Placed),
    /// The stack is not there.
    Stack(Placed),
    /// The enemy is still there.
    Capture(Square),
    /// The turn is of another kind.
    By(By),
    /// The piece is not heroic, or not there.
    Heroic(Placed),
    /// No check.
    Check,
    /// Check, and a turn that parries it.
    Mate(String),
    /// No check, let alone mate.
    NoMate,
    /// Another turn is better.
    Better,
}

impl BoardMiss {
    /// The words of [`BoardMiss::code`].
    pub const CODES: [&str; 14] = [
        "reach",
        "stack",
        "capture",
        "by-move",
        "by-capture",
        "by-strike",
        "by-kamikaze",
        "by-combine",
        "by-deploy",
        "heroic",
        "check",
        "mate",
        "no-mate",
        "better",
    ];

    /// A word for messages.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Reach(_) => "reach",
            Self::Stack(_) => "stack",
            Self::Capture(_) => "capture",
            Self::By(By::Kind(MoveKind::Quiet | MoveKind::Commit)) => "by-move",
            Self::By(By::Kind(MoveKind::Capture)) => "by-capture",
            Self::By(By::Kind(MoveKind::StayCapture)) => "by-strike",
            Self::By(By::Kind(MoveKind::Kamikaze)) => "by-kamikaze",
            Self::By(By::Kind(MoveKind::Combine)) => "by-combine",
            Self::By(By::Deploy) => "by-deploy",
            Self::Heroic(_) => "heroic",
            Self::Check => "check",
            Self::Mate(_) => "mate",
            Self::NoMate => "no-mate",
            Self::Better => "better",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGoal {
    #[serde(default)]
    reach: Vec<Spanned<String>>,
    #[serde(default)]
    stack: Vec<Spanned<String>>,
    #[serde(default)]
    capture: Vec<Spanned<String>>,
    by: Option<Spanned<String>>,
    heroic: Option<Spanned<String>>,
    #[serde(default)]
    check: bool,
    #[serde(default)]
    mate: bool,
    #[serde(default)]
    one_of: Vec<Spanned<String>>,
    #[serde(default)]
    any: bool,
}

impl Goal {
    pub(crate) fn read(
        source: &Source<'_>,
        raw: &Spanned<RawGoal>,
        position: &Position,
    ) -> Result<Self, LessonError> {
        let at = raw.span();
        let raw = raw.get_ref();
        let placed = |text: &Spanned<String>| source.parse(text, read_placed);
        let all =
            |texts: &[Spanned<String>]| texts.iter().map(placed).collect::<Result<Vec<_>, _>>();
        let mut goal = Self {
            reach: all(&raw.reach)?,
            stack: all(&raw.stack)?,
            by: raw
                .by
                .as_ref()
                .map(|text| source.parse(text, read_by))
                .transpose()?,
            heroic: raw.heroic.as_ref().map(placed).transpose()?,
            threat: match (raw.mate, raw.check) {
                (true, _) => Some(Threat::Mate),
                (false, true) => Some(Threat::Check),
                (false, false) => None,
            },
            any: raw.any,
            ..Self::default()
        };
        for text in &raw.capture {
            let square: Square = source.parse(text, str::parse)?;
            let enemy = position.stack_at(square);
            if enemy.is_none_or(|stack| stack.color() == position.turn()) {
                return Err(source.error(text.span(), "no enemy stands there"));
            }
            goal.capture.push(square);
        }
        for text in &raw.one_of {
            let mut after = position.clone();
            let moves = source.parse(text, |text| super::read_turn(&mut after, &[text]));
            moves?;
            goal.one_of.push(after);
        }
        let some = !goal.reach.is_empty()
            || !goal.stack.is_empty()
            || !goal.capture.is_empty()
            || goal.by.is_some()
            || goal.heroic.is_some()
            || goal.threat.is_some()
            || goal.any
            || !goal.one_of.is_empty();
        if some {
            Ok(goal)
        } else {
            Err(source.error(at, "an empty goal"))
        }
    }

    /// Whether the goal is reached, or the first thing that is missing.
    pub(super) fn check(
        &self,
        start: &Position,
        moves: &[Move],
        after: &Position,
    ) -> Result<(), BoardMiss> {
        let us = start.turn();
        let own = |square| after.stack_at(square).filter(|stack| stack.color() == us);
        let missing = |square: &&Square| enemy(after, **square, us) && enemy(start, **square, us);
        if let Some(square) = self.capture.iter().find(missing) {
            return Err(BoardMiss::Capture(*square));
        }
        let absent =
            |placed: &&Placed| !own(placed.square).is_some_and(|stack| placed.within(stack));
        if let Some(placed) = self.reach.iter().find(absent) {
            return Err(BoardMiss::Reach(placed.clone()));
        }
        let other = |placed: &&Placed| !own(placed.square).is_some_and(|stack| placed.is(stack));
        if let Some(placed) = self.stack.iter().find(other) {
            return Err(BoardMiss::Stack(placed.clone()));
        }
        let is = |mv: &Move, by| match by {
            By::Kind(kind) => mv.kind() == kind,
            By::Deploy => mv.is_step(),
        };
        if let Some(by) = self.by
            && !moves.iter().any(|mv| is(mv, by))
        {
            return Err(BoardMiss::By(by));
        }
        if let Some(placed) = &self.heroic
            && !own(placed.square).is_some_and(|stack| placed.heroic(stack))
        {
            return Err(BoardMiss::Heroic(placed.clone()));
        }
        self.check_end(after)
    }

    fn check_end(&self, after: &Position) -> Result<(), BoardMiss> {
        let won = after
            .outcome()
            .is_some_and(|outcome| outcome.winner == Some(!after.turn()));
        if self.threat == Some(Threat::Mate) && !won {
            if !after.in_check() {
                return Err(BoardMiss::NoMate);
            }
            let answer = after.turns().into_iter().next();
            return Err(BoardMiss::Mate(
                answer.map(|turn| turn.san).unwrap_or_default(),
            ));
        }
        if self.threat == Some(Threat::Check) && !won && !after.in_check() {
            return Err(BoardMiss::Check);
        }
        if !self.one_of.is_empty() && !self.one_of.iter().any(|good| good.key() == after.key()) {
            return Err(BoardMiss::Better);
        }
        Ok(())
    }
}

fn enemy(position: &Position, square: Square, us: Color) -> bool {
    position
        .stack_at(square)
        .is_some_and(|stack| stack.color() != us)
}

impl Placed {
    fn within(&self, stack: Stack) -> bool {
        self.roles.iter().all(|role| stack.has(*role))
    }

    fn is(&self, stack: Stack) -> bool {
        self.within(stack) && stack.len() == self.roles.len()
    }

    fn heroic(&self, stack: Stack) -> bool {
        let heroic = |role: &Role| stack.piece(*role).is_some_and(|piece| piece.heroic);
        self.roles.iter().all(heroic)
    }
}

/// `Nb6`, `(TI)e5`.
fn read_placed(text: &str) -> Result<Placed, String> {
    let at = text.find(|c: char| c.is_ascii_lowercase());
    let (pieces, square) = text.split_at(at.unwrap_or(text.len()));
    let letters = pieces.chars().filter(|c| !matches!(c, '(' | ')'));
    let roles = letters
        .map(|letter| Role::from_letter(letter).ok_or_else(|| format!("{letter} is no piece")));
    let roles: Vec<Role> = roles.collect::<Result<_, _>>()?;
    let square = square
        .parse()
        .map_err(|_| format!("{square:?} is no square"))?;
    if roles.is_empty() {
        return Err("a piece and a square, like Nb6 or (TI)e5".to_owned());
    }
    Ok(Placed { roles, square })
}

fn read_by(text: &str) -> Result<By, &'static str> {
    let kind = match text {
        "move" => MoveKind::Quiet,
        "capture" => MoveKind::Capture,
        "strike" => MoveKind::StayCapture,
        "kamikaze" => MoveKind::Kamikaze,
        "combine" => MoveKind::Combine,
        "deploy" => return Ok(By::Deploy),
        _ => return Err("move, capture, strike, kamikaze, combine or deploy"),
    };
    Ok(By::Kind(kind))
}
