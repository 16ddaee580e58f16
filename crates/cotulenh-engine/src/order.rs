//! Move ordering and the history heuristic.

use cotulenh::{Color, Move, PieceKind, Position, Role, Square, SquareSet};

use crate::eval::Evaluator;
use crate::feature::{Feature, Features};
use crate::params::{
    HISTORY_CHANGE_MAX, HISTORY_MAX, ORDER_CAPTURE_SPAN, ORDER_CHECK, ORDER_COMMIT, ORDER_EXCHANGE,
    ORDER_HASH, ORDER_KILLER, ORDER_LOSING, ORDER_THREAT, ORDER_THREAT_MAX, ORDER_VICTIM,
    ORDER_WINNING,
};
use crate::see;

/// Indices of a piece and its target square: roles times squares.
const PIECE_TO: usize = Role::ALL.len() * Square::COUNT;

/// The index of the piece that moves and its target square.
fn piece_to(mv: Move) -> usize {
    mv.role().index() * Square::COUNT + mv.to().dense()
}

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

    /// The score of a quiet move.
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

    /// Adds a bonus or, below zero, a malus to a quiet move.
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

/// History gravity: the nearer an entry is to the limit, the less a bonus adds.
#[allow(clippy::cast_possible_truncation, reason = "stays within the limit")]
fn update_entry(entry: &mut i16, by: i32) {
    let by = by.clamp(-HISTORY_CHANGE_MAX, HISTORY_CHANGE_MAX);
    let old = i32::from(*entry);
    *entry = (old + by - old * by.abs() / HISTORY_MAX) as i16;
}

/// What a node knows when its moves are ordered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints {
    pub(crate) hash: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) previous: Option<Move>,
    /// Squares attacked by the other side.
    pub(crate) attacked: SquareSet,
}

/// The squares that the other side attacks on an empty board.
pub(crate) fn attacked(evaluator: &Evaluator, position: &Position) -> SquareSet {
    let turn = position.turn();
    let geometry = evaluator.geometry();
    let mut all = SquareSet::EMPTY;
    for (square, stack) in position.stacks() {
        if stack.color() != turn {
            for piece in stack.pieces() {
                all |= geometry.reach(PieceKind::of(piece), square);
            }
        }
    }
    all
}

/// The ordering score of a move: the highest is searched first.
pub(crate) fn score(
    evaluator: &Evaluator,
    features: Features,
    history: &History,
    position: &Position,
    hints: &Hints,
    mv: Move,
) -> i32 {
    if hints.hash == Some(mv) {
        return ORDER_HASH;
    }
    if mv.is_commit() {
        return ORDER_COMMIT;
    }
    if mv.is_capture() {
        return capture_score(features, position, mv);
    }
    if features.has(Feature::Killers) && hints.killers.contains(&Some(mv)) {
        return ORDER_KILLER;
    }
    let mut score = history.score(features, position.turn(), mv, hints.previous);
    if may_check(evaluator, position, mv) {
        score += ORDER_CHECK;
    }
    let [leaves, enters] = [mv.from(), mv.to()].map(|at| i32::from(hints.attacked.contains(at)));
    if leaves != enters {
        let stake = position.mover(mv).map_or(0, see::stack_value);
        score += ORDER_THREAT * (leaves - enters) * stake.min(ORDER_THREAT_MAX);
    }
    score
}

/// The ordering score of a capture: winning ones by MVV/LVA, losing ones (by SEE) last.
pub(crate) fn capture_score(features: Features, position: &Position, mv: Move) -> i32 {
    let taken = position.stack_at(mv.to()).map_or(0, see::stack_value);
    let mover = position.mover(mv).map_or(0, see::stack_value);
    let won = if features.has(Feature::Exchange) {
        see::static_exchange(position, mv)
    } else {
        0
    };
    let order = ORDER_VICTIM * taken - mover + ORDER_EXCHANGE * won.min(0);
    if won < 0 {
        ORDER_LOSING + order.min(ORDER_CAPTURE_SPAN)
    } else {
        ORDER_WINNING + order
    }
}

/// Whether the move may give check: whether a piece that moves would attack the other commander
/// on an empty board.
pub(crate) fn may_check(evaluator: &Evaluator, position: &Position, mv: Move) -> bool {
    let Some(commander) = position.commander(!position.turn()) else {
        return false;
    };
    if !near(commander, mv.to()) {
        return false;
    }
    let geometry = evaluator.geometry();
    let strikes = |piece| {
        geometry
            .reach(PieceKind::of(piece), mv.to())
            .contains(commander)
    };
    position
        .mover(mv)
        .is_some_and(|stack| stack.pieces().any(strikes))
}

fn near(a: Square, b: Square) -> bool {
    a.file().abs_diff(b.file()) <= 5 && a.rank().abs_diff(b.rank()) <= 5
}

/// Brings the best of the moves from `index` on to that place. Most cutoffs come from one of the
/// first moves; after them the rest is sorted at once.
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
