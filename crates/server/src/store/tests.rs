//! Failures of the writing connection, from within.

use std::path::PathBuf;
use std::time::Duration;

use super::statement::Statement;
use super::{Append, Durability, SqliteStore, Store as _, StoreError, Stored};
use crate::id::TableId;

/// A file in a folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("convoy-unit-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("a.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn append(table: &TableId, seq: u64, length: usize) -> Append {
    Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at: 0,
            event: "x".repeat(length),
        },
        summary: None,
    }
}

/// Waits for something that comes by itself; the limit is for a test that fails.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waited = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_mins(1), waited).await;
    waited.unwrap_or_else(|_| panic!("{what}"));
}

#[tokio::test]
async fn a_full_file_refuses_and_resumes_with_exactly_what_was_acknowledged() {
    let folder = Folder::new("full");
    let store = SqliteStore::open(&folder.file())
        .await
        .expect("a file opens");
    let limit = async |pages: &str| {
        let mut slot = store.database.primary.slot.lock().await;
        slot.options = slot
            .options
            .clone()
            .pragma("max_page_count", pages.to_owned());
        slot.connection = None;
    };
    limit("60").await;
    let table = TableId::random();
    let mut kept = 0;
    let refused = loop {
        match store.append(append(&table, kept + 1, 9000)).await {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(refused.to_string().contains("full"), "{refused}");
    assert!(kept > 0 && store.health().fault.is_some());
    // It goes on refusing, many at once as well, and what was kept can be read.
    let more = (1..=20).map(|seq| store.append(append(&table, kept + seq, 9000)));
    let more = futures_util::future::join_all(more).await;
    assert!(more.iter().all(Result::is_err), "{more:?}");
    assert_eq!(
        store.events(&table).await.expect("events are read").len() as u64,
        kept
    );
    limit("100000").await;
    until("it resumes", || store.health().fault.is_none()).await;
    for seq in kept + 1..=kept + 5 {
        store
            .append(append(&table, seq, 9000))
            .await
            .expect("there is room");
    }
    drop(store);
    let store = SqliteStore::open(&folder.file())
        .await
        .expect("a file opens");
    let events = store.events(&table).await.expect("events are read");
    assert_eq!(events.len() as u64, kept + 5);
}

#[tokio::test]
async fn a_write_that_is_given_up_halfway_leaves_nothing_and_disturbs_nobody() {
    let folder = Folder::new("given-up");
    let store = SqliteStore::open(&folder.file())
        .await
        .expect("a file opens");
    let mut given_up = store
        .database
        .primary
        .begin()
        .await
        .expect("a transaction begins");
    let row = Statement::new("INSERT INTO setting (name, value) VALUES ('half', 'done')");
    given_up.run(row).await.expect("a row is written");
    drop(given_up);
    let table = TableId::random();
    store
        .append(append(&table, 1, 10))
        .await
        .expect("an event is kept");
    assert_eq!(
        store.get_or_insert("half", "whole").await.as_deref(),
        Ok("whole")
    );
}

#[tokio::test]
async fn after_a_failed_statement_nothing_of_its_transaction_is_kept() {
    let folder = Folder::new("failed");
    let store = SqliteStore::open(&folder.file())
        .await
        .expect("a file opens");
    let mut failing = store
        .database
        .primary
        .begin()
        .await
        .expect("a transaction begins");
    let row = Statement::new("INSERT INTO setting (name, value) VALUES ('half', 'done')");
    failing.run(row).await.expect("a row is written");
    let wrong = failing
        .run(Statement::new("INSERT INTO nowhere VALUES (1)"))
        .await;
    assert!(matches!(wrong, Err(StoreError::Database(_))), "{wrong:?}");
    // Whatever follows on this transaction fails too, the commit first of all.
    assert!(failing.run(Statement::new("SELECT 1")).await.is_err());
    assert!(failing.commit().await.is_err());
    until("it resumes", || store.health().fault.is_none()).await;
    assert_eq!(
        store.get_or_insert("half", "whole").await.as_deref(),
        Ok("whole")
    );
}

/// What `--durability` chooses reaches the connection that writes.
#[tokio::test]
async fn the_chosen_durability_holds_for_what_is_written() {
    // As SQLite numbers them: 2 is FULL, 1 is NORMAL.
    for (durability, synchronous) in [(Durability::Full, 2), (Durability::Normal, 1)] {
        let folder = Folder::new(&format!("durability-{synchronous}"));
        let store = SqliteStore::open_with(&folder.file(), durability).await;
        let store = store.expect("a file opens");
        let mut writing = store
            .database
            .primary
            .begin()
            .await
            .expect("a transaction begins");
        let rows = writing.rows(Statement::new("PRAGMA synchronous")).await;
        let rows = rows.expect("a setting is read");
        assert_eq!(rows[0].get::<i64>(0), Ok(synchronous), "{durability:?}");
    }
}

#[tokio::test]
async fn a_taken_number_is_refused_alone_within_a_batch() {
    let store = SqliteStore::in_memory().await.expect("memory opens");
    let table = TableId::random();
    store
        .append(append(&table, 3, 1))
        .await
        .expect("an event is kept");
    let batch = (1..=5).map(|seq| store.append(append(&table, seq, 1)));
    let outcomes = futures_util::future::join_all(batch).await;
    let refused: Vec<bool> = outcomes.iter().map(Result::is_err).collect();
    assert_eq!(refused, [false, false, true, false, false]);
    assert_eq!(outcomes[2], Err(StoreError::Taken));
    assert_eq!(store.health().fault, None, "a taken number is no failure");
}

#[tokio::test]
async fn the_write_ahead_log_is_bounded_and_gone_at_the_end() {
    let folder = Folder::new("log");
    let log = folder.0.join("a.db-wal");
    let size = || std::fs::metadata(&log).map_or(0, |data| data.len());
    let store = SqliteStore::open(&folder.file())
        .await
        .expect("a file opens");
    let table = TableId::random();
    for seq in 1..=100 {
        store
            .append(append(&table, seq, 500_000))
            .await
            .expect("an event is kept");
    }
    until("the log is emptied", || size() < 40 << 20).await;
    store.close().await.expect("it closes");
    assert_eq!(size(), 0, "all of it is in the file");
}
