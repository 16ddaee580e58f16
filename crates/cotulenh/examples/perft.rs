//! Counts sequences of legal moves, the usual test of a move generator.
//!
//! `cargo run --release -p cotulenh --example perft -- 3`

use cotulenh::{Position, perft};

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let depth: u32 = args.next().map_or(Ok(2), |depth| depth.parse())?;
    let fen = args.collect::<Vec<_>>().join(" ");
    println!("{}", count(depth, &fen)?);
    Ok(())
}

/// An empty FEN is the start position.
fn count(depth: u32, fen: &str) -> Result<u64, cotulenh::ParseFenError> {
    let position = match fen {
        "" => Position::start(),
        fen => fen.parse()?,
    };
    Ok(perft(&position, depth))
}

#[test]
fn it_counts() {
    assert_eq!(count(2, ""), Ok(13_460));
    assert!(count(2, "no FEN").is_err());
}
