//! Puzzles of Cờ Tư Lệnh: a position, and the turns that solve it.

use std::sync::LazyLock;

use convoy_puzzles::board::{self, Answer, Attempt, Evaluation, Puzzle, Theme, after};
use cotulenh::{Position, TurnMoves};
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal_code;
use crate::puzzle::{Entry, Puzzles};
use crate::refusal::Refusal;

#[derive(Debug)]
struct BoardPuzzles {
    puzzles: Vec<Puzzle>,
    entries: Vec<Entry>,
}

/// The collection.
pub(crate) fn puzzles() -> &'static dyn Puzzles {
    static PUZZLES: LazyLock<BoardPuzzles> = LazyLock::new(|| {
        // A test of the collection reads every line of it.
        let puzzles = board::read(board::COLLECTION).unwrap_or_default();
        let entry = |puzzle: &Puzzle| Entry {
            id: puzzle.id(),
            difficulty: puzzle.difficulty(),
            themes: puzzle.themes.iter().map(|theme| theme.word()).collect(),
        };
        BoardPuzzles {
            entries: puzzles.iter().map(entry).collect(),
            puzzles,
        }
    });
    &*PUZZLES
}

/// The turns of the solver so far, SAN or LAN.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tried {
    turns: Vec<String>,
}

impl Puzzles for BoardPuzzles {
    fn file(&self) -> &'static str {
        board::COLLECTION
    }

    fn themes(&self) -> Vec<&'static str> {
        Theme::ALL.iter().map(|theme| theme.word()).collect()
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn task(&self, index: usize) -> Value {
        let puzzle = &self.puzzles[index];
        json!({
            "fen": puzzle.position.to_string(),
            "mate": puzzle.mate(),
            "turns": puzzle.steps.len(),
        })
    }

    fn judge(&self, index: usize, answer: &str) -> Result<Value, Refusal> {
        let tried: Tried = convoy_protocol::read_json(answer)?;
        judge(&self.puzzles[index], &tried.turns)
    }

    fn solution(&self, index: usize) -> Value {
        let puzzle = &self.puzzles[index];
        let mut position = puzzle.position.clone();
        let mut turns = Vec::new();
        for step in &puzzle.steps {
            let solving = step.turns.first().copied();
            for turn in solving.into_iter().chain(step.reply) {
                let Some(next) = after(&position, &turn) else {
                    break;
                };
                turns.push(told(&position, &turn));
                position = next;
            }
        }
        json!({
            "turns": turns,
            "best": worth(puzzle.best),
            "second": puzzle.second.map(worth),
        })
    }
}

/// Follows the turns; all but the last must have been right.
fn judge(puzzle: &Puzzle, turns: &[String]) -> Result<Value, Refusal> {
    let mut attempt = Attempt::new(puzzle);
    let mut played = Vec::new();
    let mut result = "goesOn";
    for (index, text) in turns.iter().enumerate() {
        let (before, step) = (attempt.position().clone(), attempt.step());
        let Some(step) = step.filter(|_| result == "goesOn") else {
            return Err(Refusal::BadField {
                field: format!("turns[{index}]"),
                reason: "the puzzle has ended before this turn".to_owned(),
            });
        };
        let turn = before
            .read(text)
            .map_err(|error| refusal_code::unread(text, &error))?;
        if after(&before, &turn).is_none() {
            return Err(refusal_code::unfinished());
        }
        result = match attempt.play(&turn) {
            Answer::Wrong => "wrong",
            Answer::GoesOn => "goesOn",
            Answer::Solved => "solved",
        };
        played.clear();
        match step.reply {
            // The line goes on with its own turn where another was as good.
            Some(reply) if result == "goesOn" => {
                let main = step.turns.first().copied().unwrap_or(turn);
                played.push(told(&before, &main));
                if let Some(next) = after(&before, &main) {
                    played.push(told(&next, &reply));
                }
            }
            _ => played.push(told(&before, &turn)),
        }
    }
    Ok(json!({
        "result": result,
        "fen": attempt.position().to_string(),
        "played": played,
    }))
}

fn told(position: &Position, turn: &TurnMoves) -> Value {
    json!({ "san": position.turn_san(turn), "lan": position.turn_lan(turn) })
}

/// What a turn is worth, as the analysis tells it.
fn worth(evaluation: Evaluation) -> Value {
    match evaluation {
        Evaluation::Centi(cp) => json!({ "cp": cp, "mate": null }),
        Evaluation::Mate(turns) => json!({ "cp": null, "mate": turns }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(index: usize, turns: &[&str]) -> Result<Value, Refusal> {
        puzzles().judge(index, &json!({ "turns": turns }).to_string())
    }

    #[test]
    fn every_solution_solves_its_puzzle_and_its_task_does_not_tell_it() {
        let all = puzzles();
        assert!(all.entries().len() >= 1_000);
        for (index, entry) in all.entries().iter().enumerate() {
            let solution = all.solution(index);
            let turns = solution["turns"].as_array().unwrap();
            let own: Vec<&str> = turns
                .iter()
                .step_by(2)
                .map(|turn| turn["lan"].as_str().unwrap())
                .collect();
            assert_eq!(
                answer(index, &own).unwrap()["result"],
                "solved",
                "{}",
                entry.id
            );
            let task = all.task(index).to_string();
            assert!(!task.contains(own[0]), "{}", entry.id);
            if own.len() > 1 {
                let half = answer(index, &own[..1]).unwrap();
                assert_eq!(half["result"], "goesOn", "{}", entry.id);
                assert_eq!(half["played"][1], turns[1]);
            }
        }
    }

    #[test]
    fn a_wrong_turn_is_wrong_and_an_illegal_one_is_refused() {
        let all = puzzles();
        let entry = &all.entries()[0];
        assert_eq!(entry.id, "nrwr3r");
        let wrong = answer(0, &["Ck12k11"]);
        assert!(matches!(wrong, Err(Refusal::Question(_))), "{wrong:?}");
        let position: Position = all.task(0)["fen"].as_str().unwrap().parse().unwrap();
        let other = position
            .turns()
            .into_iter()
            .find(|turn| turn.lan != "Aj12xi12")
            .unwrap();
        let wrong = answer(0, &[&other.lan]).unwrap();
        assert_eq!(
            (&wrong["result"], &wrong["fen"]),
            (&json!("wrong"), &all.task(0)["fen"])
        );
        let after = answer(0, &["Aj12xi12", "Aj12xi12"]);
        assert!(matches!(after, Err(Refusal::BadField { .. })), "{after:?}");
    }
}
