use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;

use super::{Page, qr};
use crate::app::App;
use crate::cotulenh::{TimeControl, draw};
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
    /// What the visitor may see.
    pub(crate) view: Value,
    pub(crate) preview: Preview,
    /// The table as a picture, where its game has one.
    pub(crate) svg: String,
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
    pub(crate) side: Option<&'static str>,
}

/// Who sits at the table, before anybody else.
fn host(page: &Page, view: &Value) -> String {
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let human = seats.iter().find(|seat| seat["kind"] == "human");
    page.person(human.and_then(|seat| seat["name"].as_str()).unwrap_or("…"))
}

/// The clock in words.
fn clock(page: &Page, view: &Value) -> String {
    if let Some(seconds) = view["seconds"].as_u64() {
        return format!("{}: {seconds}", page.t("tr-home-seconds"));
    }
    let clock = &view["clock"];
    match (clock["initial"].as_u64(), clock["increment"].as_u64()) {
        (Some(initial), Some(increment)) => TimeControl { initial, increment }.to_string(),
        _ => page.t("no-clock"),
    }
}

fn invitation(page: &Page, view: &Value) -> Invitation {
    let game = view["game"].as_str().unwrap_or_default();
    let colors = hosted(game).map_or(&[][..], |game| game.colors);
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    let mut free = seats.iter().zip(colors);
    let free = free.find(|(seat, _)| seat["kind"] == "open");
    let side = free.and_then(|(_, color)| match *color {
        "r" => Some("side-r"),
        "b" => Some("side-b"),
        _ => None,
    });
    Invitation {
        words: page.t1(&format!("invited-{game}"), "name", host(page, view)),
        clock: clock(page, view),
        side,
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

fn seat_name(page: &Page, seat: &Value) -> String {
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
        return picture(app, id, query).await;
    }
    let mut file = file(app, id, ending, query)
        .await?
        .ok_or(Refusal::NoSuchPage)?;
    if ending == "pgn" {
        let snapshot = fetch_snapshot(app, visitor, id).await?;
        let view = serde_json::from_str(&snapshot.json).unwrap_or_default();
        file.text = tagged(page, id, (&view, snapshot.opened), &file.text);
    }
    let mut response = ([(CONTENT_TYPE, file.content_type)], file.text).into_response();
    if ending == "svg" {
        response.headers_mut().insert(CACHE_CONTROL, PICTURE);
    }
    Ok(response)
}

/// A PGN with what the server knows of the game besides its moves.
fn tagged(page: &Page, id: &TableId, (view, opened): (&Value, i64), pgn: &str) -> String {
    let Ok(mut game) = pgn.parse::<cotulenh::Game>() else {
        return pgn.to_owned();
    };
    let opened = super::iso(opened);
    let clock = &view["clock"];
    let seconds = |name: &str| clock[name].as_u64().map(|millis| millis / 1000);
    let control = match (seconds("initial"), seconds("increment")) {
        (Some(initial), Some(increment)) => format!("{initial}+{increment}"),
        _ => "-".to_owned(),
    };
    let name = |seat: usize| seat_name(page, &view["seats"][seat]);
    let tags = [
        ("Event", page.t("pgn-event")),
        ("Site", page.absolute(&format!("/game/{id}"))),
        ("Date", opened[..10].replace('-', ".")),
        ("Red", name(0)),
        ("Blue", name(1)),
        ("TimeControl", control),
    ];
    for (tag, value) in tags {
        // A name that PGN cannot hold is left out; the game is not.
        let _ = game.set_header(tag, &value);
    }
    game.pgn()
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
