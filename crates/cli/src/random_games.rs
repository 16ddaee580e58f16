//! `convoy random-games`: play at random and check every move on the way.

use std::io::{IsTerminal as _, stderr};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use cotulenh::{Game, Move, Namer, Position};
use cotulenh_engine::SplitMix64;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

/// Play random games of Cờ Tư Lệnh and check every position on the way: no panic, no deploy that
/// cannot end, no two moves with the same notation, every SAN and LAN reads back as its move.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy random-games 1000\n  convoy random-games 100000 --seed 7"
)]
pub(crate) struct Args {
    /// How many games
    games: u64,
    /// Seed of the first game; the next game has the next seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Moves after which a game is left unfinished
    #[arg(long, default_value_t = 400, value_name = "N")]
    longest: usize,
    /// Check the notation of all moves in one position of this many, drawn at random; that of the move
    /// played is always checked
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

/// What was seen.
#[derive(Debug, Default)]
struct Tally {
    moves: u64,
    checked: u64,
    finished: u64,
}

impl Tally {
    fn plus(&self, other: &Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            checked: self.checked + other.checked,
            finished: self.finished + other.finished,
        }
    }
}

/// Plays and reports.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let begun = Instant::now();
    let bar = if stderr().is_terminal() {
        let style = "{bar:40} {pos}/{len} games, {eta} left";
        ProgressBar::new(args.games).with_style(ProgressStyle::with_template(style)?)
    } else {
        ProgressBar::hidden()
    };
    let games = (0..args.games).into_par_iter().map(|index| {
        let mut tally = Tally::default();
        let seed = args.seed.wrapping_add(index);
        play(seed, args, &mut tally).with_context(|| format!("seed {seed}"))?;
        bar.inc(1);
        anyhow::Ok(tally)
    });
    let tally = games.try_reduce(Tally::default, |a, b| Ok(a.plus(&b)))?;
    bar.finish_and_clear();
    let Tally {
        moves,
        checked,
        finished,
    } = tally;
    println!(
        "{} games, {finished} finished, {moves} moves played, {checked} names checked, no fault, {:.1} s",
        args.games,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn play(seed: u64, args: &Args, tally: &mut Tally) -> anyhow::Result<()> {
    let mut numbers = SplitMix64::new(seed);
    let mut game = Game::default();
    for _ in 0..args.longest {
        if game.outcome().is_some() {
            tally.finished += 1;
            return Ok(());
        }
        let moves = game.position().legal_moves();
        let Some(mv) = numbers.pick(&moves) else {
            bail!("{}: no move, and the game is not over", game.position());
        };
        let all = numbers.next_u64().is_multiple_of(args.every);
        let wanted = if all {
            &moves[..]
        } else {
            std::slice::from_ref(mv)
        };
        check(game.position(), &moves, wanted, tally)?;
        game.play(*mv)?;
        tally.moves += 1;
    }
    Ok(())
}

/// Every name reads back as the move it names, which two moves of one name could not.
fn check(
    position: &Position,
    moves: &[Move],
    wanted: &[Move],
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let namer = Namer::new(position, moves);
    let mut name = String::new();
    for mv in wanted {
        for write in [Namer::san, Namer::lan] {
            name.clear();
            write(&namer, *mv, &mut name);
            let read = namer.read_move(&name);
            ensure!(
                read == Ok(*mv),
                "{position}: {name} of {mv} reads as {read:?}"
            );
            tally.checked += 1;
        }
    }
    Ok(())
}
