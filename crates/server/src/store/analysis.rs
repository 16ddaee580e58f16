//! Analyses that were saved under a link.

use super::StoreError;
use super::database::Database;
use super::statement::{Row, Statement, damaged};
use crate::id::{AnalysisId, PlayerId};

/// An analysis that was saved under a link.
///
/// ```
/// use convoy_server::{AnalysisId, PlayerId, SavedAnalysis};
///
/// let saved = SavedAnalysis {
///     id: AnalysisId::random(),
///     owner: PlayerId::random(),
///     name: "Ann - Bob".to_owned(),
///     pgn: "1. Ic6 *".to_owned(),
///     created: 1_000,
///     changed: 2_000,
/// };
/// assert!(saved.created <= saved.changed);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAnalysis {
    /// Its place in the link.
    pub id: AnalysisId,
    /// Who may change and delete it.
    pub owner: PlayerId,
    /// What its owner calls it.
    pub name: String,
    /// One game with its variations.
    pub pgn: String,
    /// When it was saved first, in milliseconds of Unix time.
    pub created: i64,
    /// When it was saved last.
    pub changed: i64,
}

fn analysis_row(row: &Row) -> Result<SavedAnalysis, StoreError> {
    Ok(SavedAnalysis {
        id: row.get::<&str>(0)?.parse().map_err(damaged)?,
        owner: row.get::<&str>(1)?.parse().map_err(damaged)?,
        name: row.get(2)?,
        pgn: row.get(3)?,
        created: row.get(4)?,
        changed: row.get(5)?,
    })
}

pub(super) async fn add(
    database: &Database,
    analysis: &SavedAnalysis,
    most: u32,
) -> Result<bool, StoreError> {
    let statement = Statement::new(
        "INSERT INTO analysis (id, owner, name, pgn, created, changed)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT COUNT(*) FROM analysis WHERE owner = $2) < $7",
    );
    let statement = statement
        .bind(analysis.id.as_str())
        .bind(analysis.owner.as_str())
        .bind(&*analysis.name)
        .bind(&*analysis.pgn)
        .bind(analysis.created)
        .bind(analysis.changed)
        .bind(i64::from(most));
    database.write(statement).await
}

pub(super) async fn change(
    database: &Database,
    analysis: &SavedAnalysis,
) -> Result<bool, StoreError> {
    let statement = Statement::new(
        "UPDATE analysis SET name = $3, pgn = $4, changed = $5 WHERE id = $1 AND owner = $2",
    );
    let statement = statement
        .bind(analysis.id.as_str())
        .bind(analysis.owner.as_str())
        .bind(&*analysis.name)
        .bind(&*analysis.pgn)
        .bind(analysis.changed);
    database.write(statement).await
}

pub(super) async fn delete(
    database: &Database,
    id: &AnalysisId,
    owner: &PlayerId,
) -> Result<bool, StoreError> {
    let statement = Statement::new("DELETE FROM analysis WHERE id = $1 AND owner = $2");
    database
        .write(statement.bind(id.as_str()).bind(owner.as_str()))
        .await
}

pub(super) async fn by_id(
    database: &Database,
    id: &AnalysisId,
) -> Result<Option<SavedAnalysis>, StoreError> {
    let statement =
        Statement::new("SELECT id, owner, name, pgn, created, changed FROM analysis WHERE id = $1");
    let statement = statement.bind(id.as_str());
    Ok(database.read(statement, analysis_row).await?.pop())
}

pub(super) async fn list(
    database: &Database,
    owner: &PlayerId,
    limit: u32,
) -> Result<Vec<SavedAnalysis>, StoreError> {
    let statement = Statement::new(
        "SELECT id, owner, name, pgn, created, changed FROM analysis WHERE owner = $1
         ORDER BY changed DESC, id LIMIT $2",
    );
    let statement = statement.bind(owner.as_str()).bind(i64::from(limit));
    database.read(statement, analysis_row).await
}
