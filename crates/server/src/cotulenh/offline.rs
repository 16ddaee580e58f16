//! Games on the visitor's own device: the form for one, its page, and the review of one.

use askama::Template;
use axum::response::Response;
use serde_json::json;

use super::review;
use crate::page::{OfflineParts, Page, part, render, script_json};

#[derive(Template)]
#[template(path = "cotulenh-offline.html")]
struct Form<'a> {
    page: &'a Page,
}

pub(super) fn parts(page: &Page) -> OfflineParts {
    OfflineParts {
        form: part(&Form { page }),
        links: &[
            ("/analysis", "nav-analysis"),
            ("/editor", "nav-editor"),
            ("/rules/cotulenh", "rules-title"),
        ],
    }
}

#[derive(Template)]
#[template(path = "offline-game.html")]
struct OfflineGame {
    page: Page,
}

/// `GET /offline/game`: the game that the address names is on the device.
pub(super) async fn game(page: Page) -> Response {
    render(&OfflineGame { page })
}

#[derive(Template)]
#[template(path = "offline-review.html")]
struct OfflineReview {
    page: Page,
    boot: String,
}

/// `GET /offline/review`: the game that the address names is on the device, and the review is made there.
pub(super) async fn review(page: Page) -> Response {
    let boot = script_json(&json!({ "local": true, "scoring": review::scoring() }));
    render(&OfflineReview { page, boot })
}
