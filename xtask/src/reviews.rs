//! `cargo xtask reviews`: whether reviews agree with themselves: stronger levels must be found more accurate.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use anyhow::{Context as _, ensure};
use cotulenh::{Game, Position};
use cotulenh_engine::{
    Engine, Limits, OPENINGS, Options, Search, SkillLevel, SplitMix64, accuracy, game_losses,
};
use rayon::prelude::*;

/// Play games of levels against themselves, review them, and compare the accuracy of the levels; fails if a stronger one is
/// not more accurate by two standard errors
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Games of each level
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The levels, weakest first
    #[arg(long, value_delimiter = ',', default_values_t = [3, 6, 9])]
    levels: Vec<u8>,
    /// Nodes for each position of a review, as many as the server takes
    #[arg(long, default_value_t = 30_000)]
    nodes: u64,
    /// Turns after which a game is not played on
    #[arg(long, default_value_t = 160)]
    turns: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; as many as there are cores otherwise
    #[arg(long)]
    concurrency: Option<usize>,
}

/// The mean of some figures and its standard error.
struct Mean {
    mean: f64,
    error: f64,
}

impl Mean {
    fn of(figures: &[f64]) -> Option<Self> {
        let count = f64::from(
            u32::try_from(figures.len())
                .ok()
                .filter(|count| *count > 1)?,
        );
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        Some(Self {
            mean,
            error: (squares / (count - 1.0) / count).sqrt(),
        })
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.unwrap_or(cores))
        // Searches run on these threads: there must be room for the deepest.
        .stack_size(40 << 20)
        .build()?;
    let mut found: Vec<(u8, Mean)> = Vec::new();
    for &number in &args.levels {
        let level = SkillLevel::new(number).filter(|level| level.nodes().is_some());
        let level =
            level.with_context(|| format!("level {number} has no end of its own: 1 to 9"))?;
        let accuracies: Vec<f64> = pool.install(|| {
            let games = (0..args.games).into_par_iter();
            games
                .filter_map(|game| accuracy_of(args, level, game))
                .collect()
        });
        let mean = Mean::of(&accuracies).context("two games at least are needed")?;
        println!(
            "level {number}: accuracy {:.2} % ± {:.2} (one standard error, {} games)",
            mean.mean,
            mean.error,
            accuracies.len()
        );
        found.push((number, mean));
    }
    for pair in found.windows(2) {
        let [(weak, below), (strong, above)] = pair else {
            continue;
        };
        let gap = above.mean - below.mean;
        let error = below.error.hypot(above.error);
        println!("level {strong} over level {weak}: {gap:+.2} ± {error:.2}");
        ensure!(
            gap > 2.0 * error,
            "level {strong} is not found more accurate than level {weak}"
        );
    }
    Ok(())
}

/// The accuracy of one game of a level against itself.
fn accuracy_of(args: &Args, level: SkillLevel, number: u64) -> Option<f64> {
    let seed = SplitMix64::mix(args.seed << 32 ^ number);
    let game = play(level, seed, args.turns)?;
    let mut engine = Engine::new(Options::default());
    accuracy(&game_losses(&mut engine, &game, args.nodes))
}

/// A game of a level against itself, from one of the openings.
fn play(level: SkillLevel, seed: u64, most: usize) -> Option<Game> {
    let openings: Vec<&str> = OPENINGS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let place = usize::try_from(seed).unwrap_or(0) % openings.len().max(1);
    let start: Position = openings.get(place)?.trim().parse().ok()?;
    let mut game = Game::new(start);
    let mut players = [seed, !seed].map(|seed| {
        Engine::new(Options {
            hash_mib: 4,
            level,
            seed,
            ..Options::default()
        })
    });
    while game.outcome().is_none() && game.turn_count() < most {
        let player = &mut players[game.turn_count() % 2];
        let search = Search::of_game(&game).limits(Limits::default());
        let report = player.analyse(&search, |_| {});
        let moves = report.best()?.to_vec();
        for mv in moves {
            game.play(mv).ok()?;
        }
    }
    Some(game)
}
