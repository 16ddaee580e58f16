//! The interface between the server and a game that it hosts.
//!
//! The state of a table is the replay of its events. [`Game::decide`] judges an action and names
//! the event that it would be; the room stores that event; [`Game::apply`] takes it in. What
//! browsers are sent comes from [`Game::state`] and [`Game::ask`], which build it for one viewer, and
//! from [`Game::log`] and [`Game::export`], which are the same for everybody: a game with hidden cards
//! has nothing to blank out.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::cotulenh;
use crate::fields::Fields;
use crate::id::{PlayerId, TableId};
use crate::pool::Cache;
use crate::refusal::Refusal;
use crate::seat::Occupant;
use crate::store::Phase;
use crate::tractor::{self, ShuffleKey};

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
#[derive(Debug, Clone, PartialEq)]
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
}

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

/// Tells a thinking player to come to an end, or to pause.
///
/// ```
/// use convoy_server::Stop;
///
/// let stop = Stop::default();
/// let shared = stop.clone();
/// shared.stop();
/// assert!(stop.is_stopped());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// What a search looks at: set for an end as well as for a pause.
    flag: Arc<AtomicBool>,
    is_final: Arc<AtomicBool>,
}

impl Stop {
    /// Asks for the end.
    pub fn stop(&self) {
        self.is_final.store(true, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Asks for a pause.
    pub fn pause(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Takes back that a pause was asked for.
    pub(crate) fn resume(&self) {
        self.flag.store(false, Ordering::SeqCst);
        // Whoever asked for the end meanwhile is not forgotten.
        if self.is_stopped() {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the end was asked for.
    pub fn is_stopped(&self) -> bool {
        self.is_final.load(Ordering::SeqCst)
    }

    /// Whether a pause was asked for, and not the end.
    pub fn is_paused(&self) -> bool {
        self.flag.load(Ordering::SeqCst) && !self.is_stopped()
    }

    /// The flag itself, for players that take one.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

/// One turn of a job in the pool.
#[derive(Debug)]
pub struct TimeSlice<'a> {
    stop: &'a Stop,
    cache: &'a Cache,
    key: &'a str,
}

impl<'a> TimeSlice<'a> {
    pub(crate) const fn new(stop: &'a Stop, cache: &'a Cache, key: &'a str) -> Self {
        Self { stop, cache, key }
    }

    /// Tells when to pause or to end.
    pub const fn stop(&self) -> &Stop {
        self.stop
    }

    /// Takes what an earlier slice has kept, or an earlier job of the same seat; it may have been
    /// given up in the meantime.
    pub fn take<T: Any>(&self) -> Option<T> {
        self.cache.take(self.key)
    }

    /// Keeps something for later slices and jobs of the same seat.
    pub fn keep(&self, value: impl Any + Send) {
        self.cache.put(self.key, value);
    }
}

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<T> {
    /// It is done.
    Done(T),
    /// It was asked to pause and wants to go on later.
    Paused,
}

type Run = Box<dyn FnMut(&TimeSlice<'_>) -> Progress<Option<Action>> + Send>;

/// A bot's work for one action: it runs off the async threads and holds what its seat may know.
///
/// ```
/// use convoy_server::{Action, BotJob};
///
/// let job = BotJob::short(|_| Some(Action::new("pass", serde_json::Value::Null)));
/// assert!(job.is_short());
/// ```
pub struct BotJob {
    is_short: bool,
    run: Run,
}

impl fmt::Debug for BotJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotJob")
            .field("is_short", &self.is_short)
            .finish_non_exhaustive()
    }
}

impl BotJob {
    /// Work of a few milliseconds.
    pub fn short(work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        Self::whole(true, work)
    }

    /// Work of up to a second that cannot be interrupted.
    pub fn long(work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        Self::whole(false, work)
    }

    /// Work that pauses when it is asked to.
    pub fn sliced(
        work: impl FnMut(&TimeSlice<'_>) -> Progress<Option<Action>> + Send + 'static,
    ) -> Self {
        Self {
            is_short: false,
            run: Box::new(work),
        }
    }

    fn whole(is_short: bool, work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        let mut work = Some(work);
        let run = move |slice: &TimeSlice<'_>| {
            let work = work.take();
            Progress::Done(work.and_then(|work| work(slice.stop())))
        };
        Self {
            is_short,
            run: Box::new(run),
        }
    }

    /// Whether it takes a few milliseconds at most.
    pub const fn is_short(&self) -> bool {
        self.is_short
    }

    /// Runs one slice.
    pub fn run(&mut self, slice: &TimeSlice<'_>) -> Progress<Option<Action>> {
        (self.run)(slice)
    }
}

/// The answer to a question: ready, or to be thought out off the async threads.
pub enum Reply {
    /// Ready.
    Now(Value),
    /// To be thought out; it holds what the asking seat may know.
    Later(Box<dyn FnOnce(&Stop) -> Value + Send>),
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Now(_) => "Now(..)",
            Self::Later(_) => "Later(..)",
        })
    }
}

/// A table as a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The type of the content.
    pub content_type: &'static str,
    /// The content.
    pub text: String,
}

/// A game the server can host. The rules crates know nothing of it.
pub trait Game: Send + fmt::Debug {
    /// Who sits where: told before the first event, and whenever it changes.
    fn set_seats(&mut self, seats: &[Occupant]) {
        let _ = seats;
    }

    /// Which seats have a person connected: told whenever it changes, and stored nowhere.
    fn set_present(&mut self, here: &[bool], now: Instant) {
        let _ = (here, now);
    }

    /// Whether an action means the same whatever has happened since its sender last looked.
    fn ignores_seq(&self, t: &str) -> bool {
        matches!(t, "resign" | "rematch" | "claim")
    }

    /// Whether a person may take a bot's seat over in the middle of the game.
    fn bots_replaceable(&self) -> bool {
        false
    }

    /// The level of the bots that fill open seats when a player asks for them.
    fn fill_level(&self) -> Option<u8> {
        None
    }

    /// Answers a question of a viewer; nothing changes by it.
    fn ask(&self, viewer: Option<Seat>, what: &str, d: &Value) -> Result<Reply, Refusal> {
        let _ = (viewer, d);
        Err(Refusal::UnknownAction(what.to_owned()))
    }

    /// Judges what `seat` wants to do: the event that it would be, or why it is refused. What everybody
    /// sees stays as it is; what was found out may be kept for [`Game::apply`], which comes next.
    fn decide(
        &mut self,
        seat: Seat,
        action: &Action,
        presence: &Presence<'_>,
    ) -> Result<Value, Refusal>;

    /// What time itself brings at `now`, such as the fall of a flag.
    fn expire(&self, now: Instant) -> Option<Value>;

    /// Takes in an event that was decided: at `now`, or when it is replayed, without a time.
    fn apply(&mut self, event: &Value, now: Option<Instant>) -> Result<(), Refusal>;

    /// The stored events have all been applied.
    fn end_replay(&mut self) {}

    /// All seats are taken, and whoever was gone is back: time may run from `now` on.
    fn resume(&mut self, now: Instant);

    /// When time brings something next.
    fn deadline(&self) -> Option<Instant>;

    /// What `viewer` may know, without the log; an onlooker has no seat.
    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields);

    /// How many entries the log has: what everybody may read of the past.
    fn log_len(&self) -> usize;

    /// All entries of the log, one JSON text each.
    fn log(&self) -> Vec<String>;

    /// The last entry of the log.
    fn last_entry(&self) -> Option<Cow<'_, str>>;

    /// The word for an event, for sounds and words on the page.
    fn kind(&self, event: &Value) -> &'static str;

    /// How far the game has come once all seats are taken.
    fn phase(&self) -> Phase;

    /// How the game ended, in its own words; null while it goes on.
    fn result(&self) -> Value;

    /// The clock in words.
    fn clock(&self) -> String;

    /// The seats that may act now; the bots among them are asked to.
    fn to_act(&self) -> Vec<Seat>;

    /// A bot's work for `seat`, at one of the game's levels.
    fn bot_job(&self, seat: Seat, level: u8) -> Option<BotJob>;

    /// When a bot plays for somebody who is gone, and how strong it is.
    fn stand_in(&self) -> Option<(Duration, u8)>;

    /// The table that follows this one, once all have agreed to it.
    fn rematch(&self, seats: &[Occupant]) -> Option<TableSpec>;

    /// The table as a file: `ending` is that of the address, `ply` how many turns to show.
    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        flip: bool,
        seats: &[Occupant],
    ) -> Option<Export>;
}

/// A table that is about to be opened.
#[derive(Debug, Clone)]
pub struct TableSpec {
    /// The name of its game.
    pub game: &'static str,
    /// What its game needs to know.
    pub setup: Value,
    /// Who sits where at first.
    pub seats: Vec<Occupant>,
    /// Whether lists show it.
    pub public: bool,
    /// The table that it follows.
    pub previous: Option<TableId>,
}

/// Somebody who opens a table or sits down at one: a guest or an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Whom the seat belongs to.
    pub id: PlayerId,
    /// The name that the others see.
    pub name: String,
}

impl Player {
    /// A new player that nobody is, for the seats of a deleted account.
    pub(crate) fn anonymous() -> Self {
        let id = PlayerId::random();
        Self {
            name: id.guest_name(),
            id,
        }
    }
}

/// What a form or a call says about a new table; all of it may be left out.
///
/// ```
/// use convoy_server::{Number, NewTable};
///
/// let new_table: NewTable = serde_json::from_str(r#"{"opponent": "bot", "level": "3", "minutes": 0.5}"#)?;
/// assert_eq!((new_table.level, new_table.minutes), (Some(Number(3.0)), Some(Number(0.5))));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewTable {
    /// `cotulenh` or `tractor`.
    pub game: String,
    /// `bot`, `open` or `friend`.
    pub opponent: String,
    /// The level of the bot.
    pub level: Option<Number>,
    /// `r`, `b` or `random`.
    pub color: String,
    /// Minutes on the clock; none or zero for no clock.
    pub minutes: Option<Number>,
    /// Seconds that each turn adds.
    pub increment: Option<Number>,
    /// The position to begin from.
    pub fen: String,
    /// What only one game asks for.
    pub rules: Value,
    /// Further fields, such as the switches of house rules.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A number that a form sends as text and a program as a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Number(pub f64);

impl TryFrom<Value> for Number {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        let number = match &value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => Some(0.0),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number
            .filter(|n: &f64| n.is_finite())
            .map(Self)
            .ok_or("not a number")
    }
}

/// The table that `player` asks for.
pub(crate) fn table_spec(new_table: &NewTable, player: &Player) -> Result<TableSpec, Refusal> {
    match &*new_table.game {
        "" | cotulenh::NAME => cotulenh::table_spec(new_table, player),
        tractor::NAME => tractor::table_spec(new_table, player),
        other => Err(Refusal::NoSuchGame(other.to_owned())),
    }
}

/// The table of a game as it is before its first event. `key` encrypts what must not be read from
/// the storage while the game goes on.
pub(crate) fn new_game(
    game: &str,
    setup: &Value,
    id: &TableId,
    key: &ShuffleKey,
) -> Result<Box<dyn Game>, Refusal> {
    match game {
        cotulenh::NAME => Ok(Box::new(cotulenh::CotulenhGame::new(setup)?)),
        tractor::NAME => Ok(Box::new(tractor::TractorGame::new(setup, id, key)?)),
        other => Err(Refusal::NoSuchGame(other.to_owned())),
    }
}
