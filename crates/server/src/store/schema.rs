//! The schema: numbered migrations, each applied once, and a check that the database has what they
//! make.
//!
//! A migration that was released is never changed; another one is added, under one number for both
//! databases. Which ones a database has is kept in it. PostgreSQL begins with the schema of number 3.

use std::collections::BTreeSet;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, SqlSafeStr as _};

use super::StoreError;
use super::{postgres, sqlite};

/// Number, name and SQL.
type Numbered = (i64, &'static str, &'static str);

/// All migrations of SQLite.
const SQLITE: [Numbered; 9] = [
    (
        1,
        "tables",
        include_str!("../../migrations/sqlite/0001_tables.sql"),
    ),
    (
        2,
        "sessions",
        include_str!("../../migrations/sqlite/0002_sessions.sql"),
    ),
    (
        3,
        "archive",
        include_str!("../../migrations/sqlite/0003_archive.sql"),
    ),
    (
        4,
        "admin",
        include_str!("../../migrations/sqlite/0004_admin.sql"),
    ),
    (
        5,
        "first seats",
        include_str!("../../migrations/sqlite/0005_first_seats.sql"),
    ),
    (
        6,
        "skeletons",
        include_str!("../../migrations/sqlite/0006_skeletons.sql"),
    ),
    (
        7,
        "puzzles",
        include_str!("../../migrations/sqlite/0007_puzzles.sql"),
    ),
    (
        8,
        "study",
        include_str!("../../migrations/sqlite/0008_study.sql"),
    ),
    (
        9,
        "rated attempts",
        include_str!("../../migrations/sqlite/0009_rated_attempts.sql"),
    ),
];

/// All migrations of PostgreSQL.
const POSTGRES: [Numbered; 7] = [
    (
        3,
        "tables",
        include_str!("../../migrations/postgres/0003_tables.sql"),
    ),
    (
        4,
        "admin",
        include_str!("../../migrations/postgres/0004_admin.sql"),
    ),
    (
        5,
        "first seats",
        include_str!("../../migrations/postgres/0005_first_seats.sql"),
    ),
    (
        6,
        "skeletons",
        include_str!("../../migrations/postgres/0006_skeletons.sql"),
    ),
    (
        7,
        "puzzles",
        include_str!("../../migrations/postgres/0007_puzzles.sql"),
    ),
    (
        8,
        "study",
        include_str!("../../migrations/postgres/0008_study.sql"),
    ),
    (
        9,
        "rated attempts",
        include_str!("../../migrations/postgres/0009_rated_attempts.sql"),
    ),
];

/// Whether a file has the schema of this program, without changing it.
pub(super) async fn check(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let version = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
    is_newest(
        version
            .fetch_one(connection)
            .await
            .map_err(sqlite::failed)?,
    )
}

/// There is nothing to look at or to change.
pub(super) fn nothing_yet() -> StoreError {
    StoreError::Database("no server has kept anything there yet".to_owned())
}

/// Whether a PostgreSQL database has the schema of this program, without changing it.
pub(super) async fn check_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    let has_any = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL");
    let has_any: bool = has_any
        .fetch_one(&mut *connection)
        .await
        .map_err(postgres::failed)?;
    if !has_any {
        return Err(nothing_yet());
    }
    let version = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
    is_newest(
        version
            .fetch_one(connection)
            .await
            .map_err(postgres::failed)?,
    )
}

fn is_newest(version: Option<i64>) -> Result<(), StoreError> {
    let found = version.unwrap_or(0);
    if found == SCHEMA {
        return Ok(());
    }
    Err(StoreError::Schema(format!(
        "it is at migration {found}, and this program at {SCHEMA}: use the program that serves it"
    )))
}

/// Where the numbers of the applied migrations are kept.
const APPLIED: &str = "_sqlx_migrations";

/// Brings a file to the newest schema, or says why it cannot be used.
pub(super) async fn prepare(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found = parts(connection).await?;
    if !found.is_empty() && !found.contains(&format!("table {APPLIED}")) {
        // Made before migrations were numbered. A table that is missing must not be made up.
        let mut first = parts_after(1).await?;
        first.retain(|part| !part.contains(APPLIED));
        complain_of_missing(&first, &found)?;
    }
    let applied = migrator(&SQLITE).run(&mut *connection).await;
    applied.map_err(refused)?;
    complain_of_missing(&parts_after(SCHEMA).await?, &parts(connection).await?)
}

/// Brings a PostgreSQL database to the newest schema, or says why it cannot be used. Of several
/// servers one does it, and the others wait.
pub(super) async fn prepare_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    let applied = migrator(&POSTGRES).run(&mut *connection).await;
    applied.map_err(refused)?;
    // The logical schema is that of SQLite.
    let mut wanted = parts_after(SCHEMA).await?;
    wanted.retain(|part| !part.contains(APPLIED));
    complain_of_missing(&wanted, &postgres_parts(connection).await?)
}

/// The number of the last migration that this program knows.
///
/// ```
/// assert!(convoy_server::SCHEMA >= 3);
/// ```
pub const SCHEMA: i64 = SQLITE[SQLITE.len() - 1].0;

fn migrator(migrations: &[Numbered]) -> Migrator {
    let migration = |&(number, name, sql): &Numbered| {
        let kind = MigrationType::Simple;
        Migration::new(number, name.into(), kind, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(migrations.iter().map(migration).collect())
}

fn refused(error: MigrateError) -> StoreError {
    StoreError::Schema(match error {
        MigrateError::VersionMissing(number) => format!(
            "it has migration {number}, and this program knows none after {SCHEMA}: use the newer program that wrote it"
        ),
        MigrateError::VersionMismatch(number) => {
            format!("its migration {number} is not the one that this program knows")
        }
        MigrateError::Execute(error) => return sqlite::failed(error),
        error => error.to_string(),
    })
}

/// The tables, columns and indices of a file, each in words.
async fn parts(connection: &mut SqliteConnection) -> Result<BTreeSet<String>, StoreError> {
    let parts: Vec<String> = sqlx::query_scalar(
        "SELECT type || ' ' || name FROM sqlite_schema
         WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite_%'
         UNION ALL
         SELECT 'column ' || t.name || '.' || c.name || ' ' || c.type
         FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
    )
    .fetch_all(connection)
    .await
    .map_err(sqlite::failed)?;
    Ok(parts.into_iter().collect())
}

/// The same of the current schema of a PostgreSQL database.
async fn postgres_parts(connection: &mut PgConnection) -> Result<BTreeSet<String>, StoreError> {
    let parts: Vec<String> = sqlx::query_scalar(
        "SELECT 'table ' || table_name FROM information_schema.tables
         WHERE table_schema = current_schema()
         UNION ALL
         SELECT 'index ' || indexname FROM pg_indexes WHERE schemaname = current_schema()
         UNION ALL
         SELECT 'column ' || table_name || '.' || column_name || ' ' || upper(data_type)
         FROM information_schema.columns WHERE table_schema = current_schema()",
    )
    .fetch_all(connection)
    .await
    .map_err(postgres::failed)?;
    Ok(parts.into_iter().collect())
}

/// What a file has to which the migrations up to a number were applied.
async fn parts_after(number: i64) -> Result<BTreeSet<String>, StoreError> {
    let mut scratch = SqliteConnection::connect("sqlite::memory:")
        .await
        .map_err(sqlite::failed)?;
    let applied = migrator(&SQLITE).run_to(number, &mut scratch).await;
    applied.map_err(refused)?;
    let parts = parts(&mut scratch).await?;
    scratch.close().await.map_err(sqlite::failed)?;
    Ok(parts)
}

fn complain_of_missing(
    wanted: &BTreeSet<String>,
    found: &BTreeSet<String>,
) -> Result<(), StoreError> {
    // A table that is missing is named rather than its columns.
    let missing = wanted.difference(found).max();
    missing.map_or(Ok(()), |part| {
        Err(StoreError::Schema(format!("it lacks the {part}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_gaps() {
        let numbers = SQLITE.map(|(number, ..)| number);
        assert!((1..).zip(numbers).all(|(wanted, number)| wanted == number));
        let numbers = POSTGRES.map(|(number, ..)| number);
        assert!((3..).zip(numbers).all(|(wanted, number)| wanted == number));
        assert_eq!(numbers.last(), Some(&SCHEMA));
    }
}
