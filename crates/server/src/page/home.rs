use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::{Page, Row, render, rows};
use crate::app::App;
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    open: Vec<Row>,
    live: Vec<Row>,
}

/// `GET /`
pub(crate) async fn home(State(app): State<App>, page: Page) -> Result<Response, Refusal> {
    let (open, live) = app.lobby().lists().await?;
    Ok(render(&Home {
        page,
        open: rows(open),
        live: rows(live),
    }))
}
