//! What the storage asks of a database, whichever it is.

use std::sync::Arc;

use super::StoreError;
use super::connection;
use super::health::Record;
use super::postgres::{self, PostgresDatabase};
use super::sqlite::SqliteDatabase;
use super::statement::{Row, Statement};

/// One of the two databases.
#[derive(Debug)]
pub(super) enum Database {
    Sqlite(Arc<SqliteDatabase>),
    Postgres(Arc<PostgresDatabase>),
}

impl Database {
    /// What is known of its health.
    pub(super) fn record(&self) -> &Record {
        match self {
            Self::Sqlite(sqlite) => sqlite.record(),
            Self::Postgres(postgres) => postgres.record(),
        }
    }

    /// Reads rows as what they stand for.
    pub(super) async fn read<T>(
        &self,
        statement: Statement,
        of: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = match self {
            Self::Sqlite(sqlite) => sqlite.rows(statement).await?,
            Self::Postgres(postgres) => postgres.rows(statement).await?,
        };
        let read: Result<Vec<T>, StoreError> = rows.iter().map(of).collect();
        read.inspect_err(|error| self.record().note_damage(&error.to_string()))
    }

    /// Begins a transaction that writes.
    pub(super) async fn begin(&self) -> Result<Transaction<'_>, StoreError> {
        if let Some(why) = self.record().fault() {
            return Err(StoreError::Database(why));
        }
        Ok(match self {
            Self::Sqlite(sqlite) => Transaction::Sqlite(sqlite.primary.begin().await?),
            Self::Postgres(postgres) => Transaction::Postgres(postgres.begin().await?),
        })
    }

    /// Runs one statement; `false` if it changed nothing.
    pub(super) async fn write(&self, statement: Statement) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let written = transaction.run(statement).await?;
        transaction.commit().await?;
        Ok(written > 0)
    }

    /// Ends it in good order.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.close().await,
            Self::Postgres(postgres) => {
                postgres.close().await;
                Ok(())
            }
        }
    }
}

/// Writes something that nobody needs, as any other write is done.
pub(super) fn probe() -> Statement {
    let write = Statement::new(
        "INSERT INTO setting (name, value) VALUES ('probe', $1)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
    write.bind(crate::room::unix_now().to_string())
}

/// A transaction that writes. Unless it is committed, its connection is closed.
#[derive(Debug)]
pub(super) enum Transaction<'a> {
    Sqlite(connection::Transaction<'a>),
    Postgres(postgres::Transaction<'a>),
}

impl Transaction<'_> {
    /// Runs a statement and answers how many rows it changed.
    pub(super) async fn run(&mut self, statement: Statement) -> Result<u64, StoreError> {
        match self {
            Self::Sqlite(transaction) => transaction.run(statement).await,
            Self::Postgres(transaction) => transaction.run(statement).await,
        }
    }

    /// Runs a statement and answers its rows.
    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        match self {
            Self::Sqlite(transaction) => transaction.rows(statement).await,
            Self::Postgres(transaction) => transaction.rows(statement).await,
        }
    }

    /// When this answers, everything is stored.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction) => transaction.commit().await,
        }
    }
}
