//! The account and its sessions, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::account;
use crate::app::App;
use crate::extract::{Body, Path};
use crate::form::{NewPassword, Password};
use crate::refusal::Refusal;
use crate::session::{self, Visitor};

/// `GET /api/v1/sessions`
pub(crate) async fn sessions(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<Value>, Refusal> {
    let sessions = session::list(&app, &visitor).await?;
    Ok(Json(json!({ "sessions": sessions })))
}

/// A body that says nothing: that it is JSON keeps the forms of other sites away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// `POST /api/v1/sessions/{id}/revoke`
pub(crate) async fn revoke_session(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Result<Response, Refusal> {
    let done = Json(json!({ "revoked": 1 }));
    if session::revoke(&app, &visitor, &id).await? {
        let cookie = session::end(&app, &visitor).await?;
        return Ok((AppendHeaders([(SET_COOKIE, cookie)]), done).into_response());
    }
    Ok(done.into_response())
}

/// `POST /api/v1/sessions/revoke-others`
pub(crate) async fn revoke_other_sessions(
    State(app): State<App>,
    visitor: Visitor,
    Body(Empty {}): Body<Empty>,
) -> Result<Json<Value>, Refusal> {
    let revoked = session::revoke_others(&app, &visitor).await?;
    Ok(Json(json!({ "revoked": revoked })))
}

/// `POST /api/v1/account/password`
pub(crate) async fn change_password(
    State(app): State<App>,
    visitor: Visitor,
    Body(body): Body<NewPassword>,
) -> Result<Json<Value>, Refusal> {
    account::change_password(&app, &visitor, &body.password, &body.new).await?;
    Ok(Json(json!({})))
}

/// `POST /api/v1/account/delete`
pub(crate) async fn delete_account(
    State(app): State<App>,
    visitor: Visitor,
    Body(body): Body<Password>,
) -> Result<Response, Refusal> {
    let cookie = account::delete(&app, &visitor, &body.password).await?;
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), Json(json!({}))).into_response())
}
