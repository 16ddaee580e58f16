//! `go` and its limits.

use std::time::Duration;

use cotulenh::{Color, Position};

use crate::time::{Clock, Limits};
use crate::turn::Turn;

/// What a `go` asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Go {
    pub(super) limits: Limits,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) perft: Option<u32>,
    /// `searchmoves`: the only turns to search at the root, or none for all.
    pub(super) turns: Vec<Turn>,
}

/// The words that end a list of turns after `searchmoves`.
const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Reads the words after `go`.
pub(super) fn read(words: &[&str], position: &Position) -> Result<Go, String> {
    let mut go = Go::default();
    let mut clock = Clock::default();
    let mut clocked = false;
    let own = match position.turn() {
        Color::Red => ["wtime", "winc"],
        Color::Blue => ["btime", "binc"],
    };
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mut next = || -> Result<u64, String> {
            let value = words.next().and_then(|value| value.parse::<i64>().ok());
            // A clock may have run below zero.
            let value = value.map(|value| u64::try_from(value).unwrap_or(0));
            value.ok_or_else(|| format!("{} needs a number", super::short(word)))
        };
        match *word {
            "searchmoves" => {
                while let Some(text) = words.next_if(|word| !KEYWORDS.contains(*word)) {
                    go.turns.push(whole_turn(position, text)?);
                }
                if go.turns.is_empty() {
                    return Err("searchmoves needs turns".into());
                }
            }
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "depth" => go.limits.depth = Some(small(next()?)),
            "nodes" => go.limits.nodes = Some(next()?.max(1)),
            "movetime" => go.limits.time = Some(millis(next()?)),
            "perft" => go.perft = Some(small(next()?).min(6)),
            "movestogo" => clock.turns_to_go = Some(small(next()?)),
            "mate" => go.limits.depth = Some(small(next()?).saturating_mul(2)),
            "wtime" | "btime" | "winc" | "binc" => {
                let value = millis(next()?);
                if *word == own[0] {
                    clock.left = value;
                    clocked = true;
                } else if *word == own[1] {
                    clock.increment = value;
                }
            }
            other => return Err(format!("go does not know {}", super::short(other))),
        }
    }
    if clocked {
        go.limits.clock = Some(clock);
    }
    go.infinite |= go.limits.is_infinite() && go.perft.is_none() && !go.ponder;
    Ok(go)
}

/// A turn after `searchmoves`: legal, and a whole one.
fn whole_turn(position: &Position, text: &str) -> Result<Turn, String> {
    let moves = position
        .read(text)
        .map_err(|error| format!("searchmoves {}: {error}", super::short(text)))?;
    let turn = Turn::new(moves.to_vec());
    match turn.play_from(position) {
        Some(_) => Ok(turn),
        None => Err(format!(
            "searchmoves {}: the deploy must be finished",
            super::short(text)
        )),
    }
}

fn small(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// No wait is longer than a day.
fn millis(value: u64) -> Duration {
    Duration::from_millis(value.min(86_400_000))
}
