//! Notation.

use std::hint::black_box;

use cotulenh::{Move, MoveList, Namer, Position};

use super::{Row, Unit};

/// SAN and more of every legal move at the start.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        nanoseconds(
            "SAN of all legal moves, start",
            20_000.0,
            8_000.0,
            san_list(),
        ),
        nanoseconds(
            "SAN, LAN, FEN after, for all",
            60_000.0,
            25_000.0,
            full_list(),
        ),
    ]
}

fn nanoseconds(
    name: &'static str,
    gate: f64,
    target: f64,
    work: impl FnMut() -> u64 + 'static,
) -> Row {
    Row {
        group: "notation",
        name,
        unit: Unit::Nanoseconds,
        gate,
        target,
        work: Box::new(work),
    }
}

fn san_list() -> impl FnMut() -> u64 {
    for_each_move(|_, namer, mv, text| {
        namer.san(mv, text);
        text.push(' ');
    })
}

fn full_list() -> impl FnMut() -> u64 {
    for_each_move(|start, namer, mv, text| {
        namer.san(mv, text);
        namer.lan(mv, text);
        let mut after = start.clone();
        after.play_unchecked(mv);
        after.write_fen(text);
    })
}

/// Generates the moves of the start position and writes something of each.
fn for_each_move(write: impl Fn(&Position, &Namer<'_>, Move, &mut String)) -> impl FnMut() -> u64 {
    let start = Position::start();
    let (mut text, mut moves) = (String::new(), MoveList::new());
    move || {
        text.clear();
        moves.clear();
        black_box(&start).legal_moves_into(&mut moves);
        let namer = Namer::new(&start, &moves);
        for mv in &moves {
            write(&start, &namer, *mv, &mut text);
        }
        black_box(&text);
        1
    }
}
