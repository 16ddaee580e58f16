//! A task of the course as its page shows it.

use convoy_lessons::{Question, Task};
use serde_json::{Value, json};
use tractor::CardSet;

/// A task with cards.
pub(super) fn cards(task: &Task) -> Option<Value> {
    let Task::Cards(task) = task else {
        return None;
    };
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
    Some(json!({
        "kind": "cards",
        "question": question,
        "more": more,
        "trump": table.trump,
        "hand": names(&table.hand),
        "trick": table.trick.iter().map(names).collect::<Vec<_>>(),
        "choices": task.choices(),
    }))
}
