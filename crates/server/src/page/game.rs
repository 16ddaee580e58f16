use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;

use super::Page;
use crate::app::App;
use crate::cotulenh::draw;
use crate::extract::{Path, Query};
use crate::game::{Export, hosted};
use crate::id::TableId;
use crate::refusal::Refusal;
use crate::room::{Request, Snapshot};
use crate::session::Visitor;

/// A picture of a table is the same for everybody, and may be a minute old.
const PICTURE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// What the page of a table shows.
#[derive(Debug)]
pub(crate) struct TablePage<'a> {
    pub(crate) id: &'a TableId,
    pub(crate) snapshot: &'a Snapshot,
    /// The table as a picture, where its game has one.
    pub(crate) svg: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ExportQuery {
    ply: Option<usize>,
    flip: Option<u8>,
}

/// `GET /game/{id}`, and with an ending the table as a picture or as text.
pub(crate) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(name): Path<String>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, Refusal> {
    let (id, ending) = name.split_once('.').unwrap_or((&name, ""));
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    if !ending.is_empty() {
        return export(&app, &visitor, &id, ending, &query).await;
    }
    let snapshot = fetch_snapshot(&app, &visitor, &id).await?;
    let game = hosted(&snapshot.game).ok_or(Refusal::NoSuchPage)?;
    let svg = file(&app, &id, "svg", &query).await?;
    let table = TablePage {
        id: &id,
        snapshot: &snapshot,
        svg: svg.map(|file| file.text).unwrap_or_default(),
    };
    Ok((game.table_page)(page, &table))
}

/// Who plays, as the title of the page.
pub(crate) fn title(page: &Page, view: &Value) -> String {
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let name = |seat: &Value| match seat["kind"].as_str() {
        Some("bot") => page.t1("bot-level", "level", &seat["level"]),
        Some("human") => page.person(seat["name"].as_str().unwrap_or_default()),
        _ => "…".to_owned(),
    };
    seats.iter().map(name).collect::<Vec<_>>().join(" – ")
}

async fn fetch_snapshot(app: &App, visitor: &Visitor, id: &TableId) -> Result<Snapshot, Refusal> {
    let view = |reply| Request::View {
        actor: visitor.actor(),
        reply,
    };
    app.lobby().ask(id, view).await
}

async fn file(
    app: &App,
    id: &TableId,
    ending: &str,
    query: &ExportQuery,
) -> Result<Option<Export>, Refusal> {
    let request = |reply| Request::Export {
        ending: ending.to_owned(),
        ply: query.ply,
        flip: query.flip == Some(1),
        reply,
    };
    app.lobby().ask(id, request).await
}

async fn export(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    ending: &str,
    query: &ExportQuery,
) -> Result<Response, Refusal> {
    if ending == "json" {
        let snapshot = fetch_snapshot(app, visitor, id).await?;
        // A view of one's own, with one's cards: the layer that protects lets nobody keep it.
        return Ok(([(CONTENT_TYPE, "application/json")], snapshot.json).into_response());
    }
    if ending == "png" {
        return picture(app, id, query).await;
    }
    let file = file(app, id, ending, query)
        .await?
        .ok_or(Refusal::NoSuchPage)?;
    let mut response = ([(CONTENT_TYPE, file.content_type)], file.text).into_response();
    if ending == "svg" {
        response.headers_mut().insert(CACHE_CONTROL, PICTURE);
    }
    Ok(response)
}

/// The board in pixels. Drawing takes a while: one at a time, off the async threads.
async fn picture(app: &App, id: &TableId, query: &ExportQuery) -> Result<Response, Refusal> {
    let svg = file(app, id, "svg", query)
        .await?
        .ok_or(Refusal::NoSuchPage)?;
    let bytes = app.drawing().run(move || draw::png(&svg.text)).await?;
    let bytes = bytes.ok_or(Refusal::Busy)?;
    let mut response = ([(CONTENT_TYPE, "image/png")], bytes).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PICTURE);
    Ok(response)
}
