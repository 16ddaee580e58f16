//! What the home page says of the game: what it is, and the form for a new table.

use askama::Template;

use super::house_rules::{self, Switch};
use crate::page::{HomeParts, Page, Wishes, part};

/// The keys of the names of the levels of the bots, weakest first.
pub(super) const LEVEL_KEYS: [&str; 4] = ["tr-level-1", "tr-level-2", "tr-level-3", "tr-level-4"];

#[derive(Template)]
#[template(path = "tractor-offer.html")]
struct Offer<'a> {
    page: &'a Page,
}

#[derive(Template)]
#[template(path = "tractor-home.html")]
struct Form<'a> {
    page: &'a Page,
    switches: Vec<Switch>,
    level_keys: [&'static str; 4],
    error: Option<&'a str>,
}

pub(super) fn parts(page: &Page, wishes: &Wishes<'_>) -> HomeParts {
    HomeParts {
        style: "css/tractor.css",
        offer: part(&Offer { page }),
        form: part(&Form {
            page,
            switches: house_rules::switches(page),
            level_keys: LEVEL_KEYS,
            error: wishes.error.as_deref(),
        }),
        about: String::new(),
    }
}
