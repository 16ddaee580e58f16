//! Pages that need no server once they are kept: games against the computer on the visitor's own device.

use askama::Template;
use axum::response::Response;

use super::{Page, lesson_pages, render};
use crate::game::hosted_games;

/// What the page shows of a game.
#[derive(Debug)]
pub(crate) struct OfflineParts {
    /// The form for a new game, as HTML.
    pub(crate) form: String,
    /// Its other pages that need no connection, and the keys of their titles.
    pub(crate) links: &'static [(&'static str, &'static str)],
}

#[derive(Template)]
#[template(path = "offline.html")]
struct Offline {
    page: Page,
    /// The parts of the catalogue that the forms and the list of games need.
    words: String,
    games: Vec<OfflineParts>,
}

/// `GET /offline`
pub(crate) async fn offline(page: Page) -> Response {
    let words = hosted_games().map(|game| game.words);
    let words = words.filter(|words| !words.is_empty());
    render(&Offline {
        words: words.collect::<Vec<_>>().join(" "),
        games: hosted_games().map(|game| (game.offline)(&page)).collect(),
        page,
    })
}

/// The addresses of all pages that devices keep.
pub(crate) fn kept_pages() -> Vec<String> {
    let own = hosted_games().flat_map(|game| game.kept_pages);
    let own = own.map(|path| (*path).to_owned());
    let rules = hosted_games().map(|game| format!("/rules/{}", game.name));
    let pages = std::iter::once("/offline".to_owned()).chain(own);
    pages.chain(rules).chain(lesson_pages()).collect()
}
