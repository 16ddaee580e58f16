//! `/api/v1`: what programs ask for, and pages too.

mod account;
mod description;
mod rules;
mod tables;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;
use crate::client::ClientAddr;
use crate::refusal::Refusal;
use crate::session::Visitor;

pub(crate) use account::{
    Empty, change_password, delete_account, revoke_other_sessions, revoke_session, sessions,
};
pub(crate) use description::description;
pub use description::openapi;
pub(crate) use rules::{ask, attempt, keep_progress, progress, query};
pub(crate) use tables::{act, archive, list, open, open_table, sit, sit_down, view};

/// `GET /api/v1/me`
pub(crate) async fn me(visitor: Visitor) -> Json<Value> {
    Json(json!({ "player": visitor.name(), "account": visitor.account.is_some() }))
}

/// `GET /healthz`: the process answers.
pub(crate) async fn healthy() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: whether visitors may be sent here. The storage is not asked: what is known of it is told.
pub(crate) async fn ready(State(app): State<App>) -> (StatusCode, String) {
    if app.is_draining() || *app.closing().borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "closing\n".to_owned());
    }
    let health = app.store().health();
    if let Some(error) = health.fault {
        let text = format!("not ready: {error}\n");
        return (StatusCode::SERVICE_UNAVAILABLE, text);
    }
    // One unreadable table is no reason to take all the others from their players.
    let text = match health.damage {
        None => "ready\n",
        // What exactly is for the log: a row may hold what is not for everyone.
        Some(_) => "ready\nwarning: something could not be read; the log says what\n",
    };
    (StatusCode::OK, text.to_owned())
}

/// `GET /metrics`
pub(crate) async fn metrics(
    State(app): State<App>,
    client: ClientAddr,
) -> Result<([(&'static str, &'static str); 1], String), Refusal> {
    if !client.may_read_metrics(app.config()) {
        return Err(Refusal::NoSuchPage);
    }
    let headers = [("content-type", "text/plain; version=0.0.4; charset=utf-8")];
    Ok((
        headers,
        app.metrics().text(&app.store().health(), app.is_nats_up()),
    ))
}
