//! Tables, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::app::App;
use crate::asset::hex;
use crate::extract::{Body, Path, Query};
use crate::game::{self, Action, NewTable};
use crate::id::{self, TableId};
use crate::page::{Row, rows};
use crate::protocol::FromClient;
use crate::refusal::{BadChoice, Refusal};
use crate::room::{Request, Room};
use crate::session::Visitor;

/// Opens the table that a visitor asks for.
pub(crate) async fn open_table(
    app: &App,
    visitor: &Visitor,
    new_table: &NewTable,
) -> Result<Room, Refusal> {
    app.admit_opening(visitor).await?;
    let spec = game::table_spec(new_table, &visitor.actor().player(), app.games())?;
    app.lobby().open(spec, &visitor.client()).await
}

/// Lets somebody sit down.
pub(crate) async fn sit_down(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    seat: Option<u8>,
) -> Result<u64, Refusal> {
    let action = Action::new("sit", json!({ "seat": seat }));
    perform(app, visitor, id, (None, None), &action).await
}

async fn perform(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    (seq, action_id): (Option<u64>, Option<String>),
    action: &Action,
) -> Result<u64, Refusal> {
    let at = Instant::now();
    // Where the answer of another node is lost, it is asked again.
    let action_id = action_id.unwrap_or_else(|| hex(&id::random::<8>()));
    let request = |reply| Request::Action {
        actor: visitor.actor(),
        seq,
        id: Some(action_id.clone()),
        action: action.clone(),
        at,
        reply,
    };
    app.lobby().ask(id, request).await?
}

/// Notes that somebody is here who plays without a connection. Pages have one, so forms do not
/// count: a table would begin before the page is there.
async fn note_seen(app: &App, visitor: &Visitor, id: &TableId) {
    if let Ok(room) = app.lobby().room(id).await {
        let actor = visitor.actor();
        room.tell(Request::Seen { actor }).await;
    }
}

/// `POST /api/v1/tables`
pub(crate) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    Body(new_table): Body<NewTable>,
) -> Result<Response, Refusal> {
    let room = open_table(&app, &visitor, &new_table).await?;
    let view = |reply| Request::View {
        actor: visitor.actor(),
        reply,
    };
    let seat = room.ask(view).await?.seat;
    note_seen(&app, &visitor, &room.id).await;
    let url = format!("/game/{}", room.id);
    let body = json!({ "id": room.id, "url": url, "seat": seat });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    state: Option<String>,
}

/// `GET /api/v1/tables`
pub(crate) async fn list(
    State(app): State<App>,
    Query(which): Query<ListQuery>,
) -> Result<Json<Value>, Refusal> {
    let lists = app.lobby().lists();
    let [open, live] = lists.each_ref().map(|list| rows(list));
    let tables: Vec<Row> = match which.state.as_deref() {
        Some("open") => open,
        Some("live") => live,
        None => open.into_iter().chain(live).collect(),
        Some(_) => return Err(Refusal::BadChoice(BadChoice::State)),
    };
    Ok(Json(json!({ "tables": tables })))
}

/// `GET /api/v1/tables/{id}`
pub(crate) async fn view(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    let view = |reply| Request::View {
        actor: visitor.actor(),
        reply,
    };
    let snapshot = app.lobby().ask(&id, view).await?;
    Ok(([(CONTENT_TYPE, "application/json")], snapshot.json).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SitBody {
    seat: Option<u8>,
}

/// `POST /api/v1/tables/{id}/sit`
pub(crate) async fn sit(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(body): Body<SitBody>,
) -> Result<Json<Value>, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    let seq = sit_down(&app, &visitor, &id, body.seat).await?;
    note_seen(&app, &visitor, &id).await;
    Ok(Json(json!({ "seq": seq })))
}

/// `POST /api/v1/tables/{id}/act`
pub(crate) async fn act(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(frame): Body<FromClient>,
) -> Result<Json<Value>, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    let known_by = (frame.seq, frame.action_id(visitor.player()));
    let seq = perform(&app, &visitor, &id, known_by, &frame.into_action()).await?;
    note_seen(&app, &visitor, &id).await;
    Ok(Json(json!({ "seq": seq })))
}

#[derive(Debug, Deserialize)]
pub(crate) struct ArchiveQuery {
    player: Option<String>,
    page: Option<u32>,
}

/// `GET /api/v1/archive`
pub(crate) async fn archive(
    State(app): State<App>,
    visitor: Visitor,
    Query(games): Query<ArchiveQuery>,
) -> Result<Json<Value>, Refusal> {
    const A_PAGE: u32 = 20;
    let player = match games.player {
        None => visitor.player().clone(),
        Some(name) => match app.store().account(&name).await? {
            Some(account) => account.player,
            None => return Err(Refusal::NoSuchPlayer(name)),
        },
    };
    let page = games.page.unwrap_or(1).clamp(1, 10_000);
    let found = app
        .store()
        .archive(&player, (page - 1) * A_PAGE, A_PAGE)
        .await?;
    Ok(Json(json!({ "tables": rows(&found), "page": page })))
}
