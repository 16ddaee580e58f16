//! The best turns of a position, with their scores: `cargo run --release -p cotulenh-engine --example best_turn -- FEN`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, Report, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let position: Position = if fen.is_empty() {
        Position::start()
    } else {
        fen.parse()?
    };
    for line in &analyse(&position, 20_000).lines {
        let first = line.turns.first().ok_or("a line has a turn")?;
        println!(
            "{:>8}  {}",
            line.score.to_string(),
            position.turn_san(first)
        );
    }
    Ok(())
}

fn analyse(position: &Position, nodes: u64) -> Report {
    let mut engine = Engine::new(Options {
        multi_pv: 3,
        ..Options::default()
    });
    engine.analyse_here(&Search::new(position).limits(Limits::nodes(nodes)), |_| {})
}

#[test]
fn three_lines_are_found() {
    let lines = analyse(&Position::start(), 2_000).lines;
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| !line.turns.is_empty()));
}
