//! The schema: numbered migrations, each applied once, and a check that the file has what they make.
//!
//! A migration that was released is never changed; another one is added. Which ones a file has is
//! kept in the file. Their SQL is plain enough for PostgreSQL.

use std::collections::BTreeSet;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, SqlSafeStr as _};

use super::StoreError;
use super::sqlite::failed;

/// All migrations: number, name and SQL.
const MIGRATIONS: [(i64, &str, &str); 3] = [
    (
        1,
        "tables",
        include_str!("../../migrations/0001_tables.sql"),
    ),
    (
        2,
        "sessions",
        include_str!("../../migrations/0002_sessions.sql"),
    ),
    (
        3,
        "archive",
        include_str!("../../migrations/0003_archive.sql"),
    ),
];

/// Where the numbers of the applied migrations are kept.
const APPLIED: &str = "_sqlx_migrations";

/// Brings a database to the newest schema, or says why it cannot be used.
pub(super) async fn prepare(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found = parts(connection).await?;
    if !found.is_empty() && !found.contains(&format!("table {APPLIED}")) {
        // Made before migrations were numbered. A table that is missing must not be made up.
        let mut first = parts_after(1).await?;
        first.retain(|part| !part.contains(APPLIED));
        complain_of_missing(&first, &found)?;
    }
    let applied = migrator().run(&mut *connection).await;
    applied.map_err(refused)?;
    complain_of_missing(&parts_after(newest()).await?, &parts(connection).await?)
}

/// The number of the last migration that this program knows.
fn newest() -> i64 {
    MIGRATIONS[MIGRATIONS.len() - 1].0
}

fn migrator() -> Migrator {
    let migration = |(number, name, sql): (i64, &'static str, &'static str)| {
        let kind = MigrationType::Simple;
        Migration::new(number, name.into(), kind, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(MIGRATIONS.map(migration).to_vec())
}

fn refused(error: MigrateError) -> StoreError {
    StoreError::Schema(match error {
        MigrateError::VersionMissing(number) => format!(
            "it has migration {number}, and this program knows none after {}: use the newer program that wrote it",
            newest()
        ),
        MigrateError::VersionMismatch(number) => {
            format!("its migration {number} is not the one that this program knows")
        }
        MigrateError::Execute(error) => return failed(error),
        error => error.to_string(),
    })
}

/// The tables, columns and indices of a database, each in words.
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
    .map_err(failed)?;
    Ok(parts.into_iter().collect())
}

/// What a database has to which the migrations up to a number were applied.
async fn parts_after(number: i64) -> Result<BTreeSet<String>, StoreError> {
    let mut scratch = SqliteConnection::connect("sqlite::memory:")
        .await
        .map_err(failed)?;
    let applied = migrator().run_to(number, &mut scratch).await;
    applied.map_err(refused)?;
    let parts = parts(&mut scratch).await?;
    scratch.close().await.map_err(failed)?;
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
        let numbers = MIGRATIONS.map(|(number, ..)| number);
        assert!((1..).zip(numbers).all(|(wanted, number)| wanted == number));
    }
}
