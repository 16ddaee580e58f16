//! Rule 3.2 by sets: all that one group may do, a few set operations at a time.

use crate::air::{Flight, FlightState};
use crate::attack::sight;
use crate::board::Board;
use crate::movement::{Direction, field_of, line, ship_captures};
use crate::terrain::{LAND, NAVIGABLE};
use crate::{Color, MoveKind, PieceKind, Role, Square, SquareSet, StackRules};

/// The targets of one group, by what it does there. Only an aircraft has a square in two sets: it
/// may take with or without staying behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Targets {
    pub(crate) quiet: SquareSet,
    pub(crate) captures: SquareSet,
    pub(crate) stay_captures: SquareSet,
    pub(crate) kamikazes: SquareSet,
    pub(crate) joins: SquareSet,
}

impl Targets {
    /// How many moves these are.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        let twice = self.captures & self.stay_captures;
        let once = self.all().len();
        if twice.is_empty() {
            once
        } else {
            once + twice.len()
        }
    }

    /// Every target.
    #[inline]
    pub(crate) fn all(&self) -> SquareSet {
        self.quiet | self.captures | self.stay_captures | self.kamikazes | self.joins
    }

    /// Everything that takes something.
    #[inline]
    pub(crate) fn takes(&self) -> SquareSet {
        self.captures | self.stay_captures | self.kamikazes
    }

    /// The targets of one kind of move.
    pub(crate) fn of(&self, kind: MoveKind) -> SquareSet {
        match kind {
            MoveKind::Quiet => self.quiet,
            MoveKind::Capture => self.captures,
            MoveKind::StayCapture => self.stay_captures,
            MoveKind::Kamikaze => self.kamikazes,
            MoveKind::Combine => self.joins,
            MoveKind::Commit => SquareSet::EMPTY,
        }
    }

    /// Drops every move that goes for none of these squares.
    pub(crate) fn restrict(&mut self, squares: SquareSet) {
        for (_, set) in self.by_kind() {
            *set &= squares;
        }
    }

    /// Each set with the kind of its moves.
    pub(crate) fn by_kind(&mut self) -> [(MoveKind, &mut SquareSet); 5] {
        [
            (MoveKind::Quiet, &mut self.quiet),
            (MoveKind::Capture, &mut self.captures),
            (MoveKind::StayCapture, &mut self.stay_captures),
            (MoveKind::Kamikaze, &mut self.kamikazes),
            (MoveKind::Combine, &mut self.joins),
        ]
    }
}

/// A board as the side to move sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SideView<'a, R: StackRules> {
    pub(crate) board: &'a Board<R>,
    pub(crate) color: Color,
    own: SquareSet,
    enemy: SquareSet,
    occupied: SquareSet,
}

impl<'a, R: StackRules> SideView<'a, R> {
    #[inline]
    pub(crate) fn new(board: &'a Board<R>, color: Color) -> Self {
        Self {
            board,
            color,
            own: board.of(color),
            enemy: board.of(!color),
            occupied: board.occupied(),
        }
    }

    /// All that a group on `from` may do whose carrier is of this kind, and whose set of roles has
    /// this number; whatever becomes of the own commander.
    #[inline]
    pub(crate) fn targets(
        &self,
        from: Square,
        kind: PieceKind,
        set: u8,
        deploying: bool,
    ) -> Targets {
        let mut targets = self.reachable(from, kind, set, deploying);
        if !R::CLOSED && deploying && !self.board.leaves_stack(from, set) {
            targets = Targets {
                stay_captures: targets.stay_captures,
                ..Targets::default()
            };
        }
        targets
    }

    /// The same, whatever the group would leave behind.
    #[inline]
    fn reachable(&self, from: Square, kind: PieceKind, set: u8, deploying: bool) -> Targets {
        let field = field_of(kind, from);
        match kind.role() {
            Role::Commander => self.slide(from, kind, set),
            Role::AirForce => self.fly(from, kind, field.moves, set, deploying),
            Role::Navy => {
                let ships = self.board.ships();
                let moves = cut(field.moves, from, field.inner & ships);
                let others = field.strikes - ships;
                let ships_taken = ship_captures(kind, from) & ships;
                self.sorted(moves, (others | ships_taken) & self.enemy, set, NAVIGABLE)
            }
            role => {
                let blockers = field.inner & self.occupied;
                let (mut moves, mut strikes) = (field.moves, field.strikes & self.enemy);
                if !blockers.is_empty() {
                    moves = cut(moves, from, blockers);
                    if !role.shoots_over() {
                        strikes = cut(strikes, from, blockers);
                    }
                }
                self.sorted(moves, strikes, set, LAND)
            }
        }
    }

    /// The part of [`SideView::targets`] that takes something.
    #[inline]
    pub(crate) fn takes(&self, from: Square, kind: PieceKind, set: u8, deploying: bool) -> Targets {
        let mut captures = field_of(kind, from).strikes;
        if kind.is(Role::Navy) {
            captures |= ship_captures(kind, from);
        }
        if !captures.meets(self.enemy) {
            return Targets::default();
        }
        Targets {
            quiet: SquareSet::EMPTY,
            joins: SquareSet::EMPTY,
            ..self.targets(from, kind, set, deploying)
        }
    }

    #[inline]
    fn sorted(&self, moves: SquareSet, strikes: SquareSet, set: u8, stands: SquareSet) -> Targets {
        Targets {
            quiet: moves - self.occupied,
            captures: strikes & stands,
            stay_captures: strikes - stands,
            kamikazes: SquareSet::EMPTY,
            joins: self.partners(moves & self.own, set),
        }
    }

    /// Rule 4.4: the friends with whom a set of roles makes a lawful stack that may stand there.
    #[inline]
    fn partners(&self, friends: SquareSet, set: u8) -> SquareSet {
        if friends.is_empty() {
            return friends;
        }
        friends
            .into_iter()
            .fold(SquareSet::EMPTY, |lawful, friend| {
                let other = self.board.info(friend).set;
                if self.board.rules().may_join(set, other, friend) {
                    lawful.with(friend)
                } else {
                    lawful
                }
            })
    }

    fn fly(
        &self,
        from: Square,
        kind: PieceKind,
        moves: SquareSet,
        set: u8,
        deploying: bool,
    ) -> Targets {
        let (mut safe, mut kamikazes) = (moves, SquareSet::EMPTY);
        // Rule 7.3: a heroic aircraft flies where it likes.
        if !kind.is_heroic() && moves.meets(self.board.cover(!self.color)) {
            (safe, kamikazes) = evade(self.board, from, moves, !self.color);
        }
        let taken = safe & self.enemy;
        Targets {
            quiet: (safe & LAND) - self.occupied,
            captures: taken & LAND,
            stay_captures: if deploying { taken - LAND } else { taken },
            kamikazes: kamikazes & self.enemy,
            joins: self.partners((safe | kamikazes) & self.own, set),
        }
    }

    fn slide(&self, from: Square, kind: PieceKind, set: u8) -> Targets {
        let seen = sight(self.board, self.color);
        let directions = if kind.is_heroic() { 8 } else { 4 };
        // Terrain, sight and pieces all end the slide; only a piece may be a target itself.
        let barred = self.occupied | seen | !LAND;
        let (mut targets, mut met) = (Targets::default(), SquareSet::EMPTY);
        for direction in Direction::ALL.into_iter().take(directions) {
            let ray = direction.ray(from);
            let Some(stop) = direction.nearest(ray & barred) else {
                targets.quiet |= ray;
                continue;
            };
            targets.quiet |= (ray - direction.ray(stop)).without(stop);
            if seen.contains(stop) {
                continue;
            }
            met.insert(stop);
            let (dx, dy) = direction.delta();
            if self.enemy.contains(stop) && from.offset(dx, dy) == Some(stop) {
                let top = self.board.info(stop).members[0];
                if direction.is_diagonal() && top.is(Role::Commander) {
                    continue;
                }
                if LAND.contains(stop) {
                    targets.captures.insert(stop);
                } else {
                    targets.stay_captures.insert(stop);
                }
            }
        }
        targets.joins = self.partners(met & self.own & LAND, set);
        targets
    }
}

/// The squares of a set that no blocker hides from `from`.
#[inline]
pub(crate) fn cut(squares: SquareSet, from: Square, blockers: SquareSet) -> SquareSet {
    blockers.into_iter().fold(squares, |left, blocker| {
        left - line(from, blocker).0.ray(blocker)
    })
}

/// Rule 7.3: where a plain aircraft is safe from the air defence of `enemy`, and where it is lost.
fn evade<R: StackRules>(
    board: &Board<R>,
    from: Square,
    moves: SquareSet,
    enemy: Color,
) -> (SquareSet, SquareSet) {
    let (mut safe, mut kamikazes) = (SquareSet::EMPTY, SquareSet::EMPTY);
    for direction in Direction::ALL {
        let ray = direction.ray(from) & moves;
        let Some(entry) = direction.nearest(ray & board.cover(enemy)) else {
            safe |= ray;
            continue;
        };
        safe |= (ray - direction.ray(entry)).without(entry);
        let (dx, dy) = direction.delta();
        let (mut flight, mut at) = (Flight::START, entry);
        while flight.enter(board, at, enemy) == FlightState::Doomed {
            kamikazes.insert(at);
            match at.offset(dx, dy) {
                Some(next) if ray.contains(next) => at = next,
                _ => break,
            }
        }
    }
    (safe, kamikazes)
}
