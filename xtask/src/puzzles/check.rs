//! `cargo xtask puzzles check`: proves the puzzles of the collections again.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, bail, ensure};
use convoy_puzzles::board::{self, Step, after, is_mated, themes};
use convoy_puzzles::cards;
use cotulenh::Position;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::cards::{ERRORS, is_clear, weigh};
use super::finds::{self, Finds};
use super::judge::{GO_ON, Judge, LATER_MARGIN, MARGIN, VERIFY, stands_out, stands_out_later};
use super::mates::{fastest, longest_answers};

/// Positions that the proof of a mate may visit: more than the miner grants itself.
const PROOF: u64 = 3_000_000;
/// A later engine may value a lead a little differently: this share of the margin must be left.
const SHARE_LEFT: i32 = 2;

/// Prove puzzles of the collections again
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only about so many of each game, evenly spread
    #[arg(long)]
    sample: Option<usize>,
    /// Puzzles at once; as many as there are cores otherwise
    #[arg(long)]
    concurrency: Option<usize>,
    /// Only the puzzle with this id
    #[arg(long)]
    id: Option<String>,
    /// Files of finds or of puzzles instead of the collections
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let Finds { board, cards } = finds::read_or_collections(&args.files)?;
    let wanted = |id: String| args.id.as_ref().is_none_or(|wanted| *wanted == id);
    let board: Vec<_> = spread(&board, args.sample)
        .filter(|puzzle| wanted(puzzle.id()))
        .collect();
    let cards: Vec<_> = spread(&cards, args.sample)
        .filter(|puzzle| wanted(puzzle.id()))
        .collect();
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.unwrap_or(0)) // 0: one for each core
        .stack_size(super::mine::STACK)
        .build()?;
    let bar = ProgressBar::new((board.len() + cards.len()) as u64);
    let faults: Vec<String> = threads.install(|| {
        let board = board.par_iter().filter_map(|puzzle| {
            let result = check_board(puzzle);
            bar.inc(1);
            let fault = result.err()?;
            Some(format!("board {}: {fault:#}", puzzle.id()))
        });
        let cards = cards.par_iter().filter_map(|puzzle| {
            let result = check_cards(puzzle);
            bar.inc(1);
            let fault = result.err()?;
            Some(format!("cards {}: {fault:#}", puzzle.id()))
        });
        board.chain(cards).collect()
    });
    bar.finish_and_clear();
    println!("checked {} and {} puzzles", board.len(), cards.len());
    for fault in &faults {
        println!("{fault}");
    }
    ensure!(faults.is_empty(), "{} puzzles do not hold", faults.len());
    Ok(())
}

/// About so many of a list, evenly spread; all of it without a number.
pub(super) fn spread<T>(all: &[T], sample: Option<usize>) -> impl Iterator<Item = &T> {
    let step = sample.map_or(1, |sample| all.len().div_ceil(sample.max(1)).max(1));
    all.iter().step_by(step)
}

/// Proves a puzzle of Cờ Tư Lệnh again.
pub(super) fn check_board(puzzle: &board::Puzzle) -> anyhow::Result<()> {
    ensure!(
        themes(&puzzle.position, &puzzle.steps) == puzzle.themes,
        "the rules see other themes"
    );
    match puzzle.mate() {
        Some(length) => check_mate(puzzle, length),
        None => check_turns(puzzle),
    }
}

/// The positions in which the solver is to move, with what is asked for.
fn walk(puzzle: &board::Puzzle) -> impl Iterator<Item = (Position, &Step)> {
    let mut at = Some(puzzle.position.clone());
    puzzle.steps.iter().map_while(move |step| {
        let before = at.take()?;
        let next = after(&before, step.turns.first()?)?;
        at = step.reply.and_then(|reply| after(&next, &reply));
        Some((before, step))
    })
}

/// All fastest turns are listed, by exhaustive proof, and every answer lasts as long as any.
fn check_mate(puzzle: &board::Puzzle, length: u32) -> anyhow::Result<()> {
    let mut left = length;
    for (at, step) in walk(puzzle) {
        let (shortest, turns) = fastest(&at, left, PROOF).context("no mate could be proven")?;
        ensure!(shortest == left, "there is a mate in {shortest}");
        let proven: Vec<_> = turns
            .iter()
            .filter_map(|turn| turn.play_from(&at))
            .collect();
        let listed: Vec<_> = step
            .turns
            .iter()
            .filter_map(|turn| after(&at, turn))
            .collect();
        let all = step.reply.is_none() && length > 1 || proven.len() == listed.len();
        ensure!(
            all && listed.iter().all(|next| proven.contains(next)),
            "the mating turns are others: {} proven, {} listed",
            proven.len(),
            listed.len()
        );
        left -= 1;
        let Some(reply) = step.reply else {
            ensure!(is_mated(&listed[0]), "the line does not end in mate");
            break;
        };
        let answered = after(&listed[0], &reply);
        let longest = longest_answers(&listed[0], left, PROOF).context("no answer is proven")?;
        let lasts = longest
            .iter()
            .any(|turn| turn.play_from(&listed[0]) == answered);
        ensure!(lasts, "another answer lasts longer");
    }
    ensure!(left == 0, "the line ends {left} turns before the mate");
    Ok(())
}

/// The first turn stands out in the long search, the later ones in theirs.
fn check_turns(puzzle: &board::Puzzle) -> anyhow::Result<()> {
    let stop = AtomicBool::new(false);
    let mut judge = Judge::new(&stop);
    for (number, (at, step)) in walk(puzzle).enumerate() {
        let nodes = if number == 0 { VERIFY } else { GO_ON };
        let report = judge.two_lines(&at, nodes).context("not stopped")?;
        let best = report.best().and_then(|turn| turn.play_from(&at));
        let listed = step.turns.first().and_then(|turn| after(&at, turn));
        ensure!(
            best.is_some() && best == listed,
            "turn {} of the solver is not the best",
            number + 1
        );
        let clear = match number {
            0 => stands_out(&report, MARGIN / SHARE_LEFT),
            _ => stands_out_later(&report, LATER_MARGIN / SHARE_LEFT),
        };
        ensure!(
            step.turns.len() == 1 && clear,
            "turn {} of the solver does not stand out",
            number + 1
        );
        let end = listed.filter(|_| step.reply.is_none());
        ensure!(!end.is_some_and(|end| is_mated(&end)), "an unproven mate");
    }
    Ok(())
}

/// The best candidate is the best in fresh worlds too, beyond doubt.
pub(super) fn check_cards(puzzle: &cards::Puzzle) -> anyhow::Result<()> {
    let view = puzzle.view().context("nobody decides")?;
    let ways: Vec<_> = puzzle.candidates.iter().map(|way| way.cards).collect();
    ensure!(
        cards::Decision::of(&view, &ways) == Some(puzzle.decision),
        "the decision is of another kind"
    );
    ensure!(
        is_clear(puzzle.decision, &puzzle.candidates, ERRORS),
        "the figures are not clear"
    );
    let seed = puzzle
        .id()
        .bytes()
        .fold(1, |seed, byte| seed * 37 + u64::from(byte));
    let again = weigh(&view, &ways, puzzle.worlds, seed).context("nobody decides")?;
    if again[0].cards != ways[0] {
        bail!("{} is better in fresh worlds", again[0].cards);
    }
    // Fresh worlds differ by chance; three standard errors are still beyond doubt.
    let clear = again[1..]
        .iter()
        .all(|other| other.loss >= 3.0 * other.error);
    ensure!(clear, "the lead is in doubt in fresh worlds");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board puzzles of which the proof is quick, and the others.
    fn board() -> (Vec<board::Puzzle>, Vec<board::Puzzle>) {
        let all = board::read(board::COLLECTION).expect("well formed");
        let (mates, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|puzzle| puzzle.mate().is_some());
        let quick = |puzzle: &board::Puzzle| puzzle.mate().is_some_and(|length| length <= 2);
        (mates.into_iter().filter(quick).collect(), others)
    }

    /// `cargo xtask puzzles check` proves all of them.
    #[test]
    fn a_sample_is_proven_again() {
        let (mates, others) = board();
        let sample = spread(&mates, Some(6)).chain(spread(&others, Some(3)));
        for puzzle in sample {
            if let Err(fault) = check_board(puzzle) {
                panic!("{}: {fault:#}", puzzle.id());
            }
        }
        for puzzle in spread(
            &cards::read(cards::COLLECTION).expect("well formed"),
            Some(5),
        ) {
            if let Err(fault) = check_cards(puzzle) {
                panic!("{}: {fault:#}", puzzle.id());
            }
        }
    }

    /// Some other turn in place of the first.
    fn spoil(puzzle: &board::Puzzle) -> board::Puzzle {
        let right = after(&puzzle.position, &puzzle.steps[0].turns[0]);
        let other =
            puzzle.position.turns().into_iter().find(|turn| {
                Some(&turn.after) != right.as_ref() && puzzle.steps[0].turns.len() == 1
            });
        let mut spoilt = puzzle.clone();
        spoilt.steps = vec![Step {
            turns: vec![other.expect("there are others").moves],
            reply: None,
        }];
        spoilt.themes = themes(&spoilt.position, &spoilt.steps);
        spoilt
    }

    #[test]
    fn a_wrong_puzzle_is_found_out() {
        let (mates, others) = board();
        let single = |puzzle: &&board::Puzzle| puzzle.steps[0].turns.len() == 1;
        let mate = mates.iter().find(single).expect("there is one");
        let fault = check_board(&spoil(mate)).expect_err("it is no mate");
        assert!(fault.to_string().contains("mating turns"), "{fault}");
        let fault = check_board(&spoil(&others[0])).expect_err("it is not the best");
        assert!(fault.to_string().contains("not the best"), "{fault}");
        let mut themeless = others[0].clone();
        themeless.themes = vec![board::Theme::MateIn4];
        let fault = check_board(&themeless).expect_err("it has other themes");
        assert!(fault.to_string().contains("themes"), "{fault}");
    }

    #[test]
    fn a_wrong_decision_is_found_out() {
        let all = cards::read(cards::COLLECTION).expect("well formed");
        let mut puzzle = all[0].clone();
        let last = puzzle.candidates.len() - 1;
        let (best, worst) = (puzzle.candidates[0].cards, puzzle.candidates[last].cards);
        puzzle.candidates[0].cards = worst;
        puzzle.candidates[last].cards = best;
        let fault = check_cards(&puzzle).expect_err("another is better");
        assert!(fault.to_string().contains("is better"), "{fault}");
    }
}
