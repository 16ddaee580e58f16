//! Rule 3.2, walked square by square: every pseudo-legal move of one group.
//!
//! This is the plain reading of the rule. The fast generator is tested against it, and it serves
//! where speed does not matter.

use crate::air::{Flight, FlightState};
use crate::attack::sight;
use crate::board::Board;
use crate::movement::{Direction, is_barred};
use crate::{MoveKind, Piece, PieceKind, Role, Square, SquareSet, Stack, StackRules, Terrain};

/// Calls `found` with the target and the kind of every move of `group` from `from`, in the
/// order of Rule 3.9, until it answers false. The group may be part of the stack that stands
/// there; in a deploy, `deploying` is set.
pub(crate) fn walk<R: StackRules>(
    board: &Board<R>,
    from: Square,
    group: Stack,
    deploying: bool,
    mut found: impl FnMut(Square, MoveKind) -> bool,
) -> bool {
    let seen = if group.carrier().role == Role::Commander {
        sight(board, group.color())
    } else {
        SquareSet::EMPTY
    };
    let leaves = !deploying || R::CLOSED || {
        let set = board.rules().set_of(group.roles());
        board.leaves_stack(from, set)
    };
    // A stay capture leaves everybody behind.
    let mut found = |to, kind| !leaves && kind != MoveKind::StayCapture || found(to, kind);
    let mover = Mover {
        board,
        from,
        group,
        deploying,
        seen,
    };
    Direction::ALL
        .into_iter()
        .all(|direction| mover.walk_line(direction, &mut found))
}

/// A group that is to move.
struct Mover<'a, R: StackRules> {
    board: &'a Board<R>,
    from: Square,
    group: Stack,
    deploying: bool,
    /// Where the enemy commander would see it: closed to a commander.
    seen: SquareSet,
}

/// A square on the way.
#[derive(Clone, Copy)]
struct Stop {
    at: Square,
    direction: Direction,
    distance: u8,
    /// Terrain or a piece before it ends movement, though perhaps not captures.
    barred: bool,
    flight: FlightState,
}

impl<R: StackRules> Mover<'_, R> {
    fn walk_line(
        &self,
        direction: Direction,
        found: &mut impl FnMut(Square, MoveKind) -> bool,
    ) -> bool {
        let carrier = self.group.carrier();
        let role = carrier.role;
        let (dx, dy) = direction.delta();
        let (mut flight, mut state) = (Flight::START, FlightState::Safe);
        let (mut terrain_latch, mut piece_latch) = (false, false);
        let mut at = self.from;
        for distance in 1..=role.movement(carrier.heroic).moves.along(direction) {
            let before = at;
            let Some(next) = before.offset(dx, dy) else {
                return true;
            };
            at = next;
            if self.seen.contains(at) {
                return true;
            }
            if PieceKind::of(carrier).is_plain_aircraft() {
                state = flight.enter(self.board, at, !carrier.color);
                if state == FlightState::Destroyed {
                    return true;
                }
            }
            terrain_latch |= is_barred(role, self.from, before, at);
            let stop = Stop {
                at,
                direction,
                distance,
                barred: terrain_latch || piece_latch,
                flight: state,
            };
            let other = self.board.stack(at);
            if !self.kinds(stop, other).iter().all(|kind| found(at, *kind)) {
                return false;
            }
            let Some(other) = other else { continue };
            piece_latch |= match role {
                Role::AirForce => false,
                Role::Navy => other.carrier().role == Role::Navy,
                _ => true,
            };
            if role == Role::Commander || piece_latch && !role.shoots_over() {
                return true;
            }
        }
        true
    }

    /// What the group may do on a square, given what stands there.
    fn kinds(&self, stop: Stop, other: Option<Stack>) -> &'static [MoveKind] {
        let Piece { role, color, .. } = self.group.carrier();
        match other {
            None => {
                let stands = Terrain::admits(role, stop.at);
                let quiet = !stop.barred && stands && stop.flight == FlightState::Safe;
                if quiet { &[MoveKind::Quiet] } else { &[] }
            }
            Some(friend) if friend.color() == color => {
                let both = self.board.rules().combine(self.group, friend);
                let stands = both.is_some_and(|both| Terrain::admits(both.carrier().role, stop.at));
                if !stop.barred && stands {
                    &[MoveKind::Combine]
                } else {
                    &[]
                }
            }
            Some(enemy) => self.captures(stop, enemy.carrier().role),
        }
    }

    /// How the group may take what is led by a piece of role `top`.
    fn captures(&self, stop: Stop, top: Role) -> &'static [MoveKind] {
        let Piece { role, heroic, .. } = self.group.carrier();
        let movement = role.movement(heroic);
        let reach = if top == Role::Navy {
            movement.captures_ships
        } else {
            movement.captures
        };
        let commanders = role == Role::Commander && top == Role::Commander;
        if stop.distance > reach.along(stop.direction) || commanders && stop.direction.is_diagonal()
        {
            &[]
        } else if stop.flight == FlightState::Doomed {
            &[MoveKind::Kamikaze]
        } else if !Terrain::admits(role, stop.at) {
            &[MoveKind::StayCapture]
        } else if role == Role::AirForce && !self.deploying {
            &[MoveKind::Capture, MoveKind::StayCapture]
        } else {
            &[MoveKind::Capture]
        }
    }
}
