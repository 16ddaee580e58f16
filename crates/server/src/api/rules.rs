//! The rules, for whoever asks: every call stands alone, and every answer is `convoy-protocol`'s.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, post};
use convoy_lessons::Tried;
use convoy_protocol::{Error, Request};
use serde_json::{Value, json};

use crate::app::App;
use crate::extract::{Body, Json, Path};
use crate::game::hosted_games;
use crate::learn;
use crate::refusal::Refusal;
use crate::session::Visitor;

/// `POST /api/v1/query`: a question as a line of `convoy query` has it.
pub(crate) async fn query(
    State(app): State<App>,
    visitor: Visitor,
    Json(text): Json,
) -> Result<Response, Refusal> {
    app.admit_question(&visitor)?;
    let (id, request) = convoy_protocol::read_line(&text);
    let named = id.clone();
    match answer(&app, &visitor, id, request).await {
        Err(refusal) if named.is_some() => {
            let body = json!({ "id": named, "error": refusal.json() });
            Ok((refusal.status(), axum::Json(body)).into_response())
        }
        other => other,
    }
}

/// `POST /api/v1/GAME/{op}`
pub(crate) fn ask(game: &'static str) -> MethodRouter<App> {
    post(
        async move |State(app): State<App>,
                    visitor: Visitor,
                    Path(op): Path<String>,
                    Json(text): Json|
                    -> Result<Response, Refusal> {
            app.admit_question(&visitor)?;
            answer(&app, &visitor, None, Request::read(game, &op, &text)).await
        },
    )
}

/// Some questions take milliseconds: they must not hold up the sockets.
async fn answer(
    app: &App,
    visitor: &Visitor,
    id: Option<Value>,
    request: Result<Request, Error>,
) -> Result<Response, Refusal> {
    let request = request?;
    for game in hosted_games() {
        (game.check_cost)(&request)?;
    }
    let answered = app.answer(visitor.client(), move || {
        let mut text = Vec::new();
        convoy_protocol::write_answer(id.as_ref(), &request, &mut text).map(|()| text)
    });
    let text = answered.await??;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// `POST /api/v1/learn/{game}/{chapter}/{step}`: what an attempt at a step of a lesson is worth.
pub(crate) async fn attempt(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, chapter, step)): Path<(String, String, String)>,
    Body(tried): Body<Tried>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let course = learn::course(&game)?;
    let step = course.step(&format!("{chapter}/{step}"));
    let step = step.ok_or(Refusal::NoSuchPage)?;
    let judged = convoy_lessons::judge(step, &tried, visitor.language.tag())?;
    Ok(axum::Json(judged))
}

/// `GET /api/v1/learn/progress`: the stars of an account by step, null for guests.
pub(crate) async fn progress(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<axum::Json<Value>, Refusal> {
    let stars = learn::progress(&app, &visitor).await?;
    Ok(axum::Json(json!({ "stars": stars })))
}

/// `POST /api/v1/learn/progress`: keeps stars of an account where they are better than what is kept.
pub(crate) async fn keep_progress(
    State(app): State<App>,
    visitor: Visitor,
    Body(stars): Body<learn::NewStars>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    learn::keep(&app, &visitor, stars).await.map(axum::Json)
}
