use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Page, Row, render, rows, rows_of};
use crate::app::App;
use crate::extract::Query;
use crate::game::NewTable;
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::store::Phase;
use crate::tractor::{self, house_rules, house_rules::Switch};

/// How many of a player's last games are looked through for those to continue, and how many of them
/// are listed.
const LAST_GAMES: u32 = 20;
const CONTINUED: usize = 3;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    /// The visitor's own games that go on.
    own: Vec<Row>,
    open: Vec<Row>,
    live: Vec<Row>,
    fen: String,
    /// What is wrong with the request for a table of either game.
    board_error: Option<String>,
    cards_error: Option<String>,
    switches: Vec<Switch>,
    level_keys: [&'static str; 4],
}

/// The keys of the names of the levels of bots that play Tractor, weakest first.
pub(super) const TRACTOR_LEVELS: [&str; 4] =
    ["tr-level-1", "tr-level-2", "tr-level-3", "tr-level-4"];

/// What a link to the home page may bring: a position to play from.
#[derive(Debug, Deserialize)]
pub(crate) struct HomeQuery {
    fen: Option<String>,
}

/// `GET /`
pub(crate) async fn home(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Query(asked): Query<HomeQuery>,
) -> Result<Response, Refusal> {
    let home = contents(&app, &visitor, page).await?;
    Ok(render(&Home {
        fen: asked.fen.unwrap_or_default(),
        ..home
    }))
}

/// The home page again, with what is wrong with the request for a table.
pub(crate) async fn home_with(
    app: &App,
    visitor: &Visitor,
    refusal: &Refusal,
    asked: &NewTable,
) -> Result<Response, Refusal> {
    let home = contents(app, visitor, Page::new(visitor, "/")).await?;
    let words = Some(visitor.language.refusal(refusal));
    let (board_error, cards_error) = if asked.game == tractor::NAME {
        (None, words)
    } else {
        (words, None)
    };
    let mut response = render(&Home {
        fen: asked.fen.clone(),
        board_error,
        cards_error,
        ..home
    });
    *response.status_mut() = refusal.status();
    Ok(response)
}

async fn contents(app: &App, visitor: &Visitor, page: Page) -> Result<Home, Refusal> {
    let lists = app.lobby().lists();
    let [open, live] = lists.each_ref().map(|list| rows(list));
    let mut games = app.store().archive(visitor.player(), 0, LAST_GAMES).await?;
    games.retain(|game| game.phase == Phase::Playing);
    games.truncate(CONTINUED);
    Ok(Home {
        switches: house_rules::switches(&page),
        own: rows_of(visitor.player(), &games),
        page,
        open,
        live,
        fen: String::new(),
        board_error: None,
        cards_error: None,
        level_keys: TRACTOR_LEVELS,
    })
}
