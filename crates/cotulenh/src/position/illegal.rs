//! Why a move is refused.

use core::error::Error;
use core::fmt;

use super::Position;
use crate::movement::{Direction, Reach};
use crate::{Move, MoveKind, Role, Square, StackRules, Terrain};

/// Why a move was refused; the position stays as it was.
///
/// ```
/// use cotulenh::{IllegalMoveError, Move, Position, Role};
/// let g1 = "g1".parse()?;
/// let refusal = Position::start().play(Move::commit(g1, Role::Tank)).unwrap_err();
/// assert_eq!(refusal, IllegalMoveError::NoDeploy);
/// assert_eq!(refusal.to_string(), "no deploy is open");
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalMoveError {
    /// The side to move has lost its commander: the game is over (Rule 9.3).
    NoCommander,
    /// No piece of the side to move stands there.
    Nobody(Square),
    /// The piece is not in the stack on that square.
    Absent(Role, Square),
    /// While a deploy is open, only its stack may act (Rule 6.2).
    DeployOpen(Square),
    /// There is no deploy to end.
    NoDeploy,
    /// The piece has taken its step in this deploy already.
    Deployed(Role),
    /// Rule 3.1: the square is not in line, or too far for the piece.
    OutOfRange {
        /// The carrier, or who steps.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// Rule 5: the piece may not stand there.
    Terrain(Role, Square),
    /// There is no enemy to take on that square.
    NoTarget(Square),
    /// An enemy stands there: the move must say how it is taken.
    Occupied(Square),
    /// A friend stands there: the move must say that it joins it.
    Friend(Square),
    /// Rule 4: no stack can be made there.
    NoStack(Square),
    /// Rules 3 and 6: something bars the way, or the piece cannot do that there.
    Unreachable(Square, Square),
    /// Rule 9.3: the own commander would be attacked or exposed.
    Danger,
    /// Rule 6.3: what is left on the square may not stand there.
    Stranded(Square),
    /// No way of going on could end this deploy lawfully.
    DeadEnd,
}

impl<R: StackRules> Position<R> {
    /// Why a move that is not legal is refused.
    pub(super) fn why_illegal(&self, mv: Move) -> IllegalMoveError {
        if self.commander(self.turn).is_none() {
            return IllegalMoveError::NoCommander;
        }
        if mv.is_commit() {
            let Some(deploy) = &self.deploy else {
                return IllegalMoveError::NoDeploy;
            };
            return if self.in_danger(self.turn) {
                IllegalMoveError::Danger
            } else {
                IllegalMoveError::Stranded(deploy.origin())
            };
        }
        if let Some(deploy) = &self.deploy {
            if mv.from() != deploy.origin() || !mv.is_step() {
                return IllegalMoveError::DeployOpen(deploy.origin());
            }
            if deploy.original().has(mv.role())
                && deploy.remaining_roles().is_disjoint(mv.role().set())
            {
                return IllegalMoveError::Deployed(mv.role());
            }
        }
        let own = self
            .stack_at(mv.from())
            .filter(|stack| stack.color() == self.turn);
        let Some(stack) = own else {
            return IllegalMoveError::Nobody(mv.from());
        };
        if !stack.has(mv.role()) {
            return IllegalMoveError::Absent(mv.role(), mv.from());
        }
        if !self.pseudo_legal(mv) {
            return self.why_unreachable(mv);
        }
        if mv.is_step() && (self.deploy.is_some() || stack.has(Role::Commander)) {
            return IllegalMoveError::DeadEnd;
        }
        let mut after = self.clone();
        after.take_step(mv);
        if !mv.is_step() || after.in_danger(self.turn) {
            IllegalMoveError::Danger
        } else {
            IllegalMoveError::DeadEnd
        }
    }

    /// Why the movement rules do not offer a move of a piece that is there.
    fn why_unreachable(&self, mv: Move) -> IllegalMoveError {
        let (role, from, to) = (mv.role(), mv.from(), mv.to());
        let heroic = self
            .mover(mv)
            .is_some_and(|mover| mover.piece(role).is_some_and(|piece| piece.heroic));
        let movement = role.movement(heroic);
        let in_range = |reach: Reach| {
            let direction = Direction::between(from, to);
            direction.is_some_and(|(direction, distance)| distance <= reach.along(direction))
        };
        let other = self.stack_at(to);
        let enemy = other.filter(|other| other.color() != self.turn);
        match (mv.kind(), other) {
            (MoveKind::Quiet, Some(_)) if enemy.is_some() => IllegalMoveError::Occupied(to),
            (MoveKind::Quiet, Some(_)) => IllegalMoveError::Friend(to),
            (MoveKind::Combine, None) => IllegalMoveError::NoStack(to),
            (kind, _) if kind.is_capture() && enemy.is_none() => IllegalMoveError::NoTarget(to),
            (kind, _) if kind.is_capture() => {
                let ship = enemy.is_some_and(|enemy| enemy.carrier().role == Role::Navy);
                let reach = if ship {
                    movement.captures_ships
                } else {
                    movement.captures
                };
                if in_range(reach) {
                    IllegalMoveError::Unreachable(from, to)
                } else {
                    IllegalMoveError::OutOfRange { role, from, to }
                }
            }
            _ if !in_range(movement.moves) => IllegalMoveError::OutOfRange { role, from, to },
            (MoveKind::Quiet, None) if !Terrain::admits(role, to) => {
                IllegalMoveError::Terrain(role, to)
            }
            (MoveKind::Combine, Some(friend))
                if self
                    .mover(mv)
                    .is_some_and(|mover| self.rules().combine(mover, friend).is_none()) =>
            {
                IllegalMoveError::NoStack(to)
            }
            _ => IllegalMoveError::Unreachable(from, to),
        }
    }
}

impl fmt::Display for IllegalMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommander => f.write_str("the side to move has no commander"),
            Self::Nobody(square) => write!(f, "no piece of the side to move on {square}"),
            Self::Absent(role, square) => {
                write!(f, "no {} in the stack on {square}", role.name())
            }
            Self::DeployOpen(square) => write!(f, "the deploy of the stack on {square} is open"),
            Self::NoDeploy => f.write_str("no deploy is open"),
            Self::Deployed(role) => {
                write!(f, "the {} has taken its step in this deploy", role.name())
            }
            Self::OutOfRange { role, from, to } => {
                write!(f, "the {} on {from} does not reach {to}", role.name())
            }
            Self::Terrain(role, square) => {
                let terrain = Terrain::of(*square);
                write!(
                    f,
                    "the {} may not stand on {square} ({terrain})",
                    role.name()
                )
            }
            Self::NoTarget(square) => write!(f, "no enemy to take on {square}"),
            Self::Occupied(square) => {
                write!(f, "an enemy stands on {square}: write x, _ or @ to take it")
            }
            Self::Friend(square) => {
                write!(f, "a friend stands on {square}: write & to join it")
            }
            Self::NoStack(square) => write!(f, "no stack can be made on {square}"),
            Self::Unreachable(from, to) => write!(f, "the way from {from} to {to} is barred"),
            Self::Danger => f.write_str("the commander would be attacked or exposed"),
            Self::Stranded(square) => write!(f, "what is left on {square} may not stand there"),
            Self::DeadEnd => f.write_str("the deploy could not be ended after this step"),
        }
    }
}

impl Error for IllegalMoveError {}
