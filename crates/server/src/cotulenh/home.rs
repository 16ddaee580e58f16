//! What the home page says of the game: what it is, and the form for a new table.

use askama::Template;
use serde_json::Value;

use crate::page::{HomeParts, Page, Wishes, part};

#[derive(Template)]
#[template(path = "cotulenh-offer.html")]
struct Offer<'a> {
    page: &'a Page,
}

#[derive(Template)]
#[template(path = "cotulenh-home.html")]
struct Form<'a> {
    page: &'a Page,
    /// The position to begin from.
    fen: &'a str,
    error: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "cotulenh-about.html")]
struct About<'a> {
    page: &'a Page,
}

pub(super) fn parts(page: &Page, wishes: &Wishes<'_>) -> HomeParts {
    let fen = wishes.fields.get("fen").and_then(Value::as_str);
    HomeParts {
        style: "css/board.css",
        offer: part(&Offer { page }),
        form: part(&Form {
            page,
            fen: fen.unwrap_or_default(),
            error: wishes.error.as_deref(),
        }),
        about: part(&About { page }),
    }
}
