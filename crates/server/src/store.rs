//! The storage: one trait, and SQLite or PostgreSQL behind it.

mod account;
mod analysis;
mod audit;
mod backup;
pub mod conformance;
mod connection;
mod database;
mod database_url;
mod dump;
mod export;
mod file;
mod health;
mod import;
mod postgres;
mod progress;
mod puzzle;
mod relation;
mod retention;
mod review;
mod schema;
mod sql;
mod sqlite;
mod statement;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::Player;
use crate::id::{AnalysisId, PlayerId, TableId};
use crate::seat::Occupant;

pub use analysis::SavedAnalysis;
pub use audit::{AdminCommand, AuditEntry};
pub use backup::{back_up, restore};
pub use database_url::DatabaseUrl;
pub use dump::{DumpError, Total, Totals};
pub use export::{Exported, export};
pub use health::Health;
pub use import::{import, is_import_unfinished};
pub use postgres::PostgresStore;
pub use progress::StepStars;
pub use puzzle::{PuzzleAttempt, PuzzleRating, RatedAttempt};
pub use relation::{Cell, Cells, Relation};
pub use retention::Retention;
pub use review::StoredReview;
pub use schema::SCHEMA;
pub use sqlite::{Durability, SqliteStore};

/// How far a table has come.
///
/// ```
/// use convoy_server::Phase;
///
/// assert_eq!(Phase::Playing.as_str(), "playing");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Seats are open.
    Waiting,
    /// The game goes on.
    Playing,
    /// The game has ended.
    Over,
}

impl Phase {
    /// The word that is stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }
}

/// What lists say of a table. It follows from the events and is kept beside them.
///
/// ```
/// use convoy_server::{Occupant, Phase, Summary, TableId};
///
/// let summary = Summary {
///     id: TableId::random(),
///     game: "cotulenh".to_owned(),
///     phase: Phase::Waiting,
///     public: true,
///     seats: vec![Occupant::Bot { level: 3 }, Occupant::Open],
///     clock: "5+3".to_owned(),
///     result: serde_json::Value::Null,
///     turns: 0,
///     opened: 0,
///     changed: 0,
/// };
/// assert!(summary.seats[1].is_open());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The table.
    pub id: TableId,
    /// Its game.
    pub game: String,
    /// How far it has come.
    pub phase: Phase,
    /// Whether lists show it to everyone.
    pub public: bool,
    /// Who sits where.
    pub seats: Vec<Occupant>,
    /// The clock in words, such as `5+3`, or nothing.
    pub clock: String,
    /// How it ended, in the game's own words, or null.
    pub result: Value,
    /// How many turns were played when this was written.
    pub turns: usize,
    /// When it was opened, in milliseconds of Unix time.
    pub opened: i64,
    /// When it last changed.
    pub changed: i64,
}

/// One event of a table, as it is kept.
///
/// ```
/// use convoy_server::Stored;
///
/// let first = Stored { seq: 1, at: 0, event: "{}".to_owned() };
/// assert_eq!(first.seq, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its number, from 1 on.
    pub seq: u64,
    /// When it happened, in milliseconds of Unix time.
    pub at: i64,
    /// What happened, as JSON.
    pub event: String,
}

/// An event to be kept, and what lists say from now on where that changes.
///
/// ```
/// # async fn doc() -> Result<(), convoy_server::StoreError> {
/// use convoy_server::{Append, SqliteStore, Store, Stored, TableId};
///
/// let store = SqliteStore::in_memory().await?;
/// let table = TableId::random();
/// let stored = Stored { seq: 1, at: 0, event: "{}".to_owned() };
/// let append = Append { table: table.clone(), stored, summary: None };
/// store.append(append).await?;
/// assert_eq!(store.events(&table).await?.len(), 1);
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Append {
    /// The table.
    pub table: TableId,
    /// The event.
    pub stored: Stored,
    /// The new summary.
    pub summary: Option<Box<Summary>>,
}

/// A player with a name and a password.
///
/// ```
/// use convoy_server::{Account, PlayerId};
///
/// let account = Account {
///     player: PlayerId::random(),
///     name: "Ann".to_owned(),
///     password: "$argon2id$…".to_owned(),
/// };
/// assert!(account.password.starts_with("$argon2id$"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The player: one of its own, which no guest ever was.
    pub player: PlayerId,
    /// The name as its owner writes it.
    pub name: String,
    /// The hash of the password, in the PHC format.
    pub password: String,
}

/// A session that belongs to an account.
///
/// ```
/// use convoy_server::{PlayerId, SessionRow};
///
/// let session = SessionRow {
///     token: "a hash".to_owned(),
///     account: PlayerId::random(),
///     created: 1_000,
///     seen: 2_000,
///     device: "Firefox · Linux".to_owned(),
/// };
/// assert!(session.seen >= session.created);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The hash of the token; the token itself is never kept.
    pub token: String,
    /// The account.
    pub account: PlayerId,
    /// When somebody logged in, in milliseconds of Unix time.
    pub created: i64,
    /// When it was last used, to the hour.
    pub seen: i64,
    /// What it was begun with, in words.
    pub device: String,
}

/// A player that has ended, and who has its seats from now on.
///
/// ```
/// use convoy_server::{PlayerId, Retired};
///
/// let deleted = Retired { player: PlayerId::random(), successor: None, at: 0 };
/// assert!(deleted.successor.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retired {
    /// The player.
    pub player: PlayerId,
    /// Who has the seats; without one they belong to nobody in particular.
    pub successor: Option<Player>,
    /// Since when, in milliseconds of Unix time.
    pub at: i64,
}

/// Since when a table must have been left alone to be unused, in milliseconds of Unix time.
/// [`Retention`] tells what counts.
///
/// ```
/// use convoy_server::Unused;
///
/// let unused = Unused { waiting_before: 2_000, unplayed_before: 1_000 };
/// assert!(unused.unplayed_before < unused.waiting_before);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unused {
    /// Tables with an open seat.
    pub waiting_before: i64,
    /// Games in which hardly anything happened.
    pub unplayed_before: i64,
}

/// Why the storage failed.
///
/// ```
/// use convoy_server::StoreError;
///
/// assert_eq!(StoreError::Taken.to_string(), "the key is taken");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// Another row has this key: an event with this number, an account with this name.
    Taken,
    /// The database failed.
    Database(String),
    /// The database has tables that this program cannot use.
    Schema(String),
    /// Another process has the files or the database; this is what it holds.
    InUse(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => f.write_str("the key is taken"),
            Self::Database(why) => write!(f, "database: {why}"),
            Self::InUse(lock) => write!(f, "another server runs and holds {lock}"),
            Self::Schema(why) => write!(f, "the schema of the database does not fit: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// What a call of the storage will answer.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// What the server keeps; [`SqliteStore`] has an example. [`conformance`] tells what every implementation must hold to.
pub trait Store: Send + Sync + fmt::Debug {
    /// Keeps an event. When this answers, the event outlives the process, and a power cut too
    /// unless the storage was opened otherwise. An event whose number is taken is refused, and
    /// nothing is changed. After a failure all changes are refused until the storage works again,
    /// which it finds out by itself.
    fn append(&self, append: Append) -> Pending<'_, ()>;
    /// Keeps several events, of different tables: all of them or none.
    fn append_all(&self, appends: Vec<Append>) -> Pending<'_, ()>;
    /// All events of a table in order; none if there is no such table.
    fn events<'a>(&'a self, table: &'a TableId) -> Pending<'a, Vec<Stored>>;
    /// The number of a table's last event; 0 if there is no such table.
    fn last_seq<'a>(&'a self, table: &'a TableId) -> Pending<'a, u64>;
    /// The public tables of a phase, newest first.
    fn listed(&self, phase: Phase, limit: u32) -> Pending<'_, Vec<Summary>>;
    /// The begun tables of a player, newest first.
    fn archive<'a>(
        &'a self,
        player: &'a PlayerId,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<Summary>>;
    /// Keeps a new account; its name must differ from all others by more than case.
    fn add_account<'a>(&'a self, account: &'a Account) -> Pending<'a, ()>;
    /// The account of a name, whatever its case.
    fn account<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Account>>;
    /// The account of a player.
    fn account_of<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Account>>;
    /// Changes the hash of an account's password.
    fn set_password<'a>(&'a self, player: &'a PlayerId, password: &'a str) -> Pending<'a, ()>;
    /// Forgets an account with all its sessions and retires its player: all of it or nothing.
    fn drop_account<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()>;
    /// Keeps a session.
    fn add_session<'a>(&'a self, session: &'a SessionRow) -> Pending<'a, ()>;
    /// The session of a token's hash.
    fn session<'a>(&'a self, token: &'a str) -> Pending<'a, Option<SessionRow>>;
    /// The sessions of an account, the last used first.
    fn sessions<'a>(&'a self, account: &'a PlayerId) -> Pending<'a, Vec<SessionRow>>;
    /// Notes when a session was last used.
    fn touch_session<'a>(&'a self, token: &'a str, seen: i64) -> Pending<'a, ()>;
    /// Forgets a session.
    fn drop_session<'a>(&'a self, token: &'a str) -> Pending<'a, ()>;
    /// Forgets the sessions that were last used before a time, and the players that retired before
    /// it and hold no seat any more.
    fn purge_sessions(&self, before: i64) -> Pending<'_, ()>;
    /// Keeps that a player has ended; what was kept of that player first stays.
    fn retire<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()>;
    /// What is kept of a player that has ended.
    fn retired<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Retired>>;
    /// The tables at which a retired player, or any, still holds a seat; those that go on first.
    fn seats_to_move<'a>(
        &'a self,
        player: Option<&'a PlayerId>,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<(TableId, Retired)>>;
    /// The tables that nobody needs, oldest first.
    fn unused(&self, unused: Unused, limit: u32) -> Pending<'_, Vec<TableId>>;
    /// Deletes tables with all their events: all of them or none.
    fn drop_tables<'a>(&'a self, tables: &'a [TableId]) -> Pending<'a, ()>;
    /// Keeps `value` under `key` if nothing is there, and answers what is there now.
    fn get_or_insert<'a>(&'a self, key: &'a str, value: &'a str) -> Pending<'a, String>;
    /// What is kept under `key`.
    fn setting<'a>(&'a self, key: &'a str) -> Pending<'a, Option<String>>;
    /// Forgets what is kept under `key`.
    fn drop_setting<'a>(&'a self, key: &'a str) -> Pending<'a, ()>;
    /// Rows of a whole table whose keys come after `after`, in the order of their keys.
    fn rows<'a>(
        &'a self,
        relation: Relation,
        after: Option<&'a [Cell]>,
        limit: u32,
    ) -> Pending<'a, Vec<Cells>>;
    /// How many rows a whole table has.
    fn count(&self, relation: Relation) -> Pending<'_, u64>;
    /// Inserts rows where their keys are free, and keeps a mark under a key with them: all of it or
    /// nothing. Answers how many rows were new.
    fn load<'a>(
        &'a self,
        relation: Relation,
        rows: &'a [Cells],
        mark: (&'a str, &'a str),
    ) -> Pending<'a, u64>;
    /// Gives an account another name and another player, to whom the seats of the former one go; it
    /// must differ from the names of all others by more than case.
    fn rename_account<'a>(
        &'a self,
        former: &'a PlayerId,
        account: &'a Account,
        at: i64,
    ) -> Pending<'a, ()>;
    /// Whether the owner of an account may not log in.
    fn is_banned<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, bool>;
    /// Bans the owner of an account since a time, or lifts the ban.
    fn set_ban<'a>(&'a self, player: &'a PlayerId, since: Option<i64>) -> Pending<'a, ()>;
    /// Writes a command of an operator down.
    fn add_audit<'a>(&'a self, entry: &'a AuditEntry) -> Pending<'a, ()>;
    /// Commands of operators: those that are not carried out yet, the oldest first, or all, the
    /// newest first.
    fn audit(&self, only_open: bool, limit: u32) -> Pending<'_, Vec<AuditEntry>>;
    /// Writes down what came of a command.
    fn finish_audit<'a>(&'a self, id: &'a str, outcome: &'a str, done: i64) -> Pending<'a, ()>;
    /// Keeps the first attempt of an account at a puzzle, with both ratings after it: all of it or nothing. A
    /// second one is refused.
    fn add_attempt<'a>(
        &'a self,
        attempt: &'a PuzzleAttempt,
        rated: &'a RatedAttempt,
    ) -> Pending<'a, ()>;
    /// The attempts of a player at puzzles of a game, newest first.
    fn attempts<'a>(
        &'a self,
        player: &'a PlayerId,
        game: &'a str,
        limit: u32,
    ) -> Pending<'a, Vec<PuzzleAttempt>>;
    /// The rating of a player or of a puzzle, once it was attempted.
    fn puzzle_rating<'a>(
        &'a self,
        game: &'a str,
        holder: &'a str,
    ) -> Pending<'a, Option<PuzzleRating>>;
    /// Keeps what a player was given for steps of lessons, where it is better than what is kept.
    fn keep_stars<'a>(
        &'a self,
        player: &'a PlayerId,
        stars: &'a [StepStars],
        at: i64,
    ) -> Pending<'a, ()>;
    /// What a player was given for the steps of all lessons, in the order of their names.
    fn stars<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Vec<StepStars>>;
    /// Keeps a new analysis, unless its owner has `most` of them: then `false` is answered.
    fn add_analysis<'a>(&'a self, analysis: &'a SavedAnalysis, most: u32) -> Pending<'a, bool>;
    /// Gives an analysis of this owner another name and text; `false` if the owner has none of this id.
    fn change_analysis<'a>(&'a self, analysis: &'a SavedAnalysis) -> Pending<'a, bool>;
    /// Deletes an analysis of this owner; `false` if the owner has none of this id.
    fn drop_analysis<'a>(&'a self, id: &'a AnalysisId, owner: &'a PlayerId) -> Pending<'a, bool>;
    /// The analysis of this id.
    fn analysis<'a>(&'a self, id: &'a AnalysisId) -> Pending<'a, Option<SavedAnalysis>>;
    /// The analyses of a player, the last changed first.
    fn analyses<'a>(&'a self, owner: &'a PlayerId, limit: u32) -> Pending<'a, Vec<SavedAnalysis>>;
    /// Keeps the review of a finished round in the place of an earlier one.
    fn keep_review<'a>(&'a self, review: &'a StoredReview) -> Pending<'a, ()>;
    /// The review of a round; rounds count from 1.
    fn review<'a>(&'a self, table: &'a TableId, round: u32) -> Pending<'a, Option<StoredReview>>;
    /// How the storage does, without asking it.
    fn health(&self) -> Health;
    /// Takes note of something that was read and makes no sense.
    fn note_damage(&self, why: &str);
    /// Ends the storage in good order: everything is in one file, and another server may have it.
    fn close(&self) -> Pending<'_, ()>;
}
