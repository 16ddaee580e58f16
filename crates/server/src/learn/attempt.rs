//! What a learner tries, and the answer to it.

use convoy_lessons::{
    Answer, BoardMiss, BoardTask, CardMiss, CardTask, Placed, Shape, Step, Task, Verdict, Words,
};
use convoy_protocol::tractor::table;
use convoy_protocol::{Error, ErrorCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::language::Language;
use crate::refusal::Refusal;
use crate::{cotulenh, tractor};

/// More turns than any step has.
const MOST_TURNS: usize = 16;

/// What a learner tries: turns on the board, two squares between which the board shows no move, or cards or a choice.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Tried {
    /// Each turn as its steps.
    Turns { turns: Vec<Vec<String>> },
    /// From a square to a square.
    Squares { from: String, to: String },
    /// Cards with spaces between, or one of the choices.
    Answer { answer: String },
}

/// The answer to an attempt.
pub(crate) fn judge(step: &Step, tried: &Tried, lang: Language) -> Result<Value, Refusal> {
    let mut answer = match (&step.task, tried) {
        (Task::Board(task), Tried::Turns { turns }) => turned(task, turns, lang)?,
        (Task::Board(task), Tried::Squares { from, to }) => barred(task, from, to, lang)?,
        (Task::Cards(task), Tried::Answer { answer }) => answered(task, answer, lang)?,
        (Task::Board(_), Tried::Answer { .. }) => {
            return Err(malformed("this step asks for turns"));
        }
        (Task::Cards(_), _) => return Err(malformed("this step asks for an answer")),
    };
    if answer["result"] == "done" {
        answer["done"] = words(step.done.as_ref(), lang);
    }
    Ok(answer)
}

pub(super) fn malformed(message: &str) -> Refusal {
    Error::new(ErrorCode::Malformed, message).into()
}

fn words(words: Option<&Words>, lang: Language) -> Value {
    words.map_or(Value::Null, |words| json!(words.of(lang.tag())))
}

fn turned(task: &BoardTask, turns: &[Vec<String>], lang: Language) -> Result<Value, Refusal> {
    if turns.len() > MOST_TURNS {
        return Err(malformed("too many turns"));
    }
    let texts: Vec<Vec<&str>> = turns
        .iter()
        .map(|turn| turn.iter().map(String::as_str).collect())
        .collect();
    let last = turns.last().map(|turn| turn.join(" ")).unwrap_or_default();
    let attempt = task.judge(&texts);
    let attempt = attempt.map_err(|error| cotulenh::refusal_code::unread(&last, &error))?;
    let (result, why) = match &attempt.verdict {
        Verdict::Done => ("done", Value::Null),
        Verdict::GoOn => ("go-on", Value::Null),
        Verdict::Wrong(miss) => ("wrong", missed(miss)),
    };
    Ok(json!({
        "result": result,
        "why": why,
        "note": words(attempt.note, lang),
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

fn barred(task: &BoardTask, from: &str, to: &str, lang: Language) -> Result<Value, Refusal> {
    let square = |text: &str| {
        let square = text.parse::<::cotulenh::Square>();
        square.map_err(|_| Refusal::from(Error::new(ErrorCode::BadSquare, format!("{text:?}"))))
    };
    let (from, to) = (square(from)?, square(to)?);
    let Some(why) = task.obstacle(from, to) else {
        // A part of the stack could go there; nothing was tried.
        return Ok(json!({ "result": "legal" }));
    };
    let stack = task.position().stack_at(from);
    let piece = stack.map(|stack| stack.carrier().role.letter().to_string());
    Ok(json!({
        "result": "illegal",
        "why": { "code": why.code(), "pieces": piece, "square": to },
        "note": words(task.obstacle_note(from, to), lang),
    }))
}

fn answered(task: &CardTask, text: &str, lang: Language) -> Result<Value, Refusal> {
    let answer = task.answer(text).map_err(|message| malformed(&message))?;
    let judged = task.judge(&answer);
    let (result, why) = match &judged.miss {
        None => ("done", Value::Null),
        Some(miss) => ("wrong", wrong(miss, &answer)),
    };
    Ok(json!({ "result": result, "why": why, "note": words(judged.note, lang) }))
}

fn wrong(miss: &CardMiss, answer: &Answer) -> Value {
    let faces =
        |cards: &::tractor::Faces| -> Value { cards.iter().map(|face| face.to_string()).collect() };
    let mut why = match miss {
        CardMiss::Rules(error) => return json!({ "code": "rules", "rules": tractor::why(error) }),
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
