//! How far somebody has come in the courses. An account's stars are kept by the server, a guest's by the browser alone.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use super::course;
use crate::app::App;
use crate::game::hosted_games;
use crate::refusal::Refusal;
use crate::room::unix_now;
use crate::session::Visitor;
use crate::store::StepStars;

/// What a step can be worth.
const STARS: std::ops::RangeInclusive<i64> = 1..=3;

/// Stars that somebody was given, by step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewStars {
    stars: BTreeMap<String, i64>,
}

/// What progress names a step by.
pub(crate) fn step_id(game: &str, chapter: &str, step: &str) -> String {
    format!("{game}/{chapter}/{step}")
}

/// Every step there is.
fn steps() -> Result<HashSet<String>, Refusal> {
    let ends = hosted_games().filter_map(|game| game.course_end);
    let mut steps: HashSet<String> = ends.map(|end| end.step.to_owned()).collect();
    for game in hosted_games() {
        for chapter in &course(game.name)?.chapters {
            let ids = chapter.steps.iter();
            steps.extend(ids.map(|step| step_id(game.name, &chapter.id, &step.id)));
        }
    }
    Ok(steps)
}

/// What an account was given, by step; null for guests.
pub(crate) async fn progress(app: &App, visitor: &Visitor) -> Result<Value, Refusal> {
    if visitor.account.is_none() {
        return Ok(Value::Null);
    }
    let stars = app.store().stars(visitor.player()).await?;
    let stars = stars.into_iter().map(|one| (one.step, one.stars));
    Ok(json!(stars.collect::<BTreeMap<_, _>>()))
}

/// Adds stars to those of an account, of which the best are kept, and answers all of them. A browser may remember steps
/// that no course has any more: they are told, and left out.
pub(crate) async fn keep(app: &App, visitor: &Visitor, new: NewStars) -> Result<Value, Refusal> {
    let steps = steps()?;
    let mut unknown = Vec::new();
    let mut known = Vec::new();
    for (step, stars) in new.stars {
        if !STARS.contains(&stars) {
            let (field, reason) = (format!("stars.{step}"), "a step has 1 to 3 stars");
            let reason = reason.to_owned();
            return Err(Refusal::BadField { field, reason });
        }
        if steps.contains(&step) {
            known.push(StepStars { step, stars });
        } else {
            unknown.push(step);
        }
    }
    if visitor.account.is_some() {
        let keeping = app.store().keep_stars(visitor.player(), &known, unix_now());
        keeping.await?;
    }
    Ok(json!({ "stars": progress(app, visitor).await?, "unknown": unknown }))
}
