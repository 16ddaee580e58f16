//! The calls that only this game has: cards judged without a table, and the check of a shuffle.

use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Receipt, lesson};
use crate::app::App;
use crate::extract::{Body, Json};
use crate::refusal::Refusal;
use crate::session::Visitor;

/// `POST /api/v1/tractor/judge`: what cards are called, and whether they may be played.
pub(crate) async fn judge(
    State(app): State<App>,
    visitor: Visitor,
    Json(text): Json,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let request = convoy_protocol::read_json(&text)?;
    lesson::judge(&request).map(axum::Json)
}

/// A file to check, as text or as JSON, and what to compare it with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verification {
    file: Value,
    #[serde(default)]
    kept: Receipt,
}

/// `POST /api/v1/tractor/verify`: whether the file of a round holds, exactly as `convoy verify` says.
pub(crate) async fn verify(
    State(app): State<App>,
    visitor: Visitor,
    Body(body): Body<Verification>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    // A whole round is played again: that must not hold up the sockets.
    let checked = app.answer(visitor.client(), move || match &body.file {
        Value::String(text) => super::verify(text, &body.kept),
        file => super::verify(&file.to_string(), &body.kept),
    });
    Ok(axum::Json(match checked.await? {
        Ok(verified) => json!({ "ok": true, "verified": verified }),
        Err(error) => json!({ "ok": false, "code": error.code(), "message": error.to_string() }),
    }))
}
