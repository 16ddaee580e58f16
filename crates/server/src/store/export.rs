//! Everything that a storage holds, written to a file.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::backup::{settle, with_end};
use super::dump::{
    BATCH, DumpError, End, Header, Line, Reader, Sum, Totals, at, is_own_setting, line,
};
use super::import::is_import_unfinished;
use super::relation::{Cell, Cells, Relation};
use super::{Phase, Store, Summary};
use crate::game::hosted;
use crate::id::TableId;

/// What was exported.
///
/// ```
/// use convoy_server::Exported;
///
/// assert_eq!(Exported::default().left_out, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// The rows of each table.
    pub totals: Totals,
    /// Running tables that were left out, because their logs hold a secret as it is: the shuffles of
    /// earlier versions. Later ones are encrypted by a key that is not exported.
    pub left_out: usize,
}

/// Writes everything that a storage holds to a new file for its owner's eyes alone. No server may
/// write to the storage meanwhile. What an export that was interrupted has left is continued.
/// `progress` is told how many rows of how many are written.
///
/// ```
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("convoy-export-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// use convoy_server::{Relation, SqliteStore, Store, export, import};
///
/// let (old, new) = (SqliteStore::in_memory().await?, SqliteStore::in_memory().await?);
/// # let new = SqliteStore::open(&folder.join("new.db")).await?;
/// old.get_or_insert("key", "value").await?;
/// let file = folder.join("convoy.jsonl");
/// let exported = export(&old, &file, &mut |_, _| {}).await?;
/// assert_eq!(exported.totals[&Relation::Setting].rows, 1);
/// let imported = import(&new, &file, &mut |_, _| {}).await?;
/// assert_eq!(imported, exported.totals);
/// assert_eq!(new.setting("key").await?.as_deref(), Some("value"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
pub async fn export(
    store: &dyn Store,
    to: &Path,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Exported, DumpError> {
    if to.exists() {
        return Err(at(to, "there is such a file already"));
    }
    let mut all = 0;
    for relation in Relation::ALL {
        all += store.count(relation).await?;
    }
    if all == 0 {
        // Another place was meant.
        return Err(DumpError::Nothing);
    }
    if is_import_unfinished(store).await? {
        return Err(DumpError::Unfinished);
    }
    let secret = tables_with_secrets(store).await?;
    let part = with_end(to, ".part");
    let mut writer = Part::open(&part, &Header::of(store).await?)?;
    for relation in writer.relations() {
        let mut after = writer.last_key(relation);
        loop {
            let rows = store.rows(relation, after.as_deref(), BATCH).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last[..relation.key_length()].to_vec());
            for row in &rows {
                if !is_own_setting(relation, row) && !is_of(relation, row, &secret) {
                    writer.write(relation, row)?;
                }
            }
            progress(writer.sum.rows(), all);
        }
    }
    let totals = writer.finish()?;
    settle(&part, to)?;
    Ok(Exported {
        totals,
        left_out: secret.len(),
    })
}

/// Whether a row belongs to one of these tables.
fn is_of(relation: Relation, row: &Cells, tables: &HashSet<TableId>) -> bool {
    let has_table = matches!(
        relation,
        Relation::Summary | Relation::Seat | Relation::Event
    );
    let table = match &row[0] {
        Cell::Text(text) => text.parse::<TableId>().ok(),
        _ => None,
    };
    has_table && table.is_some_and(|table| tables.contains(&table))
}

/// The tables with a game under way whose events tell what nobody may know before its end.
async fn tables_with_secrets(store: &dyn Store) -> Result<HashSet<TableId>, DumpError> {
    let (mut tables, mut after) = (HashSet::new(), None);
    loop {
        let rows = store
            .rows(Relation::Summary, after.as_deref(), BATCH)
            .await?;
        let Some(last) = rows.last() else {
            return Ok(tables);
        };
        after = Some(last[..1].to_vec());
        for row in &rows {
            let Cell::Text(text) = &row[4] else { continue };
            // What cannot be read is exported as it is; it concerns whoever reads it.
            let Ok(summary) = serde_json::from_str::<Summary>(text) else {
                continue;
            };
            let tells_secret = hosted(&summary.game).and_then(|game| game.tells_secret);
            let Some(tells_secret) = tells_secret.filter(|_| summary.phase != Phase::Over) else {
                continue;
            };
            let events = store.events(&summary.id).await?;
            if events.iter().any(|stored| tells_secret(&stored.event)) {
                tables.insert(summary.id);
            }
        }
    }
}

/// A file that is not finished yet.
struct Part<'a> {
    path: &'a Path,
    file: BufWriter<File>,
    sum: Sum,
    last: Option<(Relation, Vec<Cell>)>,
}

impl<'a> Part<'a> {
    /// Continues the file if it has this header, else begins anew.
    fn open(path: &'a Path, header: &Header) -> Result<Self, DumpError> {
        let (sum, last, length) = match scan(path, header) {
            Some((sum, last, length)) => (sum, last, Some(length)),
            None => (Sum::default(), None, None),
        };
        let open = || -> std::io::Result<File> {
            let file = OpenOptions::new()
                .append(true)
                .create(true)
                .mode(0o600)
                .open(path)?;
            file.set_len(length.unwrap_or(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| at(path, error))?;
        let mut this = Self {
            path,
            file: BufWriter::new(file),
            sum,
            last,
        };
        if length.is_none() {
            this.line(&header.text())?;
        }
        Ok(this)
    }

    /// The tables that are not written yet, or not to their end.
    fn relations(&self) -> Vec<Relation> {
        let first = self
            .last
            .as_ref()
            .map_or(Relation::ALL[0], |(relation, _)| *relation);
        let rest = Relation::ALL
            .into_iter()
            .skip_while(|relation| *relation != first);
        rest.collect()
    }

    fn last_key(&self, relation: Relation) -> Option<Vec<Cell>> {
        let last = self.last.as_ref().filter(|(of, _)| *of == relation);
        last.map(|(_, key)| key.clone())
    }

    fn write(&mut self, relation: Relation, row: &Cells) -> Result<(), DumpError> {
        let text = line(relation, row);
        self.sum.add(relation, &text);
        self.line(&text)
    }

    fn line(&mut self, text: &str) -> Result<(), DumpError> {
        let written = writeln!(self.file, "{text}");
        written.map_err(|error| at(self.path, error))
    }

    fn finish(mut self) -> Result<Totals, DumpError> {
        let totals = self.sum.totals();
        let end = End {
            end: totals.clone(),
        };
        self.line(&serde_json::to_string(&end).expect("totals are plain data"))?;
        self.file.flush().map_err(|error| at(self.path, error))?;
        Ok(totals)
    }
}

/// What a part holds in whole lines: sums, the key of the last row, and how many bytes they are.
/// Nothing if there is none, or it is a part of something else.
#[allow(clippy::type_complexity, reason = "it is taken apart at once")]
fn scan(path: &Path, header: &Header) -> Option<(Sum, Option<(Relation, Vec<Cell>)>, u64)> {
    let mut reader = Reader::open(path).ok()?;
    let length = path.metadata().ok()?.len();
    (reader.next().ok()?? == header.text()).then_some(())?;
    let (mut sum, mut last, mut whole) = (Sum::default(), None, reader.bytes);
    while let Ok(Some(text)) = reader.next() {
        // The last line may have been cut, even if what is left of it can be read.
        if reader.bytes > length {
            break;
        }
        let Ok(Line::Row(relation, row)) = Line::read(&text) else {
            break;
        };
        sum.add(relation, &text);
        last = Some((relation, row[..relation.key_length()].to_vec()));
        whole = reader.bytes;
    }
    Some((sum, last, whole))
}
