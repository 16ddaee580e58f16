//! The storages of the tests: SQLite, or PostgreSQL where `CONVOY_TEST_DATABASE` names one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use convoy_server::{Append, DatabaseUrl, PostgresStore, SqliteStore, Store, Stored, TableId};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::Folder;

/// The address of a PostgreSQL database; `cargo xtask test --only postgres` sets it.
const VARIABLE: &str = "CONVOY_TEST_DATABASE";

/// A storage that outlives the servers over it.
pub(crate) enum Storage {
    Sqlite(Folder),
    Postgres(DatabaseUrl),
}

impl Storage {
    pub(crate) async fn new(name: &str) -> Self {
        match std::env::var(VARIABLE) {
            Ok(url) => Self::Postgres(new_schema(&url).await),
            Err(_) => Self::Sqlite(Folder::new(name)),
        }
    }

    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        match self {
            Self::Sqlite(folder) => sqlite(&folder.0.join("a.db")).await,
            Self::Postgres(url) => open_postgres(url).await,
        }
    }
}

/// An event that says nothing.
pub(crate) fn event(table: &TableId, seq: u64) -> Append {
    Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at: 0,
            event: "{}".to_owned(),
        },
        summary: None,
    }
}

/// A storage in a file of SQLite, whatever else the tests run over.
pub(crate) async fn sqlite(file: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(file).await.unwrap())
}

/// A storage that nobody opens again.
pub(crate) async fn fresh() -> Arc<dyn Store> {
    match std::env::var(VARIABLE) {
        Ok(url) => open_postgres(&new_schema(&url).await).await,
        Err(_) => Arc::new(SqliteStore::in_memory().await.unwrap()),
    }
}

async fn open_postgres(url: &DatabaseUrl) -> Arc<dyn Store> {
    let storage = convoy_server::Storage::default();
    Arc::new(PostgresStore::open(url, storage).await.unwrap())
}

/// A schema of its own in a database: its address.
pub(crate) async fn new_schema(url: &str) -> DatabaseUrl {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{number}", std::process::id());
    let mut connection = PgConnection::connect(url).await.unwrap();
    let create = AssertSqlSafe(format!("CREATE SCHEMA {name}"));
    sqlx::raw_sql(create)
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    format!("{url}?options[search_path]={name}")
        .parse()
        .unwrap()
}
