//! The round that ends the course: played beside a coach.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use convoy_lessons::{CoachError, Decisions};
use convoy_protocol::{Error, ErrorCode};
use serde_json::Value;

use super::refusal_code;
use crate::app::App;
use crate::extract::Body;
use crate::learn::CourseEnd;
use crate::page::{Page, progress_script, render};
use crate::refusal::Refusal;
use crate::session::Visitor;

/// The round as the end of the course.
pub(super) const COURSE_END: CourseEnd = CourseEnd {
    path: "/learn/tractor/round",
    title_key: "learn-round",
    step: "tractor/round/coached",
};

#[derive(Template)]
#[template(path = "lesson-round.html")]
struct CoachedRound {
    page: Page,
    progress: String,
}

/// `GET /learn/tractor/round`
pub(super) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
) -> Result<Response, Refusal> {
    let progress = progress_script(&app, &visitor).await?;
    Ok(render(&CoachedRound { page, progress }))
}

/// `POST /api/v1/learn/tractor/round`: the coached round after the learner's decisions.
pub(super) async fn call(
    State(app): State<App>,
    visitor: Visitor,
    Body(decisions): Body<Decisions>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    // The coach plays many worlds out: that must not hold up the sockets.
    let answered = app.answer(visitor.client(), move || coach(&decisions));
    answered.await?.map(axum::Json)
}

/// The round after these decisions, or why they are refused.
fn coach(decisions: &Decisions) -> Result<Value, Refusal> {
    convoy_lessons::coach(decisions).map_err(|error| match error {
        CoachError::Malformed(message) => Error::new(ErrorCode::Malformed, message).into(),
        CoachError::Illegal(error) => Refusal::Illegal(refusal_code::reason(&error)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_coach_cannot_take_in_is_refused() {
        let refusal = |plays: &[&str]| {
            let plays = plays.iter().map(|&play| play.to_owned()).collect();
            coach(&Decisions { plays, hint: false }).unwrap_err().code()
        };
        assert_eq!(refusal(&["2S0"]), "illegal");
        assert_eq!(refusal(&["x"]), "malformed");
    }
}
