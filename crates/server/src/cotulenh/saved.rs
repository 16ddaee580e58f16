//! Analyses that are saved under a link: whoever has it may read, the owner may change and delete.

use ::cotulenh::GameTree;
use axum::extract::State;
use axum::http::StatusCode;
use convoy_protocol::cotulenh::pgn_error;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::Empty;
use crate::app::App;
use crate::extract::{Body, Path};
use crate::id::AnalysisId;
use crate::refusal::{Refusal, TooMany};
use crate::room::unix_now;
use crate::session::Visitor;
use crate::store::SavedAnalysis;

/// The most analyses that one player has.
const MOST: u32 = 100;
/// The longest text of one, in bytes.
const LONGEST: usize = 48 * 1024;
/// The longest name, in characters.
const LONGEST_NAME: usize = 80;

/// What is to be saved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draft {
    name: String,
    /// One game.
    pgn: String,
}

/// A draft that may be stored: its name, and its text as the rules write it.
struct Checked {
    name: String,
    pgn: String,
}

fn bad(field: &str, reason: String) -> Refusal {
    let field = field.to_owned();
    Refusal::BadField { field, reason }
}

impl Draft {
    fn check(self) -> Result<Checked, Refusal> {
        let name = self.name.trim();
        let is_short = (1..=LONGEST_NAME).contains(&name.chars().count());
        if !is_short || name.chars().any(char::is_control) {
            let reason = format!("a name has 1 to {LONGEST_NAME} characters on one line");
            return Err(bad("name", reason));
        }
        if self.pgn.len() > LONGEST {
            return Err(Refusal::TooLarge);
        }
        let tree: GameTree = match self.pgn.parse() {
            Ok(tree) => tree,
            Err(error) => return Err(pgn_error(&error).into()),
        };
        let pgn = tree.pgn();
        if pgn.len() > LONGEST {
            return Err(Refusal::TooLarge);
        }
        if pgn.contains('\0') {
            // PostgreSQL keeps no such text.
            return Err(bad("pgn", "it has the character U+0000".to_owned()));
        }
        Ok(Checked {
            name: name.to_owned(),
            pgn,
        })
    }
}

/// What lists tell of an analysis.
fn listed(saved: &SavedAnalysis) -> Value {
    json!({
        "id": saved.id,
        "name": saved.name,
        "created": saved.created,
        "changed": saved.changed,
    })
}

/// All of an analysis, for this visitor.
fn shown(saved: &SavedAnalysis, visitor: &Visitor) -> Value {
    let mut shown = listed(saved);
    shown["pgn"] = json!(saved.pgn);
    shown["own"] = json!(saved.owner == *visitor.player());
    shown
}

/// The analysis of a link, for this visitor.
pub(super) async fn read(app: &App, visitor: &Visitor, id: &str) -> Result<Value, Refusal> {
    Ok(shown(&find(app, id).await?, visitor))
}

async fn find(app: &App, id: &str) -> Result<SavedAnalysis, Refusal> {
    let id: AnalysisId = id.parse().map_err(|_| Refusal::NoSuchAnalysis)?;
    let saved = app.store().analysis(&id).await?;
    saved.ok_or(Refusal::NoSuchAnalysis)
}

/// Reads a draft off the async threads: a long one takes milliseconds.
async fn check(app: &App, visitor: &Visitor, draft: Draft) -> Result<Checked, Refusal> {
    app.answer(visitor.client(), move || draft.check()).await?
}

/// `GET /api/v1/analyses`: those of the visitor, the last changed first.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<axum::Json<Value>, Refusal> {
    let saved = app.store().analyses(visitor.player(), MOST).await?;
    let saved: Vec<Value> = saved.iter().map(listed).collect();
    Ok(axum::Json(json!({ "analyses": saved })))
}

/// `POST /api/v1/analyses`: a new one.
pub(crate) async fn add(
    State(app): State<App>,
    visitor: Visitor,
    Body(draft): Body<Draft>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    app.admit_saving(&visitor).await?;
    let Checked { name, pgn } = check(&app, &visitor, draft).await?;
    let now = unix_now();
    let saved = SavedAnalysis {
        id: AnalysisId::random(),
        owner: visitor.player().clone(),
        name,
        pgn,
        created: now,
        changed: now,
    };
    if !app.store().add_analysis(&saved, MOST).await? {
        return Err(Refusal::TooMany(TooMany::SavedAnalyses));
    }
    Ok((StatusCode::CREATED, axum::Json(shown(&saved, &visitor))))
}

/// `GET /api/v1/analyses/{analysis}`
pub(crate) async fn get(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, Refusal> {
    read(&app, &visitor, &id).await.map(axum::Json)
}

/// `POST /api/v1/analyses/{analysis}`: another name and text for one's own.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(draft): Body<Draft>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let known = find(&app, &id).await?;
    let Checked { name, pgn } = check(&app, &visitor, draft).await?;
    let saved = SavedAnalysis {
        owner: visitor.player().clone(),
        name,
        pgn,
        changed: unix_now(),
        ..known
    };
    if !app.store().change_analysis(&saved).await? {
        return Err(Refusal::NotOwner);
    }
    Ok(axum::Json(shown(&saved, &visitor)))
}

/// `POST /api/v1/analyses/{analysis}/delete`
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let known = find(&app, &id).await?;
    if !app
        .store()
        .drop_analysis(&known.id, visitor.player())
        .await?
    {
        return Err(Refusal::NotOwner);
    }
    Ok(axum::Json(json!({})))
}
