//! Perft: counting, the test of a move generator.

use crate::{Position, StackRules};

/// How many sequences of `depth` legal moves there are; commit is a move, and a step of a
/// deploy is one. The last ply is counted, not played. Each ply takes a few kilobytes of the stack.
///
/// ```
/// use cotulenh::{Position, perft};
/// assert_eq!(perft(&Position::start(), 2), 13_460);
/// ```
pub fn perft<R: StackRules>(position: &Position<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => each(position, |next| perft(next, depth - 1)),
    }
}

/// The same count with every leaf played.
///
/// ```
/// use cotulenh::{Position, perft_made};
/// assert_eq!(perft_made(&Position::start(), 1), 116);
/// ```
pub fn perft_made<R: StackRules>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    each(position, |next| perft_made(next, depth - 1))
}

fn each<R: StackRules>(position: &Position<R>, mut count: impl FnMut(&Position<R>) -> u64) -> u64 {
    let mut total = 0;
    // One position for all moves: a copy into it spares the room of a deploy, half of the whole, while none is open.
    let mut next = position.clone();
    for mv in &position.legal_moves() {
        next.clone_from(position);
        next.play_unchecked(*mv);
        total += count(&next);
    }
    total
}
