//! The page of a game, and those that need no table: analysis and board editor.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::saved;
use crate::app::App;
use crate::extract::{Path, Query};
use crate::fair_play;
use crate::page::{Page, Preview, TablePage, fetch_snapshot, render, script_json};
use crate::refusal::{NotNow, Refusal};
use crate::session::Visitor;

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
            "fen": self.fen, "moves": moves, "game": self.game, "ply": self.ply, "saved": null,
        }))
    }
}

#[derive(Template)]
#[template(path = "game.html")]
struct Game {
    page: Page,
    id: String,
    preview: Preview,
    boot: String,
    svg: String,
    picture: String,
    /// The optional victories in words.
    victories: String,
    /// The game is over, or against a bot: the engine may be asked.
    analysis: bool,
}

/// The optional victories of a table in words.
fn victories(page: &Page, view: &Value) -> String {
    let names = view["victories"].as_array().into_iter().flatten();
    let names = names.filter_map(|name| Some(page.t(&format!("victories-{}", name.as_str()?))));
    names.collect::<Vec<_>>().join(" · ")
}

/// `GET /game/{id}`
pub(crate) fn table(page: Page, table: TablePage<'_>) -> Response {
    render(&Game {
        picture: format!("/game/{}.png", table.id),
        victories: victories(&page, &table.view),
        page,
        id: table.id.to_string(),
        boot: script_json(&table.view),
        preview: table.preview,
        svg: table.svg,
        analysis: !fair_play::is_between_people(&table.view),
    })
}

#[derive(Template)]
#[template(path = "analysis.html")]
struct Analysis {
    page: Page,
    boot: String,
    /// The name of a saved analysis.
    name: Option<String>,
}

/// `GET /analysis`; a running game between people is not shown here.
pub(crate) async fn analysis(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Query(asked): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    if let Some(id) = asked.game.as_deref().and_then(|id| id.parse().ok()) {
        let snapshot = fetch_snapshot(&app, &visitor, &id).await?;
        let view = serde_json::from_str(&snapshot.json).unwrap_or_default();
        if fair_play::is_between_people(&view) {
            return Err(Refusal::NotNow(NotNow::EngineOff));
        }
    }
    let boot = asked.boot();
    let name = None;
    Ok(render(&Analysis { page, boot, name }))
}

/// `GET /analysis/{analysis}`: an analysis that somebody has saved.
pub(crate) async fn saved_analysis(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let saved = saved::read(&app, &visitor, &id).await?;
    let name = saved["name"].as_str().map(str::to_owned);
    let boot = script_json(&json!({ "moves": [], "saved": saved }));
    Ok(render(&Analysis { page, boot, name }))
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
