//! The speed of the stack table.

use std::hint::black_box;

use convoy_stack::{COTULENH, Role, RoleSet, Stacker, State};

use super::{Row, Unit};

/// A piece as a game might keep it: its role and more.
#[derive(Debug, Clone, Copy)]
struct Piece {
    role: u8,
    heroic: bool,
}

/// Each work does many calls, so that the clock is read seldom.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        row("look a set up", 5.0, 2.0, Box::new(look_up)),
        row("combine two stacks", 20.0, 10.0, combine_states()),
        row("combine three pieces", 20.0, 10.0, combine_pieces()),
    ]
}

fn row(name: &'static str, gate: f64, target: f64, work: Box<dyn FnMut() -> u64>) -> Row {
    Row {
        group: "stack",
        name,
        unit: Unit::Nanoseconds,
        gate,
        target,
        work,
    }
}

/// All 2,048 sets.
fn look_up() -> u64 {
    for mask in 0..2048 {
        black_box(COTULENH.lookup(RoleSet::from_bits(black_box(mask))));
    }
    2048
}

/// All pairs of lawful stacks, whether they combine or not.
fn combine_states() -> Box<dyn FnMut() -> u64> {
    let lawful: Vec<State> = COTULENH.lawful().collect();
    Box::new(move || {
        for a in &lawful {
            for b in &lawful {
                black_box(COTULENH.combine(black_box(*a), black_box(*b)));
            }
        }
        (lawful.len() * lawful.len()) as u64
    })
}

/// The three pieces of each of the seven largest stacks, the carrier last or nearly so.
fn combine_pieces() -> Box<dyn FnMut() -> u64> {
    const ROUNDS: u64 = 100;
    let stacker = Stacker::new(&COTULENH, |piece: &Piece| Role::new(piece.role));
    let piece = |role: Role| Piece {
        role: u8::try_from(role.index()).expect("sixteen roles at most"),
        heroic: role.index() == 7,
    };
    let largest: Vec<[Piece; 3]> = COTULENH
        .lawful()
        .map(|state| state.set().iter().map(piece).collect::<Vec<_>>())
        .filter_map(|pieces| pieces.try_into().ok())
        .collect();
    Box::new(move || {
        for _ in 0..ROUNDS {
            for pieces in &largest {
                let stack = stacker.combine(black_box(pieces));
                black_box(stack.is_ok_and(|stack| stack.carrier().heroic));
            }
        }
        ROUNDS * largest.len() as u64
    })
}
