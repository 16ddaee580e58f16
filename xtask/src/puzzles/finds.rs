//! Files of puzzles: collections, and what the miner writes (each line with its attempt before it).

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use convoy_puzzles::{board, cards};

/// Puzzles of both games, each once, in the order of their ids.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub(super) board: Vec<board::Puzzle>,
    pub(super) cards: Vec<cards::Puzzle>,
}

/// Reads files; a line that is no puzzle is an error that names its place.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Finds> {
    let mut board = BTreeMap::new();
    let mut cards = BTreeMap::new();
    for path in paths {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        // A run that was killed may leave half a line at the end.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (at, line) in whole.lines().enumerate() {
            if line.starts_with('#') {
                continue;
            }
            let place = || format!("{}, line {}", path.display(), at + 1);
            let line = without_attempt(line);
            // The fields of the two games are not as many.
            if line.split(';').count() == 6 {
                let puzzle: cards::Puzzle = line.parse().with_context(place)?;
                cards.insert(puzzle.id(), puzzle);
            } else {
                let puzzle: board::Puzzle = line.parse().with_context(place)?;
                board.insert(puzzle.id(), puzzle);
            }
        }
    }
    Ok(Finds {
        board: board.into_values().collect(),
        cards: cards.into_values().collect(),
    })
}

/// Reads files; without any, the collections.
pub(super) fn read_or_collections(paths: &[PathBuf]) -> anyhow::Result<Finds> {
    if paths.is_empty() {
        return Ok(Finds {
            board: board::read(board::COLLECTION)?,
            cards: cards::read(cards::COLLECTION)?,
        });
    }
    read(paths)
}

/// The line of the puzzle, without the attempt that found it (`games 17;`).
fn without_attempt(line: &str) -> &str {
    match line.split_once(';') {
        Some((attempt, puzzle)) if attempt.contains(' ') => puzzle,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_are_read_with_and_without_their_attempts() {
        assert_eq!(without_attempt("games 17;abc;game"), "abc;game");
        assert_eq!(without_attempt("abc;game"), "abc;game");
    }
}
