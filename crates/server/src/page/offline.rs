//! Pages that need no server once they are kept: games against the computer on the visitor's own device.

use askama::Template;
use axum::response::Response;

use super::{Page, render};
use crate::tractor::home::LEVEL_KEYS;

#[derive(Template)]
#[template(path = "offline.html")]
struct Offline {
    page: Page,
    level_keys: [&'static str; 4],
}

/// `GET /offline`
pub(crate) async fn offline(page: Page) -> Response {
    render(&Offline {
        page,
        level_keys: LEVEL_KEYS,
    })
}

#[derive(Template)]
#[template(path = "offline-game.html")]
struct OfflineGame {
    page: Page,
}

/// `GET /offline/game`: the game that the address names is on the device.
pub(crate) async fn offline_game(page: Page) -> Response {
    render(&OfflineGame { page })
}
