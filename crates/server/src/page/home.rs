use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use tractor::{Rules, RulesError};

use super::{Page, Row, render, rows};
use crate::app::App;
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    page: Page,
    open: Vec<Row>,
    live: Vec<Row>,
    fen: String,
    switches: Vec<Switch>,
    level_keys: [&'static str; 4],
}

/// A house rule of Tractor in the form.
struct Switch {
    name: &'static str,
    key: String,
    default: String,
    values: Vec<String>,
}

/// What a link to the home page may bring: a position to play from.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    fen: Option<String>,
}

/// `GET /`
pub(crate) async fn home(
    State(app): State<App>,
    page: Page,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    let (open, live) = app.lobby().lists().await?;
    Ok(render(&Home {
        page,
        open: rows(open),
        live: rows(live),
        fen: asked.fen.unwrap_or_default(),
        switches: switches(),
        level_keys: ["tr-level-1", "tr-level-2", "tr-level-3", "tr-level-4"],
    }))
}

/// Every switch with the values that it takes; none where any text of a kind will do.
fn switches() -> Vec<Switch> {
    let switch = |name: &&'static str| {
        let default = Rules::DEFAULT.value(name).unwrap_or_default();
        let mut rules = Rules::DEFAULT;
        // The refusal of a value that no switch has tells which it has.
        let may_be = match rules.set(name, "\u{0}") {
            Err(RulesError::Value { may_be, .. }) => may_be,
            _ => "",
        };
        let values: Vec<String> = may_be.split(", ").map(str::to_owned).collect();
        let exact = values.iter().all(|value| rules.set(name, value).is_ok());
        Switch {
            name,
            key: format!("tr-sw-{}", name.replace('_', "-")),
            default,
            values: if exact { values } else { Vec::new() },
        }
    };
    Rules::SWITCHES.iter().map(switch).collect()
}
