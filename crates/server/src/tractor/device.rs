//! Games of Tractor that were played on a device. The device has dealt the cards itself: they are played again under the
//! rules, and nothing is claimed of the deal.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use tractor::{Deal, Game, Record, Round, Rules};

use super::game::{Finished, Stage, TractorGame};
use super::{LEVELS, NAME, Pace, Setup, switches};
use crate::app::App;
use crate::device_game::{self, bad_field};
use crate::extract::Body;
use crate::game::{Seat, TableSpec};
use crate::refusal::{BadChoice, Refusal};
use crate::session::Visitor;

/// Where the person sits at a table of a device.
const OWN: Seat = 0;
/// The most rounds of a game: more than any that was ever played.
const MOST_ROUNDS: usize = 100;
/// The most bytes of an upload: a round has about two thousand.
pub(super) const MOST_BYTES: usize = 256 * 1024;

/// A game as a device hands it in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upload {
    /// What the device calls the game: the same one is kept once.
    id: String,
    /// All rounds in the notation of the rules, with an empty line between two.
    record: String,
    /// The level of the bots.
    level: u8,
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
        if !LEVELS.contains(&self.level) {
            return Err(Refusal::BadChoice(BadChoice::CardLevel));
        }
        let setup = Setup {
            preset: "default".to_owned(),
            rules: switches(&Rules::DEFAULT),
            level: self.level,
            welcome: false,
            seconds: None,
            pace: Pace::CALM,
            levels: None,
            decks: Vec::new(),
            device: Some(self.record),
        };
        Ok(TableSpec {
            game: NAME,
            setup: json!(setup),
            seats: device_game::seats(4, OWN, self.level, visitor),
            public: false,
            previous: None,
        })
    }
}

/// `POST /api/v1/device-games/tractor`: keeps a finished game for the account that the visitor is logged in to.
pub(crate) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    Body(upload): Body<Upload>,
) -> Result<Response, Refusal> {
    device_game::keep(&app, &visitor, upload).await
}

/// A round of a device. It has no file: there is nothing to check its deal by.
fn finished(record: Record, round: &Round) -> Option<Finished> {
    let tractor::Phase::Over(over) = round.phase() else {
        return None;
    };
    Some(Finished {
        record,
        file: None,
        result: over.result,
        defending: round.defending(),
    })
}

impl TractorGame {
    /// Plays what was played on a device, and says in which round that cannot be.
    pub(super) fn play_all(&mut self, text: &str) -> Result<(), Refusal> {
        let bad = |reason: String| bad_field("record", reason);
        if text.split("\n\n").count() > MOST_ROUNDS {
            let reason = format!("a game that is kept has 1 to {MOST_ROUNDS} rounds");
            return Err(bad(reason));
        }
        let game: Game = text
            .parse()
            .map_err(|error: tractor::ReplayGameError| bad(error.to_string()))?;
        let records = game.records();
        if records[0].setup != self.begin {
            let reason =
                "it does not begin as a game of a device does: default rules, both teams at 2";
            return Err(bad(reason.to_owned()));
        }
        if !records
            .iter()
            .all(|record| matches!(record.deal, Deal::Seed(_)))
        {
            return Err(bad("a device deals by a seed".to_owned()));
        }
        for record in records {
            self.begin = record.setup;
            let round = record.round();
            let round = round.map_err(|(_, error)| bad(error.to_string()))?;
            // A round that is open ends the list: the game is not over then.
            self.past.extend(finished(record, &round));
            self.stage = Stage::Round(None, round);
        }
        self.note_tricks();
        Ok(())
    }
}
