//! What the collections must hold.

use std::collections::HashSet;

use convoy_puzzles::Difficulty;
use convoy_puzzles::board::{self, Evaluation, Source, Theme, themes};
use convoy_puzzles::cards::{self, Decision};

fn board_puzzles() -> Vec<board::Puzzle> {
    board::read(board::COLLECTION).expect("well formed")
}

fn card_puzzles() -> Vec<cards::Puzzle> {
    cards::read(cards::COLLECTION).expect("well formed")
}

/// How many of a list pass a test.
fn count<T>(all: &[T], test: impl Fn(&T) -> bool) -> usize {
    all.iter().filter(|one| test(one)).count()
}

#[test]
fn the_files_are_small() {
    assert!(board::COLLECTION.len() + cards::COLLECTION.len() < 1_000_000);
}

#[test]
fn there_are_enough_board_puzzles_of_every_sort() {
    let all = board_puzzles();
    assert!(all.len() >= 1_000, "{} puzzles", all.len());
    let mates_in_1 = count(&all, |puzzle| puzzle.mate() == Some(1));
    assert!(mates_in_1 * 100 <= all.len() * 15, "{mates_in_1} mates");
    let games = count(&all, |puzzle| puzzle.source == Source::Game);
    assert!(games * 2 >= all.len(), "{games} from games");
    for theme in Theme::ALL {
        let of_it = count(&all, |puzzle| puzzle.themes.contains(theme));
        assert!(of_it >= 30, "{}: {of_it}", theme.word());
    }
    for difficulty in Difficulty::ALL {
        let of_it = count(&all, |puzzle| puzzle.difficulty() == difficulty);
        assert!(of_it * 10 >= all.len(), "{difficulty}: {of_it}");
    }
}

#[test]
fn there_are_enough_card_puzzles_of_every_kind() {
    let all = card_puzzles();
    assert!(all.len() >= 300, "{} puzzles", all.len());
    for decision in Decision::ALL {
        let of_it = count(&all, |puzzle| puzzle.decision == decision);
        assert!(of_it >= 30, "{}: {of_it}", decision.word());
    }
    for difficulty in Difficulty::ALL {
        let of_it = count(&all, |puzzle| puzzle.difficulty == difficulty);
        assert!(of_it * 10 >= all.len(), "{difficulty}: {of_it}");
    }
}

#[test]
fn no_puzzle_is_there_twice() {
    let board: HashSet<_> = board_puzzles().iter().map(board::Puzzle::id).collect();
    assert_eq!(board.len(), board_puzzles().len());
    let cards: HashSet<_> = card_puzzles().iter().map(cards::Puzzle::id).collect();
    assert_eq!(cards.len(), card_puzzles().len());
}

#[test]
fn the_rules_see_the_themes_of_the_file() {
    for puzzle in board_puzzles() {
        let seen = themes(&puzzle.position, &puzzle.steps);
        assert_eq!(seen, puzzle.themes, "{}", puzzle.id());
        assert!(!seen.is_empty(), "{} has no theme", puzzle.id());
    }
}

/// A mate ends in mate after as many turns as it says; no other line ends in one.
#[test]
fn lines_end_as_they_say() {
    for puzzle in board_puzzles() {
        let mut at = puzzle.position.clone();
        for step in &puzzle.steps {
            at = board::after(&at, &step.turns[0]).expect("a legal turn");
            if let Some(reply) = &step.reply {
                at = board::after(&at, reply).expect("a legal answer");
            }
        }
        let id = puzzle.id();
        assert_eq!(board::is_mated(&at), puzzle.mate().is_some(), "{id}");
        if let Some(length) = puzzle.mate() {
            assert_eq!(puzzle.steps.len(), length as usize, "{id}");
        }
    }
}

/// Where no mate is proven, the first turn is two infantries ahead of any other, holds the game, and no other wins.
#[test]
fn the_first_turn_is_clear() {
    let worth = |evaluation| match evaluation {
        Evaluation::Centi(worth) => worth,
        Evaluation::Mate(turns) => turns.signum() * 100_000,
    };
    for puzzle in board_puzzles() {
        let (id, best) = (puzzle.id(), worth(puzzle.best));
        match puzzle.second.map(worth) {
            None => assert!(puzzle.mate().is_some(), "{id}"),
            Some(other) => assert!(
                best - other >= 200 && best > -200 && other < 500,
                "{id}: {best}/{other}"
            ),
        }
    }
}

/// Every other candidate loses clearly against the first.
#[test]
fn the_best_decision_is_clear() {
    for puzzle in card_puzzles() {
        let id = puzzle.id();
        let least = match puzzle.decision {
            Decision::Throw => 1.5,
            _ => 3.0,
        };
        let [best, others @ ..] = &puzzle.candidates[..] else {
            panic!("{id} has no candidates");
        };
        assert!(best.loss == 0.0 && !others.is_empty(), "{id}");
        for other in others {
            let (loss, error) = (other.loss, other.error);
            assert!(loss >= least && loss >= 8.0 * error, "{id}: {loss}/{error}");
        }
    }
}
