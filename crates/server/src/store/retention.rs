//! What is deleted by itself, and when.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::database::Database;
use super::statement::{Row, Statement, damaged};
use super::{StoreError, Unused};
use crate::id::TableId;

/// How long what nobody needs is kept. Games that were played are kept for good.
///
/// ```
/// use convoy_server::Retention;
///
/// let retention = Retention::default();
/// assert!(retention.waiting < retention.unplayed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Retention {
    /// Tables that still have an open seat, from when somebody last sat down.
    #[serde(with = "crate::config::time")]
    #[schemars(with = "String")]
    pub waiting: Duration,
    /// Games of fewer than four events, or that ended before the first turn, from when they last
    /// changed.
    #[serde(with = "crate::config::time")]
    #[schemars(with = "String")]
    pub unplayed: Duration,
    /// From one purge to the next.
    #[serde(with = "crate::config::some_time")]
    #[schemars(with = "String")]
    pub every: Duration,
}

impl Retention {
    /// A game with fewer events than this was opened and left.
    pub const FEW: u32 = 4;
}

impl Default for Retention {
    fn default() -> Self {
        let hours = |n: u64| Duration::from_secs(n * 60 * 60);
        Self {
            waiting: hours(24),
            unplayed: hours(7 * 24),
            every: hours(1),
        }
    }
}

/// The tables that nobody needs, oldest first.
const UNUSED: &str = "
    SELECT table_id FROM (
        SELECT table_id, changed FROM summary WHERE phase = 'waiting' AND changed < $1
        UNION ALL
        SELECT table_id, changed FROM summary WHERE phase = 'over' AND turns = 0 AND changed < $2
        UNION ALL
        SELECT table_id, changed FROM summary WHERE phase = 'playing' AND changed < $2
            AND (SELECT COUNT(*) FROM event WHERE event.table_id = summary.table_id) < $3
    ) AS unused ORDER BY changed, table_id LIMIT $4";

pub(super) async fn unused(
    database: &Database,
    unused: Unused,
    limit: u32,
) -> Result<Vec<TableId>, StoreError> {
    let statement = Statement::new(UNUSED)
        .bind(unused.waiting_before)
        .bind(unused.unplayed_before)
        .bind(i64::from(Retention::FEW))
        .bind(i64::from(limit));
    let table = |row: &Row| row.get::<&str>(0)?.parse().map_err(damaged);
    database.read(statement, table).await
}

/// Deletes tables with all their events.
pub(super) async fn drop_tables(database: &Database, tables: &[TableId]) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    for table in tables {
        for sql in [
            "DELETE FROM event WHERE table_id = $1",
            "DELETE FROM seat WHERE table_id = $1",
            "DELETE FROM review WHERE table_id = $1",
            "DELETE FROM summary WHERE table_id = $1",
        ] {
            let statement = Statement::new(sql).bind(table.as_str());
            transaction.run(statement).await?;
        }
    }
    transaction.commit().await
}

impl Unused {
    /// What is unused at a time, in milliseconds of Unix time.
    pub(crate) fn at(now: i64, retention: &Retention) -> Self {
        let before = |age: Duration| now - i64::try_from(age.as_millis()).unwrap_or(i64::MAX / 2);
        Self {
            waiting_before: before(retention.waiting),
            unplayed_before: before(retention.unplayed),
        }
    }
}
