//! What kinds of tactics the rules offer in a position, before any search.

use convoy_puzzles::board::is_shut_in;
use cotulenh::{Move, MoveKind, Position, Role};
use cotulenh_engine::{Turn, gain};

use super::kind::{Kind, planes, threatens_aircraft};
use super::proof::{Attack, some_mating_turn, turns};

/// The kinds that may be found in a position.
pub(super) fn kinds(position: &Position) -> Vec<Kind> {
    let moves = position.legal_moves();
    let any = |test: &dyn Fn(Move) -> bool| moves.iter().any(|mv| test(*mv));
    let mut kinds = Vec::new();
    if any(&|mv| mv.kind() == MoveKind::Kamikaze && gain(position, mv) > 0) {
        kinds.push(Kind::Kamikaze);
    }
    if any(&|mv| mv.kind() == MoveKind::StayCapture && gain(position, mv) >= 20) {
        kinds.push(Kind::Stay);
    }
    if any(&|mv| mv.is_step() && mv.is_capture() && gain(position, mv) >= 20) {
        kinds.push(Kind::Deploy);
    }
    if is_hard_pressed(position) {
        kinds.push(Kind::Defence);
    }
    if moves.iter().any(|mv| traps_aircraft(position, *mv)) {
        kinds.push(Kind::Aircover);
    }
    kinds
}

/// Whether the rules offer a kind of tactics that is rare in games.
pub(crate) fn has_rare_kind(position: &Position) -> bool {
    let rare = [Kind::Kamikaze, Kind::Defence, Kind::Aircover];
    kinds(position).iter().any(|kind| rare.contains(kind))
}

/// Whether all turns but a few are answered by mate at once.
fn is_hard_pressed(position: &Position) -> bool {
    let mut passed = position.clone();
    passed.pass_unchecked();
    let mates = |at: &Position| some_mating_turn(at, 1, Attack::Full, u64::MAX).is_some();
    if !position.in_check() && !mates(&passed) {
        return false;
    }
    let turns = turns(position);
    let holds = turns.iter().filter(|(_, next)| !mates(next)).take(5);
    turns.len() >= 3 && (1..=4).contains(&holds.count())
}

/// Whether a quiet move of an air-defence piece attacks an enemy aircraft, or brings it under air
/// cover, so that it has no safe square to fly to.
fn traps_aircraft(position: &Position, mv: Move) -> bool {
    let provider = matches!(mv.role(), Role::AntiAir | Role::Missile | Role::Navy);
    let turn = Turn::new(vec![mv]);
    if !provider || mv.is_capture() || mv.is_step() || !threatens_aircraft(position, &turn) {
        return false;
    }
    let Some(next) = turn.play_from(position) else {
        return false;
    };
    let own = position.turn();
    planes(&next, !own)
        .any(|square| next.attackers(square, own).next().is_some() && is_shut_in(&next, square))
}
