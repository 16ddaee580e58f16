//! Counts of the reference (Rule 0), in `data/positions.perft`: one position a line, then its
//! counts by depth; `steps` before a semicolon are played first.

#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use cotulenh::{Position, perft, perft_made};

/// Deeper counts than this are left to `CONVOY_DEEP`.
const LIMIT: u64 = 400_000;

#[test]
fn counts_agree() {
    let limit = if std::env::var_os("CONVOY_DEEP").is_some() {
        u64::MAX
    } else {
        LIMIT
    };
    let mut counted = 0;
    for line in include_str!("data/positions.perft").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let mut position: Position = fen.parse().unwrap();
        for step in fields.next().unwrap().split_whitespace() {
            let moves = position.legal_moves();
            let mv = moves.iter().find(|mv| mv.to_string() == step).unwrap();
            position = position.play(*mv).unwrap();
        }
        for (count, depth) in fields.next().unwrap().split_whitespace().zip(1..) {
            let count = count.parse::<u64>().unwrap();
            if count <= limit {
                assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
                counted += 1;
            }
            if count <= limit / 4 {
                assert_eq!(
                    perft_made(&position, depth),
                    count,
                    "{fen} at depth {depth}"
                );
            }
        }
    }
    assert!(counted >= 40);
}
