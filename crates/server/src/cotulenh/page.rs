//! The page of a game, and those that need no table: analysis and board editor.

use askama::Template;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::extract::Query;
use crate::page::{Page, TablePage, render, script_json, title};

/// What a link to a position says.
#[derive(Debug, Deserialize)]
pub(crate) struct PositionQuery {
    fen: Option<String>,
    moves: Option<String>,
    game: Option<String>,
    ply: Option<usize>,
}

impl PositionQuery {
    fn boot(&self) -> String {
        let moves = self.moves.as_deref().unwrap_or("");
        let moves: Vec<&str> = moves.split(',').filter(|text| !text.is_empty()).collect();
        script_json(&json!({
            "fen": self.fen, "moves": moves, "game": self.game, "ply": self.ply,
        }))
    }
}

#[derive(Template)]
#[template(path = "game.html")]
struct Game {
    page: Page,
    id: String,
    title: String,
    boot: String,
    svg: String,
    picture: String,
    can_sit: bool,
}

/// `GET /game/{id}`
pub(crate) fn table(page: Page, table: &TablePage<'_>) -> Response {
    let TablePage { id, snapshot, svg } = table;
    let view: Value = serde_json::from_str(&snapshot.json).unwrap_or_default();
    render(&Game {
        title: title(&page, &view),
        picture: format!("/game/{id}.png"),
        page,
        id: id.to_string(),
        boot: script_json(&view),
        svg: svg.clone(),
        can_sit: snapshot.can_sit,
    })
}

#[derive(Template)]
#[template(path = "analysis.html")]
struct Analysis {
    page: Page,
    boot: String,
}

/// `GET /analysis`
pub(crate) async fn analysis(page: Page, Query(asked): Query<PositionQuery>) -> Response {
    let boot = asked.boot();
    render(&Analysis { page, boot })
}

#[derive(Template)]
#[template(path = "editor.html")]
struct Editor {
    page: Page,
    boot: String,
}

/// `GET /editor`
pub(crate) async fn editor(page: Page, Query(asked): Query<PositionQuery>) -> Response {
    let boot = asked.boot();
    render(&Editor { page, boot })
}
