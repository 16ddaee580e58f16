//! A step as its page shows it.

use convoy_lessons::{BoardTask, CardTask, Goal, Question, Step, Task};
use serde_json::{Value, json};
use tractor::CardSet;

use crate::language::Language;

/// A step in a language. It has everything but the answer.
pub(crate) fn step(step: &Step, lang: Language) -> Value {
    let tag = lang.tag();
    let mut fields = match &step.task {
        Task::Board(task) => board(task),
        Task::Cards(task) => cards(task),
    };
    fields["id"] = json!(step.id);
    fields["title"] = json!(step.title.of(tag));
    fields["text"] = json!(step.text.of(tag));
    fields["hint"] = json!(step.hint.of(tag));
    fields
}

fn board(task: &BoardTask) -> Value {
    json!({
        "kind": "board",
        "fen": task.position().to_string(),
        "turns": task.turns(),
        "squares": squares(task.goal()),
    })
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

fn cards(task: &CardTask) -> Value {
    let table = task.table();
    let names = |cards: &CardSet| -> Value { cards.iter().map(|card| card.to_string()).collect() };
    let (question, more) = match task.question() {
        Question::Select(_) => ("select", Value::Null),
        Question::Play(_) => ("play", Value::Null),
        Question::Bury(_) => ("bury", Value::Null),
        Question::Declare(standing) => ("declare", json!(standing)),
        Question::Winner => ("winner", Value::Null),
        Question::Levels(points) => ("levels", json!(points)),
        Question::Kitty(_, lead) => ("number", names(lead)),
        Question::Unseen(_) => ("number", Value::Null),
    };
    json!({
        "kind": "cards",
        "question": question,
        "more": more,
        "trump": table.trump,
        "hand": names(&table.hand),
        "trick": table.trick.iter().map(names).collect::<Vec<_>>(),
        "choices": task.choices(),
    })
}
