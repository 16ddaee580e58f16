//! The one connection that writes to a file of SQLite.
//!
//! A connection on which a statement of a write failed is never used again: what its transaction
//! holds is unknown, and later statements could succeed inside a transaction that never commits.
//! It is closed, which rolls back, and another one is opened. After a failure everything is refused
//! until a write of our own went through.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::sync::{Mutex, MutexGuard};

use super::StoreError;
use super::database::probe;
use super::file::Files;
use super::health::Record;
use super::sqlite::failed;
use super::statement::{Row, Statement};

/// The write-ahead log is checkpointed with the writer held up once it is this large.
const LARGEST_LOG: u64 = 32 << 20;
/// A checkpoint waits this many milliseconds for readers at most; it is tried again later.
const CHECKPOINT_WAIT: u32 = 50;

/// The one connection that writes.
#[derive(Debug)]
pub(super) struct Primary {
    pub(super) slot: Mutex<Slot>,
    /// What is told of its health.
    pub(super) record: Arc<Record>,
    /// None for a storage in memory.
    files: Option<Files>,
}

#[derive(Debug)]
pub(super) struct Slot {
    pub(super) options: SqliteConnectOptions,
    pub(super) connection: Option<SqliteConnection>,
    closed: bool,
}

impl Primary {
    pub(super) fn new(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        files: Option<Files>,
    ) -> Self {
        let slot = Slot {
            options,
            connection: Some(connection),
            closed: false,
        };
        Self {
            slot: Mutex::new(slot),
            record: Arc::default(),
            files,
        }
    }

    /// Begins a transaction; the only one there is.
    pub(super) async fn begin(&self) -> Result<Transaction<'_>, StoreError> {
        let slot = self.slot.lock().await;
        match self.record.fault() {
            Some(why) => Err(StoreError::Database(why)),
            None => self.begin_in(slot).await,
        }
    }

    async fn begin_in<'a>(
        &'a self,
        mut slot: MutexGuard<'a, Slot>,
    ) -> Result<Transaction<'a>, StoreError> {
        if slot.closed {
            return Err(StoreError::Database("the storage is closed".to_owned()));
        }
        let connection = if let Some(connection) = slot.connection.take() {
            connection
        } else {
            let opened = SqliteConnection::connect_with(&slot.options).await;
            opened.map_err(|error| self.note(failed(error)))?
        };
        let mut transaction = Transaction {
            primary: self,
            slot,
            connection: Some(connection),
        };
        self.record.note_writing(Some(Instant::now()));
        transaction.run(Statement::new("BEGIN IMMEDIATE")).await?;
        Ok(transaction)
    }

    fn note(&self, error: StoreError) -> StoreError {
        self.record.note_fault(&error);
        error
    }

    fn check_files(&self) -> Result<(), StoreError> {
        self.files.as_ref().map_or(Ok(()), Files::check)
    }

    /// Looks after the connection: notes files that are gone, and tries to write after a failure.
    pub(super) async fn tend(&self, reads_since: Instant) {
        if let Err(error) = self.check_files() {
            self.note(error);
            return;
        }
        if self.record.fault().is_some() || self.record.was_damaged_since(reads_since) {
            let mut slot = self.slot.lock().await;
            drop(slot.connection.take());
            if self.probe(slot).await.is_ok() {
                self.record.note_mended();
            }
        }
    }

    /// Writes something that nobody needs, as any other write is done.
    async fn probe(&self, slot: MutexGuard<'_, Slot>) -> Result<(), StoreError> {
        let mut transaction = self.begin_in(slot).await?;
        transaction.run(probe()).await?;
        transaction.commit().await
    }

    /// Whether the write-ahead log has grown so large that it must be checkpointed.
    pub(super) fn has_large_log(&self) -> bool {
        self.files
            .as_ref()
            .is_some_and(|files| files.log_size() > LARGEST_LOG)
    }

    /// Checkpoints the write-ahead log and truncates it; whether that was possible.
    pub(super) async fn checkpoint(&self) -> Result<bool, StoreError> {
        let mut slot = self.slot.lock().await;
        let Some(mut connection) = slot.connection.take() else {
            return Ok(false);
        };
        let done = checkpoint(&mut connection).await.map_err(failed)?;
        slot.connection = Some(connection);
        Ok(done)
    }

    /// Checkpoints the log and lets go of everything.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        let mut slot = self.slot.lock().await;
        slot.closed = true;
        if let Some(mut connection) = slot.connection.take() {
            checkpoint(&mut connection).await.map_err(failed)?;
            connection.close().await.map_err(failed)?;
        }
        Ok(())
    }

    /// Lets another server have the files.
    pub(super) fn release(&self) {
        if let Some(files) = &self.files {
            files.release();
        }
    }
}

async fn checkpoint(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let wait: i64 = sqlx::query_scalar("PRAGMA busy_timeout")
        .fetch_one(&mut *connection)
        .await?;
    set_wait(connection, i64::from(CHECKPOINT_WAIT)).await?;
    let (busy, ..): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut *connection)
        .await?;
    set_wait(connection, wait).await?;
    Ok(busy == 0)
}

async fn set_wait(connection: &mut SqliteConnection, millis: i64) -> Result<(), sqlx::Error> {
    let sql = AssertSqlSafe(format!("PRAGMA busy_timeout = {millis}"));
    sqlx::query(sql).execute(connection).await.map(drop)
}

/// How long a write waits for another process that has locked the file.
pub(super) const LOCK_WAIT: Duration = Duration::from_secs(2);

/// A transaction on the writing connection. Unless it is committed, its connection is closed.
#[derive(Debug)]
pub(super) struct Transaction<'a> {
    primary: &'a Primary,
    slot: MutexGuard<'a, Slot>,
    connection: Option<SqliteConnection>,
}

impl Transaction<'_> {
    /// Runs a statement and answers how many rows it changed.
    pub(super) async fn run(&mut self, statement: Statement) -> Result<u64, StoreError> {
        let done = statement
            .query::<Sqlite>()
            .execute(self.connection()?)
            .await;
        done.map(|done| done.rows_affected())
            .map_err(|error| self.fail(error))
    }

    /// Runs a statement and answers its rows.
    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        let query = statement.query::<Sqlite>();
        let rows = query.fetch_all(self.connection()?).await;
        rows.map(|rows| rows.into_iter().map(Row::Sqlite).collect())
            .map_err(|error| self.fail(error))
    }

    fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let failed = || StoreError::Database("the transaction has failed".to_owned());
        self.connection.as_mut().ok_or_else(failed)
    }

    fn fail(&mut self, error: sqlx::Error) -> StoreError {
        self.connection = None;
        self.primary.note(failed(error))
    }

    /// When this answers, everything is in the file, and the file is where it was.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.run(Statement::new("COMMIT")).await?;
        self.slot.connection = self.connection.take();
        let primary = self.primary;
        primary.check_files().map_err(|error| primary.note(error))
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.primary.record.note_writing(None);
    }
}
