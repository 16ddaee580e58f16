//! One task writes all events: what arrives while a transaction is flushed shares the next one, so
//! a thousand tables cost far fewer flushes than a thousand a second. What a transaction writes is a
//! few statements, however many events it holds: every statement is a round trip to the database, or
//! to the thread that runs it.

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::sync::{mpsc, oneshot};

use super::database::{Database, Transaction};
use super::statement::{Statement, Value};
use super::{Append, Phase, StoreError, Summary};

/// How many events may wait; a table that finds no room waits with its answer.
const WAITING: usize = 1024;
/// How many events one transaction holds at most.
const BATCH: usize = 256;

/// Events that are stored together or not at all, and whom to tell.
type Job = (Vec<Append>, oneshot::Sender<Result<(), StoreError>>);

/// The way to the writing task.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the task; it ends when the storage is dropped.
    pub(super) fn start(database: Arc<Database>) -> Self {
        let (jobs, mut queue) = mpsc::channel::<Job>(WAITING);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while queue.recv_many(&mut batch, BATCH).await > 0 {
                let written = AssertUnwindSafe(write(&database, &mut batch)).catch_unwind();
                if written.await.is_err() {
                    // Whoever waits is answered by the loss of its reply; the others go on.
                    batch.clear();
                }
            }
        });
        Self { jobs }
    }

    /// How many events wait for the task.
    pub(super) fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// Answers once the events are stored.
    pub(super) async fn append(&self, appends: Vec<Append>) -> Result<(), StoreError> {
        let gone = || StoreError::Database("the writer is gone".to_owned());
        let (reply, answer) = oneshot::channel();
        self.jobs.send((appends, reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

async fn write(database: &Database, batch: &mut Vec<Job>) {
    let written = store(database, batch).await;
    let outcomes = written.unwrap_or_else(|error| vec![Err(error); batch.len()]);
    for ((_, reply), outcome) in batch.drain(..).zip(outcomes) {
        drop(reply.send(outcome));
    }
}

/// Writes what can be written; an event whose number is taken is refused, with those that go with it
/// and no others.
async fn store(
    database: &Database,
    batch: &[Job],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut transaction = database.begin().await?;
    let mut rows: Vec<&Append> = batch.iter().flat_map(|(appends, _)| appends).collect();
    // In one order on every node: two that write the same rows must not wait for each other.
    rows.sort_by_key(|append| (&append.table, append.stored.seq));
    let mut free = insert(&mut transaction, &rows).await?;
    let (mut outcomes, mut kept) = (Vec::with_capacity(batch.len()), Vec::new());
    for (appends, _) in batch {
        // Of two events with one number the first is the one that was inserted.
        let inserted = appends.iter();
        let inserted =
            inserted.filter(|append| free.remove(&(append.table.to_string(), seq(append))));
        let inserted: Vec<&Append> = inserted.collect();
        if inserted.len() == appends.len() {
            kept.extend(inserted);
            outcomes.push(Ok(()));
        } else {
            delete(&mut transaction, &inserted).await?;
            outcomes.push(Err(StoreError::Taken));
        }
    }
    kept.sort_by_key(|append| (&append.table, append.stored.seq));
    // The last summary of a table is the one that counts.
    let summaries: BTreeMap<&str, &Summary> = kept
        .into_iter()
        .filter_map(|append| Some((append.table.as_str(), append.summary.as_deref()?)))
        .collect();
    list(&mut transaction, summaries.into_values().collect()).await?;
    transaction.commit().await?;
    Ok(outcomes)
}

/// The number of an event; no table comes near one that is too large.
fn seq(append: &Append) -> i64 {
    i64::try_from(append.stored.seq).unwrap_or(i64::MAX)
}

/// Events in one statement; answers the tables and numbers that were free.
async fn insert(
    transaction: &mut Transaction<'_>,
    rows: &[&Append],
) -> Result<HashSet<(String, i64)>, StoreError> {
    let row = |append: &&Append| -> Vec<Value> {
        vec![
            append.table.as_str().into(),
            seq(append).into(),
            append.stored.at.into(),
            append.stored.event.as_str().into(),
        ]
    };
    let statement = Statement::with_rows(
        "INSERT INTO event (table_id, seq, at, event)",
        rows.iter().map(row).collect(),
        " ON CONFLICT (table_id, seq) DO NOTHING RETURNING table_id, seq",
    );
    let rows = transaction.rows(statement).await?;
    rows.iter()
        .map(|row| Ok((row.get(0)?, row.get(1)?)))
        .collect()
}

/// Takes back what was inserted with an event whose number was taken.
async fn delete(transaction: &mut Transaction<'_>, appends: &[&Append]) -> Result<(), StoreError> {
    for append in appends {
        let statement = Statement::new("DELETE FROM event WHERE table_id = $1 AND seq = $2");
        let statement = statement.bind(append.table.as_str()).bind(seq(append));
        transaction.run(statement).await?;
    }
    Ok(())
}

/// What lists say from now on, where that changes; one summary a table.
async fn list(
    transaction: &mut Transaction<'_>,
    summaries: Vec<&Summary>,
) -> Result<(), StoreError> {
    if summaries.is_empty() {
        return Ok(());
    }
    let row = |summary: &&Summary| -> Vec<Value> {
        let text = serde_json::to_string(summary).expect("a summary is plain data");
        vec![
            summary.id.as_str().into(),
            summary.phase.as_str().into(),
            i64::from(summary.public).into(),
            summary.changed.into(),
            i64::try_from(summary.turns).unwrap_or(i64::MAX).into(),
            text.into(),
        ]
    };
    let statement = Statement::with_rows(
        "INSERT INTO summary (table_id, phase, listed, changed, turns, summary)",
        summaries.iter().map(row).collect(),
        " ON CONFLICT (table_id) DO UPDATE SET phase = excluded.phase, listed = excluded.listed,
            changed = excluded.changed, turns = excluded.turns, summary = excluded.summary",
    );
    transaction.run(statement).await?;
    seat(transaction, &summaries).await
}

/// Who sits at the tables, and what orders the archives of their players.
async fn seat(transaction: &mut Transaction<'_>, summaries: &[&Summary]) -> Result<(), StoreError> {
    let begun = |summary: &Summary| Value::from(i64::from(summary.phase != Phase::Waiting));
    let row = |summary: &&Summary| -> Vec<Value> {
        vec![
            summary.id.as_str().into(),
            begun(summary),
            summary.changed.into(),
        ]
    };
    let statement = Statement::with_rows(
        "UPDATE seat SET begun = latest.column2, changed = latest.column3 FROM (",
        summaries.iter().map(row).collect(),
        ") AS latest WHERE seat.table_id = latest.column1",
    );
    transaction.run(statement).await?;
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for summary in summaries {
        for (seat, occupant) in (0_i64..).zip(&summary.seats) {
            let Some(player) = occupant.player() else {
                continue;
            };
            // Archives are read from the first seat of a player: a table that somebody sits at twice is one.
            let first = summary
                .seats
                .iter()
                .position(|other| other.player() == Some(player));
            let is_first = first == usize::try_from(seat).ok();
            rows.push(vec![
                summary.id.as_str().into(),
                seat.into(),
                player.as_str().into(),
                if is_first {
                    begun(summary)
                } else {
                    0_i64.into()
                },
                summary.changed.into(),
            ]);
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    let statement = Statement::with_rows(
        "INSERT INTO seat (table_id, seat, player, begun, changed)",
        rows,
        " ON CONFLICT (table_id, seat) DO UPDATE SET player = excluded.player, begun = excluded.begun",
    );
    transaction.run(statement).await.map(drop)
}
