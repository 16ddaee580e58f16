use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value};

use super::{Page, Row, render, rows, rows_of};
use crate::app::App;
use crate::extract::Query;
use crate::game::{NewTable, chosen, hosted_games};
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::store::Phase;

/// How many of a player's last games are looked through for those to continue, and how many of them
/// are listed.
const LAST_GAMES: u32 = 20;
const CONTINUED: usize = 3;

/// What somebody has filled in, or a link brings: the fields of a new table.
#[derive(Debug)]
pub(crate) struct Wishes<'a> {
    pub(crate) fields: &'a Map<String, Value>,
    /// What is wrong with them.
    pub(crate) error: Option<String>,
}

/// What the home page shows of a game, as HTML.
#[derive(Debug)]
pub(crate) struct HomeParts {
    /// The style sheet that they need.
    pub(crate) style: &'static str,
    /// The game in short, and how to begin at once.
    pub(crate) offer: String,
    /// The form for a new table.
    pub(crate) form: String,
    /// More about the game; may be empty.
    pub(crate) about: String,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    games: Vec<HomeParts>,
    /// The visitor's own games that go on.
    own: Vec<Row>,
    open: Vec<Row>,
    live: Vec<Row>,
    /// Each game that has a puzzle of the day, and the key of its name.
    daily: Vec<(&'static str, &'static str)>,
}

/// `GET /`; a link may bring what a new table would begin with.
pub(crate) async fn home(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Query(fields): Query<Map<String, Value>>,
) -> Result<Response, Refusal> {
    let home = contents(&app, &visitor, page, &fields, &|_| None).await?;
    Ok(render(&home))
}

/// The home page again, with what is wrong with the request for a table.
pub(crate) async fn home_with(
    app: &App,
    visitor: &Visitor,
    refusal: &Refusal,
    asked: &NewTable,
) -> Result<Response, Refusal> {
    let name = chosen(&asked.game).map(|game| game.name);
    let error = |game: &str| (name == Some(game)).then(|| visitor.language.refusal(refusal));
    let page = Page::new(visitor, "/");
    let home = contents(app, visitor, page, &asked.rest, &error).await?;
    let mut response = render(&home);
    *response.status_mut() = refusal.status();
    Ok(response)
}

async fn contents(
    app: &App,
    visitor: &Visitor,
    page: Page,
    fields: &Map<String, Value>,
    error: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Result<Home, Refusal> {
    let lists = app.lobby().lists();
    let [open, live] = lists.each_ref().map(|list| rows(list));
    let mut games = app.store().archive(visitor.player(), 0, LAST_GAMES).await?;
    games.retain(|game| game.phase == Phase::Playing);
    games.truncate(CONTINUED);
    let parts = hosted_games().map(|game| {
        let error = error(game.name);
        (game.home)(&page, &Wishes { fields, error })
    });
    Ok(Home {
        games: parts.collect(),
        own: rows_of(visitor.player(), &games),
        page,
        open,
        live,
        daily: hosted_games()
            .map(|game| (game.name, game.name_key))
            .collect(),
    })
}
