//! `convoy perft`: how many sequences of legal moves there are.

use std::time::Instant;

use anyhow::Context as _;
use convoy_protocol::cotulenh::MAX_PERFT_DEPTH;
use cotulenh::{Namer, Position, perft, perft_turns};

/// Count the leaf nodes of the legal move tree of a position, to test a move generator.
/// A move is a plain move, a step of a deploy, or the commit that ends it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy perft 3\n  convoy perft 2 --divide\n  convoy perft 2 --turns --fen \
                  '6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1'"
)]
pub(crate) struct Args {
    /// Depth in moves
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position, as a FEN or an extended FEN [default: the starting position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count of each move of the position
    #[arg(long)]
    divide: bool,
    /// Count whole turns instead of moves
    #[arg(long)]
    turns: bool,
}

/// Counts and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position: Position = match &args.fen {
        None => Position::start(),
        Some(fen) => fen
            .parse()
            .with_context(|| format!("{fen:?} is no position"))?,
    };
    let count = if args.turns { perft_turns } else { perft };
    let begun = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        divide(&position, args.depth, args.turns)
    } else {
        count(&position, args.depth)
    };
    let elapsed = begun.elapsed();
    println!("{nodes} nodes in {:.3} s", elapsed.as_secs_f64());
    Ok(())
}

fn divide(position: &Position, depth: u32, turns: bool) -> u64 {
    let moves = position.legal_moves();
    let namer = Namer::new(position, &moves);
    let mut total = 0;
    for mv in &moves {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        let nodes = match (turns, next.deploy()) {
            (true, Some(_)) => perft_turns(&next, depth),
            (true, None) => perft_turns(&next, depth - 1),
            (false, _) => perft(&next, depth - 1),
        };
        let mut lan = String::new();
        namer.lan(*mv, &mut lan);
        println!("{lan}: {nodes}");
        total += nodes;
    }
    println!();
    total
}
