//! The speed of questions asked as text.

use std::hint::black_box;

use convoy_hot_paths::{Row, Unit};

/// Requests of `convoy query`.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        requests("query requests: combine", br#"{"game":"cotulenh","op":"combine","pieces":"NFT"}"#),
        requests(
            "query requests: moves (20 moves)",
            br#"{"game":"cotulenh","op":"moves","fen":"6c4/10i/11/11/11/11/11/11/11/4T6/10I/5C5 r - - 0 1"}"#,
        ),
    ]
}

fn requests(name: &'static str, line: &'static [u8]) -> Row {
    Row {
        group: "query",
        name,
        unit: Unit::PerSecond,
        gate: 20_000.0,
        target: 100_000.0,
        work: Box::new(move || {
            black_box(crate::query::respond(black_box(line)));
            1
        }),
    }
}
