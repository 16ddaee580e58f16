//! Legality without carrying moves out.
//!
//! A move that touches no square on which the commander's safety hangs leaves it as safe as it
//! was. What those squares are is found once a position; the few moves that touch one are tried.

use crate::air::zone;
use crate::attack::{Target, arrives, between, reaches};
use crate::board::Board;
use crate::movement::{Direction, field_of, line, star};
use crate::targets::cut;
use crate::{Color, PieceKind, Role, Square, SquareSet, StackRules};

/// How safe a commander is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Safety {
    /// It is in no danger, and what touches no critical square leaves it so.
    Safe(Critical),
    /// It is in danger, or there is no telling.
    Unclear(Remedies),
}

impl Safety {
    /// Whether [`Walks`] tells what becomes of the commander where it goes.
    pub(crate) const fn judges_walks(&self) -> bool {
        match self {
            Self::Safe(_) => true,
            Self::Unclear(remedies) => remedies.walks,
        }
    }
}

/// What can put a commander in danger right, beside its own moves; each must be tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remedies {
    /// A move that goes for none of these squares leaves it in danger, unless air defence does it;
    /// all squares where there is no telling.
    pub(crate) squares: SquareSet,
    /// Own stacks with guns that keep aircraft off: what starts from one or joins one may help, wherever it goes.
    pub(crate) guns: SquareSet,
    /// Whether [`Walks`] tells what becomes of the commander where it goes itself.
    pub(crate) walks: bool,
}

/// The squares on which the safety of a commander depends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Critical {
    /// A move that starts from or goes for none of these squares is legal: pieces that stand
    /// between the commander and danger, guns that keep aircraft off it, itself.
    pub(crate) squares: SquareSet,
    /// Whether taking something could promote the enemy's last guard (Rule 8).
    pub(crate) captures: bool,
    /// Whether pieces may leave the commander's own stack as if it were not critical: it keeps no aircraft off.
    pub(crate) leaves: bool,
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
        let at = |squares: SquareSet| Remedies {
            squares,
            guns: SquareSet::EMPTY,
            walks: !last_two && !unclear,
        };
        let occupied = board.occupied();
        let mut squares = SquareSet::EMPTY.with(own);
        let top = Target::now(board, own).top;
        let mut bombers = Bombers::NONE;
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
                    bombers.note(board, from, direction, own);
                    continue;
                }
                let way = between(direction, from, own);
                if kind.role().shoots_over() {
                    return Self::Unclear(at(SquareSet::EMPTY.with(from)));
                }
                if !way.meets(occupied) {
                    return Self::Unclear(at(way.with(from)));
                }
                squares |= way & occupied;
            }
        }
        match blockers_of_sight(board, own, color) {
            Ok(blockers) => squares |= blockers,
            Err(way) => return Self::Unclear(at(way)),
        }
        if unclear || bombers.any && is_fragile(board, color) {
            return Self::Unclear(at(SquareSet::ALL));
        }
        if bombers.arriving {
            return Self::Unclear(Remedies {
                guns: board.with_guns(color),
                ..at(bombers.targets)
            });
        }
        Self::Safe(Critical {
            squares: squares | bombers.held_off,
            captures: last_two,
            leaves: !bombers.held_off.contains(own),
        })
    }
}

/// The pieces that keep the other commander from seeing that of `color` on `own`, if one move could open the way; else where that
/// could be put right.
fn blockers_of_sight<R: StackRules>(
    board: &Board<R>,
    own: Square,
    color: Color,
) -> Result<SquareSet, SquareSet> {
    let Some(enemy) = board.commander(!color) else {
        return Ok(SquareSet::EMPTY);
    };
    let Some(direction) = facing(enemy, own) else {
        return Ok(SquareSet::EMPTY);
    };
    let way = between(direction, enemy, own);
    let blockers = way & board.occupied();
    match blockers.len() {
        0 => Err(way.with(enemy)),
        // One move opens two squares at most, the kamikaze of a blocker against another.
        1 | 2 => Ok(blockers),
        _ => Ok(SquareSet::EMPTY),
    }
}

/// The plain aircraft that reach a commander as far as its air defence lets them.
#[derive(Debug, Clone, Copy)]
struct Bombers {
    /// Whether there is one.
    any: bool,
    /// Whether one gets through.
    arriving: bool,
    /// Where what gets through can be taken: nowhere if it comes from two squares.
    targets: SquareSet,
    /// The air defence on the way of the others. Further guns only make their way harder: an aircraft is lost
    /// to any second one.
    held_off: SquareSet,
}

impl Bombers {
    const NONE: Self = Self {
        any: false,
        arriving: false,
        targets: SquareSet::ALL,
        held_off: SquareSet::EMPTY,
    };

    /// Notes an aircraft on `from` that reaches the commander on `own`.
    fn note<R: StackRules>(
        &mut self,
        board: &Board<R>,
        from: Square,
        direction: Direction,
        own: Square,
    ) {
        self.any = true;
        if arrives(board, from, direction, own) {
            self.arriving = true;
            self.targets &= SquareSet::EMPTY.with(from);
            return;
        }
        let way = between(direction, from, own).with(own);
        for gun in board.providers(!board.color(from)) {
            if zone(board.info(gun).cover, gun).meets(way) {
                self.held_off.insert(gun);
            }
        }
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

/// Whether a move of others may promote air defence of a side. A wider zone can let an
/// aircraft through that would have been lost on leaving a narrower one.
fn is_fragile<R: StackRules>(board: &Board<R>, color: Color) -> bool {
    let attacking = board.commander(!color).is_some_and(|enemy| {
        let top = Target::now(board, enemy).top;
        let mut near = (star(enemy) & board.providers(color)).into_iter();
        near.any(|gun| {
            let (direction, distance) = line(gun, enemy);
            let carrier = board.info(gun).members[0];
            !carrier.is_heroic() && reaches(carrier, direction, distance, top)
        })
    });
    attacking || board.count(color) <= 3 && guards(board, color).len() <= 2
}

/// What becomes of a commander by where it goes, alone or with others that keep no aircraft off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Walks {
    /// Where it is not safe.
    pub(crate) lost: SquareSet,
    /// Where it hangs on aircraft, and on what the move earns the air defence.
    pub(crate) doubtful: SquareSet,
}

impl Walks {
    /// What becomes of the commander of `color` on each of the squares `to`, be they empty or taken, once it has gone there in a
    /// group whose carrier is `top`, no ship; `occupied` is what else is occupied then.
    pub(crate) fn of<R: StackRules>(
        board: &Board<R>,
        to: SquareSet,
        top: Role,
        occupied: SquareSet,
        color: Color,
    ) -> Self {
        let mut walks = Self {
            lost: SquareSet::EMPTY,
            doubtful: SquareSet::EMPTY,
        };
        if let Some(enemy) = board.commander(!color) {
            for direction in Direction::STRAIGHT {
                let ray = direction.ray(enemy);
                if ray.meets(to) {
                    let first = direction.nearest(ray & occupied);
                    walks.lost |= first.map_or(ray, |first| ray - direction.ray(first));
                }
            }
        }
        let near = to
            .into_iter()
            .map(star)
            .fold(SquareSet::EMPTY, SquareSet::or);
        for attacker in near & board.of(!color) {
            for kind in board.info(attacker).members {
                if kind == PieceKind::NONE {
                    break;
                }
                let field = field_of(kind, attacker);
                let hits = field.strikes & to;
                // What one commander attacks of the other it also sees, but for what it may not take diagonally.
                if hits.is_empty() || kind.is(Role::Commander) && top == Role::Commander {
                    continue;
                }
                if kind.is_plain_aircraft() {
                    walks.bomb(board, attacker, hits, color);
                } else if kind.role().shoots_over() {
                    walks.lost |= hits;
                } else {
                    walks.lost |= cut(hits, attacker, field.inner & occupied);
                }
            }
        }
        walks
    }

    /// Notes the plain aircraft on `from` that reaches the squares `hits`.
    fn bomb<R: StackRules>(
        &mut self,
        board: &Board<R>,
        from: Square,
        hits: SquareSet,
        color: Color,
    ) {
        if is_fragile(board, color) {
            self.doubtful |= hits;
            return;
        }
        for to in hits {
            if arrives(board, from, line(from, to).0, to) {
                self.lost.insert(to);
            }
        }
    }
}
