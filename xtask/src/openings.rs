//! `cargo xtask openings`: balanced positions to begin matches with.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::Context as _;
use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, Score, Search, SplitMix64};

/// Play random turns from the start, keep what a search finds balanced
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// The file to write
    #[arg(long, default_value = "crates/cotulenh-engine/data/openings.fen")]
    out: PathBuf,
    #[arg(long, default_value_t = 20_260_401)]
    seed: u64,
    /// How far from even a position may be, in hundredths of an infantry
    #[arg(long, default_value_t = 60)]
    margin: i32,
    /// Nodes of the search that judges
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut random = SplitMix64::new(args.seed);
    let mut engine = Engine::new(Options::default());
    let mut text = String::from(
        "# Positions after a few random turns, balanced by a search; `cargo xtask openings` writes them.\n",
    );
    let mut seen = HashSet::new();
    while seen.len() < args.count {
        let length = 4 + random.below(5);
        let Some(position) = random_opening(&mut random, length) else {
            continue;
        };
        engine.clear();
        let search = Search::new(&position).limits(Limits::nodes(args.nodes));
        let report = engine.analyse(&search, |_| {});
        let balanced =
            matches!(report.score(), Some(Score::Centi(score)) if score.abs() <= args.margin);
        if balanced && seen.insert(position.key()) {
            text.push_str(&position.to_string());
            text.push('\n');
        }
    }
    std::fs::write(&args.out, text).with_context(|| format!("cannot write {}", args.out.display()))
}

/// So many random turns from the start; `None` if the game ends.
pub(crate) fn random_opening(random: &mut SplitMix64, turns: usize) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..turns {
        let turn = position.turn();
        while position.turn() == turn {
            let moves = position.legal_moves();
            let mv = *moves.get(random.below(moves.len().max(1)))?;
            position = position.play(mv).ok()?;
        }
    }
    position.outcome().is_none().then_some(position)
}
