//! Counts sequences of legal moves, the usual test of a move generator.
//!
//! `cargo run --release -p cotulenh --example perft -- 3`

use cotulenh::{Position, perft};

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let depth: u32 = args.next().map_or(Ok(2), |depth| depth.parse())?;
    let fen = args.collect::<Vec<_>>().join(" ");
    let position = if fen.is_empty() {
        Position::start()
    } else {
        fen.parse()?
    };
    println!("{}", perft(&position, depth));
    Ok(())
}
