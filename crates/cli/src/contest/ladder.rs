//! `convoy ladder`: every level against the one below.

use super::{Board, Terms, openings};

/// Measure the levels: each against the one below, the lowest against the material player
///
/// The material player sees captures and nothing else, and hardly ever mates: whoever is two
/// tanks ahead at the end of a game without a winner has won it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convoy ladder --concurrency 16\n  \
                  convoy ladder --to 5 --games 400")]
pub(crate) struct Args {
    #[command(flatten)]
    terms: Terms,
    /// The lowest level
    #[arg(long, default_value_t = 1)]
    from: u8,
    /// The highest level
    #[arg(long, default_value_t = 10)]
    to: u8,
    /// Nodes a turn of level 10, which has no limit of its own
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    nodes: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let openings = openings(&args.terms)?;
    let player = |level: u8| match level {
        0 => "material".to_owned(),
        10 => format!("level=10,nodes={}", args.nodes),
        level => format!("level={level}"),
    };
    println!("| level | against | games | score | Elo |");
    println!("|---|---|---|---|---|");
    for level in (args.from.max(1)..=args.to.min(10)).rev() {
        let pair = [player(level).parse()?, player(level - 1).parse()?];
        let mut board = Board::new([&pair[0], &pair[1]], &args.terms, &openings);
        if level == 1 {
            board.adjudicate = board.adjudicate.or(Some(40));
        }
        let tally = board.play()?;
        let (score, elo, width) = tally.elo();
        println!(
            "| {} | {} | {} | {:.1} % | {elo:+.0} ± {width:.0} |",
            pair[0],
            pair[1],
            tally.games(),
            100.0 * score,
        );
    }
    Ok(())
}
