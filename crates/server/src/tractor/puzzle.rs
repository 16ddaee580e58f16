//! Puzzles of Tractor: what one seat sees, and the plays to choose from.

use std::sync::LazyLock;

use convoy_protocol::tractor::{CardName, card_set, table};
use convoy_puzzles::cards::{self, Candidate, Decision, Puzzle};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fields::Fields;
use crate::puzzle::{Entry, Puzzles};
use crate::refusal::Refusal;

#[derive(Debug)]
struct CardPuzzles {
    puzzles: Vec<Puzzle>,
    entries: Vec<Entry>,
}

/// The collection.
pub(super) fn puzzles() -> &'static dyn Puzzles {
    static PUZZLES: LazyLock<CardPuzzles> = LazyLock::new(|| {
        // A test of the collection reads every line of it.
        let puzzles = cards::read(cards::COLLECTION).unwrap_or_default();
        let entry = |puzzle: &Puzzle| Entry {
            id: puzzle.id(),
            difficulty: puzzle.difficulty,
            themes: vec![puzzle.decision.word()],
        };
        CardPuzzles {
            entries: puzzles.iter().map(entry).collect(),
            puzzles,
        }
    });
    &*PUZZLES
}

/// The cards that the solver would play or bury.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    cards: Vec<CardName>,
}

impl Puzzles for CardPuzzles {
    fn file(&self) -> &'static str {
        cards::COLLECTION
    }

    fn themes(&self) -> Vec<&'static str> {
        Decision::ALL.map(Decision::word).into()
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn task(&self, index: usize) -> Value {
        let puzzle = &self.puzzles[index];
        // The reader has played every record to its decision.
        let (Ok(round), Some(view)) = (puzzle.record.round(), puzzle.view()) else {
            return json!({});
        };
        let mut fields = Fields::default();
        table::set_view_fields(&view, &view.judge(), &mut fields);
        let shown: Value = serde_json::from_str(&fields.json()).unwrap_or_default();
        let tricks = round.tricks().iter();
        // In the order of their names, which says nothing about which is best.
        let mut choices: Vec<_> = puzzle.candidates.iter().map(|one| one.cards).collect();
        choices.sort_unstable_by_key(ToString::to_string);
        let rules = &puzzle.record.setup.rules;
        json!({
            "decision": puzzle.decision.word(),
            "seat": view.viewer,
            "view": shown,
            "tricks": tricks.map(|trick| table::trick(trick, &round)).collect::<Vec<_>>(),
            "penalty": rules.throw_penalty,
            "choices": choices,
        })
    }

    fn judge(&self, index: usize, answer: &str) -> Result<Value, Refusal> {
        let chosen: Chosen = convoy_protocol::read_json(answer)?;
        let cards = card_set(&chosen.cards)?;
        let puzzle = &self.puzzles[index];
        let Some(candidate) = puzzle.judge(cards) else {
            return Err(Refusal::BadField {
                field: "cards".to_owned(),
                reason: "these cards are none of the choices".to_owned(),
            });
        };
        let is_best = puzzle.candidates.first() == Some(candidate);
        Ok(json!({
            "result": if is_best { "solved" } else { "wrong" },
            "loss": candidate.loss,
            "standardError": candidate.error,
        }))
    }

    fn solution(&self, index: usize) -> Value {
        let puzzle = &self.puzzles[index];
        let told = |one: &Candidate| json!({ "cards": one.cards, "points": one.points, "loss": one.loss, "standardError": one.error });
        json!({
            "candidates": puzzle.candidates.iter().map(told).collect::<Vec<_>>(),
            "worlds": puzzle.worlds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_choice_solves_and_every_other_costs_points() {
        let all = puzzles();
        assert!(all.entries().len() >= 300);
        for (index, entry) in all.entries().iter().enumerate() {
            let solution = all.solution(index);
            let candidates = solution["candidates"].as_array().unwrap();
            for (place, candidate) in candidates.iter().enumerate() {
                let answer = json!({ "cards": candidate["cards"] }).to_string();
                let judged = all.judge(index, &answer).unwrap();
                let result = if place == 0 { "solved" } else { "wrong" };
                assert_eq!(judged["result"], result, "{} {place}", entry.id);
                assert_eq!(judged["loss"], candidate["loss"]);
            }
        }
    }

    #[test]
    fn a_task_shows_the_hand_of_one_seat_and_nothing_that_is_hidden() {
        let all = puzzles();
        for (index, entry) in all.entries().iter().enumerate().step_by(7) {
            let task = all.task(index);
            let text = task.to_string();
            assert!(
                !text.contains("seed") && !text.contains("loss"),
                "{}",
                entry.id
            );
            let seat = usize::try_from(task["seat"].as_u64().unwrap()).unwrap();
            let held = task["view"]["held"][seat].as_u64().unwrap();
            let hand = task["view"]["hand"].as_array().unwrap();
            assert_eq!(hand.len() as u64, held, "{}", entry.id);
            for choice in task["choices"].as_array().unwrap() {
                let cards = choice.as_array().unwrap();
                assert!(cards.iter().all(|card| hand.contains(card)), "{}", entry.id);
            }
        }
    }

    #[test]
    fn cards_that_are_no_choice_are_refused() {
        let refused = puzzles().judge(0, r#"{"cards":["sj0","sj1","bj0","bj1"]}"#);
        assert!(
            matches!(refused, Err(Refusal::BadField { .. })),
            "{refused:?}"
        );
        let unread = puzzles().judge(0, r#"{"cards":["zz"]}"#);
        assert!(matches!(unread, Err(Refusal::Question(_))), "{unread:?}");
    }
}
