//! What players were told, and whether it is in the file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use convoy_server::Store;
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
    /// The last move of each board, and every pause between two moves that somebody would notice.
    last_move: HashMap<String, Instant>,
    pauses: Vec<(Instant, Instant)>,
    /// What players noticed that no fault excuses.
    wrong: Vec<String>,
}

/// A shorter pause between two moves is none.
const NOTICED: Duration = Duration::from_millis(500);

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

/// How many were refused with any other code.
pub fn refused_but(code: &str) -> usize {
    let told = told();
    let others = told.refused.iter().filter(|(other, _)| *other != code);
    others.map(|(_, count)| count).sum()
}

/// How many were refused, by code.
pub fn all_refused() -> Vec<(String, usize)> {
    told().refused.clone().into_iter().collect()
}

/// The tables that anybody was told of.
pub fn tables() -> Vec<String> {
    told().events.keys().cloned().collect()
}

/// The longest pause between two moves of a board that players noticed from one moment to another.
pub fn longest_pause(from: Instant, until: Instant) -> Duration {
    let told = told();
    let pauses = told.pauses.iter();
    let noticed = pauses.filter(|(begun, _)| (from..until).contains(&(*begun + NOTICED)));
    let longest = noticed.map(|(begun, ended)| ended.duration_since(*begun));
    longest.max().unwrap_or_default()
}

/// Takes note of what no fault excuses.
pub fn note_wrong(wrong: impl IntoIterator<Item = String>) {
    told().wrong.extend(wrong);
}

/// What was noticed that no fault excuses.
pub fn wrong() -> Vec<String> {
    told().wrong.clone()
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
            // A bot takes its time.
            let seats = view["seats"].as_array();
            let has_bot = seats.is_some_and(|all| all.iter().any(|seat| seat["kind"] == "bot"));
            if lan.is_some() && !has_bot {
                let now = Instant::now();
                let before = told.last_move.insert(id.to_owned(), now);
                let before = before.filter(|before| now.duration_since(*before) >= NOTICED);
                told.pauses.extend(before.map(|before| (before, now)));
            }
            let table = told.events.entry(id.to_owned()).or_default();
            let before = table.insert(seq, lan.clone()).flatten();
            if before.is_some() && before != lan {
                let both = format!("{id} {seq}: {before:?} was told, and {lan:?}");
                told.wrong.push(both);
            }
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
    Ok(compare(&kept))
}

/// The same for a server over PostgreSQL.
pub async fn missing_in(store: &dyn Store) -> Result<Vec<String>, Fault> {
    let mut kept: HashMap<String, BTreeMap<u64, Value>> = HashMap::new();
    for table in tables() {
        let events = kept.entry(table.clone()).or_default();
        for stored in store.events(&table.parse()?).await? {
            events.insert(stored.seq, serde_json::from_str(&stored.event)?);
        }
    }
    Ok(compare(&kept))
}

/// What was told and is not among the events that are kept, or is there more than once.
fn compare(kept: &HashMap<String, BTreeMap<u64, Value>>) -> Vec<String> {
    let mut missing = Vec::new();
    for (table, events) in kept {
        if events.keys().copied().ne(1..=events.len() as u64) {
            missing.push(format!("{table}: the events have a gap"));
        }
        let mut ids = HashSet::new();
        for (seq, event) in events {
            if event["id"].as_str().is_some_and(|id| !ids.insert(id)) {
                missing.push(format!("{table}: the action of event {seq} was done twice"));
            }
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
    missing
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn gaps_and_repetitions_are_noticed() {
        let event = |id: &str| json!({ "e": "game", "id": id });
        let mut events: BTreeMap<u64, Value> = BTreeMap::new();
        events.extend([(1, event("a")), (2, event("b"))]);
        let wrong = |events: &BTreeMap<u64, Value>| {
            let kept = HashMap::from([("table".to_owned(), events.clone())]);
            let all = compare(&kept).into_iter();
            all.filter(|wrong| wrong.starts_with("table"))
                .collect::<Vec<_>>()
        };
        assert_eq!(wrong(&events), [""; 0]);
        events.insert(3, event("a"));
        assert_eq!(
            wrong(&events),
            ["table: the action of event 3 was done twice"]
        );
        events.remove(&2);
        assert_eq!(wrong(&events).len(), 2);
    }
}
