//! Mates, proven: every defence is tried, and nothing of the engine is used.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use cotulenh::{Move, Position};
use cotulenh_engine::Turn;

/// What the attacker may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attack {
    /// Any turn.
    Full,
    /// After a first turn of any kind only turns that attack the commander: what is proven is a
    /// mate all the same, though another may be missed.
    Checks,
}

/// Every distinct turn that mates within `length` turns whatever the answer, or `None` if the
/// budget of positions does not suffice.
pub(crate) fn mating_turns(
    position: &Position,
    length: u32,
    attack: Attack,
    budget: u64,
) -> Option<Vec<Turn>> {
    let mut proof = Proof::new(length, attack, budget);
    let mut mating = Vec::new();
    for (turn, next) in turns(position) {
        if length > 0 && proof.is_lost(&next, length - 1)? {
            mating.push(turn);
        }
    }
    Some(mating)
}

/// Some turn that mates, those that attack the commander tried first; `None` if there is none, or
/// none is found within the budget.
pub(crate) fn some_mating_turn(
    position: &Position,
    length: u32,
    attack: Attack,
    budget: u64,
) -> Option<Turn> {
    let mut proof = Proof::new(length, attack, budget);
    let mut turns = turns(position);
    turns.sort_by_key(|(_, next)| !next.in_check());
    for (turn, next) in turns {
        if length > 0 && proof.is_lost(&next, length - 1)? {
            return Some(turn);
        }
    }
    None
}

/// A proof under way.
struct Proof {
    attack: Attack,
    /// Positions left to look at.
    budget: u64,
    /// For positions with the defender to move: the least number of turns that is known to mate,
    /// and the greatest that is known not to, each plus one; zero where none is known.
    known: HashMap<u64, (u32, u32)>,
    /// The last turn that held out, by the number of turns it had to: likely to hold again.
    answers: Vec<Option<Move>>,
}

impl Proof {
    fn new(length: u32, attack: Attack, budget: u64) -> Self {
        Self {
            attack,
            budget,
            known: HashMap::new(),
            answers: vec![None; length as usize + 1],
        }
    }

    /// Whether the side to move is mated within `length` further turns of the other.
    fn is_lost(&mut self, position: &Position, length: u32) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        if position.commander(position.turn()).is_none() {
            return Some(true);
        }
        if length == 0 {
            return Some(is_mated(position));
        }
        let (lost, held) = *self.known.get(&position.key()).unwrap_or(&(0, 0));
        if lost > 0 && lost <= length + 1 {
            return Some(true);
        }
        if held > length {
            return Some(false);
        }
        let lost = self.has_no_answer(position, length)?;
        let entry = self.known.entry(position.key()).or_default();
        if lost {
            entry.0 = length + 1;
        } else {
            entry.1 = length + 1;
        }
        Some(lost)
    }

    fn has_no_answer(&mut self, position: &Position, length: u32) -> Option<bool> {
        if let Some(mv) = self.answers[length as usize]
            && position.is_legal(mv)
        {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if next.turn() != position.turn() && !self.is_won(&next, length)? {
                return Some(false);
            }
        }
        let mut answers = Vec::new();
        each_result(position, &mut |path, next| {
            answers.push(((path.len() == 1).then(|| path[0]), next));
            false
        });
        if answers.is_empty() {
            return Some(position.in_check());
        }
        for (mv, next) in answers {
            if !self.is_won(&next, length)? {
                self.answers[length as usize] = mv;
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the side to move mates within `length` turns.
    fn is_won(&mut self, position: &Position, length: u32) -> Option<bool> {
        if position.commander(position.turn()).is_none() {
            return Some(false);
        }
        if length == 1 {
            self.budget = self.budget.checked_sub(1)?;
            return Some(each_result(position, &mut |_, next| is_mated(&next)));
        }
        let mut checks = Vec::new();
        let mut quiet = Vec::new();
        each_result(position, &mut |_, next| {
            if next.in_check() {
                checks.push(next);
            } else if self.attack == Attack::Full {
                quiet.push(next);
            }
            false
        });
        for next in checks.into_iter().chain(quiet) {
            if self.is_lost(&next, length - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

fn is_mated(position: &Position) -> bool {
    position.commander(position.turn()).is_none()
        || position.in_check() && !position.has_legal_move()
}

/// Every finished turn, each result once.
pub(crate) fn turns(position: &Position) -> Vec<(Turn, Position)> {
    let mut found = Vec::new();
    each_result(position, &mut |path, next| {
        found.push((Turn::new(path.to_vec()), next));
        false
    });
    found
}

/// Shows every finished turn and its result, each result once, until the visitor says that it has
/// seen enough; answers whether it did.
fn each_result(position: &Position, visit: &mut impl FnMut(&[Move], Position) -> bool) -> bool {
    let mut seen = HashSet::new();
    let walk = position.try_for_each_turn(|moves, next| {
        // What comes of a single piece's move comes of no other turn.
        let alone = moves.len() == 1 && position.mover(moves[0]).is_some_and(|s| s.len() == 1);
        if (alone || seen.insert(next.key())) && visit(&moves, next) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    walk.is_break()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fen: &str, length: u32, attack: Attack) -> Vec<String> {
        let position: Position = fen.parse().expect("lawful");
        let turns = mating_turns(&position, length, attack, 1_000_000).expect("few positions");
        let mut names: Vec<_> = turns.iter().map(|turn| position.turn_lan(turn)).collect();
        names.sort();
        names
    }

    #[test]
    fn a_mate_needs_its_length() {
        let fen = "11/11/11/11/11/11/7A3/10i/5Ah4/5S5/2C8/9c1 r - - 0 1";
        assert!(names(fen, 1, Attack::Full).is_empty());
        assert_eq!(names(fen, 2, Attack::Full), ["Cc2i2", "Sf3f1"]);
    }

    #[test]
    fn a_mate_by_checks_is_a_mate() {
        let fen = "11/11/11/11/11/11/8C2/4S2c3/9h1/5M5/3+IM1e4/11 r - - 0 1";
        let checks = names(fen, 3, Attack::Checks);
        let full = names(fen, 3, Attack::Full);
        assert!(!checks.is_empty() && checks.iter().all(|turn| full.contains(turn)));
    }

    #[test]
    fn a_budget_is_kept() {
        let position = Position::start();
        assert!(mating_turns(&position, 3, Attack::Full, 1_000).is_none());
    }
}
