//! Matches on the visitor's own device: the form for one.

use askama::Template;

use super::home::LEVEL_KEYS;
use crate::page::{OfflineParts, Page, part};

#[derive(Template)]
#[template(path = "tractor-offline.html")]
struct Form<'a> {
    page: &'a Page,
    level_keys: [&'static str; 4],
}

pub(super) fn parts(page: &Page) -> OfflineParts {
    let level_keys = LEVEL_KEYS;
    OfflineParts {
        form: part(&Form { page, level_keys }),
        links: &[("/rules/tractor", "tr-rules-title")],
    }
}
