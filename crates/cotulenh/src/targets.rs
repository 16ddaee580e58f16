//! Rule 3.2 by sets: all that one group may do, a few set operations at a time.

use crate::air::{Flight, Ray};
use crate::attack::sight;
use crate::board::Board;
use crate::movement::{Direction, field_of, line, torpedo_field};
use crate::stack::table::{self, Kind};
use crate::terrain::{LAND, NAVIGABLE};
use crate::{Color, MoveKind, Role, Square, SquareSet};

/// The targets of one group, by what it does there. Only an aircraft has a square in two sets: it
/// may take with or without staying behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Targets {
    pub(crate) quiet: SquareSet,
    pub(crate) captures: SquareSet,
    pub(crate) stays: SquareSet,
    pub(crate) doomed: SquareSet,
    pub(crate) joins: SquareSet,
}

impl Targets {
    /// How many actions these are.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        let mut len = self.quiet.len();
        let taken = self.captures | self.stays | self.doomed | self.joins;
        if !taken.is_empty() {
            len += self.captures.len() + self.stays.len() + self.doomed.len() + self.joins.len();
        }
        len
    }

    /// Every target.
    #[inline]
    pub(crate) fn all(&self) -> SquareSet {
        self.quiet | self.captures | self.stays | self.doomed | self.joins
    }

    /// Everything that takes something.
    #[inline]
    pub(crate) fn takes(&self) -> SquareSet {
        self.captures | self.stays | self.doomed
    }

    /// Each set with the kind of its actions.
    pub(crate) fn by_kind(&mut self) -> [(MoveKind, &mut SquareSet); 5] {
        [
            (MoveKind::Quiet, &mut self.quiet),
            (MoveKind::Capture, &mut self.captures),
            (MoveKind::StayCapture, &mut self.stays),
            (MoveKind::Kamikaze, &mut self.doomed),
            (MoveKind::Combine, &mut self.joins),
        ]
    }
}

/// All that a group may do whose carrier is of this kind, and whose set of roles has this number;
/// whatever becomes of the own commander.
#[inline]
pub(crate) fn targets(
    board: &Board,
    from: Square,
    kind: Kind,
    set: u8,
    color: Color,
    deploying: bool,
) -> Targets {
    let (own, enemy) = (board.of(color), board.of(!color));
    match Role::ALL[(kind >> 1) as usize] {
        Role::Commander => slide(board, from, kind, set, color),
        Role::AirForce => fly(board, from, kind, set, color, deploying),
        Role::Navy => {
            let field = field_of(kind, from);
            let moves = cut(field.moves, from, field.inner & board.ships());
            let guns = field.strikes & enemy - board.ships();
            let torpedoes = torpedo_field(kind, from) & enemy & board.ships();
            finish(
                board,
                moves,
                guns | torpedoes,
                own | enemy,
                set,
                own,
                NAVIGABLE,
            )
        }
        role => {
            let field = field_of(kind, from);
            let blockers = field.inner & (own | enemy);
            let (mut moves, mut strikes) = (field.moves, field.strikes & enemy);
            if !blockers.is_empty() {
                moves = cut(moves, from, blockers);
                if !role.shoots_over() {
                    strikes = cut(strikes, from, blockers);
                }
            }
            finish(board, moves, strikes, own | enemy, set, own, LAND)
        }
    }
}

#[inline]
fn finish(
    board: &Board,
    moves: SquareSet,
    strikes: SquareSet,
    occupied: SquareSet,
    set: u8,
    own: SquareSet,
    stands: SquareSet,
) -> Targets {
    Targets {
        quiet: moves - occupied,
        captures: strikes & stands,
        stays: strikes - stands,
        doomed: SquareSet::EMPTY,
        joins: partners(board, moves & own, set),
    }
}

/// The squares of a set that no blocker hides from `from`.
#[inline]
fn cut(mut squares: SquareSet, from: Square, blockers: SquareSet) -> SquareSet {
    for blocker in blockers {
        squares = squares - line(from, blocker).0.ray(blocker);
    }
    squares
}

/// Rule 4.4: the friends with whom a set of roles makes a lawful stack that may stand there.
#[inline]
fn partners(board: &Board, friends: SquareSet, set: u8) -> SquareSet {
    let mut lawful = SquareSet::EMPTY;
    for friend in friends {
        if table::join(set, table::info(board.id(friend)).set).contains(friend) {
            lawful.insert(friend);
        }
    }
    lawful
}

fn fly(board: &Board, from: Square, kind: Kind, set: u8, color: Color, deploying: bool) -> Targets {
    let (own, enemy) = (board.of(color), board.of(!color));
    let moves = field_of(kind, from).moves;
    let (mut safe, mut doomed) = (moves, SquareSet::EMPTY);
    // Rule 7.3: a heroic aircraft flies where it likes.
    if kind & 1 == 0 && moves.meets(board.cover(!color)) {
        (safe, doomed) = evade(board, from, moves, !color);
    }
    let taken = safe & enemy;
    Targets {
        quiet: (safe & LAND) - (own | enemy),
        captures: taken & LAND,
        stays: if deploying { taken - LAND } else { taken },
        doomed: doomed & enemy,
        joins: partners(board, (safe | doomed) & own, set),
    }
}

/// Rule 7.3: where a plain aircraft is safe from the air defence of `enemy`, and where it is lost.
fn evade(board: &Board, from: Square, moves: SquareSet, enemy: Color) -> (SquareSet, SquareSet) {
    let (mut safe, mut doomed) = (SquareSet::EMPTY, SquareSet::EMPTY);
    for direction in Direction::ALL {
        let ray = direction.ray(from) & moves;
        let Some(entry) = direction.nearest(ray & board.cover(enemy)) else {
            safe |= ray;
            continue;
        };
        safe |= (ray - direction.ray(entry)).without(entry);
        let (dx, dy) = direction.delta();
        let (mut flight, mut at) = (Ray::START, entry);
        while flight.enter(board, at, enemy) == Flight::Doomed {
            doomed.insert(at);
            match at.offset(dx, dy) {
                Some(next) if ray.contains(next) => at = next,
                _ => break,
            }
        }
    }
    (safe, doomed)
}

fn slide(board: &Board, from: Square, kind: Kind, set: u8, color: Color) -> Targets {
    let (own, enemy) = (board.of(color), board.of(!color));
    let seen = sight(board, color);
    let directions = if kind & 1 == 0 { 4 } else { 8 };
    let (mut moves, mut met) = (SquareSet::EMPTY, SquareSet::EMPTY);
    let mut targets = Targets::default();
    for direction in Direction::ALL.into_iter().take(directions) {
        let ray = direction.ray(from);
        // Terrain, sight and pieces all end the slide; only a piece may be a target itself.
        let stops = ray & (own | enemy | seen | !LAND);
        let Some(stop) = direction.nearest(stops) else {
            moves |= ray;
            continue;
        };
        moves |= (ray - direction.ray(stop)).without(stop);
        if seen.contains(stop) {
            continue;
        }
        met.insert(stop);
        let strikes = enemy.contains(stop)
            && from.offset(direction.delta().0, direction.delta().1) == Some(stop);
        let top = table::info(board.id(stop)).members[0] >> 1;
        if strikes && !(direction.is_diagonal() && top == Role::Commander as u8) {
            let taken = if LAND.contains(stop) {
                &mut targets.captures
            } else {
                &mut targets.stays
            };
            taken.insert(stop);
        }
    }
    targets.quiet = moves;
    targets.joins = partners(board, met & own & LAND, set);
    targets
}
