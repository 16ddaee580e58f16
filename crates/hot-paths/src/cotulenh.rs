//! The rules of Cờ Tư Lệnh.

use std::hint::black_box;

use cotulenh::{Position, perft, perft_made};

use super::{Row, Unit};

/// A position in the middle of a game, with stacks, heroes and a deploy or two in reach.
const MIDDLE: &str = "6c4/1(nf)3h1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE5EI/2N1GT1(TM)G2/3A2S2A1/1N2FH1HF2/6C4 r - - 2 2";

pub(crate) fn rows() -> Vec<Row> {
    let middle: Position = MIDDLE.parse().expect("the position is lawful");
    let start = Position::start();
    let fen = start.board_fen();
    let times = |name, gate, target, mut work: Box<dyn FnMut()>| Row {
        group: "cotulenh",
        name,
        unit: Unit::Nanoseconds,
        gate,
        target,
        work: Box::new(move || {
            work();
            1
        }),
    };
    let counts = |name, gate, target, work| Row {
        group: "cotulenh",
        name,
        unit: Unit::PerSecond,
        gate,
        target,
        work,
    };
    let (listed, written, made) = (start.clone(), start.clone(), start.clone());
    let ahead = middle.clone();
    vec![
        times("legal moves, start", 2_000.0, 1_000.0, {
            Box::new(move || {
                black_box(black_box(&listed).legal_moves());
            })
        }),
        times("legal moves, with stacks", 2_000.0, 1_000.0, {
            Box::new(move || {
                black_box(black_box(&middle).legal_moves());
            })
        }),
        times("whole turns, with stacks", 400_000.0, 200_000.0, {
            Box::new(move || {
                black_box(black_box(&ahead).turns());
            })
        }),
        counts("perft bulk, start, depth 4", 40e6, 80e6, {
            Box::new(move || perft(black_box(&start), 4))
        }),
        counts("perft every leaf made, depth 3", 8e6, 15e6, {
            Box::new(move || perft_made(black_box(&made), 3))
        }),
        times("FEN written", 400.0, 200.0, {
            Box::new(move || {
                black_box(black_box(&written).board_fen());
            })
        }),
        times("FEN read", 2_000.0, 1_000.0, {
            Box::new(move || {
                black_box(black_box(fen.as_str()).parse::<Position>()).expect("a FEN of our own");
            })
        }),
    ]
}
