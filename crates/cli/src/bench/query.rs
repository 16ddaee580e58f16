//! The speed of questions asked as text.

use std::hint::black_box;

use convoy_hot_paths::{Row, Unit};
use convoy_protocol::answer_line;

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
    let mut answer = Vec::new();
    Row {
        group: "query",
        name,
        unit: Unit::PerSecond,
        gate: 20_000.0,
        target: 100_000.0,
        work: Box::new(move || {
            answer.clear();
            answer_line(black_box(line), &mut answer);
            black_box(&answer);
            1
        }),
    }
}
