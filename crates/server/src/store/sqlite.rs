//! The storage in SQLite. The SQL is plain enough for PostgreSQL; what is SQLite's alone stands in
//! the options of the connection.

use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::Row as _;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};

use tokio::task::JoinHandle;

use super::account;
use super::schema;
use super::writer::Writer;
use super::{
    Account, Append, Pending, Phase, Retired, SessionRow, Store, StoreError, Stored, Summary,
};
use crate::id::{PlayerId, TableId};

/// How often the write-ahead log is folded into the file.
const FOLDING: Duration = Duration::from_secs(5);

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
    writer: Writer,
    /// The task that folds the log; a storage without a file has none.
    _folding: Option<Folding>,
}

/// The task that folds the log, ended with its storage.
#[derive(Debug)]
struct Folding(JoinHandle<()>);

impl Drop for Folding {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl SqliteStore {
    /// Opens the file, and makes it if there is none.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What is committed outlives the process. A power cut may cost the last moments, never
            // the soundness of the file; waiting for the disk would make every move wait with it.
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(Duration::from_secs(10))
            .pragma("cache_size", "-4096")
            // The log is folded into the file by a task of its own, beside the writer.
            .pragma("wal_autocheckpoint", "0");
        let writer = pool(options.clone(), 1).await?;
        let readers = pool(options, 4).await?;
        let folding = tokio::spawn(fold(readers.clone()));
        Ok(Self {
            _folding: Some(Folding(folding)),
            ..Self::over(readers, writer).await?
        })
    }

    /// A storage that is gone with the process, for tests.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str("sqlite::memory:").map_err(failed)?;
        let pool = pool(options, 1).await?;
        Self::over(pool.clone(), pool).await
    }

    async fn over(readers: SqlitePool, writer: SqlitePool) -> Result<Self, StoreError> {
        let mut connection = writer.acquire().await.map_err(failed)?;
        schema::prepare(&mut connection).await?;
        drop(connection);
        Ok(Self {
            writer: Writer::start(writer),
            readers,
            _folding: None,
        })
    }
}

async fn pool(options: SqliteConnectOptions, connections: u32) -> Result<SqlitePool, StoreError> {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .map_err(failed)
}

/// Folds the write-ahead log into the file now and then, without holding up the writer.
async fn fold(pool: SqlitePool) {
    let mut tick = tokio::time::interval(FOLDING);
    loop {
        tick.tick().await;
        let folded = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
            .execute(&pool)
            .await;
        if let Err(error) = folded {
            tracing::warn!(%error, "the write-ahead log was not folded");
        }
    }
}

/// A fault of the database in our words.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    match error.as_database_error() {
        Some(fault) if fault.is_unique_violation() => StoreError::Taken,
        _ => StoreError::Database(error.to_string()),
    }
}

pub(super) fn damaged(what: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("a stored row cannot be read: {what}"))
}

fn summary_of(row: &SqliteRow) -> Result<Summary, StoreError> {
    serde_json::from_str(row.get::<&str, _>(0)).map_err(damaged)
}

impl Store for SqliteStore {
    fn append(&self, append: Append) -> Pending<'_, ()> {
        Box::pin(self.writer.append(append))
    }

    fn events<'a>(&'a self, table: &'a TableId) -> Pending<'a, Vec<Stored>> {
        Box::pin(async move {
            let rows =
                sqlx::query("SELECT seq, at, event FROM event WHERE table_id = $1 ORDER BY seq")
                    .bind(table.as_str())
                    .fetch_all(&self.readers)
                    .await
                    .map_err(failed)?;
            let stored = |row: &SqliteRow| {
                Ok(Stored {
                    seq: u64::try_from(row.get::<i64, _>(0)).map_err(damaged)?,
                    at: row.get(1),
                    event: row.get(2),
                })
            };
            rows.iter().map(stored).collect()
        })
    }

    fn listed(&self, phase: Phase, limit: u32) -> Pending<'_, Vec<Summary>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT summary FROM summary WHERE phase = $1 AND listed = 1
                 ORDER BY changed DESC LIMIT $2",
            )
            .bind(phase.as_str())
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await
            .map_err(failed)?;
            rows.iter().map(summary_of).collect()
        })
    }

    fn archive<'a>(
        &'a self,
        player: &'a PlayerId,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<Summary>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT summary FROM summary
                 WHERE phase <> 'waiting'
                   AND table_id IN (SELECT table_id FROM seat WHERE player = $1)
                 ORDER BY changed DESC, table_id LIMIT $2 OFFSET $3",
            )
            .bind(player.as_str())
            .bind(i64::from(limit))
            .bind(i64::from(offset))
            .fetch_all(&self.readers)
            .await
            .map_err(failed)?;
            rows.iter().map(summary_of).collect()
        })
    }

    fn add_account<'a>(&'a self, account: &'a Account) -> Pending<'a, ()> {
        Box::pin(account::add(&self.readers, account))
    }

    fn account<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_name(&self.readers, name))
    }

    fn account_of<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_player(&self.readers, player))
    }

    fn set_password<'a>(&'a self, player: &'a PlayerId, password: &'a str) -> Pending<'a, ()> {
        Box::pin(account::set_password(&self.readers, player, password))
    }

    fn drop_account<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::delete(&self.readers, retired))
    }

    fn add_session<'a>(&'a self, session: &'a SessionRow) -> Pending<'a, ()> {
        Box::pin(account::add_session(&self.readers, session))
    }

    fn session<'a>(&'a self, token: &'a str) -> Pending<'a, Option<SessionRow>> {
        Box::pin(account::session(&self.readers, token))
    }

    fn sessions<'a>(&'a self, account: &'a PlayerId) -> Pending<'a, Vec<SessionRow>> {
        Box::pin(account::sessions(&self.readers, account))
    }

    fn touch_session<'a>(&'a self, token: &'a str, seen: i64) -> Pending<'a, ()> {
        Box::pin(account::touch_session(&self.readers, token, seen))
    }

    fn drop_session<'a>(&'a self, token: &'a str) -> Pending<'a, ()> {
        Box::pin(account::drop_session(&self.readers, token))
    }

    fn purge_sessions(&self, before: i64) -> Pending<'_, ()> {
        Box::pin(account::purge_sessions(&self.readers, before))
    }

    fn retire<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::retire(&self.readers, retired))
    }

    fn retired<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Retired>> {
        Box::pin(account::retired(&self.readers, player))
    }

    fn seats_to_move<'a>(
        &'a self,
        player: Option<&'a PlayerId>,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<(TableId, Retired)>> {
        Box::pin(account::seats_to_move(&self.readers, player, offset, limit))
    }

    fn settle<'a>(&'a self, key: &'a str, value: &'a str) -> Pending<'a, String> {
        Box::pin(async move {
            sqlx::query(
                "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            )
            .bind(key)
            .bind(value)
            .execute(&self.readers)
            .await
            .map_err(failed)?;
            let row = sqlx::query("SELECT value FROM setting WHERE name = $1")
                .bind(key)
                .fetch_one(&self.readers)
                .await
                .map_err(failed)?;
            Ok(row.get(0))
        })
    }
}
