//! The storage in SQLite. The SQL is plain enough for PostgreSQL; what is SQLite's alone stands in
//! the options of the connection.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::query::Query;
use sqlx::sqlite::{
    Sqlite, SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool,
    SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _};
use tokio::task::JoinHandle;

use super::account;
use super::connection::{LOCK_WAIT, Primary};
use super::file::Files;
use super::writer::Writer;
use super::{
    Account, Append, Health, Pending, Phase, Retention, Retired, SessionRow, Store, StoreError,
    Stored, Summary, Unused, retention, schema,
};
use crate::id::{PlayerId, TableId};

/// How often the storage is looked after. A failure that is over is noticed within this time.
const TENDING: Duration = Duration::from_millis(500);
/// How often the write-ahead log is folded into the file beside the writer.
const FOLDING: Duration = Duration::from_secs(5);
/// How long readers may hold up the end.
const LONGEST_CLOSE: Duration = Duration::from_secs(5);

/// What an acknowledgement outlives.
///
/// ```
/// use convoy_server::Durability;
///
/// assert_ne!(Durability::Normal, Durability::Full);
/// assert_eq!(Durability::default(), Durability::Full);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// A power cut: every commit waits for the disk.
    #[default]
    Full,
    /// The end of the process, however that comes. A power cut may cost the last moments.
    Normal,
}

/// The storage in one SQLite file, in WAL mode.
///
/// ```
/// # async fn doc() -> Result<(), convoy_server::StoreError> {
/// use convoy_server::{SqliteStore, Store, TableId};
///
/// let store = SqliteStore::in_memory().await?;
/// assert!(store.events(&TableId::random()).await?.is_empty());
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
#[derive(Debug)]
pub struct SqliteStore {
    readers: SqlitePool,
    pub(super) primary: Arc<Primary>,
    writer: Writer,
    tending: JoinHandle<()>,
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.tending.abort();
        self.primary.release();
    }
}

impl SqliteStore {
    /// Opens the file, and makes it if there is none. Until it is closed or dropped, nobody else can
    /// open it for writing.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Durability::default()).await
    }

    /// Opens the file with a durability.
    pub async fn open_with(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        let files = Files::claim(path)?;
        let options = options(path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(match durability {
                Durability::Full => SqliteSynchronous::Full,
                Durability::Normal => SqliteSynchronous::Normal,
            })
            .pragma("cache_size", "-4096")
            // The log is folded into the file by a task of its own, beside the writer.
            .pragma("wal_autocheckpoint", "0");
        Self::over(options, Some(files)).await
    }

    /// A storage that is gone with the process, for tests.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str("sqlite::memory:").map_err(failed)?;
        Self::over(options, None).await
    }

    async fn over(options: SqliteConnectOptions, files: Option<Files>) -> Result<Self, StoreError> {
        let opened = SqliteConnection::connect_with(&options).await;
        let mut connection = opened.map_err(failed)?;
        schema::prepare(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(if files.is_some() { 4 } else { 1 })
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options.clone().pragma("query_only", "1"))
            .await
            .map_err(failed)?;
        let files = files.map(|mut files| files.remember().map(|()| files));
        let primary = Arc::new(Primary::new(options, connection, files.transpose()?));
        Ok(Self {
            writer: Writer::start(Arc::clone(&primary)),
            tending: tokio::spawn(tend(Arc::clone(&primary), readers.clone())),
            readers,
            primary,
        })
    }

    /// Looks at every page and row of the file, which takes a while, and names the first fault.
    pub async fn check_integrity(&self) -> Result<(), StoreError> {
        let mut connection = self.readers.acquire().await.map_err(failed)?;
        check_integrity(&mut connection).await
    }

    async fn rows(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        let rows = query.fetch_all(&self.readers).await;
        rows.map_err(|error| self.unread(failed(error)))
    }

    /// Reads rows as what they stand for.
    pub(super) async fn read<T>(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
        of: impl Fn(&SqliteRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.rows(query).await?;
        let read: Result<Vec<T>, StoreError> = rows.iter().map(of).collect();
        read.map_err(|error| self.unread(error))
    }

    /// Notes that something could not be read.
    fn unread(&self, error: StoreError) -> StoreError {
        if !self.readers.is_closed() {
            self.primary.record.note_damage(&error.to_string());
        }
        error
    }

    /// Writes one row; `false` if its key is taken.
    pub(super) async fn write(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.primary.begin().await?;
        let written = transaction.run(query).await?;
        transaction.commit().await?;
        Ok(written > 0)
    }
}

/// How every file is opened.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(LOCK_WAIT)
}

/// Looks at every page and row, and names the first fault.
pub(super) async fn check_integrity(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let first = sqlx::query_scalar::<_, String>("PRAGMA integrity_check(1)").fetch_one(connection);
    let why = match first.await {
        Ok(fine) if fine == "ok" => return Ok(()),
        Ok(why) => why.replace('\n', " "),
        Err(error) => failed(error).to_string(),
    };
    Err(StoreError::Database(format!("the file is damaged: {why}")))
}

/// Looks after a storage as long as it is there.
async fn tend(primary: Arc<Primary>, readers: SqlitePool) {
    let mut tick = tokio::time::interval(TENDING);
    let (mut before, mut folded) = (Instant::now(), Instant::now());
    loop {
        tick.tick().await;
        let since = std::mem::replace(&mut before, Instant::now());
        primary.tend(since).await;
        let due = folded.elapsed() >= FOLDING;
        let done = if primary.has_large_log() {
            primary.checkpoint().await
        } else if due {
            // Without holding up the writer: as much as nobody reads or writes at this moment.
            let checkpoint = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&readers);
            checkpoint.await.map(|_| true).map_err(failed)
        } else {
            continue;
        };
        if due {
            folded = Instant::now();
        }
        if let Err(error) = done {
            tracing::warn!(%error, "the write-ahead log was not folded");
        }
    }
}

/// A fault of the database in our words.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(fault) => StoreError::Database(fault.message().to_owned()),
        error => StoreError::Database(error.to_string()),
    }
}

pub(super) fn damaged(what: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("a stored row cannot be read: {what}"))
}

/// A column of a row; what is not of this type is damage.
pub(super) fn get<'r, T>(row: &'r SqliteRow, column: usize) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    row.try_get(column).map_err(damaged)
}

fn event_of(row: &SqliteRow) -> Result<Stored, StoreError> {
    Ok(Stored {
        seq: u64::try_from(get::<i64>(row, 0)?).map_err(damaged)?,
        at: get(row, 1)?,
        event: get(row, 2)?,
    })
}

fn summary_of(row: &SqliteRow) -> Result<Summary, StoreError> {
    serde_json::from_str(get::<&str>(row, 0)?).map_err(damaged)
}

impl Store for SqliteStore {
    fn append(&self, append: Append) -> Pending<'_, ()> {
        Box::pin(self.writer.append(append))
    }

    fn events<'a>(&'a self, table: &'a TableId) -> Pending<'a, Vec<Stored>> {
        Box::pin(async move {
            let sql = "SELECT seq, at, event FROM event WHERE table_id = $1 ORDER BY seq";
            let query = sqlx::query(sql).bind(table.as_str());
            self.read(query, event_of).await
        })
    }

    fn listed(&self, phase: Phase, limit: u32) -> Pending<'_, Vec<Summary>> {
        Box::pin(async move {
            let query = sqlx::query(
                "SELECT summary FROM summary WHERE phase = $1 AND listed = 1
                 ORDER BY changed DESC LIMIT $2",
            );
            let query = query.bind(phase.as_str()).bind(i64::from(limit));
            self.read(query, summary_of).await
        })
    }

    fn archive<'a>(
        &'a self,
        player: &'a PlayerId,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<Summary>> {
        Box::pin(async move {
            let query = sqlx::query(
                "SELECT summary FROM (
                    SELECT DISTINCT table_id, changed FROM seat WHERE player = $1 AND begun = 1
                    ORDER BY changed DESC, table_id LIMIT $2 OFFSET $3
                 ) AS page JOIN summary ON summary.table_id = page.table_id
                 ORDER BY page.changed DESC, page.table_id",
            );
            let query = query
                .bind(player.as_str())
                .bind(i64::from(limit))
                .bind(i64::from(offset));
            self.read(query, summary_of).await
        })
    }

    fn add_account<'a>(&'a self, account: &'a Account) -> Pending<'a, ()> {
        Box::pin(account::add(self, account))
    }

    fn account<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_name(self, name))
    }

    fn account_of<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_player(self, player))
    }

    fn set_password<'a>(&'a self, player: &'a PlayerId, password: &'a str) -> Pending<'a, ()> {
        Box::pin(account::set_password(self, player, password))
    }

    fn drop_account<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::delete(self, retired))
    }

    fn add_session<'a>(&'a self, session: &'a SessionRow) -> Pending<'a, ()> {
        Box::pin(account::add_session(self, session))
    }

    fn session<'a>(&'a self, token: &'a str) -> Pending<'a, Option<SessionRow>> {
        Box::pin(account::session(self, token))
    }

    fn sessions<'a>(&'a self, account: &'a PlayerId) -> Pending<'a, Vec<SessionRow>> {
        Box::pin(account::sessions(self, account))
    }

    fn touch_session<'a>(&'a self, token: &'a str, seen: i64) -> Pending<'a, ()> {
        Box::pin(account::touch_session(self, token, seen))
    }

    fn drop_session<'a>(&'a self, token: &'a str) -> Pending<'a, ()> {
        Box::pin(account::drop_session(self, token))
    }

    fn purge_sessions(&self, before: i64) -> Pending<'_, ()> {
        Box::pin(account::purge_sessions(self, before))
    }

    fn retire<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::retire(self, retired))
    }

    fn retired<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Retired>> {
        Box::pin(account::retired(self, player))
    }

    fn seats_to_move<'a>(
        &'a self,
        player: Option<&'a PlayerId>,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<(TableId, Retired)>> {
        Box::pin(account::seats_to_move(self, player, offset, limit))
    }

    fn unused(&self, unused: Unused, limit: u32) -> Pending<'_, Vec<TableId>> {
        Box::pin(async move {
            let query = sqlx::query(retention::UNUSED)
                .bind(unused.waiting_before)
                .bind(unused.unplayed_before)
                .bind(i64::from(Retention::FEW))
                .bind(i64::from(limit));
            let table = |row: &SqliteRow| get::<&str>(row, 0)?.parse().map_err(damaged);
            self.read(query, table).await
        })
    }

    fn drop_tables<'a>(&'a self, tables: &'a [TableId]) -> Pending<'a, ()> {
        Box::pin(retention::drop_tables(&self.primary, tables))
    }

    fn get_or_insert<'a>(&'a self, key: &'a str, value: &'a str) -> Pending<'a, String> {
        Box::pin(async move {
            let row = sqlx::query(
                "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            );
            self.write(row.bind(key).bind(value)).await?;
            let query = sqlx::query("SELECT value FROM setting WHERE name = $1").bind(key);
            let mut rows = self.read(query, |row| get(row, 0)).await?;
            rows.pop().ok_or_else(|| damaged("a setting is gone"))
        })
    }

    fn health(&self) -> Health {
        self.primary.record.health()
    }

    fn note_damage(&self, why: &str) {
        self.primary.record.note_damage(why);
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.tending.abort();
            let closed = self.primary.close().await;
            // What is still read is for nobody any more.
            let _ = tokio::time::timeout(LONGEST_CLOSE, self.readers.close()).await;
            self.primary.release();
            closed
        })
    }
}
