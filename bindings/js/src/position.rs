//! Positions of Cờ Tư Lệnh.

use convoy_protocol::cotulenh::{fen_error, illegal_move_error, move_error};
use cotulenh::{Color, Outcome, Position, Square, Stack};

use crate::boundary::{Failure, answer, answer_text, exports, put_text, put_word};
use crate::saved_game::read_bits;
use crate::slots::Slots;

thread_local! {
    static POSITIONS: Slots<Position> = const { Slots::new() };
}

/// Reads the position in a slot.
pub fn with<T>(
    slot: u32,
    read: impl FnOnce(&Position) -> Result<T, Failure>,
) -> Result<T, Failure> {
    POSITIONS.with(|positions| positions.with(slot, read))
}

/// Puts a position into a slot.
pub fn put(slot: u32, position: Position) -> Result<(), Failure> {
    POSITIONS.with(|positions| positions.put(slot, position))
}

/// A square by its index.
pub fn read_square(index: u32) -> Result<Square, Failure> {
    Square::from_index(index as usize)
        .ok_or_else(|| Failure::new("bad-square", "the number is that of no square"))
}

/// A colour: 0 is red, 1 is blue.
pub const fn read_color(index: u32) -> Color {
    if index == 0 { Color::Red } else { Color::Blue }
}

/// No square, in a list of facts.
const NOWHERE: u32 = 255;

#[allow(clippy::cast_possible_truncation, reason = "an index is below 192")]
fn index(square: Option<Square>) -> u32 {
    square.map_or(NOWHERE, |square| square.index() as u32)
}

/// Appends an outcome: the winner, `r`, `b` or `d` for a draw, and the word of the reason.
pub fn put_outcome(outcome: Option<Outcome>, output: &mut Vec<u8>) {
    if let Some(outcome) = outcome {
        put_text(
            output,
            match outcome.winner {
                Some(Color::Red) => "r",
                Some(Color::Blue) => "b",
                None => "d",
            },
        );
        put_text(output, outcome.reason.word());
    }
}

/// Appends a stack as FEN writes it.
pub fn put_stack(stack: Option<Stack>, output: &mut Vec<u8>) {
    if let Some(stack) = stack {
        put_text(output, &stack.to_string());
    }
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
                put_text(output, &text);
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

    /// Puts the position after the move, the steps or the turn in the input into another slot.
    fn position_play_text(slot: u32, into: u32) -> i32 {
        answer_text(|text, _| {
            let next = with(slot, |position| {
                let moves = position.read(text).map_err(|error| move_error(text, &error))?;
                let mut next = position.clone();
                for mv in moves.iter() {
                    next.play_unchecked(*mv);
                }
                Ok(next)
            })?;
            put(into, next)
        })
    }

    /// Writes what is told by a number: the side to move (0 is red), the half-move clock, the move number, whether
    /// there is check, whether its commander is in danger, whether the turn may end now, both halves of the key,
    /// the squares of the red and the blue commander and of the open deploy.
    #[allow(clippy::cast_possible_truncation, reason = "the two halves of a number")]
    fn position_facts(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let turn = position.turn();
                let key = position.key();
                let deploy = position.deploy().map(cotulenh::Deploy::origin);
                for fact in [
                    u32::from(turn == Color::Blue),
                    position.halfmove_clock(),
                    position.move_number(),
                    u32::from(position.in_check()),
                    u32::from(position.in_danger(turn)),
                    u32::from(deploy.is_some() && position.can_commit()),
                    key as u32,
                    (key >> 32) as u32,
                    index(position.commander(Color::Red)),
                    index(position.commander(Color::Blue)),
                    index(deploy),
                ] {
                    put_word(output, fact);
                }
                Ok(())
            })
        })
    }

    /// Writes how the game has ended, as far as the position alone tells it; nothing if it goes on.
    fn position_outcome(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                put_outcome(position.outcome(), output);
                Ok(())
            })
        })
    }

    /// Writes every stack, the index of its square before it, one a line.
    fn position_stacks(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                for (square, stack) in position.stacks() {
                    put_text(output, &format!("{} {stack}\n", square.index()));
                }
                Ok(())
            })
        })
    }

    /// Writes the stack on a square; nothing if it is empty.
    fn position_stack(slot: u32, square: u32) -> i32 {
        answer(|output| {
            let square = read_square(square)?;
            with(slot, |position| {
                put_stack(position.stack_at(square), output);
                Ok(())
            })
        })
    }

    /// Writes who of a colour attacks a square: the square of each, and the letter of its role.
    fn position_attackers(slot: u32, square: u32, color: u32) -> i32 {
        answer(|output| {
            let square = read_square(square)?;
            with(slot, |position| {
                for (from, role) in position.attackers(square, read_color(color)) {
                    put_word(output, index(Some(from)));
                    put_word(output, u32::from(role.letter()));
                }
                Ok(())
            })
        })
    }

    /// Writes the squares that a colour's air defence covers.
    fn position_air_cover(slot: u32, color: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                for square in position.air_cover(read_color(color)) {
                    put_word(output, index(Some(square)));
                }
                Ok(())
            })
        })
    }
}
