//! What players were told, and whether it is in the file.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard};

use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, Row as _};

use crate::client::Fault;

/// Every event that anybody was told of, by table and number; a move of Cờ Tư Lệnh with its text.
#[derive(Debug, Default)]
pub struct Told {
    events: HashMap<String, BTreeMap<u64, Option<String>>>,
    /// Refusals by code.
    refused: BTreeMap<String, usize>,
}

static TOLD: LazyLock<Mutex<Told>> = LazyLock::new(Mutex::default);

fn told() -> MutexGuard<'static, Told> {
    TOLD.lock().expect("no holder of this lock panics")
}

/// Forgets everything.
pub fn forget() {
    *told() = Told::default();
}

/// How many events were told.
pub fn count() -> usize {
    told().events.values().map(BTreeMap::len).sum()
}

/// How many actions were refused with this code.
pub fn refused(code: &str) -> usize {
    told().refused.get(code).copied().unwrap_or(0)
}

/// Takes note of a frame.
pub fn note(view: &Value, frame: &Value) {
    let mut told = told();
    match frame["t"].as_str() {
        Some("event") => {
            let (Some(id), Some(seq)) = (view["id"].as_str(), frame["seq"].as_u64()) else {
                return;
            };
            let lan = frame["d"]["turn"]["lan"].as_str().map(str::to_owned);
            let table = told.events.entry(id.to_owned()).or_default();
            table.insert(seq, lan);
        }
        // A view holds all that happened up to its number.
        Some("view" | "resumed") => {
            let (Some(id), Some(seq)) = (view["id"].as_str(), frame["seq"].as_u64()) else {
                return;
            };
            let table = told.events.entry(id.to_owned()).or_default();
            table.entry(seq).or_default();
        }
        Some("refused") => {
            let code = frame["d"]["code"].as_str().unwrap_or("none").to_owned();
            *told.refused.entry(code).or_default() += 1;
        }
        _ => {}
    }
}

/// Reads the file of a server that has ended, and names everything that was told and is not in it.
pub async fn missing(database: &Path) -> Result<Vec<String>, Fault> {
    let options = SqliteConnectOptions::new().filename(database);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let fine: String = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await?;
    if fine != "ok" {
        return Err(format!("the file is damaged: {fine}").into());
    }
    let rows = sqlx::query("SELECT table_id, seq, event FROM event ORDER BY table_id, seq")
        .fetch_all(&mut connection)
        .await?;
    connection.close().await?;
    let mut kept: HashMap<String, BTreeMap<u64, Value>> = HashMap::new();
    for row in rows {
        let (table, seq): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        let event = serde_json::from_str(row.try_get(2)?)?;
        let table = kept.entry(table).or_default();
        table.insert(u64::try_from(seq)?, event);
    }
    let mut missing = Vec::new();
    for (table, events) in &kept {
        if events.keys().copied().ne(1..=events.len() as u64) {
            missing.push(format!("{table}: the events have a gap"));
        }
    }
    let none = BTreeMap::new();
    for (table, events) in &told().events {
        let kept = kept.get(table).unwrap_or(&none);
        for (seq, lan) in events {
            match (kept.get(seq), lan) {
                (None, _) => missing.push(format!("{table}: event {seq} is not in the file")),
                (Some(event), Some(lan)) if event["d"]["lan"] != **lan => {
                    missing.push(format!("{table}: event {seq} is another one in the file"));
                }
                _ => {}
            }
        }
    }
    Ok(missing)
}
