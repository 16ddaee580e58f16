//! The one connection that writes.
//!
//! A connection on which a statement of a write failed is never used again: what its transaction
//! holds is unknown, and later statements could succeed inside a transaction that never commits.
//! It is closed, which rolls back, and another one is opened. After a failure everything is refused
//! until a write of our own went through.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::sync::{Mutex, MutexGuard};

use super::StoreError;
use super::file::Files;
use super::health::Record;
use super::sqlite::failed;

/// The write-ahead log is folded into the file with the writer held up once it is this large.
const LARGEST_LOG: u64 = 32 << 20;
/// Readers hold up the folding for this long at most; it is tried again later.
const FOLD_WAIT: u32 = 50;

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
        transaction.run(sqlx::query("BEGIN IMMEDIATE")).await?;
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
        let now = crate::room::unix_now().to_string();
        let write = sqlx::query(
            "INSERT INTO setting (name, value) VALUES ('probe', $1)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        );
        transaction.run(write.bind(now)).await?;
        transaction.commit().await
    }

    /// Whether the write-ahead log has grown so large that it must be folded.
    pub(super) fn has_large_log(&self) -> bool {
        self.files
            .as_ref()
            .is_some_and(|files| files.log_size() > LARGEST_LOG)
    }

    /// Folds the write-ahead log into the file and empties it; whether that was possible.
    pub(super) async fn checkpoint(&self) -> Result<bool, StoreError> {
        let mut slot = self.slot.lock().await;
        let Some(mut connection) = slot.connection.take() else {
            return Ok(false);
        };
        let done = checkpoint(&mut connection).await.map_err(failed)?;
        slot.connection = Some(connection);
        Ok(done)
    }

    /// Folds the log and lets go of everything.
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
    set_wait(connection, i64::from(FOLD_WAIT)).await?;
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
    pub(super) async fn run(
        &mut self,
        query: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let Some(connection) = self.connection.as_mut() else {
            return Err(StoreError::Database(
                "the transaction has failed".to_owned(),
            ));
        };
        match query.execute(connection).await {
            Ok(done) => Ok(done.rows_affected()),
            Err(error) => {
                self.connection = None;
                Err(self.primary.note(failed(error)))
            }
        }
    }

    /// Ends the transaction without a change.
    pub(super) async fn roll_back(self) -> Result<(), StoreError> {
        self.end("ROLLBACK").await
    }

    /// When this answers, everything is in the file, and the file is where it was.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let primary = self.primary;
        self.end("COMMIT").await?;
        primary.check_files().map_err(|error| primary.note(error))
    }

    async fn end(mut self, how: &'static str) -> Result<(), StoreError> {
        self.run(sqlx::query(how)).await?;
        self.slot.connection = self.connection.take();
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.primary.record.note_writing(None);
    }
}
