//! The interface between the server and a game that it hosts.
//!
//! The state of a table is the replay of its events. [`Rules::decide`] judges an action and names
//! the event that it would be; the room stores that event; [`Rules::apply`] takes it in. What
//! browsers are sent comes from [`Views::state`] and [`Views::ask`], which build it for one viewer, and
//! from [`Views::log`] and [`Views::export`], which are the same for everybody: a game with hidden cards
//! has nothing to blank out.

mod engine_task;
mod hosted;
mod job;
mod new_table;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::seat::Occupant;
use crate::store::Phase;

pub(crate) use engine_task::{EngineTask, Tell};
pub use hosted::GameOptions;
pub(crate) use hosted::{HostedGame, chosen, hosted, hosted_games, new_game, routes, table_spec};
pub use job::{BotJob, Progress, Reply, Stop, TimeSlice};
pub use new_table::{NewTable, Number, Player, TableSpec};

/// A seat, counted from 0.
pub type Seat = u8;

/// What somebody wants to do: the kind of a frame and its data.
///
/// ```
/// use convoy_server::Action;
///
/// let action = Action::new("move", serde_json::json!({ "move": "Ic6" }));
/// assert_eq!(action.t, "move");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The kind, such as `move`.
    pub t: String,
    /// What belongs to it.
    pub d: Value,
}

impl Action {
    /// An action of this kind.
    pub fn new(t: &str, d: Value) -> Self {
        Self { t: t.to_owned(), d }
    }

    /// Its data as the fields that it has.
    pub(crate) fn fields<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        read_fields(&self.d)
    }
}

/// The data of a frame as the fields that it may have, no others among them; without data there are none.
pub(crate) fn read_fields<T: DeserializeOwned>(d: &Value) -> Result<T, Refusal> {
    let text = match d {
        Value::Null => "{}".to_owned(),
        d => d.to_string(),
    };
    Ok(convoy_protocol::read_json(&text)?)
}

/// What a frame has that takes no fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoFields {}

/// Who is at the table at this moment.
#[derive(Debug, Clone, Copy)]
pub struct Presence<'a> {
    /// Who holds which seat.
    pub seats: &'a [Occupant],
    /// For how long each seat has been without a connection; bots are always here.
    pub away: &'a [Option<Duration>],
    /// When the action arrived.
    pub now: Instant,
}

/// A table as a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The type of the content.
    pub content_type: &'static str,
    /// The content.
    pub text: String,
}

/// What may happen at a table, and what comes of it.
pub trait Rules {
    /// Judges what `seat` wants to do: the event that it would be, or why it is refused. What everybody
    /// sees stays as it is; what was found out may be kept for [`Rules::apply`], which comes next.
    fn decide(
        &mut self,
        seat: Seat,
        action: &Action,
        presence: &Presence<'_>,
    ) -> Result<Value, Refusal>;

    /// Takes in an event that was decided: at `now`, or when it is replayed, without a time.
    fn apply(&mut self, event: &Value, now: Option<Instant>) -> Result<(), Refusal>;

    /// The stored events have all been applied.
    fn end_replay(&mut self) {}

    /// Whether an action means the same whatever has happened since its sender last looked.
    fn ignores_seq(&self, t: &str) -> bool;

    /// The word for an event, for sounds and words on the page.
    fn kind(&self, event: &Value) -> &'static str;

    /// How far the game has come once all seats are taken.
    fn phase(&self) -> Phase;

    /// How the game ended, in its own words; null while it goes on.
    fn result(&self) -> Value;
}

/// Who may sit where, and who goes on together.
pub trait Seating {
    /// Who sits where: told before the first event, and whenever it changes.
    fn set_seats(&mut self, seats: &[Occupant]) {
        let _ = seats;
    }

    /// Whether a person may take a bot's seat over in the middle of the game.
    fn bots_replaceable(&self) -> bool {
        false
    }

    /// The level of the bots that fill open seats when a player asks for them.
    fn fill_level(&self) -> Option<u8> {
        None
    }

    /// The table that follows this one, once all have agreed to it.
    fn rematch(&self, seats: &[Occupant]) -> Option<TableSpec>;
}

/// What is shown.
pub trait Views {
    /// What `viewer` may know, without the log; an onlooker has no seat.
    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields);

    /// Answers a question of a viewer; nothing changes by it.
    fn ask(&self, viewer: Option<Seat>, what: &str, d: &Value) -> Result<Reply, Refusal> {
        let _ = (viewer, d);
        Err(Refusal::UnknownAction(what.to_owned()))
    }

    /// How many entries the log has: what everybody may read of the past.
    fn log_len(&self) -> usize;

    /// All entries of the log, one JSON text each.
    fn log(&self) -> Vec<String>;

    /// The last entry of the log.
    fn last_entry(&self) -> Option<Cow<'_, str>>;

    /// The clock in words.
    fn clock(&self) -> String;

    /// The table as a file: `ending` is that of the address, `ply` how many turns to show.
    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        flip: bool,
        seats: &[Occupant],
    ) -> Option<Export>;
}

/// What time brings.
pub trait Timing {
    /// Which seats have a person connected: told whenever it changes, and stored nowhere.
    fn set_present(&mut self, here: &[bool], now: Instant) {
        let _ = (here, now);
    }

    /// The seat whose clock runs, where its lag is credited.
    fn timed_seat(&self) -> Option<Seat> {
        None
    }

    /// How long frames take to that seat and back; told before time is judged.
    fn note_lag(&mut self, lag: Duration) {
        let _ = lag;
    }

    /// When time brings something next.
    fn deadline(&self) -> Option<Instant>;

    /// What time itself brings at `now`, such as the fall of a flag.
    fn expire(&self, now: Instant) -> Option<Value>;

    /// All seats are taken, and whoever was gone is back: time may run from `now` on.
    fn resume(&mut self, now: Instant);
}

/// What bots do.
pub trait BotMoves {
    /// The seats that may act now; the bots among them are asked to.
    fn to_act(&self) -> Vec<Seat>;

    /// A bot's work for `seat`, at one of the game's levels.
    fn bot_job(&self, seat: Seat, level: u8) -> Option<BotJob>;

    /// When a bot plays for somebody who is gone, and how strong it is.
    fn stand_in(&self) -> Option<(Duration, u8)>;
}

/// A game the server can host. The rules crates know nothing of it.
pub trait Game: Rules + Seating + Views + Timing + BotMoves + Send + fmt::Debug {}

impl<T: Rules + Seating + Views + Timing + BotMoves + Send + fmt::Debug> Game for T {}
