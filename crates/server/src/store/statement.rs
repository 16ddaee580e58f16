//! SQL with its values, and the rows that it answers, for both databases: every column is text or a
//! whole number.

use std::fmt::Write as _;

use sqlx::database::HasStatementCache;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{AssertSqlSafe, Database, Decode, Encode, Row as _, SqlSafeStr as _, SqlStr, Type};

use super::StoreError;

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Option<String>),
    Number(i64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        Self::Text(text.map(str::to_owned))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

/// A statement with its values. What has up to this many rows is prepared once a connection.
const PREPARED_ROWS: usize = 16;

/// A statement with its values, which stand in its text as `$1`, `$2` and so on.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    sql: SqlStr,
    values: Vec<Value>,
    is_prepared: bool,
}

impl Statement {
    pub(super) fn new(sql: &'static str) -> Self {
        Self {
            sql: sql.into_sql_str(),
            values: Vec::new(),
            is_prepared: true,
        }
    }

    /// A statement whose text is put together from names of the schema.
    pub(super) fn built(sql: String) -> Self {
        Self {
            sql: AssertSqlSafe(sql).into_sql_str(),
            values: Vec::new(),
            is_prepared: true,
        }
    }

    /// A statement around `VALUES` of so many rows.
    pub(super) fn with_rows(before: &str, rows: Vec<Vec<Value>>, after: &str) -> Self {
        let is_prepared = rows.len() <= PREPARED_ROWS;
        let (mut sql, mut number) = (format!("{before} VALUES "), 0);
        for (at, row) in rows.iter().enumerate() {
            sql.push_str(if at == 0 { "(" } else { ", (" });
            for column in 0..row.len() {
                number += 1;
                let comma = if column == 0 { "" } else { ", " };
                write!(sql, "{comma}${number}").expect("a string takes all text");
            }
            sql.push(')');
        }
        sql.push_str(after);
        Self {
            sql: AssertSqlSafe(sql).into_sql_str(),
            values: rows.into_iter().flatten().collect(),
            is_prepared,
        }
    }

    pub(super) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub(super) fn query<DB: Database + HasStatementCache>(self) -> Query<'static, DB, DB::Arguments>
    where
        Option<String>: Encode<'static, DB> + Type<DB>,
        i64: Encode<'static, DB> + Type<DB>,
    {
        let query = sqlx::query::<DB>(self.sql).persistent(self.is_prepared);
        let bind = |query: Query<'static, DB, DB::Arguments>, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Number(number) => query.bind(number),
        };
        self.values.into_iter().fold(query, bind)
    }
}

/// A row of either database.
#[derive(Debug)]
pub(super) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// A column; what is not of this type is damage.
    pub(super) fn get<'r, T>(&'r self, column: usize) -> Result<T, StoreError>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
        .map_err(damaged)
    }
}

pub(super) fn damaged(what: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("a stored row cannot be read: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbered_through() {
        let row = |n: i64| vec![Value::from("a"), n.into()];
        let built = Statement::with_rows("INSERT INTO t", vec![row(1), row(2)], " END");
        assert_eq!(
            built.sql.as_str(),
            "INSERT INTO t VALUES ($1, $2), ($3, $4) END"
        );
        assert_eq!(built.values.len(), 4);
    }
}
