//! The page of a table, and those that need none: the rules with live examples, and the check of a shuffle.

use askama::Template;
use axum::response::Response;

use serde_json::Value;

use super::house_rules;
use super::lesson::lessons;
use crate::page::{Page, TablePage, render, script_json, title};

#[derive(Template)]
#[template(path = "tractor.html")]
struct Table {
    page: Page,
    id: String,
    title: String,
    boot: String,
    can_sit: bool,
    preset: String,
    switches: Vec<(String, String)>,
}

/// `GET /game/{id}`. What it says of the house rules is the view's.
pub(crate) fn table(page: Page, table: &TablePage<'_>) -> Response {
    let view: Value = serde_json::from_str(&table.snapshot.json).unwrap_or_default();
    let rules = &view["rules"];
    let switches = rules["switches"].as_object().into_iter().flatten();
    let word = |(name, value): (&String, &Value)| {
        let value = value.as_str().unwrap_or_default();
        let name_words = page.t(&house_rules::name_key(name));
        (name_words, house_rules::value_words(&page, name, value))
    };
    let preset = rules["preset"].as_str().unwrap_or("default");
    render(&Table {
        switches: switches.map(word).collect(),
        id: table.id.to_string(),
        title: title(&page, &view),
        boot: script_json(&view),
        can_sit: table.snapshot.can_sit,
        preset: format!("tr-preset-{preset}"),
        page,
    })
}

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
