//! The judgement of lessons, and the coach of a round of Tractor, as the server has them. The files of the lessons are
//! handed in: what a teacher writes needs no other module.

use convoy_lessons::{Chapter, CoachError, Decisions, LessonError, Tried, coach, judge};
use convoy_protocol::tractor::table;
use serde::Deserialize;
use serde_json::json;

use crate::boundary::{Failure, answer_text, exports, put_json};

/// An attempt at a step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AttemptRequest {
    /// `cotulenh` or `tractor`.
    game: String,
    /// The text of the file that the step is in.
    chapter: String,
    /// The id of the step in it.
    step: String,
    /// The language of the answer.
    lang: String,
    tried: Tried,
}

fn read_chapter(game: &str, text: &str) -> Result<Chapter, Failure> {
    let read = match game {
        "cotulenh" => Chapter::read_board,
        "tractor" => Chapter::read_cards,
        _ => return Err(Failure::new("bad-argument", "there is no such game")),
    };
    read("chapter.toml", text).map_err(|LessonError { line, message, .. }| {
        json!({ "code": "bad-lesson", "message": message, "line": line }).into()
    })
}

fn refuse(error: &CoachError) -> Failure {
    match error {
        CoachError::Malformed(message) => Failure::new("malformed", message),
        CoachError::Illegal(error) => {
            let why = table::reason(error);
            json!({ "code": "illegal", "message": error.to_string(), "why": why }).into()
        }
    }
}

exports! {
    /// Writes what the attempt in the input is worth, as JSON.
    fn lessons_judge() -> i32 {
        answer_text(|text, output| {
            let request: AttemptRequest = convoy_protocol::read_json(text)?;
            let chapter = read_chapter(&request.game, &request.chapter)?;
            let step = chapter.step(&request.step);
            let step = step.ok_or_else(|| Failure::new("bad-argument", "there is no such step"))?;
            put_json(&judge(step, &request.tried, &request.lang)?, output)
        })
    }

    /// Writes the coached round after the decisions in the input, as JSON.
    fn lessons_coach() -> i32 {
        answer_text(|text, output| {
            let decisions: Decisions = convoy_protocol::read_json(text)?;
            put_json(&coach(&decisions).map_err(|error| refuse(&error))?, output)
        })
    }
}
