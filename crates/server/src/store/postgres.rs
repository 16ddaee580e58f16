//! The storage in PostgreSQL.
//!
//! As in a file of SQLite, a connection on which a write failed is never used again, and after a
//! failure every change is refused until a write of our own went through.

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions, Postgres};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tokio::sync::Mutex;

use super::database::{Database, probe};
use super::database_url::DatabaseUrl;
use super::health::Record;
use super::sql::{Sql, SqlStore};
use super::statement::{Row, Statement};
use super::{Durability, StoreError, account, schema};
use crate::config::Storage;

/// How often the storage is looked after. A failure that is over is noticed within this time.
const TENDING: Duration = Duration::from_millis(500);
/// How long a request waits for a connection.
const CONNECTING: Duration = Duration::from_secs(3);
/// A statement without an answer for this long is given up, and its connection with it.
const LONGEST: Duration = Duration::from_secs(10);

/// The storage in a PostgreSQL database.
///
/// ```no_run
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// use convoy_server::{PostgresStore, Storage, Store, TableId};
///
/// let url = "postgres://convoy@db.example/convoy?sslmode=verify-full".parse()?;
/// let store = PostgresStore::open(&url, Storage::default()).await?;
/// assert!(store.events(&TableId::random()).await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PostgresStore {
    sql: Sql,
    database: Arc<PostgresDatabase>,
}

impl SqlStore for PostgresStore {
    fn sql(&self) -> &Sql {
        &self.sql
    }
}

impl PostgresStore {
    /// Opens a database and brings its schema up to date. Until it is closed or dropped, no other
    /// server can open it.
    pub async fn open(url: &DatabaseUrl, storage: Storage) -> Result<Self, StoreError> {
        Self::hold(url, storage, Hold::Alone).await
    }

    /// Opens a database that other nodes may have opened in the same way, and brings its schema up to
    /// date, one node at a time.
    pub async fn open_shared(url: &DatabaseUrl, storage: Storage) -> Result<Self, StoreError> {
        Self::hold(url, storage, Hold::Shared).await
    }

    async fn hold(url: &DatabaseUrl, storage: Storage, hold: Hold) -> Result<Self, StoreError> {
        let options = options(url, storage.durability);
        let mut connection = connect(&options).await?;
        lock_soon(&mut connection, hold, url).await?;
        migrating(&mut connection, "pg_advisory_lock").await?;
        schema::prepare_postgres(&mut connection).await?;
        migrating(&mut connection, "pg_advisory_unlock").await?;
        let store = Self::over(options, storage, Some((connection, hold)));
        account::fill_skeletons(store.database()).await?;
        Ok(store)
    }

    /// Opens a database that a server may be using, without changing its schema: for what `convoy
    /// admin` reads and writes.
    pub async fn open_beside(url: &DatabaseUrl, storage: Storage) -> Result<Self, StoreError> {
        let options = options(url, storage.durability);
        let mut connection = connect(&options).await?;
        schema::check_postgres(&mut connection).await?;
        Ok(Self::over(options, storage, None))
    }

    fn over(
        options: PgConnectOptions,
        storage: Storage,
        lock: Option<(PgConnection, Hold)>,
    ) -> Self {
        let (lock, hold) = lock.unzip();
        let pool = PgPoolOptions::new()
            .max_connections(storage.connections.get())
            .acquire_timeout(CONNECTING)
            .connect_lazy_with(options.clone());
        let database = Arc::new(PostgresDatabase {
            pool,
            options,
            record: Record::default(),
            hold,
            lock: Mutex::new(lock),
        });
        let tending = tokio::spawn(tend(Arc::clone(&database)));
        let sql = Sql::new(Database::Postgres(Arc::clone(&database)), tending);
        Self { sql, database }
    }

    /// Settings of the server because of which an acknowledged move may be lost.
    pub async fn risks(&self) -> Result<Vec<String>, StoreError> {
        let mut connection = self.database.pool.acquire().await.map_err(failed)?;
        let mut risks = Vec::new();
        for name in ["fsync", "full_page_writes", "synchronous_commit"] {
            let statement = Statement::new("SELECT current_setting($1)").bind(name);
            let row = statement
                .query::<Postgres>()
                .fetch_one(&mut *connection)
                .await;
            let value: String = Row::Postgres(row.map_err(failed)?).get(0)?;
            if value == "off" {
                risks.push(format!("{name} is off"));
            }
        }
        Ok(risks)
    }
}

/// How every connection is opened.
fn options(url: &DatabaseUrl, durability: Durability) -> PgConnectOptions {
    let commit = match durability {
        Durability::Full => "on",
        Durability::Normal => "off",
    };
    url.options()
        .application_name("convoy")
        .options([
            ("synchronous_commit", commit),
            ("client_min_messages", "warning"),
            // A node that is gone without a word must not keep its lock for hours.
            ("tcp_keepalives_idle", "10"),
            ("tcp_keepalives_interval", "5"),
            ("tcp_keepalives_count", "3"),
        ])
        // Values of players do not belong into logs, and the time of an append is a metric.
        .disable_statement_logging()
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let connecting = PgConnection::connect_with(options);
    within(CONNECTING, connecting).await.map_err(failed)
}

/// Whom a server keeps off its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// Every other server.
    Alone,
    /// Every server but other nodes.
    Shared,
}

/// Lets one node at a time change the schema, and waits for it.
async fn migrating(connection: &mut PgConnection, call: &str) -> Result<(), StoreError> {
    let key = "(hashtext('convoy migrations'), hashtext(current_schema()))";
    let query = AssertSqlSafe(format!("SELECT {call}{key}"));
    let done = within(LONGEST, sqlx::raw_sql(query).execute(connection)).await;
    done.map(drop).map_err(failed)
}

/// Takes the lock that a server holds as long as it is connected; `false` if another one has it.
async fn lock(connection: &mut PgConnection, hold: Hold) -> Result<bool, StoreError> {
    let query = sqlx::query_scalar(match hold {
        Hold::Alone => {
            "SELECT pg_try_advisory_lock(hashtext('convoy'), hashtext(current_schema()))"
        }
        Hold::Shared => {
            "SELECT pg_try_advisory_lock_shared(hashtext('convoy'), hashtext(current_schema()))"
        }
    });
    within(LONGEST, query.fetch_one(connection))
        .await
        .map_err(failed)
}

/// Takes the lock, and waits a little for it: the server notices late that its holder is gone.
async fn lock_soon(
    connection: &mut PgConnection,
    hold: Hold,
    url: &DatabaseUrl,
) -> Result<(), StoreError> {
    let deadline = tokio::time::Instant::now() + CONNECTING;
    while !lock(connection, hold).await? {
        if tokio::time::Instant::now() > deadline {
            return Err(StoreError::InUse(format!("the database {url}")));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// The connections to a database.
#[derive(Debug)]
pub(super) struct PostgresDatabase {
    pool: PgPool,
    options: PgConnectOptions,
    record: Record,
    /// Whom it keeps off, if anybody.
    hold: Option<Hold>,
    /// The connection that does; none after it broke.
    lock: Mutex<Option<PgConnection>>,
}

impl PostgresDatabase {
    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        let query = statement.query::<Postgres>();
        match within(LONGEST, query.fetch_all(&self.pool)).await {
            Ok(rows) => Ok(rows.into_iter().map(Row::Postgres).collect()),
            Err(error) if is_outage(&error) => Err(self.note(failed(error))),
            Err(error) => {
                let error = failed(error);
                self.record.note_damage(&error.to_string());
                Err(error)
            }
        }
    }

    fn note(&self, error: StoreError) -> StoreError {
        if !self.pool.is_closed() {
            self.record.note_fault(&error);
        }
        error
    }

    pub(super) async fn begin(&self) -> Result<Transaction<'_>, StoreError> {
        let connection = self.pool.acquire().await;
        let connection = connection.map_err(|error| self.note(failed(error)))?;
        let mut transaction = Transaction {
            database: self,
            connection: Some(connection),
        };
        transaction.run(Statement::new("BEGIN")).await?;
        Ok(transaction)
    }

    /// Notes a lost lock, takes it again, and tries to write after a failure.
    async fn tend(&self) -> Result<(), StoreError> {
        let mut lock_connection = self.lock.lock().await;
        if let Some(connection) = lock_connection.as_mut() {
            let alive = within(LONGEST, connection.ping()).await;
            if let Err(error) = alive {
                *lock_connection = None;
                self.note(failed(error));
            }
        }
        if let (Some(hold), None) = (self.hold, lock_connection.as_ref()) {
            let mut connection = connect(&self.options).await?;
            if !lock(&mut connection, hold).await? {
                let by = "the connection was lost, and another server has the database since";
                self.note(StoreError::InUse(by.to_owned()));
                return Ok(());
            }
            *lock_connection = Some(connection);
        }
        drop(lock_connection);
        if self.record.fault().is_some() {
            let mut transaction = self.begin().await?;
            transaction.run(probe()).await?;
            transaction.commit().await?;
            self.record.note_mended();
        }
        Ok(())
    }

    pub(super) async fn close(&self) {
        // What is still read is for nobody any more.
        let _ = tokio::time::timeout(LONGEST, self.pool.close()).await;
        if let Some(connection) = self.lock.lock().await.take() {
            let _ = tokio::time::timeout(LONGEST, connection.close()).await;
        }
    }
}

/// Looks after a storage as long as it is there.
async fn tend(database: Arc<PostgresDatabase>) {
    let mut tick = tokio::time::interval(TENDING);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = database.tend().await {
            database.note(error);
        }
    }
}

/// A transaction on a connection of its own. Unless it is committed, its connection is closed.
#[derive(Debug)]
pub(super) struct Transaction<'a> {
    database: &'a PostgresDatabase,
    connection: Option<PoolConnection<Postgres>>,
}

impl Transaction<'_> {
    pub(super) async fn run(&mut self, statement: Statement) -> Result<u64, StoreError> {
        let query = statement.query::<Postgres>();
        let done = within(LONGEST, query.execute(self.connection()?)).await;
        done.map(|done| done.rows_affected())
            .map_err(|error| self.fail(error))
    }

    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        let query = statement.query::<Postgres>();
        let rows = within(LONGEST, query.fetch_all(self.connection()?)).await;
        rows.map(|rows| rows.into_iter().map(Row::Postgres).collect())
            .map_err(|error| self.fail(error))
    }

    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.run(Statement::new("COMMIT")).await?;
        // It goes back to the pool.
        drop(self.connection.take());
        Ok(())
    }

    fn connection(&mut self) -> Result<&mut PgConnection, StoreError> {
        let failed = || StoreError::Database("the transaction has failed".to_owned());
        self.connection.as_deref_mut().ok_or_else(failed)
    }

    fn fail(&mut self, error: sqlx::Error) -> StoreError {
        self.discard();
        self.database.note(failed(error))
    }

    /// Closes the connection, which rolls back.
    fn discard(&mut self) {
        drop(self.connection.take().map(PoolConnection::detach));
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.discard();
    }
}

/// Gives a call up after a time.
async fn within<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let late = |_| {
        let why = format!("the database has not answered for {} s", limit.as_secs());
        sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, why))
    };
    tokio::time::timeout(limit, call).await.map_err(late)?
}

/// Whether the database itself is out of reach, rather than one row of it.
fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        // Connections refused or ended by the server, or all in use.
        sqlx::Error::Database(fault) => fault.code().is_some_and(|code| {
            ["08", "53", "57"]
                .iter()
                .any(|class| code.starts_with(class))
        }),
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}

/// A fault of the database in our words.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    StoreError::Database(match error {
        sqlx::Error::Database(fault) => fault.message().to_owned(),
        sqlx::Error::PoolTimedOut => format!(
            "no connection to PostgreSQL within {} s",
            CONNECTING.as_secs()
        ),
        sqlx::Error::Io(error) => format!("the connection to PostgreSQL: {error}"),
        error => error.to_string(),
    })
}
