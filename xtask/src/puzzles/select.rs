//! `cargo xtask puzzles select`: the collections from files of finds.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use convoy_puzzles::Difficulty;
use convoy_puzzles::board::{self, Source, Theme, themes};
use convoy_puzzles::cards::{self, Decision};

use super::cards::{ERRORS, is_clear};
use super::finds;

/// Select the collections from files of finds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files that `cargo xtask puzzles mine` has written
    #[arg(required = true)]
    finds: Vec<PathBuf>,
    /// Puzzles of Cờ Tư Lệnh at most
    #[arg(long, default_value_t = 2_200)]
    board: usize,
    /// Puzzles of Tractor at most
    #[arg(long, default_value_t = 600)]
    cards: usize,
    /// The folder of the collections
    #[arg(long, default_value = "crates/puzzles/data")]
    out: PathBuf,
}

/// The share of mates in one turn at most, in percent.
pub(super) const MATES_IN_1: usize = 10;
/// The share of composed positions at most, in percent.
pub(super) const COMPOSED: usize = 45;
/// Puzzles of a theme at least.
pub(super) const OF_A_THEME: usize = 30;

const BOARD_HEAD: &str = "\
# Puzzles of Cờ Tư Lệnh, public domain (CC0 1.0). The format: docs/puzzles.md.
# id;source;FEN;line;best/second;nodes;themes
";
const CARDS_HEAD: &str = "\
# Puzzles of Tractor, public domain (CC0 1.0). The format: docs/puzzles.md.
# id;decision;difficulty;worlds;cards/points/loss/error,...;record
";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut finds = finds::read(&args.finds)?;
    for puzzle in &mut finds.board {
        // The miner may have judged by earlier definitions.
        puzzle.themes = themes(&puzzle.position, &puzzle.steps);
    }
    let board = select_board(finds.board, args.board);
    let cards = select_cards(finds.cards, args.cards);
    tell(&board, &cards);
    write(&args.out.join("cotulenh.txt"), BOARD_HEAD, &board)?;
    write(&args.out.join("tractor.txt"), CARDS_HEAD, &cards)
}

fn write(path: &std::path::Path, head: &str, puzzles: &[impl ToString]) -> anyhow::Result<()> {
    ensure!(!puzzles.is_empty(), "nothing for {}", path.display());
    let lines: Vec<_> = puzzles.iter().map(ToString::to_string).collect();
    let text = format!("{head}{}\n", lines.join("\n"));
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The rarest themes first, then the hardest puzzles, within the shares of mates in one and of
/// composed positions; in the file the easiest come first.
fn select_board(mut all: Vec<board::Puzzle>, most: usize) -> Vec<board::Puzzle> {
    let mut counts: BTreeMap<Theme, usize> = BTreeMap::new();
    for theme in all.iter().flat_map(|puzzle| &puzzle.themes) {
        *counts.entry(*theme).or_default() += 1;
    }
    let rarest = |puzzle: &board::Puzzle| {
        let counts = puzzle.themes.iter().map(|theme| counts[theme]);
        counts.min().unwrap_or(usize::MAX)
    };
    all.sort_by_cached_key(|puzzle| {
        let rare = rarest(puzzle).min(2 * OF_A_THEME);
        (rare, std::cmp::Reverse(puzzle.nodes), puzzle.id())
    });
    let games = all.iter().filter(|puzzle| puzzle.source == Source::Game);
    // So many that the shares hold whatever is left out.
    let composed_most = games.count().min(most) * COMPOSED / (100 - COMPOSED);
    let total = all.len().min(most);
    let (mut composed, mut mates) = (0, 0);
    let mut seen = HashSet::new();
    let mut chosen: Vec<_> = all
        .into_iter()
        .filter(|puzzle| {
            let is_composed = puzzle.source == Source::Composed;
            let is_mate = puzzle.mate() == Some(1);
            let fits = (!is_composed || composed < composed_most.min(total * COMPOSED / 100))
                && (!is_mate || mates < total * MATES_IN_1 / 100)
                && seen.len() < most
                && seen.insert(puzzle.id());
            composed += usize::from(fits && is_composed);
            mates += usize::from(fits && is_mate);
            fits
        })
        .collect();
    chosen.sort_by_cached_key(|puzzle| (puzzle.nodes, puzzle.id()));
    chosen
}

/// Clear decisions, one of each kind from a round; then one of each kind and difficulty in turn, as long as there
/// are some. To throw and not to throw are two kinds.
fn select_cards(all: Vec<cards::Puzzle>, most: usize) -> Vec<cards::Puzzle> {
    let mut groups: BTreeMap<(Decision, bool, Difficulty), Vec<cards::Puzzle>> = BTreeMap::new();
    let mut rounds = HashSet::new();
    let clear = |puzzle: &cards::Puzzle| is_clear(puzzle.decision, &puzzle.candidates, ERRORS);
    for puzzle in all.into_iter().filter(clear) {
        let deal = match &puzzle.record.deal {
            tractor::Deal::Seed(seed) => seed.to_hex(),
            tractor::Deal::Deck(_) => puzzle.id(),
        };
        if !rounds.insert((puzzle.decision, deal)) {
            continue;
        }
        let best = puzzle.candidates.first().map(|best| best.cards);
        let view = puzzle.view().zip(best);
        let throws =
            view.is_some_and(|(view, best)| Decision::of(&view, &[best]) == Some(Decision::Throw));
        let group = groups.entry((puzzle.decision, throws, puzzle.difficulty));
        group.or_default().push(puzzle);
    }
    for group in groups.values_mut() {
        group.sort_by_cached_key(cards::Puzzle::id);
    }
    let mut chosen = Vec::new();
    while chosen.len() < most && groups.values().any(|group| !group.is_empty()) {
        for group in groups.values_mut() {
            chosen.extend(group.pop().filter(|_| chosen.len() < most));
        }
    }
    chosen.sort_by_cached_key(|puzzle: &cards::Puzzle| {
        (puzzle.decision, puzzle.difficulty, puzzle.id())
    });
    chosen
}

/// Says what the collections hold.
fn tell(board: &[board::Puzzle], cards: &[cards::Puzzle]) {
    let mut text = format!("Cờ Tư Lệnh: {} puzzles\n", board.len());
    for difficulty in Difficulty::ALL {
        let count = board
            .iter()
            .filter(|p| p.difficulty() == difficulty)
            .count();
        let _ = writeln!(text, "  {difficulty}: {count}");
    }
    let games = board.iter().filter(|p| p.source == Source::Game).count();
    let _ = writeln!(text, "  from games: {games}");
    for theme in Theme::ALL {
        let count = board.iter().filter(|p| p.themes.contains(theme)).count();
        let _ = writeln!(text, "  {}: {count}", theme.word());
    }
    let _ = writeln!(text, "Tractor: {} puzzles", cards.len());
    let kinds: BTreeSet<_> = cards.iter().map(|p| (p.decision, p.difficulty)).collect();
    for (decision, difficulty) in kinds {
        let of_kind = |p: &&cards::Puzzle| (p.decision, p.difficulty) == (decision, difficulty);
        let count = cards.iter().filter(of_kind).count();
        let _ = writeln!(text, "  {} {difficulty}: {count}", decision.word());
    }
    print!("{text}");
}
