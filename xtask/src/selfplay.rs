//! `cargo xtask selfplay`: games of the engine against itself, as positions with results.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context as _;
use cotulenh::{Color, Position};
use cotulenh_engine::{Engine, Limits, Options, Report, Score, Turn};

use crate::chance::Chance;
use crate::openings::stroll;
use crate::tune::weights_from;

/// Play games at fixed nodes; keep quiet positions, each with its score and the game's result
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many games
    #[arg(long, default_value_t = 1_000)]
    games: usize,
    /// Nodes a turn
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// Stop after so many seconds, however many games there are
    #[arg(long)]
    seconds: Option<u64>,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Values to play with, instead of those built in
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The file to write: `FEN;score for red;result for red` a line
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let weights = weights_from(args.weights.as_deref())?;
    let file =
        File::create(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let out = Mutex::new(BufWriter::new(file));
    let next = AtomicUsize::new(0);
    let (games, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = std::time::Instant::now();
    let over = || {
        args.seconds
            .is_some_and(|limit| begun.elapsed().as_secs() >= limit)
    };
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.max(1) {
            scope.spawn(|| {
                let mut engine = Engine::with_weights(
                    Options {
                        hash_mib: 4,
                        ..Options::default()
                    },
                    &weights,
                );
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= args.games || over() {
                        return;
                    }
                    let mut chance =
                        Chance::new(args.seed.wrapping_mul(0x1_0000_0001) ^ game as u64);
                    let Some(lines) = play(&mut engine, args.nodes, &mut chance) else {
                        continue;
                    };
                    games.fetch_add(1, Ordering::Relaxed);
                    kept.fetch_add(lines.len(), Ordering::Relaxed);
                    let mut out = out
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    for line in lines {
                        // A full disk shows when the file is flushed at the end.
                        let _ = writeln!(out, "{line}");
                    }
                }
            });
        }
    });
    out.into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .flush()?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{} games, {} positions in {seconds:.0} s",
        games.into_inner(),
        kept.into_inner()
    );
    Ok(())
}

/// One game; `None` if its opening is not worth it.
fn play(engine: &mut Engine, nodes: u64, chance: &mut Chance) -> Option<Vec<String>> {
    const TURNS: usize = 240;
    const DECIDED: i32 = 1_800;
    let length = 4 + chance.below(9);
    let mut position = stroll(chance, length)?;
    engine.clear();
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (mut keys, mut kept) = (Vec::new(), Vec::new());
    let (mut decided, mut winner) = (0, None);
    for turn in 0..TURNS {
        if let Some(outcome) = position.outcome() {
            winner = outcome.winner;
            break;
        }
        let key = position.key();
        if keys.iter().filter(|other| **other == key).count() >= 2 {
            break;
        }
        let report = engine.analyse(&position, &keys, &limits, &AtomicBool::new(false), |_| {});
        let (best, score) = (report.best()?.clone(), report.score()?.value());
        let red = if position.turn() == Color::Red {
            score
        } else {
            -score
        };
        if turn == 0 && score.abs() > 500 {
            return None;
        }
        if is_quiet(&position, &report, &best) && chance.below(3) == 0 {
            kept.push((position.to_string(), red));
        }
        decided = if red.abs() > DECIDED { decided + 1 } else { 0 };
        if decided >= 6 {
            winner = Some(if red > 0 { Color::Red } else { Color::Blue });
            break;
        }
        keys.push(key);
        position = best.play_from(&position)?;
    }
    let result = match winner {
        Some(Color::Red) => 1.0,
        Some(Color::Blue) => 0.0,
        None => 0.5,
    };
    let line = |(fen, score): &(String, i32)| format!("{fen};{score};{result}");
    Some(kept.iter().map(line).collect())
}

/// Whether the worth of a position is one of the position and not of a fight in it.
fn is_quiet(position: &Position, report: &Report, best: &Turn) -> bool {
    let captures = best.iter().any(|mv| mv.is_capture());
    let near = matches!(report.score(), Some(Score::Centi(score)) if score.abs() < 1_500);
    near && !captures && !position.in_check()
}
