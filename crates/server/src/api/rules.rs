//! The rules, for whoever asks: every call stands alone.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::cotulenh::draw;
use crate::extract::{Body, Path, Query};
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::{cotulenh, tractor};

/// `POST /api/v1/cotulenh/{op}`
pub(crate) async fn rules(
    State(app): State<App>,
    visitor: Visitor,
    Path(op): Path<String>,
    Body(body): Body<Value>,
) -> Result<Response, Refusal> {
    app.admit_question(&visitor)?;
    // Some questions take milliseconds: they must not hold up the sockets.
    let answer = app.blocking().run(move || cotulenh::answer(&op, &body));
    Ok(Json(answer.await??).into_response())
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
    let svg = draw::board(&fen, picture.flip == Some(1))
        .ok_or_else(|| cotulenh::refusal_code::position("unreadable", "the FEN cannot be read"))?;
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, svg).into_response())
}

/// `POST /api/v1/tractor/judge`: what cards are called, and whether they may be played.
pub(crate) async fn judge(
    State(app): State<App>,
    visitor: Visitor,
    Body(body): Body<Value>,
) -> Result<Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    tractor::judge(&body).map(Json)
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
) -> Result<Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    // A whole round is played again: that must not hold up the sockets.
    let checked = app.blocking().run(move || match &body.file {
        Value::String(text) => tractor::verify(text, &body.kept),
        file => tractor::verify(&file.to_string(), &body.kept),
    });
    Ok(Json(match checked.await? {
        Ok(verified) => json!({ "ok": true, "verified": verified }),
        Err(error) => json!({ "ok": false, "code": error.code(), "message": error.to_string() }),
    }))
}
