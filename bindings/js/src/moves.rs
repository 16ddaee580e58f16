//! The legal moves of a position, as numbers and as texts.

use cotulenh::{Namer, perft};

use crate::boundary::{answer, exports};
use crate::position::with;

exports! {
    /// Writes the bits of every legal move, four bytes each.
    fn position_moves(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                for mv in &position.legal_moves() {
                    output.extend_from_slice(&mv.bits().to_le_bytes());
                }
                Ok(())
            })
        })
    }

    /// Writes the SAN of every legal move, with a line break between them.
    fn position_sans(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let moves = position.legal_moves();
                let namer = Namer::new(position, &moves);
                let mut text = String::with_capacity(8 * moves.len());
                for mv in &moves {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    namer.san(*mv, &mut text);
                }
                output.extend_from_slice(text.as_bytes());
                Ok(())
            })
        })
    }

    /// How many sequences of moves of this length there are.
    #[allow(clippy::cast_precision_loss, reason = "no count that is waited for reaches 2^53")]
    fn position_perft(slot: u32, depth: u32) -> f64 {
        with(slot, |position| Ok(perft(position, depth) as f64)).unwrap_or(-1.0)
    }
}
