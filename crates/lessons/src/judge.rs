//! What a learner tries, and the answer to it as JSON: the server and the pages of a device answer the same.

use convoy_protocol::cotulenh::move_error;
use convoy_protocol::tractor::table;
use convoy_protocol::{Error, ErrorCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board::{Attempt, BoardMiss, BoardTask, Obstacle, Placed, Verdict};
use crate::cards::{Answer, CardMiss, CardTask, Shape};
use crate::course::{Step, Task};
use crate::words::Words;

/// More turns than any step has.
const MOST_TURNS: usize = 16;

/// What a learner tries: turns on the board, two squares between which the board shows no move, or cards or a choice.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "an object with turns, with from and to, or with answer, and nothing else"
)]
pub enum Tried {
    /// Turns on the board.
    Turns {
        /// Each turn as its steps.
        turns: Vec<Vec<String>>,
    },
    /// From a square to a square, after the learner's turns so far.
    Squares {
        /// Each turn as its steps.
        #[serde(default)]
        turns: Vec<Vec<String>>,
        /// The one.
        from: String,
        /// The other.
        to: String,
    },
    /// An answer about cards.
    Answer {
        /// Cards with spaces between, or one of the choices.
        answer: String,
    },
}

/// The answer to an attempt at a step, as pages read it; its words are in the language with this tag.
///
/// ```
/// use convoy_lessons::{Course, Tried, judge};
/// let course = Course::cotulenh()?;
/// let sea = course.step("board/sea").expect("the first step");
/// let tried = Tried::Turns { turns: vec![vec!["Nb2b6".to_owned()]] };
/// assert_eq!(judge(sea, &tried, "en")?["result"], "done");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn judge(step: &Step, tried: &Tried, tag: &str) -> Result<Value, Error> {
    let mut answer = match (&step.task, tried) {
        (Task::Board(task), Tried::Turns { turns }) => turned(task, turns, tag)?,
        (Task::Board(task), Tried::Squares { turns, from, to }) => {
            barred(task, turns, [from, to], tag)?
        }
        (Task::Cards(task), Tried::Answer { answer }) => answered(task, answer, tag)?,
        (Task::Board(_), Tried::Answer { .. }) => {
            return Err(malformed("this step asks for turns"));
        }
        (Task::Cards(_), _) => return Err(malformed("this step asks for an answer")),
    };
    if answer["result"] == "done" {
        answer["done"] = words(step.done.as_ref(), tag);
    }
    Ok(answer)
}

fn malformed(message: &str) -> Error {
    Error::new(ErrorCode::Malformed, message)
}

fn words(words: Option<&Words>, tag: &str) -> Value {
    words.map_or(Value::Null, |words| json!(words.of(tag)))
}

/// What the learner's turns are worth.
fn attempt<'a>(task: &'a BoardTask, turns: &[Vec<String>]) -> Result<Attempt<'a>, Error> {
    if turns.len() > MOST_TURNS {
        return Err(malformed("too many turns"));
    }
    let texts: Vec<Vec<&str>> = turns
        .iter()
        .map(|turn| turn.iter().map(String::as_str).collect())
        .collect();
    let last = turns.last().map(|turn| turn.join(" ")).unwrap_or_default();
    let attempt = task.judge(&texts);
    attempt.map_err(|error| move_error(&last, &error))
}

fn turned(task: &BoardTask, turns: &[Vec<String>], tag: &str) -> Result<Value, Error> {
    let attempt = attempt(task, turns)?;
    let (result, why) = match &attempt.verdict {
        Verdict::Done => ("done", Value::Null),
        Verdict::GoOn => ("go-on", Value::Null),
        Verdict::Wrong(miss) => ("wrong", missed(miss)),
    };
    Ok(json!({
        "result": result,
        "why": why,
        "note": words(attempt.note, tag),
        "fen": attempt.position.to_string(),
    }))
}

fn missed(miss: &BoardMiss) -> Value {
    let placed = |placed: &Placed| {
        let letters: String = placed.roles.iter().map(|role| role.letter()).collect();
        json!({ "pieces": letters, "square": placed.square })
    };
    let mut why = match miss {
        BoardMiss::Reach(at) | BoardMiss::Stack(at) | BoardMiss::Heroic(at) => placed(at),
        BoardMiss::Capture(square) => json!({ "square": square }),
        BoardMiss::Mate(turn) => json!({ "turn": turn }),
        BoardMiss::By(_) | BoardMiss::Check | BoardMiss::NoMate | BoardMiss::Better => json!({}),
    };
    why["code"] = json!(miss.code());
    why
}

fn barred(
    task: &BoardTask,
    turns: &[Vec<String>],
    [from, to]: [&str; 2],
    tag: &str,
) -> Result<Value, Error> {
    let square = |text: &str| {
        let square = text.parse::<cotulenh::Square>();
        square.map_err(|_| Error::new(ErrorCode::BadSquare, format!("{text:?}")))
    };
    let (from, to) = (square(from)?, square(to)?);
    let before = attempt(task, turns)?;
    let position = before.position;
    let obstacle = Obstacle::between(&position, from, to);
    let Some(why) = obstacle.filter(|_| before.verdict == Verdict::GoOn) else {
        // A part of the stack could go there, or the attempt is over; nothing was tried.
        return Ok(json!({ "result": "legal" }));
    };
    let stack = position.stack_at(from);
    let piece = stack.map(|stack| stack.carrier().role.letter().to_string());
    let note = turns.is_empty().then(|| task.obstacle_note(from, to));
    Ok(json!({
        "result": "illegal",
        "why": { "code": why.code(), "pieces": piece, "square": to },
        "note": words(note.flatten(), tag),
    }))
}

fn answered(task: &CardTask, text: &str, tag: &str) -> Result<Value, Error> {
    let answer = task.answer(text).map_err(|message| malformed(&message))?;
    let judged = task.judge(&answer);
    let (result, why) = match &judged.miss {
        None => ("done", Value::Null),
        Some(miss) => ("wrong", wrong(miss, &answer)),
    };
    Ok(json!({ "result": result, "why": why, "note": words(judged.note, tag) }))
}

fn wrong(miss: &CardMiss, answer: &Answer) -> Value {
    let faces =
        |cards: &tractor::Faces| -> Value { cards.iter().map(|face| face.to_string()).collect() };
    let mut why = match miss {
        CardMiss::Rules(error) => return json!({ "code": "rules", "rules": table::reason(error) }),
        CardMiss::Missing(cards) | CardMiss::Extra(cards) | CardMiss::Keep(cards) => {
            json!({ "cards": faces(cards) })
        }
        CardMiss::Shape(Shape::One(kind)) => table::kind_name(*kind),
        CardMiss::Shape(Shape::Throw) => json!({ "kind": "throw" }),
        CardMiss::TooFewPoints(points) | CardMiss::Points(points) => json!({ "points": points }),
        CardMiss::NotVoid(suit) => json!({ "suit": suit.letter() }),
        CardMiss::Loses | CardMiss::Wins | CardMiss::Better | CardMiss::Choice => json!({}),
    };
    why["code"] = json!(miss.code());
    if let Answer::Cards(cards) = answer {
        why["answer"] = faces(cards);
    }
    why
}
