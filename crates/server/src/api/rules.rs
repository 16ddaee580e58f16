//! The rules, for whoever asks: every call stands alone, and every answer is `convoy-protocol`'s.

use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use convoy_protocol::{Error, ErrorCode, Request};
use convoy_stack::COTULENH;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::extract::{Body, Json, Path, Query};
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::{cotulenh, fair_play, learn, tractor};

/// The most moves that one question may hold.
const MOST_MOVES: usize = 2000;
/// A picture that is the same for everybody, and may be a day old.
const PICTURE: [(HeaderName, &str); 2] = [
    (CONTENT_TYPE, "image/svg+xml"),
    (CACHE_CONTROL, "public, max-age=86400"),
];
/// The deepest perft: deeper ones take seconds.
const DEEPEST_PERFT: u32 = 3;

/// `POST /api/v1/query`: a question as a line of `convoy query` has it.
pub(crate) async fn query(
    State(app): State<App>,
    visitor: Visitor,
    Json(text): Json,
) -> Result<Response, Refusal> {
    app.admit_question(&visitor)?;
    let (id, request) = convoy_protocol::read_line(&text);
    let named = id.clone();
    match answer(&app, id, request).await {
        Err(refusal) if named.is_some() => {
            let body = json!({ "id": named, "error": refusal.json() });
            Ok((refusal.status(), axum::Json(body)).into_response())
        }
        other => other,
    }
}

/// `POST /api/v1/cotulenh/{op}`
pub(crate) async fn ask_cotulenh(
    State(app): State<App>,
    visitor: Visitor,
    Path(op): Path<String>,
    Json(text): Json,
) -> Result<Response, Refusal> {
    app.admit_question(&visitor)?;
    answer(&app, None, Request::read(cotulenh::NAME, &op, &text)).await
}

/// `POST /api/v1/tractor/{op}`
pub(crate) async fn ask_tractor(
    State(app): State<App>,
    visitor: Visitor,
    Path(op): Path<String>,
    Json(text): Json,
) -> Result<Response, Refusal> {
    app.admit_question(&visitor)?;
    answer(&app, None, Request::read(tractor::NAME, &op, &text)).await
}

/// Some questions take milliseconds: they must not hold up the sockets.
async fn answer(
    app: &App,
    id: Option<Value>,
    request: Result<Request, Error>,
) -> Result<Response, Refusal> {
    let request = request?;
    check_cost(&request)?;
    let answered = app.blocking().run(move || {
        let mut text = Vec::new();
        convoy_protocol::write_answer(id.as_ref(), &request, &mut text).map(|()| text)
    });
    let text = answered.await??;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// Refuses what would keep the server busy for long.
fn check_cost(request: &Request) -> Result<(), Error> {
    use convoy_protocol::cotulenh::{PerftUnit, Request as Board};
    let Request::Cotulenh(request) = request else {
        return Ok(());
    };
    let (count, most, what) = match request {
        Board::Perft(perft) if perft.unit == PerftUnit::Turn => (perft.depth as usize, 1, "turns"),
        Board::Perft(perft) => (perft.depth as usize, DEEPEST_PERFT as usize, "plies"),
        Board::Play(play) => (play.moves.len(), MOST_MOVES, "moves"),
        Board::Moves(moves) => (moves.steps.len(), MOST_MOVES, "steps"),
        _ => return Ok(()),
    };
    if count <= most {
        return Ok(());
    }
    let message = format!("{count} {what}, and {most} at most");
    Err(Error::new(ErrorCode::TooMuch, message))
}

/// A position that somebody wants to analyse.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    fen: String,
}

/// `POST /api/v1/analysis/permission`: whether an engine in the visitor's browser may be asked about a position.
pub(crate) async fn permit_analysis(
    State(app): State<App>,
    visitor: Visitor,
    Body(position): Body<Position>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    fair_play::check(&app, &visitor, &position.fen).await?;
    Ok(axum::Json(json!({})))
}

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    fen: Option<String>,
    flip: Option<u8>,
}

/// `GET /api/v1/cotulenh/board.svg`
pub(crate) async fn board(Query(picture): Query<PictureQuery>) -> Result<Response, Refusal> {
    let fen = picture
        .fen
        .unwrap_or_else(|| ::cotulenh::Position::start().to_string());
    let svg = cotulenh::draw::board(&fen, picture.flip == Some(1))
        .ok_or_else(|| cotulenh::refusal_code::position("unreadable", "the FEN cannot be read"))?;
    Ok((PICTURE, svg).into_response())
}

/// `GET /api/v1/cotulenh/stacks.svg`: every stack that pieces can make, as a tree.
pub(crate) async fn stacks() -> Response {
    let tree = COTULENH.tree(COTULENH.blueprint().all());
    (PICTURE, tree.to_svg()).into_response()
}

/// `POST /api/v1/tractor/judge`: what cards are called, and whether they may be played.
pub(crate) async fn judge(
    State(app): State<App>,
    visitor: Visitor,
    Json(text): Json,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let request = convoy_protocol::read_json(&text)?;
    tractor::judge(&request).map(axum::Json)
}

/// `POST /api/v1/learn/{game}/{chapter}/{step}`: what an attempt at a step of a lesson is worth.
pub(crate) async fn attempt(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, chapter, step)): Path<(String, String, String)>,
    Body(tried): Body<learn::Tried>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let course = learn::course(&game)?;
    let step = course.step(&format!("{chapter}/{step}"));
    let step = step.ok_or(Refusal::NoSuchPage)?;
    learn::judge(step, &tried, visitor.language).map(axum::Json)
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

/// `POST /api/v1/learn/tractor/round`: the coached round after the learner's decisions.
pub(crate) async fn coach(
    State(app): State<App>,
    visitor: Visitor,
    Body(decisions): Body<learn::Decisions>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    // The coach plays many worlds out: that must not hold up the sockets.
    let answered = app.blocking().run(move || learn::coach(&decisions));
    answered.await?.map(axum::Json)
}

/// A file to check, as text or as JSON, and what to compare it with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verification {
    file: Value,
    #[serde(default)]
    kept: tractor::Receipt,
}

/// `POST /api/v1/tractor/verify`: whether the file of a round holds, exactly as `convoy verify` says.
pub(crate) async fn verify(
    State(app): State<App>,
    visitor: Visitor,
    Body(body): Body<Verification>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    // A whole round is played again: that must not hold up the sockets.
    let checked = app.blocking().run(move || match &body.file {
        Value::String(text) => tractor::verify(text, &body.kept),
        file => tractor::verify(&file.to_string(), &body.kept),
    });
    Ok(axum::Json(match checked.await? {
        Ok(verified) => json!({ "ok": true, "verified": verified }),
        Err(error) => json!({ "ok": false, "code": error.code(), "message": error.to_string() }),
    }))
}
