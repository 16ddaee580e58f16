//! The storage in SQLite.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Connection as _;
use sqlx::sqlite::{
    Sqlite, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool,
    SqlitePoolOptions, SqliteSynchronous,
};

use super::connection::{LOCK_WAIT, Primary};
use super::database::Database;
use super::file::Files;
use super::health::Record;
use super::sql::{Sql, SqlStore};
use super::statement::{Row, Statement};
use super::{StoreError, account, schema};

/// How often the storage is looked after. A failure that is over is noticed within this time.
const TENDING: Duration = Duration::from_millis(500);
/// How often the write-ahead log is checkpointed beside the writer.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(5);
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
    sql: Sql,
    pub(super) database: Arc<SqliteDatabase>,
}

impl SqlStore for SqliteStore {
    fn sql(&self) -> &Sql {
        &self.sql
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.database.primary.release();
    }
}

/// The connections to a file.
#[derive(Debug)]
pub(super) struct SqliteDatabase {
    pub(super) readers: SqlitePool,
    pub(super) primary: Primary,
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
            // The log is checkpointed by a task of its own, beside the writer.
            .pragma("wal_autocheckpoint", "0");
        Self::over(options, Some(files)).await
    }

    /// A storage that is gone with the process, for tests.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str("sqlite::memory:").map_err(failed)?;
        Self::over(options, None).await
    }

    /// Opens a file that a server may be using, without changing its schema: for what `convoy admin`
    /// reads and writes.
    pub async fn open_beside(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(schema::nothing_yet());
        }
        let options = options(path);
        let opened = SqliteConnection::connect_with(&options).await;
        let mut connection = opened.map_err(failed)?;
        schema::check(&mut connection).await?;
        Self::over_prepared(options, connection, None).await
    }

    async fn over(options: SqliteConnectOptions, files: Option<Files>) -> Result<Self, StoreError> {
        let opened = SqliteConnection::connect_with(&options).await;
        let mut connection = opened.map_err(failed)?;
        schema::prepare(&mut connection).await?;
        let store = Self::over_prepared(options, connection, files).await?;
        account::fill_skeletons(store.database()).await?;
        Ok(store)
    }

    async fn over_prepared(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        files: Option<Files>,
    ) -> Result<Self, StoreError> {
        let readers = SqlitePoolOptions::new()
            .max_connections(if files.is_some() { 4 } else { 1 })
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options.clone().pragma("query_only", "1"))
            .await
            .map_err(failed)?;
        let files = files.map(|mut files| files.remember().map(|()| files));
        let primary = Primary::new(options, connection, files.transpose()?);
        let database = Arc::new(SqliteDatabase { readers, primary });
        let tending = tokio::spawn(tend(Arc::clone(&database)));
        let sql = Sql::new(Database::Sqlite(Arc::clone(&database)), tending);
        Ok(Self { sql, database })
    }

    /// Looks at every page and row of the file, which takes a while, and names the first fault.
    pub async fn check_integrity(&self) -> Result<(), StoreError> {
        let mut connection = self.database.readers.acquire().await.map_err(failed)?;
        check_integrity(&mut connection).await
    }
}

impl SqliteDatabase {
    pub(super) fn record(&self) -> &Record {
        &self.primary.record
    }

    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        let rows = statement.query::<Sqlite>().fetch_all(&self.readers).await;
        let rows = rows.map_err(|error| {
            let error = failed(error);
            if !self.readers.is_closed() {
                self.record().note_damage(&error.to_string());
            }
            error
        })?;
        Ok(rows.into_iter().map(Row::Sqlite).collect())
    }

    pub(super) async fn close(&self) -> Result<(), StoreError> {
        let closed = self.primary.close().await;
        // What is still read is for nobody any more.
        let _ = tokio::time::timeout(LONGEST_CLOSE, self.readers.close()).await;
        self.primary.release();
        closed
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
async fn tend(database: Arc<SqliteDatabase>) {
    let SqliteDatabase { readers, primary } = &*database;
    let mut tick = tokio::time::interval(TENDING);
    let (mut before, mut checkpointed) = (Instant::now(), Instant::now());
    loop {
        tick.tick().await;
        let since = std::mem::replace(&mut before, Instant::now());
        primary.tend(since).await;
        let due = checkpointed.elapsed() >= CHECKPOINT_EVERY;
        let done = if primary.has_large_log() {
            primary.checkpoint().await
        } else if due {
            // Without holding up the writer: as much as nobody reads or writes at this moment.
            let checkpoint = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(readers);
            checkpoint.await.map(|_| true).map_err(failed)
        } else {
            continue;
        };
        if due {
            checkpointed = Instant::now();
        }
        if let Err(error) = done {
            tracing::warn!(%error, "the write-ahead log was not checkpointed");
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
