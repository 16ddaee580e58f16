use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Page, Row, render, rows_of};
use crate::app::App;
use crate::extract::{Path, Query};
use crate::id::PlayerId;
use crate::refusal::Refusal;
use crate::session::Visitor;

/// How many games a page of an archive holds.
const A_PAGE: u32 = 20;

#[derive(Template)]
#[template(path = "archive.html")]
struct Archive {
    page: Page,
    who: String,
    rows: Vec<Row>,
    number: u32,
    more: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ArchiveQuery {
    page: Option<u32>,
}

/// `GET /archive`
pub(crate) async fn own_archive(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Query(which): Query<ArchiveQuery>,
) -> Result<Response, Refusal> {
    show(&app, page, visitor.player(), visitor.name(), &which).await
}

/// `GET /archive/{player}`
pub(crate) async fn archive(
    State(app): State<App>,
    page: Page,
    Path(name): Path<String>,
    Query(which): Query<ArchiveQuery>,
) -> Result<Response, Refusal> {
    match app.store().account(&name).await? {
        Some(account) => show(&app, page, &account.player, account.name, &which).await,
        None => Err(Refusal::NoSuchPlayer(name)),
    }
}

async fn show(
    app: &App,
    page: Page,
    player: &PlayerId,
    who: String,
    which: &ArchiveQuery,
) -> Result<Response, Refusal> {
    let number = which.page.unwrap_or(1).clamp(1, 10_000);
    let offset = (number - 1) * A_PAGE;
    let mut games = app.store().archive(player, offset, A_PAGE + 1).await?;
    let more = games.len() > A_PAGE as usize;
    games.truncate(A_PAGE as usize);
    Ok(render(&Archive {
        page,
        who,
        rows: rows_of(player, &games),
        number,
        more,
    }))
}
