//! Games that a player has played on a device, without the server, and hands in later. They are kept as finished tables of
//! the account, marked, and count for nothing.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{LEVELS, NAME, Setup, playable};
use crate::app::App;
use crate::extract::Body;
use crate::game::{Seat, TableSpec};
use crate::id::TableId;
use crate::refusal::{BadChoice, NotNow, Refusal};
use crate::room::unix_now;
use crate::seat::Occupant;
use crate::session::Visitor;

/// The most turns of a game: longer than any that was ever played.
const MOST_TURNS: usize = 1000;
/// The longest name that a device gives a game.
const LONGEST_ID: usize = 40;

/// What was played on a device.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct DeviceGame {
    /// The turns, in LAN.
    pub(super) turns: Vec<String>,
    /// Who resigned after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) resigned: Option<Seat>,
}

/// A game as a device hands it in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upload {
    /// What the device calls the game: the same one is kept once.
    id: String,
    /// The FEN of the position that it began from.
    start: String,
    /// The turns, in LAN.
    turns: Vec<String>,
    /// The side of the player, `r` or `b`.
    color: String,
    /// The level of the computer.
    level: u8,
    /// Whether the player resigned after the last turn.
    #[serde(default)]
    resigned: bool,
    /// When it was played, in milliseconds of Unix time.
    at: i64,
}

fn bad(field: &str, reason: String) -> Refusal {
    let field = field.to_owned();
    Refusal::BadField { field, reason }
}

impl Upload {
    /// The table of the game, if it is one that can be played so.
    fn table_spec(self, visitor: &Visitor) -> Result<TableSpec, Refusal> {
        let own: Seat = match &*self.color {
            "r" => 0,
            "b" => 1,
            _ => return Err(Refusal::BadChoice(BadChoice::Color)),
        };
        if !LEVELS.contains(&self.level) {
            return Err(Refusal::BadChoice(BadChoice::Level));
        }
        if !(1..=MOST_TURNS).contains(&self.turns.len()) {
            let reason = format!("a game that is kept has 1 to {MOST_TURNS} turns");
            return Err(bad("turns", reason));
        }
        let setup = Setup {
            fen: Some(playable(&self.start)?),
            device: Some(DeviceGame {
                turns: self.turns,
                resigned: self.resigned.then_some(own),
            }),
            ..Setup::default()
        };
        let mut seats = vec![Occupant::Bot { level: self.level }; 2];
        let player = visitor.actor().player();
        seats[usize::from(own)] = Occupant::Human {
            player: player.id,
            name: player.name,
        };
        Ok(TableSpec {
            game: NAME,
            setup: json!(setup),
            seats,
            public: false,
            previous: None,
        })
    }
}

/// `POST /api/v1/device-games`: keeps a finished game for the account that the visitor is logged in to.
pub(crate) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    Body(upload): Body<Upload>,
) -> Result<Response, Refusal> {
    app.admit_opening(&visitor).await?;
    if visitor.account.is_none() {
        return Err(Refusal::NotNow(NotNow::NoAccount));
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !(1..=LONGEST_ID).contains(&upload.id.len()) || !upload.id.bytes().all(is_name) {
        let reason = format!("it has 1 to {LONGEST_ID} letters, digits and dashes");
        return Err(bad("id", reason));
    }
    // The same game of the same player always has the same address.
    let name = format!("device-game {} {}", visitor.player(), upload.id);
    let id = TableId::derived(&Sha256::digest(name));
    let at = upload.at.clamp(0, unix_now());
    let spec = upload.table_spec(&visitor)?;
    let is_new = app.lobby().keep_finished(&id, spec, at).await?;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let body = json!({ "id": id, "url": format!("/game/{id}"), "isNew": is_new });
    Ok((status, Json(body)).into_response())
}
