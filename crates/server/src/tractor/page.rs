//! Tractor without a table: its rules with live examples, and the check of a shuffle.

use askama::Template;
use axum::response::Response;

use super::lesson::lessons;
use crate::page::{Page, render, script_json};

#[derive(Template)]
#[template(path = "tractor-rules.html")]
struct Lessons {
    page: Page,
    boot: String,
    sections: Vec<Section>,
}

struct Section {
    id: &'static str,
    title: String,
    text: String,
}

/// The sections of the rules page; those with live examples bear the examples' name.
const SECTIONS: [&str; 6] = ["goal", "trump", "pairs", "tractors", "throws", "following"];

/// `GET /rules/tractor`
pub(crate) fn rules(page: Page) -> Response {
    let section = |id: &'static str| Section {
        id,
        title: page.t(&format!("tr-rule-{id}")),
        text: page.t(&format!("tr-rule-{id}-text")),
    };
    render(&Lessons {
        sections: SECTIONS.map(section).into(),
        boot: script_json(&lessons()),
        page,
    })
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify {
    page: Page,
}

/// `GET /verify`
pub(crate) async fn verify(page: Page) -> Response {
    render(&Verify { page })
}
