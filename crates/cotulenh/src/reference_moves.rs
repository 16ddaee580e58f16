//! Rule 3.2, walked square by square: every pseudo-legal move of one group.
//!
//! This is the plain reading of the rule. The fast generator is tested against it, and it serves
//! where speed does not matter.

use crate::air::{Flight, FlightState};
use crate::attack::sight;
use crate::board::Board;
use crate::movement::{Direction, GUN_REACH, MOVE_REACH, TORPEDO_REACH, is_barred};
use crate::{MoveKind, Role, Square, SquareSet, Stack, StackRules, Terrain};

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
    Direction::ALL
        .into_iter()
        .all(|direction| walk_ray(board, from, group, deploying, direction, seen, &mut found))
}

fn walk_ray<R: StackRules>(
    board: &Board<R>,
    from: Square,
    group: Stack,
    deploying: bool,
    direction: Direction,
    seen: SquareSet,
    found: &mut impl FnMut(Square, MoveKind) -> bool,
) -> bool {
    let carrier = group.carrier();
    let (role, color) = (carrier.role, carrier.color);
    let kind = 2 * role.index() + usize::from(carrier.heroic);
    let moves = MOVE_REACH[kind].along(direction);
    let (dx, dy) = direction.delta();
    let (mut flight, mut state) = (Flight::START, FlightState::Safe);
    let (mut terrain_latch, mut piece_latch) = (false, false);
    let mut at = from;
    for distance in 1..=moves {
        let before = at;
        let Some(next) = before.offset(dx, dy) else {
            return true;
        };
        at = next;
        if seen.contains(at) {
            return true;
        }
        if role == Role::AirForce && !carrier.heroic {
            state = flight.enter(board, at, !color);
            if state == FlightState::Destroyed {
                return true;
            }
        }
        terrain_latch |= is_barred(role, from, before, at);
        let may_stand = Terrain::admits(role, at);
        let Some(other) = board.stack(at) else {
            if !terrain_latch
                && !piece_latch
                && may_stand
                && state == FlightState::Safe
                && !found(at, MoveKind::Quiet)
            {
                return false;
            }
            continue;
        };
        let top = other.carrier().role;
        if other.color() == color {
            let lawful = !terrain_latch
                && !piece_latch
                && board
                    .rules()
                    .combine(group, other)
                    .is_some_and(|both| Terrain::admits(both.carrier().role, at));
            if lawful && !found(at, MoveKind::Combine) {
                return false;
            }
        } else {
            let reach = if top == Role::Navy {
                TORPEDO_REACH[kind]
            } else {
                GUN_REACH[kind]
            };
            let commanders = role == Role::Commander && top == Role::Commander;
            if distance <= reach.along(direction) && !(commanders && direction.is_diagonal()) {
                let kinds: &[MoveKind] = if state == FlightState::Doomed {
                    &[MoveKind::Kamikaze]
                } else if !may_stand {
                    &[MoveKind::StayCapture]
                } else if role == Role::AirForce && !deploying {
                    &[MoveKind::Capture, MoveKind::StayCapture]
                } else {
                    &[MoveKind::Capture]
                };
                if !kinds.iter().all(|kind| found(at, *kind)) {
                    return false;
                }
            }
        }
        piece_latch |= match role {
            Role::AirForce => false,
            Role::Navy => top == Role::Navy,
            _ => true,
        };
        if role == Role::Commander || piece_latch && !role.shoots_over() {
            return true;
        }
    }
    true
}
