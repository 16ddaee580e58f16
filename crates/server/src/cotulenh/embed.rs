//! Boards for frames on other sites: a position, or a game to walk through. Nothing in them does anything in the
//! visitor's name, so they alone may be framed.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::draw;
use crate::app::App;
use crate::extract::{Path, Query};
use crate::header::Framable;
use crate::id::TableId;
use crate::page::{Page, fetch_snapshot, render, script_json, table_title};
use crate::refusal::{BadChoice, Refusal};
use crate::session::Visitor;

/// What a frame is asked to show, and from which side.
#[derive(Debug, Deserialize)]
pub(crate) struct EmbedQuery {
    fen: Option<String>,
    /// The last turn, in LAN.
    last: Option<String>,
    /// The side at the bottom.
    side: Option<String>,
    /// How many turns of a game to show first.
    ply: Option<usize>,
}

impl EmbedQuery {
    fn is_flipped(&self) -> Result<bool, Refusal> {
        match self.side.as_deref() {
            None | Some("r") => Ok(false),
            Some("b") => Ok(true),
            Some(_) => Err(Refusal::BadChoice(BadChoice::Color)),
        }
    }
}

#[derive(Template)]
#[template(path = "embed.html")]
struct Embed {
    page: Page,
    title: String,
    /// Where the same is on this site.
    link: String,
    svg: String,
    boot: String,
    /// Why there is nothing to show.
    fault: String,
}

/// What there is to show.
struct Shown {
    title: String,
    path: String,
    fen: String,
    boot: Value,
}

/// A frame with a board, or with the reason why there is none: whoever framed it sees what is wrong.
fn answer(page: Page, shown: Result<Shown, Refusal>, flip: bool) -> Response {
    let (status, embed) = match shown {
        Ok(shown) => {
            let embed = Embed {
                link: page.absolute(&shown.path),
                title: shown.title,
                svg: draw::board(&shown.fen, flip).unwrap_or_default(),
                boot: script_json(&shown.boot),
                fault: String::new(),
                page,
            };
            (StatusCode::OK, embed)
        }
        Err(refusal) => {
            let embed = Embed {
                link: page.absolute("/"),
                title: page.t("site-title"),
                svg: String::new(),
                boot: "null".to_owned(),
                fault: page.lang.refusal(&refusal),
                page,
            };
            (refusal.status(), embed)
        }
    };
    let mut response = render(&embed);
    *response.status_mut() = status;
    response.extensions_mut().insert(Framable);
    response
}

/// `GET /embed/position?fen=…`
pub(crate) async fn position(page: Page, Query(asked): Query<EmbedQuery>) -> Response {
    let flip = asked.is_flipped();
    let shown = flip
        .clone()
        .and_then(|flip| shown_position(&page, &asked, flip));
    answer(page, shown, flip.unwrap_or(false))
}

fn shown_position(page: &Page, asked: &EmbedQuery, flip: bool) -> Result<Shown, Refusal> {
    let position = match &asked.fen {
        Some(fen) => super::position(fen)?,
        None => cotulenh::Position::start(),
    };
    let fen = position.to_string();
    let query = [("fen", &*fen)];
    let query = serde_urlencoded::to_string(query).unwrap_or_default();
    Ok(Shown {
        title: page.t("game-cotulenh"),
        path: format!("/analysis?{query}"),
        boot: json!({ "fen": fen, "last": asked.last, "check": position.in_check(), "flip": flip }),
        fen,
    })
}

/// `GET /embed/game/{id}`
pub(crate) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(id): Path<String>,
    Query(asked): Query<EmbedQuery>,
) -> Response {
    let flip = asked.is_flipped();
    let shown = match flip.clone() {
        Ok(flip) => shown_game(&app, &visitor, &page, &id, &asked, flip).await,
        Err(refusal) => Err(refusal),
    };
    answer(page, shown, flip.unwrap_or(false))
}

async fn shown_game(
    app: &App,
    visitor: &Visitor,
    page: &Page,
    id: &str,
    asked: &EmbedQuery,
    flip: bool,
) -> Result<Shown, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    let snapshot = fetch_snapshot(app, visitor, &id).await?;
    if snapshot.game != super::NAME {
        return Err(Refusal::NoSuchPage);
    }
    let view: Value = serde_json::from_str(&snapshot.json).unwrap_or_default();
    Ok(Shown {
        title: table_title(page, &view),
        path: format!("/game/{id}"),
        fen: view["fen"].as_str().unwrap_or_default().to_owned(),
        boot: json!({ "game": view, "ply": asked.ply, "flip": flip }),
    })
}
