//! `cargo xtask puzzles solve`: how many puzzles of Cờ Tư Lệnh the engine solves within some nodes.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use convoy_puzzles::Difficulty;
use convoy_puzzles::board::Puzzle;
use rayon::prelude::*;

use super::finds;
use super::judge::Judge;

/// Count the puzzles of Cờ Tư Lệnh whose first turn a search of one line finds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Nodes of each search
    #[arg(long, default_value_t = NODES)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Files of finds or of puzzles instead of the collection
    files: Vec<PathBuf>,
}

/// Nodes within which a fifth of the hard puzzles must stay unsolved.
const NODES: u64 = 10_000;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let all = finds::read_or_collections(&args.files)?.board;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.max(1))
        .stack_size(super::mine::STACK)
        .build()?;
    for difficulty in Difficulty::ALL {
        let of_it = all
            .iter()
            .filter(|puzzle| puzzle.difficulty() == difficulty);
        let puzzles: Vec<_> = of_it.collect();
        let solved = threads.install(|| count_solved(&puzzles, args.nodes));
        println!("{difficulty}: {solved} of {} solved", puzzles.len());
    }
    Ok(())
}

/// How many puzzles have a first turn that the engine chooses after so many nodes.
fn count_solved(puzzles: &[&Puzzle], nodes: u64) -> usize {
    let stop = AtomicBool::new(false);
    let solved = puzzles.par_iter().map_init(
        || Judge::new(&stop),
        |judge, puzzle| judge.finds(&puzzle.position, &puzzle.steps[0].turns, nodes),
    );
    solved.filter(|solved| *solved).count()
}

#[cfg(test)]
mod tests {
    use convoy_puzzles::board;

    use super::*;
    use crate::puzzles::check::spread;

    fn sample(difficulty: Difficulty) -> Vec<Puzzle> {
        let mut all = board::read(board::COLLECTION).expect("well formed");
        all.retain(|puzzle| puzzle.difficulty() == difficulty);
        spread(&all, Some(40)).cloned().collect()
    }

    /// `cargo xtask puzzles solve` tries all of them.
    #[test]
    fn hard_puzzles_are_hard_and_easy_ones_easy() {
        let (hard, easy) = (sample(Difficulty::Hard), sample(Difficulty::Easy));
        let solved = count_solved(&hard.iter().collect::<Vec<_>>(), NODES);
        let failed = hard.len() - solved;
        assert!(failed * 5 >= hard.len(), "{failed} of {}", hard.len());
        let solved = count_solved(&easy.iter().collect::<Vec<_>>(), NODES);
        assert!(solved * 5 >= easy.len() * 4, "{solved} of {}", easy.len());
    }
}
