//! `/api/v1`: what programs ask for, and pages too.

mod rules;
mod tables;

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::response::IntoResponse as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::app::App;
use crate::refusal::Refusal;
use crate::session::Visitor;

pub(crate) use rules::{board, judge, rules, verify};
pub(crate) use tables::{act, archive, list, look, open, open_table, sit, sit_down};

/// A JSON body, or a refusal in our own form.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let patience = app.config().limits.body_time;
        let body = timeout(patience, Json::<T>::from_request(request, app)).await;
        let Json(body) = body.map_err(|_| Refusal::TooSlow)?.map_err(|fault| {
            let why = fault.body_text();
            match fault.into_response().status().as_u16() {
                413 => Refusal::TooLarge,
                415 => Refusal::WrongType,
                _ => Refusal::Malformed(why),
            }
        })?;
        Ok(Self(body))
    }
}

/// `GET /api/v1/me`
pub(crate) async fn me(visitor: Visitor) -> Json<Value> {
    Json(json!({ "player": visitor.name(), "account": visitor.account.is_some() }))
}

/// `GET /openapi.json`
pub(crate) async fn description() -> ([(&'static str, &'static str); 1], &'static str) {
    let headers = [("content-type", "application/json")];
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
