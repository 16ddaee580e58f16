//! A step as its page shows it.

use convoy_lessons::Step;
use serde_json::{Value, json};

use crate::game::hosted_games;
use crate::language::Language;

/// A step in a language. It has everything but the answer.
pub(crate) fn step(step: &Step, lang: Language) -> Value {
    let tag = lang.tag();
    let mut fields = hosted_games()
        .find_map(|game| (game.lesson_task)(&step.task))
        .unwrap_or_else(|| json!({}));
    fields["id"] = json!(step.id);
    fields["title"] = json!(step.title.of(tag));
    fields["text"] = json!(step.text.of(tag));
    fields["hint"] = json!(step.hint.of(tag));
    fields
}
