//! Games that a player has played on a device, without the server, and hands in later. They are kept as finished tables of
//! the account, marked, and count for nothing.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::game::{Seat, TableSpec};
use crate::id::TableId;
use crate::refusal::{NotNow, Refusal};
use crate::room::unix_now;
use crate::seat::Occupant;
use crate::session::Visitor;

/// The longest name that a device gives a game.
const LONGEST_ID: usize = 40;

/// What a device hands in, of any game.
pub(crate) trait Upload {
    /// What the device calls the game: the same one is kept once.
    fn id(&self) -> &str;
    /// When it was played, in milliseconds of Unix time.
    fn at(&self) -> i64;
    /// The table of the game, if it is one that can be played so.
    fn table_spec(self, visitor: &Visitor) -> Result<TableSpec, Refusal>;
}

/// A field of an upload that cannot be what it is.
pub(crate) fn bad_field(field: &str, reason: String) -> Refusal {
    let field = field.to_owned();
    Refusal::BadField { field, reason }
}

/// The seats of such a table: the visitor's own, and bots of a level.
pub(crate) fn seats(count: usize, own: Seat, level: u8, visitor: &Visitor) -> Vec<Occupant> {
    let mut seats = vec![Occupant::Bot { level }; count];
    let player = visitor.actor().player();
    seats[usize::from(own)] = Occupant::Human {
        player: player.id,
        name: player.name,
    };
    seats
}

/// Keeps a finished game for the account that the visitor is logged in to.
pub(crate) async fn keep(
    app: &App,
    visitor: &Visitor,
    upload: impl Upload,
) -> Result<Response, Refusal> {
    app.admit_saving(visitor).await?;
    if visitor.account.is_none() {
        return Err(Refusal::NotNow(NotNow::NoAccount));
    }
    let name = upload.id();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !(1..=LONGEST_ID).contains(&name.len()) || !name.bytes().all(is_name) {
        let reason = format!("it has 1 to {LONGEST_ID} letters, digits and dashes");
        return Err(bad_field("id", reason));
    }
    // The same game of the same player always has the same address.
    let name = format!("device-game {} {name}", visitor.player());
    let id = TableId::derived(&Sha256::digest(name));
    let at = upload.at().clamp(0, unix_now());
    let spec = upload.table_spec(visitor)?;
    let is_new = app.lobby().keep_finished(&id, spec, at).await?;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let body = json!({ "id": id, "url": format!("/game/{id}"), "isNew": is_new });
    Ok((status, Json(body)).into_response())
}
