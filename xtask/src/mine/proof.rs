//! Mates, proven: every defence is tried.

use std::collections::{HashMap, HashSet};

use cotulenh::{Move, Position};
use cotulenh_engine::Turn;

/// A proof under way.
struct Proof {
    /// Whether the attacker is held to turns that attack the commander, the first one excepted:
    /// what is proven then is still a mate, though another may be missed.
    checks: bool,
    /// Positions left to look at.
    budget: u64,
    known: HashMap<(u64, u32), bool>,
}

/// Every distinct turn that mates within `length` turns whatever the answer, or `None` if the
/// budget of positions does not suffice.
pub(crate) fn mating_turns(
    position: &Position,
    length: u32,
    checks: bool,
    budget: u64,
) -> Option<Vec<Turn>> {
    let mut proof = Proof {
        checks,
        budget,
        known: HashMap::new(),
    };
    let mut mating = Vec::new();
    for (turn, next) in turns(position) {
        if length > 0 && proof.is_lost(&next, length - 1)? {
            mating.push(turn);
        }
    }
    Some(mating)
}

impl Proof {
    /// Whether the side to move is mated within `length` further turns of the other.
    fn is_lost(&mut self, position: &Position, length: u32) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        if position.commander(position.turn()).is_none() {
            return Some(true);
        }
        if length == 0 {
            return Some(position.in_check() && position.has_no_legal_move());
        }
        if let Some(known) = self.known.get(&(position.key(), length)) {
            return Some(*known);
        }
        let replies = turns(position);
        let mut lost = !replies.is_empty() || position.in_check();
        for (_, next) in replies {
            if !self.is_won(&next, length)? {
                lost = false;
                break;
            }
        }
        self.known.insert((position.key(), length), lost);
        Some(lost)
    }

    /// Whether the side to move mates within `length` turns.
    fn is_won(&mut self, position: &Position, length: u32) -> Option<bool> {
        if position.commander(position.turn()).is_none() {
            return Some(false);
        }
        for (_, next) in turns(position) {
            // The last turn of a mate always attacks the commander.
            if (self.checks || length == 1) && !next.in_check() {
                continue;
            }
            if self.is_lost(&next, length - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Every finished turn, each result once.
pub(crate) fn turns(position: &Position) -> Vec<(Turn, Position)> {
    let mut found = Vec::new();
    collect(position, &mut Vec::new(), &mut HashSet::new(), &mut found);
    found
}

fn collect(
    position: &Position,
    path: &mut Vec<Move>,
    seen: &mut HashSet<u64>,
    found: &mut Vec<(Turn, Position)>,
) {
    for mv in &position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        path.push(*mv);
        if next.turn() == position.turn() {
            collect(&next, path, seen, found);
        } else if seen.insert(next.key()) {
            found.push((Turn::new(path.clone()), next));
        }
        path.pop();
    }
}
