//! Reviews of finished games, kept with them.

use super::StoreError;
use super::database::Database;
use super::statement::{Row, Statement, damaged};
use crate::id::TableId;

/// The review of a finished round; a game without rounds has one.
///
/// ```
/// use convoy_server::{StoredReview, TableId};
///
/// let review = StoredReview {
///     table: TableId::random(),
///     round: 1,
///     at: 0,
///     review: "{}".to_owned(),
/// };
/// assert_eq!(review.round, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReview {
    /// The table.
    pub table: TableId,
    /// Which round of it, from 1 on.
    pub round: u32,
    /// When it was made, in milliseconds of Unix time.
    pub at: i64,
    /// The review, as JSON.
    pub review: String,
}

fn review_row(row: &Row) -> Result<StoredReview, StoreError> {
    Ok(StoredReview {
        table: row.get::<&str>(0)?.parse().map_err(damaged)?,
        round: u32::try_from(row.get::<i64>(1)?).map_err(damaged)?,
        at: row.get(2)?,
        review: row.get(3)?,
    })
}

pub(super) async fn keep(database: &Database, review: &StoredReview) -> Result<(), StoreError> {
    let statement = Statement::new(
        "INSERT INTO review (table_id, round, at, review) VALUES ($1, $2, $3, $4)
         ON CONFLICT (table_id, round) DO UPDATE SET at = excluded.at, review = excluded.review",
    );
    let statement = statement
        .bind(review.table.as_str())
        .bind(i64::from(review.round))
        .bind(review.at)
        .bind(&*review.review);
    database.write(statement).await.map(drop)
}

pub(super) async fn of(
    database: &Database,
    table: &TableId,
    round: u32,
) -> Result<Option<StoredReview>, StoreError> {
    let statement = Statement::new(
        "SELECT table_id, round, at, review FROM review WHERE table_id = $1 AND round = $2",
    );
    let statement = statement.bind(table.as_str()).bind(i64::from(round));
    Ok(database.read(statement, review_row).await?.pop())
}
