//! Legality without carrying moves out.
//!
//! A move that touches no square on which the commander's safety hangs leaves it as safe as it
//! was. What those squares are is found once a position; the few moves that touch one are tried.

use crate::attack::{Target, arrives, between, reaches};
use crate::board::Board;
use crate::movement::{Direction, line, star};
use crate::{Color, PieceKind, Role, Square, SquareSet, StackRules};

/// How safe a commander is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Safety {
    /// It is in no danger, and what touches no critical square leaves it so.
    Safe(Critical),
    /// Every move must be tried. It is in danger, and a move of others that goes for none of
    /// these squares leaves it there; or there is no telling, and the set is full.
    Unclear(SquareSet),
}

/// The squares on which the safety of a commander depends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Critical {
    /// A move that starts from or goes for none of these squares is legal: pieces that stand
    /// between the commander and danger, guns that keep aircraft off it, itself.
    pub(crate) squares: SquareSet,
    /// Whether taking something could promote the enemy's last guard (Rule 8).
    pub(crate) captures: bool,
}

impl Safety {
    /// The safety of the commander of `color` on `own`.
    pub(crate) fn of<R: StackRules>(board: &Board<R>, own: Square, color: Color) -> Self {
        let (mut last_two, mut unclear) = (false, false);
        if board.count(!color) <= 3 {
            let guards = guards(board, !color);
            last_two = guards.len() == 2;
            // Whatever is done next promotes the enemy's last guard.
            unclear = guards.len() == 1 && guards.into_iter().all(|guard| is_plain(board, guard));
        }
        let occupied = board.occupied();
        let mut squares = SquareSet::EMPTY.with(own);
        let top = Target::now(board, own).top;
        let mut aircraft = false;
        for from in star(own) & board.of(!color) {
            let (direction, distance) = line(from, own);
            for kind in board.info(from).members {
                if kind == PieceKind::NONE {
                    break;
                }
                if !reaches(kind, direction, distance, top) {
                    continue;
                }
                if kind.is_plain_aircraft() {
                    aircraft = true;
                    unclear |= arrives(board, from, direction, own);
                    continue;
                }
                let way = between(direction, from, own);
                if kind.role().shoots_over() {
                    return Self::Unclear(SquareSet::EMPTY.with(from));
                }
                if !way.meets(occupied) {
                    return Self::Unclear(way.with(from));
                }
                squares |= way & occupied;
            }
        }
        if let Some(enemy) = board.commander(!color)
            && let Some(direction) = facing(enemy, own)
        {
            let way = between(direction, enemy, own);
            let blockers = way & occupied;
            if blockers.is_empty() {
                return Self::Unclear(way.with(enemy));
            }
            // One move opens two squares at most, the kamikaze of a blocker against another.
            if blockers.len() <= 2 {
                squares |= blockers;
            }
        }
        if aircraft {
            unclear |= is_fragile(board, color);
            squares |= board.providers(color);
        }
        if unclear {
            return Self::Unclear(SquareSet::ALL);
        }
        let captures = last_two;
        Self::Safe(Critical { squares, captures })
    }
}

/// The direction from one square to another of its file or rank.
#[inline]
pub(crate) fn facing(from: Square, to: Square) -> Option<Direction> {
    if from.file() == to.file() {
        Some(if from.rank() < to.rank() {
            Direction::North
        } else {
            Direction::South
        })
    } else if from.rank() == to.rank() {
        Some(if from.file() < to.file() {
            Direction::East
        } else {
            Direction::West
        })
    } else {
        None
    }
}

/// Rule 8.2: where something else than the commander is on top.
fn guards<R: StackRules>(board: &Board<R>, color: Color) -> SquareSet {
    match board.commander(color) {
        Some(square) if board.info(square).len == 1 => board.of(color).without(square),
        _ => board.of(color),
    }
}

/// A single piece that is not heroic: one that Rule 8.2 could promote.
fn is_plain<R: StackRules>(board: &Board<R>, square: Square) -> bool {
    let info = board.info(square);
    info.len == 1 && info.heroic.is_empty()
}

/// Whether a move of its own may promote air defence of a side. A wider zone can let an
/// aircraft through that would have been lost on leaving a narrower one.
fn is_fragile<R: StackRules>(board: &Board<R>, color: Color) -> bool {
    let attacking = board
        .commander(!color)
        .is_some_and(|enemy| star(enemy).meets(board.providers(color)));
    attacking || guards(board, color).len() <= 2
}

/// What becomes of a commander that walks from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    /// It is safe there.
    Safe,
    /// It is not.
    Lost,
    /// It hangs on aircraft, and on what the move earns the air defence.
    Doubtful,
}

/// Whether a commander that stands alone on `from` is safe on `to`, be that empty or taken.
pub(crate) fn walk_to<R: StackRules>(
    board: &Board<R>,
    from: Square,
    to: Square,
    color: Color,
) -> Walk {
    let occupied = board.occupied().without(from);
    if let Some(enemy) = board.commander(!color)
        && enemy != to
        && let Some(direction) = facing(enemy, to)
        && !between(direction, enemy, to).meets(occupied)
    {
        return Walk::Lost;
    }
    let target = Target {
        square: to,
        top: Some(Role::Commander),
        occupied,
    };
    let mut verdict = Walk::Safe;
    for attacker in star(to) & board.of(!color).without(to) {
        let (direction, distance) = line(attacker, to);
        for kind in board.info(attacker).members {
            if kind == PieceKind::NONE {
                break;
            }
            if !reaches(kind, direction, distance, target.top) {
                continue;
            }
            if kind.is_plain_aircraft() {
                if arrives(board, attacker, direction, to) || is_fragile(board, color) {
                    verdict = Walk::Doubtful;
                }
            } else if kind.role().shoots_over() || !between(direction, attacker, to).meets(occupied)
            {
                return Walk::Lost;
            }
        }
    }
    verdict
}
