//! Files of `convoy export`: JSON lines. The first is the header, each of the others a row, the last
//! tells how many rows of each table there are and their checksums.
//!
//! ```text
//! {"convoy-export":1,"schema":3,"source":"…","columns":{"setting":["name","value"],…}}
//! ["setting",["key","…"]]
//! ["event",["n99gs1mfmeah",1,1700000000000,"{…}"]]
//! {"end":{"setting":{"rows":1,"sha256":"…"},…}}
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::relation::{Cells, Relation};
use super::{Store, StoreError, schema};
use crate::asset::hex;

/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// How many rows are read or written at once.
pub(super) const BATCH: u32 = 500;
/// Settings of one database that are nobody else's.
const OWN_SETTINGS: [&str; 2] = ["probe", IMPORT];
/// The setting that tells of an import which is not finished.
pub(super) const IMPORT: &str = "import";

/// Why an export or an import failed.
///
/// ```
/// use convoy_server::DumpError;
///
/// let error = DumpError::File("a.jsonl:7: not a row".to_owned());
/// assert_eq!(error.to_string(), "a.jsonl:7: not a row");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DumpError {
    /// The storage failed.
    Store(StoreError),
    /// The file cannot be used: its name, the line, and why.
    File(String),
    /// The storage holds something already.
    NotEmpty,
    /// The storage holds nothing, not even what a server writes when it starts.
    Nothing,
    /// The storage holds a part of an import, which is no whole to be exported.
    Unfinished,
    /// The storage holds a part of another export.
    OtherImport,
    /// After the import the storage did not hold what the file does.
    Differs(Relation),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::File(why) => f.write_str(why),
            Self::NotEmpty => f.write_str("the storage is not empty: import into a new one"),
            Self::Nothing => f.write_str("no server has kept anything there yet"),
            Self::Unfinished => f.write_str(
                "an import into this storage is not finished: run `convoy import` again",
            ),
            Self::OtherImport => f.write_str(
                "an import of another file was begun here: finish it, or import into a new storage",
            ),
            Self::Differs(relation) => write!(
                f,
                "after the import the table {} is not what the file holds",
                relation.name()
            ),
        }
    }
}

impl std::error::Error for DumpError {}

impl From<StoreError> for DumpError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A fault of a file in our words.
pub(super) fn at(file: &Path, why: impl fmt::Display) -> DumpError {
    DumpError::File(format!("{}: {why}", file.display()))
}

/// What one table comes to.
///
/// ```
/// use convoy_server::Total;
///
/// assert_eq!(Total::default().rows, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// How many rows.
    pub rows: u64,
    /// The SHA-256 of their lines, in hexadecimal digits.
    pub sha256: String,
}

/// What each table comes to.
pub type Totals = BTreeMap<Relation, Total>;

/// Adds lines up.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum(BTreeMap<Relation, (u64, Sha256)>);

impl Sum {
    pub(super) fn add(&mut self, relation: Relation, line: &str) {
        let (rows, hash) = self.0.entry(relation).or_default();
        *rows += 1;
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }

    pub(super) fn rows(&self) -> u64 {
        self.0.values().map(|(rows, _)| rows).sum()
    }

    pub(super) fn totals(&self) -> Totals {
        let of = |relation: Relation| {
            let (rows, hash) = self.0.get(&relation).cloned().unwrap_or_default();
            let sha256 = hex(&hash.finalize());
            (relation, Total { rows, sha256 })
        };
        Relation::ALL.into_iter().map(of).collect()
    }
}

/// The line of a row.
pub(super) fn line(relation: Relation, row: &Cells) -> String {
    serde_json::to_string(&(relation, row)).expect("a row is plain data")
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    #[serde(rename = "convoy-export")]
    version: u32,
    schema: i64,
    /// Tells a storage, and what it held, from any other.
    source: String,
    columns: BTreeMap<Relation, Vec<String>>,
}

impl Header {
    /// The header of what a storage holds now.
    pub(super) async fn of(store: &dyn Store) -> Result<Self, DumpError> {
        let mut source = Sha256::new();
        for row in store.rows(Relation::Setting, None, BATCH).await? {
            if !is_own_setting(Relation::Setting, &row) {
                source.update(line(Relation::Setting, &row));
            }
        }
        for relation in Relation::ALL {
            let rows = store.count(relation).await?;
            source.update(format!("{} {rows}\n", relation.name()));
        }
        let names = |relation: Relation| relation.columns().into_iter().map(str::to_owned);
        let columns = Relation::ALL.map(|relation| (relation, names(relation).collect()));
        Ok(Self {
            version: VERSION,
            schema: schema::SCHEMA,
            source: hex(&source.finalize()[..16]),
            columns: columns.into(),
        })
    }

    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("a header is plain data")
    }

    /// Reads a header that this program can import.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let header: Self = serde_json::from_str(text)
            .map_err(|error| format!("not an export of convoy: {error}"))?;
        let (version, schema, newest) = (header.version, header.schema, schema::SCHEMA);
        if version != VERSION {
            return Err(format!(
                "an export of format {version}, and this program reads format {VERSION}"
            ));
        }
        if schema != newest {
            return Err(format!(
                "an export of schema {schema}, and this program has schema {newest}: \
                 import it with the program that wrote it"
            ));
        }
        let has_all = Relation::ALL.iter().all(|relation| {
            let named = header.columns.get(relation);
            named.is_some_and(|named| *named == relation.columns())
        });
        if has_all {
            Ok(header)
        } else {
            Err("its columns are not those of this program".to_owned())
        }
    }
}

/// Whether a row is a setting that is not exported.
pub(super) fn is_own_setting(relation: Relation, row: &Cells) -> bool {
    let own = |name: &str| row[0] == super::Cell::Text(name.to_owned());
    relation == Relation::Setting && OWN_SETTINGS.into_iter().any(own)
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) end: Totals,
}

/// A line after the header.
#[derive(Debug)]
pub(super) enum Line {
    Row(Relation, Cells),
    End(End),
}

impl Line {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.starts_with('{') {
            let end = serde_json::from_str(text).map_err(|error| format!("no end: {error}"))?;
            return Ok(Self::End(end));
        }
        let (relation, row): (Relation, Cells) =
            serde_json::from_str(text).map_err(|error| format!("not a row: {error}"))?;
        if relation.admits(&row) {
            Ok(Self::Row(relation, row))
        } else {
            Err(format!("not a row of the table {}", relation.name()))
        }
    }
}

/// Reads a file from its beginning, line by line, and tells which line is wrong.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    path: &'a Path,
    lines: std::io::Lines<BufReader<File>>,
    pub(super) number: u64,
    pub(super) bytes: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, DumpError> {
        let file = File::open(path).map_err(|error| at(path, error))?;
        Ok(Self {
            path,
            lines: BufReader::new(file).lines(),
            number: 0,
            bytes: 0,
        })
    }

    /// The next line as it stands.
    pub(super) fn next(&mut self) -> Result<Option<String>, DumpError> {
        let Some(line) = self.lines.next() else {
            return Ok(None);
        };
        let line = line.map_err(|error| at(self.path, error))?;
        self.number += 1;
        self.bytes += line.len() as u64 + 1;
        Ok(Some(line))
    }

    /// An error that names the line read last.
    pub(super) fn wrong(&self, why: impl fmt::Display) -> DumpError {
        let (path, number) = (self.path.display(), self.number);
        DumpError::File(format!("{path}:{number}: {why}"))
    }
}
