//! `convoy ladder`: every level against the one below.

use super::{Match, Terms, openings};

/// Measure the levels: each plays the one below, the lowest plays the material baseline
///
/// The material baseline only counts captures and hardly ever mates: a game of level 1 without a
/// winner is adjudicated as a win for the side that is two tanks ahead.
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
    /// Nodes per turn of level 10, which has no limit of its own
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    nodes: u64,
}

/// The lead in points that wins a game of level 1: two tanks.
const LEVEL_1_LEAD: i32 = 40;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let openings = openings(&args.terms)?;
    let stop = super::interrupts()?;
    let player = |level: u8| match level {
        0 => "material".to_owned(),
        10 => format!("level=10,nodes={}", args.nodes),
        level => format!("level={level}"),
    };
    println!("| level | against | games | score (95 %) | Elo (95 %) |");
    println!("|---|---|---|---|---|");
    for level in (args.from.max(1)..=args.to.min(10)).rev() {
        let pair = [player(level).parse()?, player(level - 1).parse()?];
        let mut contest = Match::new([&pair[0], &pair[1]], &args.terms, &openings, stop);
        if level == 1 {
            contest.adjudicate = contest.adjudicate.or(Some(LEVEL_1_LEAD));
        }
        let (tally, ended) = contest.play();
        if let Some(interval) = tally.interval() {
            println!(
                "| {} | {} | {} | {} | {} |",
                pair[0],
                pair[1],
                tally.games(),
                interval.percent_text(),
                interval.elo_text(),
            );
        }
        ended?;
    }
    Ok(())
}
