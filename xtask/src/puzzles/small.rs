//! Mates in random positions of few pieces.

use convoy_puzzles::board::Source;
use cotulenh::Position;
use cotulenh_engine::{SplitMix64, Turn};

use super::judge::Judge;
use super::mates;
use crate::mine::proof::{Attack, some_mating_turn};
use crate::mine::small_positions::random_position;

/// Positions tried in one attempt.
const TRIES: usize = 50;
/// Positions that a look for a mate may visit, and those that its proof may.
const GLANCE: u64 = 5_000;
pub(super) const PROOF: u64 = 600_000;

pub(super) fn look(random: &mut SplitMix64, judge: &mut Judge<'_>, keep: &mut dyn FnMut(String)) {
    for _ in 0..TRIES {
        if judge.is_stopped() {
            return;
        }
        let Some(position) = random_position(random) else {
            continue;
        };
        // Mates in one or two turns are plenty.
        let shortest = random.below(8);
        let Some(found) = mate(&position) else {
            continue;
        };
        if found.0 == 1 && shortest > 0 || found.0 == 2 && shortest > 3 {
            continue;
        }
        if let Some(puzzle) = mates::puzzle(judge, &position, Source::Composed, found, PROOF) {
            keep(puzzle.to_string());
        }
    }
}

/// The fastest mate, if checks alone lead to one of at most four turns.
fn mate(position: &Position) -> Option<(u32, Vec<Turn>)> {
    // A look at checks alone says whether it is worth to look at everything.
    let seen = (1..=4)
        .find(|length| some_mating_turn(position, *length, Attack::Checks, GLANCE).is_some())?;
    mates::fastest(position, seen, PROOF)
}
