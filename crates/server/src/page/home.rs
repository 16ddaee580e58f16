use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Page, Row, render, rows};
use crate::app::App;
use crate::extract::Query;
use crate::refusal::Refusal;
use crate::tractor::house_rules::{self, Switch};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    open: Vec<Row>,
    live: Vec<Row>,
    fen: String,
    switches: Vec<Switch>,
    level_keys: [&'static str; 4],
}

/// What a link to the home page may bring: a position to play from.
#[derive(Debug, Deserialize)]
pub(crate) struct HomeQuery {
    fen: Option<String>,
}

/// `GET /`
pub(crate) async fn home(
    State(app): State<App>,
    page: Page,
    Query(asked): Query<HomeQuery>,
) -> Result<Response, Refusal> {
    let lists = app.lobby().lists();
    let [open, live] = lists.each_ref().map(|list| rows(list));
    Ok(render(&Home {
        switches: house_rules::switches(&page),
        page,
        open,
        live,
        fen: asked.fen.unwrap_or_default(),
        level_keys: ["tr-level-1", "tr-level-2", "tr-level-3", "tr-level-4"],
    }))
}
