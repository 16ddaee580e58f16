//! Which action to try first.

use cotulenh::{Color, Move, Position, Square, SquareSet};

use crate::eval::{Evaluator, kind_of};
use crate::feature::{Feature, Features};
use crate::see;

/// The roles times the squares.
const PIECE_TO: usize = 11 * 132;

/// A role on a square as a number.
fn piece_to(mv: Move) -> usize {
    mv.role().index() * 132 + mv.to().dense()
}

/// The scores of actions below which they count as losing captures.
pub(crate) const LOSING: i32 = -1_000_000;
const HASH: i32 = 10_000_000;
const WINNING: i32 = 5_000_000;
const COMMIT: i32 = 4_000_000;
const KILLER: i32 = 3_000_000;
const CHECK: i32 = 12_000;
/// For a piece under attack, by its value in hundredths of an infantry.
const THREAT: i32 = 8;

const HISTORY_MAX: i32 = 16_384;

/// History heuristic: scores of quiet moves, updated by cutoffs and kept between searches of a game.
#[derive(Debug)]
pub(crate) struct History {
    /// By colour, step or whole stack, role and target.
    quiet: Vec<[i16; PIECE_TO]>,
    /// Continuation history: by the previous move of the other side.
    continuation: Vec<i16>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            quiet: vec![[0; PIECE_TO]; 4],
            continuation: vec![0; PIECE_TO * PIECE_TO],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill([0; PIECE_TO]);
        self.continuation.fill(0);
    }

    fn slot(color: Color, mv: Move) -> usize {
        2 * color.index() + usize::from(mv.is_step())
    }

    /// The score of a quiet action.
    pub(crate) fn score(
        &self,
        features: Features,
        color: Color,
        mv: Move,
        previous: Option<Move>,
    ) -> i32 {
        let mut score = 0;
        if features.has(Feature::History) {
            score += i32::from(self.quiet[Self::slot(color, mv)][piece_to(mv)]);
        }
        if features.has(Feature::Continuation)
            && let Some(previous) = previous
        {
            score += i32::from(self.continuation[piece_to(previous) * PIECE_TO + piece_to(mv)]);
        }
        score
    }

    /// Learns that a quiet action was good (`by` above zero) or bad.
    pub(crate) fn update(&mut self, color: Color, mv: Move, previous: Option<Move>, by: i32) {
        update_entry(&mut self.quiet[Self::slot(color, mv)][piece_to(mv)], by);
        if let Some(previous) = previous {
            update_entry(
                &mut self.continuation[piece_to(previous) * PIECE_TO + piece_to(mv)],
                by,
            );
        }
    }
}

/// Moves a score towards a limit that it never passes.
#[allow(clippy::cast_possible_truncation, reason = "stays within the limit")]
fn update_entry(entry: &mut i16, by: i32) {
    let by = by.clamp(-2_000, 2_000);
    let old = i32::from(*entry);
    *entry = (old + by - old * by.abs() / HISTORY_MAX) as i16;
}

/// What is known at a node when its actions are put in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints {
    pub(crate) hash: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) previous: Option<Move>,
    /// Squares attacked by the other side.
    pub(crate) attacked: SquareSet,
}

/// The squares that the other side could strike if nothing stood in the way.
pub(crate) fn attacked(evaluator: &Evaluator, position: &Position) -> SquareSet {
    let turn = position.turn();
    let geometry = evaluator.geometry();
    let mut all = SquareSet::EMPTY;
    for (square, stack) in position.stacks() {
        if stack.color() != turn {
            for piece in stack.pieces() {
                all |= geometry.reach(kind_of(piece), square);
            }
        }
    }
    all
}

/// Scores an action: the higher, the earlier.
pub(crate) fn score(
    evaluator: &Evaluator,
    features: Features,
    history: &History,
    position: &Position,
    hints: &Hints,
    mv: Move,
) -> i32 {
    if hints.hash == Some(mv) {
        return HASH;
    }
    if mv.is_commit() {
        return COMMIT;
    }
    if mv.is_capture() {
        return capture_score(evaluator, features, position, mv);
    }
    if features.has(Feature::Killers) && hints.killers.contains(&Some(mv)) {
        return KILLER;
    }
    let mut score = history.score(features, position.turn(), mv, hints.previous);
    if may_check(evaluator, position, mv) {
        score += CHECK;
    }
    let [leaves, enters] = [mv.from(), mv.to()].map(|at| i32::from(hints.attacked.contains(at)));
    if leaves != enters {
        let stake = position
            .mover(mv)
            .map_or(0, |stack| see::worth(evaluator, stack));
        score += THREAT * (leaves - enters) * stake.min(1_000);
    }
    score
}

/// Captures by what they win, the dearest victim first among equals.
pub(crate) fn capture_score(
    evaluator: &Evaluator,
    features: Features,
    position: &Position,
    mv: Move,
) -> i32 {
    let taken = position
        .stack_at(mv.to())
        .map_or(0, |stack| see::worth(evaluator, stack));
    let mover = position
        .mover(mv)
        .map_or(0, |stack| see::worth(evaluator, stack));
    let won = if features.has(Feature::Exchange) {
        see::static_exchange(evaluator, position, mv)
    } else {
        0
    };
    let order = 8 * taken - mover + 4 * won.min(0);
    if won < 0 {
        LOSING + order.min(900_000)
    } else {
        WINNING + order
    }
}

/// Whether the action lets a piece strike at the other commander, as far as its reach tells.
pub(crate) fn may_check(evaluator: &Evaluator, position: &Position, mv: Move) -> bool {
    let Some(commander) = position.commander(!position.turn()) else {
        return false;
    };
    if !near(commander, mv.to()) {
        return false;
    }
    let geometry = evaluator.geometry();
    let strikes = |piece| geometry.reach(kind_of(piece), mv.to()).contains(commander);
    position
        .mover(mv)
        .is_some_and(|stack| stack.pieces().any(strikes))
}

fn near(a: Square, b: Square) -> bool {
    a.file().abs_diff(b.file()) <= 5 && a.rank().abs_diff(b.rank()) <= 5
}

/// Brings the best of the actions from `index` on to that place. Most nodes are settled by one of
/// the first; where they are not, the rest is sorted at once.
#[inline]
pub(crate) fn pick_best(moves: &mut [(i32, Move)], index: usize) -> (i32, Move) {
    const FIRST: usize = 3;
    if index < FIRST {
        let mut best = index;
        for other in index + 1..moves.len() {
            if moves[other].0 > moves[best].0 {
                best = other;
            }
        }
        moves.swap(index, best);
    } else if index == FIRST {
        moves[FIRST..].sort_unstable_by(|a, b| b.cmp(a));
    }
    moves[index]
}
