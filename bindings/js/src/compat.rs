//! What `lib/compat` asks: the play of one position at a time, legal or not, and of the deploy open in it.
//!
//! The state of a game is kept in JavaScript, as FEN and moves. Here are slots that hold the positions of the games
//! in use; a game whose slot was given to another fills it again.

mod session;

use std::cell::RefCell;

use convoy_protocol::cotulenh::fen_error;
use cotulenh::{Color, Move, MoveKind, MoveList, Namer, Position, Role, Square, Stack};

use crate::boundary::{Failure, answer, answer_text, exports};
use crate::position::read_square;
use crate::saved_game::read_bits;

/// How many games there is room for; `SLOTS` in `lib/compat/board.js` says the same.
const SLOTS: usize = 64;

/// A position as it stands in a game, with the steps of the open deploy and what each of them took.
pub struct Board {
    position: Position,
    steps: Vec<(Move, Option<Stack>)>,
}

thread_local! {
    static BOARDS: RefCell<Vec<Option<Board>>> = const { RefCell::new(Vec::new()) };
}

/// Lets a function look at the board in a slot.
fn with<T>(slot: u32, read: impl FnOnce(&Board) -> Result<T, Failure>) -> Result<T, Failure> {
    change(slot, |board| read(board))
}

/// Lets a function change the board in a slot.
fn change<T>(slot: u32, act: impl FnOnce(&mut Board) -> Result<T, Failure>) -> Result<T, Failure> {
    BOARDS.with_borrow_mut(|boards| match boards.get_mut(slot as usize) {
        Some(Some(board)) => act(board),
        _ => Err(Failure::new("internal", "there is no game in this slot")),
    })
}

/// Which moves are asked for, packed: the square in bits 0 to 7 and the role in bits 8 to 15, 255 for any; bit 16
/// for pseudo-legal ones.
#[derive(Clone, Copy)]
struct Filter(u32);

impl Filter {
    const ANY: u32 = 255;
    const PSEUDO_LEGAL: u32 = 1 << 16;

    fn square(self) -> u32 {
        self.0 & 255
    }

    /// The moves of the list that pass, commits apart; the square counts between turns only, for an open deploy has
    /// but one.
    fn list(self, position: &Position) -> MoveList {
        let role = self.0 >> 8 & 255;
        let any_square = self.square() == Self::ANY || position.deploy().is_some();
        let passes = |mv: &Move| {
            !mv.is_commit()
                && (any_square || mv.from().index() == self.square() as usize)
                && (role == Self::ANY || mv.role().index() == role as usize)
        };
        if self.0 & Self::PSEUDO_LEGAL == 0 {
            let mut list = position.legal_moves();
            if self.0 != Self::ANY << 8 | Self::ANY || position.deploy().is_some() {
                list.retain(|mv| passes(&mv));
            }
            list
        } else {
            position.pseudo_legal_moves().filter(passes).collect()
        }
    }
}

fn write_bits(moves: impl IntoIterator<Item = Move>, output: &mut Vec<u8>) {
    for mv in moves {
        output.extend_from_slice(&mv.bits().to_le_bytes());
    }
}

fn color(number: u32) -> Color {
    if number == 0 { Color::Red } else { Color::Blue }
}

/// Parts that an object names of a move, packed: the role in bits 0 to 3 (15 for any), then two bits for each
/// question: 0 no, 1 yes, 2 either.
#[derive(Clone, Copy)]
struct Parts(u32);

impl Parts {
    fn fit(self, mv: Move) -> bool {
        let answers = |question: u32, is: bool| match self.0 >> (4 + 2 * question) & 3 {
            0 => !is,
            1 => is,
            _ => true,
        };
        let role = self.0 & 15;
        (role == 15 || mv.role().index() == role as usize)
            && answers(0, mv.is_stay_capture())
            && answers(1, mv.is_step())
            && answers(2, mv.kind() == MoveKind::Capture)
            && answers(3, mv.is_kamikaze())
            && answers(4, mv.is_combination())
    }
}

exports! {
    /// Puts the position of the FEN in the input into a slot; its last guard is promoted or never. Writes the FEN of the
    /// start of the turn as this package writes it.
    fn compat_load(slot: u32, last_guard: u32) -> i32 {
        answer_text(|text, output| {
            let position: Position = text.parse().map_err(|error| fen_error(&error))?;
            output.extend_from_slice(position.start_fen().as_bytes());
            let board = Board { position: position.with_last_guard(last_guard != 0), steps: Vec::new() };
            BOARDS.with_borrow_mut(|boards| {
                boards.resize_with(SLOTS, || None);
                let place = boards.get_mut(slot as usize);
                *place.ok_or_else(|| Failure::new("internal", "there is no such slot"))? = Some(board);
                Ok(())
            })
        })
    }

    /// The SAN of the moves that pass, with a line break between them.
    fn compat_sans(slot: u32, filter: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                let moves = Filter(filter).list(&board.position);
                let namer = Namer::new(&board.position, &moves);
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

    /// The bits of the same moves, four bytes each.
    fn compat_moves(slot: u32, filter: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                write_bits(Filter(filter).list(&board.position), output);
                Ok(())
            })
        })
    }

    /// Reads a move, steps or a whole turn among the moves that pass: the bits of what plays it.
    fn compat_read(slot: u32, filter: u32) -> i32 {
        answer_text(|text, output| {
            with(slot, |board| {
                let moves = Filter(filter).list(&board.position);
                let read = Namer::new(&board.position, &moves).read(text);
                let turn = read.map_err(|error| Failure::new("illegal-move", &error.to_string()))?;
                write_bits(turn.iter().copied(), output);
                Ok(())
            })
        })
    }

    /// The bits of the moves that pass, go to a square, which is in bits 0 to 7 of `wanted`, and have the parts
    /// in the bits above.
    fn compat_select(slot: u32, filter: u32, wanted: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                let moves = Filter(filter).list(&board.position).into_iter();
                let origin = |mv: &Move| mv.from().index() == Filter(filter).square() as usize;
                let target = |mv: &Move| mv.to().index() == (wanted & 255) as usize;
                write_bits(moves.filter(|mv| origin(mv) && target(mv) && Parts(wanted >> 8).fit(*mv)), output);
                Ok(())
            })
        })
    }

    /// Plays a move of a whole stack that one of the lists offers; writes its SAN and the FEN after it.
    fn compat_play(slot: u32, bits: u32, filter: u32) -> i32 {
        answer(|output| {
            let mv = read_bits(bits)?;
            change(slot, |board| {
                let moves = Filter(filter).list(&board.position);
                let mut text = String::with_capacity(160);
                Namer::new(&board.position, &moves).san(mv, &mut text);
                text.push('\n');
                board.position.play_unchecked(mv);
                board.position.write_fen(&mut text);
                output.extend_from_slice(text.as_bytes());
                Ok(())
            })
        })
    }

    /// Whether the side to move is in check.
    fn compat_in_check(slot: u32) -> i32 {
        with(slot, |board| Ok(i32::from(board.position.in_check()))).unwrap_or(0)
    }

    /// Whether it has a legal move.
    fn compat_has_move(slot: u32) -> i32 {
        with(slot, |board| Ok(i32::from(board.position.has_legal_move()))).unwrap_or(0)
    }

    /// Whether a side's commander is missing, attacked or exposed.
    fn compat_in_danger(slot: u32, side: u32) -> i32 {
        with(slot, |board| Ok(i32::from(board.position.in_danger(color(side))))).unwrap_or(0)
    }

    /// Four bytes for each piece of a side that attacks a square: where it stands, its role, 0, 0. The role in bits 8 to
    /// 15 of the square is that of the carrier attacked; if it is 255, whoever stands there counts.
    fn compat_attackers(slot: u32, square: u32, side: u32) -> i32 {
        answer(|output| {
            let role = square >> 8;
            let square = read_square(square & 255)?;
            with(slot, |board| {
                let found: Vec<(Square, Role)> = match Role::ALL.get(role as usize) {
                    Some(role) => board.position.attackers_if(square, color(side), *role).collect(),
                    None => board.position.attackers(square, color(side)).collect(),
                };
                for (from, role) in found {
                    output.extend([from.index(), role.index(), 0, 0].map(byte));
                }
                Ok(())
            })
        })
    }

    /// Four bytes for each square of a side's air cover and each of its providers: the square, the provider's, 0, 0.
    fn compat_air_cover(slot: u32, side: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                for square in board.position.air_cover(color(side)) {
                    for provider in board.position.air_providers(square, color(side)) {
                        output.extend([square.index(), provider.index(), 0, 0].map(byte));
                    }
                }
                Ok(())
            })
        })
    }

    /// The lawful stacks without heroes, each as its letters, carrier first, with a line break between them.
    fn compat_stacks() -> i32 {
        answer(|output| {
            for stack in Stack::all(Color::Red).filter(|stack| stack.heroic().is_empty()) {
                output.extend(stack.pieces().map(|piece| byte(piece.role.letter() as usize)));
                output.push(b'\n');
            }
            Ok(())
        })
    }
}

/// Indices of squares, roles and letters are below 256.
fn byte(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
