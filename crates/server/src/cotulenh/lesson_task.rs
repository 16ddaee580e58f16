//! A task of the course as its page shows it.

use convoy_lessons::{Goal, Task};
use serde_json::{Value, json};

/// A task on a board.
pub(super) fn board(task: &Task) -> Option<Value> {
    let Task::Board(task) = task else {
        return None;
    };
    Some(json!({
        "kind": "board",
        "fen": task.position().to_string(),
        "turns": task.turns(),
        "squares": squares(task.goal()),
    }))
}

/// What the goal names, to be marked on the board.
fn squares(goal: &Goal) -> Vec<String> {
    let placed = goal.reach.iter().chain(&goal.stack).chain(&goal.heroic);
    let squares = placed
        .map(|placed| placed.square)
        .chain(goal.capture.iter().copied());
    let mut squares: Vec<String> = squares.map(|square| square.to_string()).collect();
    squares.sort();
    squares.dedup();
    squares
}
