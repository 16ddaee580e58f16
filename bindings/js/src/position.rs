//! Positions of Cờ Tư Lệnh in numbered slots. JavaScript decides what lies where: it keeps a position's FEN when
//! it gives the slot to another, so that no slot has to be kept for a value that nobody uses any more.

use std::cell::RefCell;

use convoy_protocol::cotulenh::{fen_error, illegal_move_error};
use cotulenh::{Color, Move, Position, Square};

use crate::boundary::{Failure, answer, answer_text, exports};

/// How many positions there are room for; `SLOTS` in `lib/position.js` says the same.
const SLOTS: usize = 1024;

thread_local! {
    static POSITIONS: RefCell<Vec<Option<Position>>> = const { RefCell::new(Vec::new()) };
}

/// Reads the position in a slot.
pub fn with<T>(
    slot: u32,
    read: impl FnOnce(&Position) -> Result<T, Failure>,
) -> Result<T, Failure> {
    POSITIONS.with_borrow(|positions| match positions.get(slot as usize) {
        Some(Some(position)) => read(position),
        _ => Err(Failure::new(
            "internal",
            "there is no position in this slot",
        )),
    })
}

/// Puts a position into a slot.
pub fn put(slot: u32, position: Position) -> Result<(), Failure> {
    POSITIONS.with_borrow_mut(|positions| {
        if positions.is_empty() {
            positions.resize(SLOTS, None);
        }
        let place = positions.get_mut(slot as usize);
        *place.ok_or_else(|| Failure::new("internal", "there is no such slot"))? = Some(position);
        Ok(())
    })
}

/// A move by its bits.
pub fn read_bits(bits: u32) -> Result<Move, Failure> {
    Move::from_bits(bits).ok_or_else(|| Failure::new("bad-move", "the number is that of no move"))
}

/// A square by its index.
pub fn read_square(index: u32) -> Result<Square, Failure> {
    Square::from_index(index as usize)
        .ok_or_else(|| Failure::new("bad-square", "the number is that of no square"))
}

exports! {
    /// Puts the start of a game into a slot.
    fn position_start(slot: u32) -> i32 {
        answer(|_| put(slot, Position::start()))
    }

    /// Puts the position of the FEN in the input into a slot.
    fn position_read(slot: u32) -> i32 {
        answer_text(|text, _| {
            let position = text.parse().map_err(|error| fen_error(&error))?;
            put(slot, position)
        })
    }

    /// Writes the FEN.
    fn position_fen(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let mut text = String::with_capacity(160);
                position.write_fen(&mut text);
                output.extend_from_slice(text.as_bytes());
                Ok(())
            })
        })
    }

    /// Puts the position after a legal move into another slot.
    fn position_play(slot: u32, into: u32, bits: u32) -> i32 {
        answer(|_| {
            let mv = read_bits(bits)?;
            let next = with(slot, |position| {
                let next = position.play(mv);
                next.map_err(|error| illegal_move_error(&mv.to_string(), error).into())
            })?;
            put(into, next)
        })
    }

    /// 1 if Red is to move, 0 if Blue is.
    fn position_red_to_move(slot: u32) -> i32 {
        with(slot, |position| Ok(i32::from(position.turn() == Color::Red))).unwrap_or(0)
    }
}
