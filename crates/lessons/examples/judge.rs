//! Judges attempts and coaches rounds, one question a line: what the WebAssembly of the npm package is compared with.
//!
//! `{"step": "cotulenh/board/sea", "lang": "en", "tried": {"turns": [["Nb2b6"]]}}` or `{"plays": [], "hint": true}`
#![allow(clippy::print_stdout, reason = "it answers on its standard output")]

use std::error::Error;
use std::io::{self, BufRead as _};

use convoy_lessons::{Course, Decisions, Tried, coach, judge};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(untagged)]
enum Question {
    Attempt {
        step: String,
        lang: String,
        tried: Tried,
    },
    Round(Decisions),
}

fn answer(courses: &[(&str, Course); 2], question: &Question) -> Result<Value, Box<dyn Error>> {
    let (step, lang, tried) = match question {
        Question::Attempt { step, lang, tried } => (step, lang, tried),
        Question::Round(decisions) => return Ok(coach(decisions)?),
    };
    let found = courses.iter().find_map(|(game, course)| {
        let id = step.strip_prefix(game)?.strip_prefix('/')?;
        course.step(id)
    });
    let step = found.ok_or("there is no such step")?;
    judge(step, tried, lang).map_err(|error| error.message.into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let courses = [
        ("cotulenh", Course::cotulenh()?),
        ("tractor", Course::tractor()?),
    ];
    for line in io::stdin().lock().lines() {
        let question = serde_json::from_str(&line?)?;
        let answer = answer(&courses, &question);
        println!(
            "{}",
            answer.unwrap_or_else(|error| json!({ "error": error.to_string() }))
        );
    }
    Ok(())
}
