//! Analysis and board editor: pages that need no table.

use askama::Template;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use crate::extract::Query;
use crate::page::{Page, render, script_json};

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
