//! What an export holds, written to an empty storage.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Store;
use super::dump::{
    BATCH, DumpError, Header, IMPORT, Line, Reader, Sum, Totals, is_own_setting, line,
};
use super::relation::{Cells, Relation};
use crate::asset::hex;

/// How far an import has come; kept in the storage with the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    /// The hash of the file's header.
    file: String,
    /// How many lines of it are stored.
    lines: u64,
}

impl Mark {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("a mark is plain data")
    }
}

/// Writes what a file of [`export`](crate::export) holds to an empty storage, and compares both
/// afterwards. The whole file is checked first. An import that was interrupted is continued by
/// calling this again; until it is finished, [`is_import_unfinished`] says so. `progress` is told how
/// many rows of how many are stored.
pub async fn import(
    store: &dyn Store,
    from: &Path,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Totals, DumpError> {
    let (totals, file) = check(from)?;
    let mark = begin(store, file).await?;
    load(store, from, mark, &totals, progress).await?;
    for (relation, total) in &totals {
        let mut sum = Sum::default();
        let mut after = None;
        loop {
            let rows = store.rows(*relation, after.as_deref(), BATCH).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last[..relation.key_length()].to_vec());
            for row in rows.iter().filter(|row| !is_own_setting(*relation, row)) {
                sum.add(*relation, &line(*relation, row));
            }
        }
        if sum.totals()[relation] != *total {
            return Err(DumpError::Differs(*relation));
        }
    }
    store.drop_setting(IMPORT).await?;
    Ok(totals)
}

/// Whether a storage holds a part of an import. Such a storage must not be served.
///
/// ```
/// # async fn doc() -> Result<(), convoy_server::StoreError> {
/// use convoy_server::{SqliteStore, is_import_unfinished};
///
/// assert!(!is_import_unfinished(&SqliteStore::in_memory().await?).await?);
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
pub async fn is_import_unfinished(store: &dyn Store) -> Result<bool, super::StoreError> {
    Ok(store.setting(IMPORT).await?.is_some())
}

/// Reads the whole file, and answers what it holds and the hash of its header.
fn check(from: &Path) -> Result<(Totals, String), DumpError> {
    let mut reader = Reader::open(from)?;
    let first = reader.next()?.unwrap_or_default();
    Header::read(&first).map_err(|why| reader.wrong(why))?;
    let (mut sum, mut last) = (Sum::default(), None);
    loop {
        let Some(text) = reader.next()? else {
            return Err(reader.wrong("the file ends too early: the export was not finished"));
        };
        match Line::read(&text).map_err(|why| reader.wrong(why))? {
            Line::Row(relation, row) => {
                let place = (relation, row[..relation.key_length()].to_vec());
                if last.as_ref() == Some(&place) {
                    return Err(reader.wrong("the same row twice"));
                }
                sum.add(relation, &text);
                last = Some(place);
            }
            Line::End(end) => {
                let totals = sum.totals();
                if let Some(relation) = Relation::ALL
                    .into_iter()
                    .find(|relation| end.end.get(relation) != totals.get(relation))
                {
                    let name = relation.name();
                    let why = format!("the rows of the table {name} do not have this checksum");
                    return Err(reader.wrong(why));
                }
                if reader.next()?.is_some() {
                    return Err(reader.wrong("something follows the end"));
                }
                return Ok((totals, hex(&Sha256::digest(first.as_bytes())[..16])));
            }
        }
    }
}

/// Where to go on, or why this storage cannot take the file.
async fn begin(store: &dyn Store, file: String) -> Result<Mark, DumpError> {
    if let Some(text) = store.setting(IMPORT).await? {
        let mark = serde_json::from_str::<Mark>(&text).ok();
        return mark
            .filter(|mark| mark.file == file)
            .ok_or(DumpError::OtherImport);
    }
    for relation in Relation::ALL {
        let rows = store.rows(relation, None, BATCH).await?;
        if rows.iter().any(|row| !is_own_setting(relation, row)) {
            return Err(DumpError::NotEmpty);
        }
    }
    Ok(Mark { file, lines: 1 })
}

/// Stores the rows from a line on.
async fn load(
    store: &dyn Store,
    from: &Path,
    mut mark: Mark,
    totals: &Totals,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(), DumpError> {
    let all = totals.values().map(|total| total.rows).sum();
    let mut reader = Reader::open(from)?;
    while reader.number < mark.lines {
        reader.next()?;
    }
    let (mut relation, mut batch): (Relation, Vec<Cells>) = (Relation::Setting, Vec::new());
    loop {
        let text = reader.next()?.unwrap_or_default();
        let row = match Line::read(&text).map_err(|why| reader.wrong(why))? {
            Line::Row(of, row) => Some((of, row)),
            Line::End(_) => None,
        };
        let is_full = batch.len() >= BATCH as usize;
        if is_full || row.as_ref().is_none_or(|(of, _)| *of != relation) {
            mark.lines = reader.number - 1;
            store.load(relation, &batch, (IMPORT, &mark.text())).await?;
            progress(mark.lines - 1, all);
            batch.clear();
        }
        match row {
            Some((of, row)) => {
                relation = of;
                batch.push(row);
            }
            None => return Ok(()),
        }
    }
}
