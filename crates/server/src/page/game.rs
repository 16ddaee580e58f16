use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;

use super::{Page, qr};
use crate::app::App;
use crate::extract::{Path, Query};
use crate::game::{Export, hosted, hosted_games};
use crate::id::TableId;
use crate::raster;
use crate::refusal::Refusal;
use crate::room::{Request, Snapshot};
use crate::session::Visitor;

/// A picture of a table is the same for everybody, and may be a minute old.
const PICTURE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// What the page of a table shows.
#[derive(Debug)]
pub(crate) struct TablePage<'a> {
    pub(crate) id: &'a TableId,
    /// What the visitor may see.
    pub(crate) view: Value,
    pub(crate) preview: Preview,
    /// The table as a picture, where its game has one.
    pub(crate) svg: String,
}

/// What the server knows of a table besides its game.
#[derive(Debug)]
pub(crate) struct TableFacts<'a> {
    pub(crate) id: &'a TableId,
    /// What the visitor may see.
    pub(crate) view: Value,
    /// When it was opened, in milliseconds of Unix time.
    pub(crate) opened: i64,
}

/// What is said of a table to whoever gets its link.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) link: String,
    /// The link as a drawing for cameras.
    pub(crate) qr: String,
    /// What a visitor who may sit down is invited to.
    pub(crate) invitation: Option<Invitation>,
}

/// Who invites to what.
#[derive(Debug)]
pub(crate) struct Invitation {
    pub(crate) words: String,
    pub(crate) clock: String,
    /// The key of the side that is free, where seats have colours.
    pub(crate) side: Option<String>,
}

/// Who sits at the table, before anybody else.
fn host(page: &Page, view: &Value) -> String {
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let human = seats.iter().find(|seat| seat["kind"] == "human");
    page.person(human.and_then(|seat| seat["name"].as_str()).unwrap_or("…"))
}

fn invitation(page: &Page, view: &Value) -> Invitation {
    let name = view["game"].as_str().unwrap_or_default();
    let game = hosted(name);
    let colors = game.map_or(&[][..], |game| game.colors);
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let mut free = seats.iter().zip(colors);
    let free = free.find(|(seat, _)| seat["kind"] == "open");
    let clock = game.and_then(|game| (game.clock_words)(page, view));
    Invitation {
        words: page.t1(&format!("invited-{name}"), "name", host(page, view)),
        clock: clock.unwrap_or_else(|| page.t("no-clock")),
        side: free.map(|(_, color)| format!("side-{color}")),
    }
}

fn preview(page: &Page, id: &TableId, view: &Value, can_sit: bool) -> Preview {
    let invitation = invitation(page, view);
    let game = view["game"].as_str().unwrap_or_default();
    let link = page.absolute(&format!("/game/{id}"));
    Preview {
        title: table_title(page, view),
        description: match view["phase"].as_str() {
            Some("waiting") => invitation.words.clone(),
            _ => page.t(&format!("watch-{game}")),
        },
        qr: qr::svg(&link, &page.t("qr")),
        link,
        invitation: can_sit.then_some(invitation),
    }
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
        return export(&app, &visitor, &page, &id, ending, &query).await;
    }
    let snapshot = fetch_snapshot(&app, &visitor, &id).await?;
    let game = hosted(&snapshot.game).ok_or(Refusal::NoSuchPage)?;
    let svg = file(&app, &id, "svg", &query).await?;
    let view: Value = serde_json::from_str(&snapshot.json).unwrap_or_default();
    let table = TablePage {
        id: &id,
        preview: preview(&page, &id, &view, snapshot.can_sit),
        view,
        svg: svg.map(|file| file.text).unwrap_or_default(),
    };
    Ok((game.table_page)(page, table))
}

/// Who plays, as the title of the page.
pub(crate) fn table_title(page: &Page, view: &Value) -> String {
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let names = seats.iter().map(|seat| seat_name(page, seat));
    names.collect::<Vec<_>>().join(" – ")
}

pub(crate) fn seat_name(page: &Page, seat: &Value) -> String {
    match seat["kind"].as_str() {
        Some("bot") => page.t1("bot-level", "level", &seat["level"]),
        Some("human") => page.person(seat["name"].as_str().unwrap_or_default()),
        _ => "…".to_owned(),
    }
}

/// What a visitor may see of a table.
pub(crate) async fn fetch_snapshot(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
) -> Result<Snapshot, Refusal> {
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
    page: &Page,
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
        return picture(app, visitor, id, query).await;
    }
    let mut file = file(app, id, ending, query)
        .await?
        .ok_or(Refusal::NoSuchPage)?;
    if hosted_games().any(|game| game.tagged_ending == Some(ending)) {
        let snapshot = fetch_snapshot(app, visitor, id).await?;
        let facts = TableFacts {
            id,
            view: serde_json::from_str(&snapshot.json).unwrap_or_default(),
            opened: snapshot.opened,
        };
        if let Some(game) = hosted(&snapshot.game) {
            file.text = (game.tag_file)(page, &facts, file.text);
        }
    }
    let mut response = ([(CONTENT_TYPE, file.content_type)], file.text).into_response();
    if ending == "svg" {
        response.headers_mut().insert(CACHE_CONTROL, PICTURE);
    }
    Ok(response)
}

/// The table in pixels. Drawing takes a while: one at a time, off the async threads.
async fn picture(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    query: &ExportQuery,
) -> Result<Response, Refusal> {
    let svg = file(app, id, "svg", query)
        .await?
        .ok_or(Refusal::NoSuchPage)?;
    let drawn = app.draw(visitor.client(), move || raster::png(&svg.text));
    let bytes = drawn.await?.ok_or(Refusal::Busy)?;
    let mut response = ([(CONTENT_TYPE, "image/png")], bytes).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PICTURE);
    Ok(response)
}
