//! `/api/v1`: what programs ask for, and pages too.

mod account;
mod rules;
mod tables;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::refusal::Refusal;
use crate::session::Visitor;

pub(crate) use account::{
    change_password, delete_account, revoke_other_sessions, revoke_session, sessions,
};
pub(crate) use rules::{board, judge, rules, verify};
pub(crate) use tables::{act, archive, list, look, open, open_table, sit, sit_down};

/// `GET /api/v1/me`
pub(crate) async fn me(visitor: Visitor) -> Json<Value> {
    Json(json!({ "player": visitor.name(), "account": visitor.account.is_some() }))
}

/// `GET /openapi.json`
pub(crate) async fn description() -> ([(&'static str, &'static str); 2], &'static str) {
    let headers = [
        ("content-type", "application/json"),
        ("cache-control", "public, max-age=3600"),
    ];
    (headers, include_str!("../openapi.json"))
}

/// `GET /healthz`: the process answers.
pub(crate) async fn healthy() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the storage answers too.
pub(crate) async fn ready(State(app): State<App>) -> Result<&'static str, Refusal> {
    if *app.closing().borrow() {
        return Err(Refusal::Busy);
    }
    app.store().settle("ready", "yes").await?;
    Ok("ready\n")
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<App>) -> ([(&'static str, &'static str); 1], String) {
    let headers = [("content-type", "text/plain; version=0.0.4; charset=utf-8")];
    (headers, app.metrics().text())
}
