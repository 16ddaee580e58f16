//! Static exchange evaluation (SEE).

use cotulenh::{Color, Move, MoveKind, PieceKind, Position, Square, Stack};

use crate::eval::piece_value;
use crate::params::SEE_SAFE_DIVISOR;

/// The value of a stack in an exchange.
#[inline]
pub(crate) fn stack_value(stack: Stack) -> i32 {
    stack
        .pieces()
        .map(|piece| piece_value(PieceKind::of(piece)))
        .sum()
}

/// The material that a capture wins if both sides go on capturing on its square with their
/// cheapest pieces as long as that pays. Stay captures count as if the piece moved; lines that
/// open during the exchange are not followed.
pub(crate) fn static_exchange(position: &Position, mv: Move) -> i32 {
    let Some(taken) = position.stack_at(mv.to()) else {
        return 0;
    };
    let gain = stack_value(taken);
    let Some(mover) = position.mover(mv) else {
        return gain;
    };
    let stake = stack_value(mover);
    match mv.kind() {
        MoveKind::StayCapture => gain,
        MoveKind::Kamikaze => gain - stake,
        // Even the worst recapture leaves a gain.
        _ if gain >= stake => gain - stake / SEE_SAFE_DIVISOR,
        _ => gain - recapture(position, mv, stake),
    }
}

/// What the other side wins by recapturing on the square, where `stake` now stands.
fn recapture(position: &Position, mv: Move, stake: i32) -> i32 {
    let (target, turn) = (mv.to(), position.turn());
    let mut others = pieces(position, target, !turn, mv.to());
    if others.is_empty() {
        return 0;
    }
    let mut own = pieces(position, target, turn, mv.from());
    others.sort();
    own.sort();
    swap(stake, others.values(), own.values())
}

/// The best that the side to capture can win, cheapest piece first, free to stop.
fn swap(stake: i32, takers: &[i32], others: &[i32]) -> i32 {
    match takers.split_first() {
        None => 0,
        Some((first, rest)) => (stake - swap(*first, others, rest)).max(0),
    }
}

/// A few values, kept in place.
struct Values {
    values: [i32; 16],
    len: usize,
}

impl Values {
    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn values(&self) -> &[i32] {
        &self.values[..self.len]
    }

    fn sort(&mut self) {
        self.values[..self.len].sort_unstable();
    }
}

/// The value of each piece of a side that attacks the square, except from one square.
fn pieces(position: &Position, target: Square, color: Color, except: Square) -> Values {
    let mut found = Values {
        values: [0; 16],
        len: 0,
    };
    for (from, role) in position.attackers(target, color) {
        let piece = position.stack_at(from).and_then(|stack| stack.piece(role));
        if from != except
            && found.len < found.values.len()
            && let Some(piece) = piece
        {
            found.values[found.len] = piece_value(PieceKind::of(piece));
            found.len += 1;
        }
    }
    found
}
