//! The player behind the bots and the analysis: the one place that knows who plays. For now it
//! looks one turn ahead.

use std::time::Duration;

use cotulenh::{Color, Position, Role, Turn};
use serde_json::{Value, json};

use crate::id;
use crate::table::Stop;

/// A bot that is behind by so much, in hundredths of an infantry, takes a draw.
const LOST: i32 = -400;

/// What a bot knows when it is to move.
#[derive(Debug, Clone)]
#[allow(dead_code, reason = "a deeper player reads all of it")]
pub(super) struct Task {
    pub(super) position: Position,
    /// The keys of the positions before it.
    pub(super) history: Vec<u64>,
    pub(super) level: u8,
    /// What is left on the clock, and what a turn adds.
    pub(super) clock: Option<(Duration, Duration)>,
}

/// A turn for the side to move, in LAN; `None` where there is none.
pub(super) fn choose(task: &Task, _stop: &Stop) -> Option<String> {
    if task.position.outcome().is_some() {
        return None;
    }
    let mut turns = ranked(&task.position);
    // A weak bot picks among many turns, a strong one among the best.
    turns.truncate(1 + 4 * usize::from(10_u8.saturating_sub(task.level)));
    let pick = usize::from(u16::from_le_bytes(id::random())) % turns.len().max(1);
    turns.get(pick).map(|turn| turn.lan.clone())
}

/// Whether a bot of this colour would rather have a draw.
pub(super) fn takes_draw(position: &Position, color: Color) -> bool {
    worth(position, color) <= LOST
}

/// What to look for, and for how long.
#[derive(Debug, Clone)]
#[allow(dead_code, reason = "a deeper player reads all of it")]
pub(super) struct Search {
    pub(super) position: Position,
    pub(super) lines: usize,
    pub(super) time: Duration,
    pub(super) depth: Option<u8>,
}

/// Tells better and better lines, until it is told to stop.
pub(super) fn analyse(search: &Search, _stop: &Stop, tell: &mut (dyn FnMut(Value) + Send)) {
    let turns = ranked(&search.position);
    let line = |turn: &Turn| {
        let cp = worth(&turn.after, Color::Red);
        json!({ "cp": cp, "mate": null, "san": [turn.san], "lan": [turn.lan] })
    };
    let lines: Vec<Value> = turns.iter().take(search.lines).map(line).collect();
    tell(json!({ "depth": 1, "nodes": turns.len(), "ms": 0, "lines": lines }));
}

/// The turns of the side to move, the most profitable first.
fn ranked(position: &Position) -> Vec<Turn> {
    let mut turns = position.turns();
    turns.sort_by_cached_key(|turn| -worth(&turn.after, position.turn()));
    turns
}

/// The material of a side less the other's, in hundredths of an infantry.
fn worth(position: &Position, color: Color) -> i32 {
    let of = |role: Role| match role {
        Role::Commander => 10_000,
        Role::Navy => 800,
        Role::AirForce => 400,
        Role::Artillery => 300,
        Role::Tank | Role::Missile => 200,
        _ => 100,
    };
    let stacks = position.stacks().map(|(_, stack)| {
        let sum: i32 = stack.pieces().map(|piece| of(piece.role)).sum();
        if stack.color() == color { sum } else { -sum }
    });
    stacks.sum()
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_answers_with_a_legal_turn() {
        for level in 1..=10 {
            let position = Position::start();
            let task = Task {
                position: position.clone(),
                history: Vec::new(),
                level,
                clock: Some((Duration::from_millis(500), Duration::ZERO)),
            };
            let lan = choose(&task, &Stop::default()).unwrap();
            assert!(position.read(&lan).is_ok(), "{level}: {lan}");
        }
    }

    #[test]
    fn a_stopped_bot_still_has_a_turn_and_a_finished_game_has_none() {
        let stop = Stop::default();
        stop.stop();
        let mut task = Task {
            position: Position::start(),
            history: Vec::new(),
            level: 10,
            clock: None,
        };
        assert!(choose(&task, &stop).is_some());
        let over = "6c4/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1";
        task.position = over.parse().unwrap();
        assert_eq!(choose(&task, &stop), None);
    }

    #[test]
    fn scores_are_told_as_red_sees_them() {
        let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 b - - 0 1";
        let search = Search {
            position: fen.parse().unwrap(),
            lines: 2,
            time: Duration::from_millis(200),
            depth: Some(2),
        };
        let mut last = Value::Null;
        analyse(&search, &Stop::default(), &mut |d| last = d);
        assert!(last["lines"][0]["cp"].as_i64().unwrap() > 0, "{last}");
        assert_eq!(last["lines"].as_array().unwrap().len(), 2, "{last}");
        assert!(takes_draw(&search.position, Color::Blue));
        assert!(!takes_draw(&search.position, Color::Red));
    }
}
