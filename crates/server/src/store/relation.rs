//! Whole tables of the schema, read and written row by row: what `convoy export` and `convoy import`
//! need.

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::database::Database;
use super::statement::{Row, Statement, Value};

/// A table of the schema.
///
/// ```
/// use convoy_server::Relation;
///
/// assert_eq!(Relation::Event.columns(), ["table_id", "seq", "at", "event"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are named as in the schema")]
pub enum Relation {
    Setting,
    Account,
    Session,
    Ban,
    Retired,
    Audit,
    Summary,
    Seat,
    Event,
    Attempt,
    Rating,
    Progress,
    Analysis,
    Review,
}

/// A value of a column.
///
/// ```
/// use convoy_server::Cell;
///
/// assert_eq!(serde_json::to_string(&Cell::Number(7))?, "7");
/// assert_eq!(serde_json::from_str::<Cell>("null")?, Cell::Null);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A whole number.
    Number(i64),
    /// Text.
    Text(String),
    /// Nothing, where the column allows it.
    Null,
}

impl From<&Cell> for Value {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Number(number) => Self::Number(*number),
            Cell::Text(text) => Self::Text(Some(text.clone())),
            Cell::Null => Self::Text(None),
        }
    }
}

/// The values of a row, in the order of the columns.
pub type Cells = Vec<Cell>;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    OptionalText,
    Number,
}

use Kind::{Number, OptionalText, Text};

/// The name of a column, and what it holds.
type Column = (&'static str, Kind);

const SETTING: &[Column] = &[("name", Text), ("value", Text)];
const ACCOUNT: &[Column] = &[
    ("player", Text),
    ("folded", Text),
    ("name", Text),
    ("password", Text),
    ("skeleton", OptionalText),
];
const SESSION: &[Column] = &[
    ("token", Text),
    ("account", Text),
    ("created", Number),
    ("seen", Number),
    ("device", Text),
];
const BAN: &[Column] = &[("player", Text), ("at", Number)];
const RETIRED: &[Column] = &[
    ("player", Text),
    ("successor", OptionalText),
    ("name", OptionalText),
    ("at", Number),
];
const AUDIT: &[Column] = &[
    ("id", Text),
    ("at", Number),
    ("operator", Text),
    ("command", Text),
    ("outcome", OptionalText),
    ("done", Number),
];
const SUMMARY: &[Column] = &[
    ("table_id", Text),
    ("phase", Text),
    ("listed", Number),
    ("changed", Number),
    ("summary", Text),
    ("turns", Number),
];
const SEAT: &[Column] = &[
    ("table_id", Text),
    ("seat", Number),
    ("player", Text),
    ("begun", Number),
    ("changed", Number),
];
const EVENT: &[Column] = &[
    ("table_id", Text),
    ("seq", Number),
    ("at", Number),
    ("event", Text),
];

const ATTEMPT: &[Column] = &[
    ("player", Text),
    ("game", Text),
    ("puzzle", Text),
    ("at", Number),
    ("solved", Number),
    ("rating", Number),
];
const RATING: &[Column] = &[
    ("game", Text),
    ("holder", Text),
    ("rating", Number),
    ("deviation", Number),
    ("volatility", Number),
    ("attempts", Number),
];
const PROGRESS: &[Column] = &[
    ("player", Text),
    ("step", Text),
    ("stars", Number),
    ("at", Number),
];
const ANALYSIS: &[Column] = &[
    ("id", Text),
    ("owner", Text),
    ("name", Text),
    ("pgn", Text),
    ("created", Number),
    ("changed", Number),
];
const REVIEW: &[Column] = &[
    ("table_id", Text),
    ("round", Number),
    ("at", Number),
    ("review", Text),
];

impl Relation {
    /// All of them, in the order in which they are exported.
    pub const ALL: [Self; 14] = [
        Self::Setting,
        Self::Account,
        Self::Session,
        Self::Ban,
        Self::Retired,
        Self::Audit,
        Self::Summary,
        Self::Seat,
        Self::Event,
        Self::Attempt,
        Self::Rating,
        Self::Progress,
        Self::Analysis,
        Self::Review,
    ];

    /// Its name in the schema.
    pub const fn name(self) -> &'static str {
        self.parts().0
    }

    /// The names of its columns; those of the key come first.
    pub fn columns(self) -> Vec<&'static str> {
        self.parts().2.iter().map(|(name, _)| *name).collect()
    }

    /// How many columns are the key.
    pub const fn key_length(self) -> usize {
        self.parts().1
    }

    /// Name, length of the key, and columns.
    const fn parts(self) -> (&'static str, usize, &'static [Column]) {
        match self {
            Self::Setting => ("setting", 1, SETTING),
            Self::Account => ("account", 1, ACCOUNT),
            Self::Session => ("session", 1, SESSION),
            Self::Ban => ("ban", 1, BAN),
            Self::Retired => ("retired", 1, RETIRED),
            Self::Audit => ("audit", 1, AUDIT),
            Self::Summary => ("summary", 1, SUMMARY),
            Self::Seat => ("seat", 2, SEAT),
            Self::Event => ("event", 2, EVENT),
            Self::Attempt => ("attempt", 3, ATTEMPT),
            Self::Rating => ("rating", 2, RATING),
            Self::Progress => ("progress", 2, PROGRESS),
            Self::Analysis => ("analysis", 1, ANALYSIS),
            Self::Review => ("review", 2, REVIEW),
        }
    }

    /// Whether a row has the columns of this table, each of its kind.
    pub fn admits(self, row: &[Cell]) -> bool {
        let columns = self.parts().2;
        let fits = |(cell, (_, kind)): (&Cell, &Column)| match cell {
            Cell::Number(_) => *kind == Kind::Number,
            Cell::Text(text) => *kind != Kind::Number && !text.contains('\0'),
            Cell::Null => *kind == Kind::OptionalText,
        };
        row.len() == columns.len() && row.iter().zip(columns).all(fits)
    }

    fn row(self, row: &Row) -> Result<Cells, StoreError> {
        let cell = |(at, (_, kind)): (usize, &Column)| {
            Ok(match kind {
                Kind::Number => Cell::Number(row.get(at)?),
                Kind::Text => Cell::Text(row.get(at)?),
                Kind::OptionalText => row
                    .get::<Option<String>>(at)?
                    .map_or(Cell::Null, Cell::Text),
            })
        };
        self.parts().2.iter().enumerate().map(cell).collect()
    }
}

/// Rows whose keys come after `after`, in the order of their keys.
pub(super) async fn rows(
    database: &Database,
    relation: Relation,
    after: Option<&[Cell]>,
    limit: u32,
) -> Result<Vec<Cells>, StoreError> {
    let columns = relation.columns();
    let (all, key) = (
        columns.join(", "),
        columns[..relation.key_length()].join(", "),
    );
    let name = relation.name();
    let values: Vec<Value> = after.unwrap_or_default().iter().map(Value::from).collect();
    let sql = if values.is_empty() {
        format!("SELECT {all} FROM {name} ORDER BY {key} LIMIT $1")
    } else {
        let marks: Vec<String> = (2..2 + values.len()).map(|at| format!("${at}")).collect();
        let marks = marks.join(", ");
        format!("SELECT {all} FROM {name} WHERE ({key}) > ({marks}) ORDER BY {key} LIMIT $1")
    };
    let statement = Statement::built(sql).bind(i64::from(limit));
    let statement = values.into_iter().fold(statement, Statement::bind);
    database.read(statement, |row| relation.row(row)).await
}

/// Inserts rows where their keys are free, and keeps `mark` under `key` with them: all of it or
/// nothing. Answers how many rows were new.
pub(super) async fn load(
    database: &Database,
    relation: Relation,
    rows: &[Cells],
    (key, mark): (&str, &str),
) -> Result<u64, StoreError> {
    let mut transaction = database.begin().await?;
    let mut new = 0;
    if !rows.is_empty() {
        let columns = relation.columns().join(", ");
        let before = format!("INSERT INTO {} ({columns})", relation.name());
        let values = rows.iter().map(|row| row.iter().map(Value::from).collect());
        let insert = Statement::with_rows(&before, values.collect(), " ON CONFLICT DO NOTHING");
        new = transaction.run(insert).await?;
    }
    let keep = Statement::new(
        "INSERT INTO setting (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
    transaction.run(keep.bind(key).bind(mark)).await?;
    transaction.commit().await?;
    Ok(new)
}

pub(super) async fn count(database: &Database, relation: Relation) -> Result<u64, StoreError> {
    let statement = Statement::built(format!("SELECT COUNT(*) FROM {}", relation.name()));
    let counts = database.read(statement, |row| row.get::<i64>(0)).await?;
    Ok(counts.first().map_or(0, |count| count.unsigned_abs()))
}

pub(super) async fn setting(database: &Database, name: &str) -> Result<Option<String>, StoreError> {
    let statement = Statement::new("SELECT value FROM setting WHERE name = $1").bind(name);
    Ok(database.read(statement, |row| row.get(0)).await?.pop())
}

pub(super) async fn drop_setting(database: &Database, name: &str) -> Result<(), StoreError> {
    let statement = Statement::new("DELETE FROM setting WHERE name = $1").bind(name);
    database.write(statement).await.map(drop)
}
