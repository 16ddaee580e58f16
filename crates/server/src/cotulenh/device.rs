//! Games of Cờ Tư Lệnh that were played on a device.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{LEVELS, NAME, Setup, playable};
use crate::app::App;
use crate::device_game::{self, bad_field};
use crate::extract::Body;
use crate::game::{Seat, TableSpec};
use crate::refusal::{BadChoice, Refusal};
use crate::session::Visitor;

/// The most turns of a game: longer than any that was ever played.
const MOST_TURNS: usize = 1000;

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

impl device_game::Upload for Upload {
    fn id(&self) -> &str {
        &self.id
    }

    fn at(&self) -> i64 {
        self.at
    }

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
            return Err(bad_field("turns", reason));
        }
        let setup = Setup {
            fen: Some(playable(&self.start)?),
            device: Some(DeviceGame {
                turns: self.turns,
                resigned: self.resigned.then_some(own),
            }),
            ..Setup::default()
        };
        Ok(TableSpec {
            game: NAME,
            setup: json!(setup),
            seats: device_game::seats(2, own, self.level, visitor),
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
    device_game::keep(&app, &visitor, upload).await
}
