//! One task writes all events: what arrives while a transaction is flushed shares the next one, so
//! a thousand tables cost far fewer flushes than a thousand a second. The events of a transaction
//! are one statement: every statement is handed to the database's thread and back, and on a busy
//! machine each hand-over waits for a processor.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use sqlx::QueryBuilder;
use sqlx::sqlite::Sqlite;
use tokio::sync::{mpsc, oneshot};

use super::connection::{Primary, Transaction};
use super::{Append, Phase, StoreError, Summary};

/// How many events may wait; a table that finds no room waits with its answer.
const WAITING: usize = 1024;
/// How many events one transaction holds at most.
const BATCH: usize = 256;

type Job = (Append, oneshot::Sender<Result<(), StoreError>>);

/// The way to the writing task.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the task; it ends when the storage is dropped.
    pub(super) fn start(primary: Arc<Primary>) -> Self {
        let (jobs, mut queue) = mpsc::channel::<Job>(WAITING);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while queue.recv_many(&mut batch, BATCH).await > 0 {
                let written = AssertUnwindSafe(write(&primary, &mut batch)).catch_unwind();
                if written.await.is_err() {
                    // Whoever waits is answered by the loss of its reply; the others go on.
                    batch.clear();
                }
            }
        });
        Self { jobs }
    }

    /// Answers once the event is on the disk.
    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let gone = || StoreError::Database("the writer is gone".to_owned());
        let (reply, answer) = oneshot::channel();
        self.jobs.send((append, reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

async fn write(primary: &Primary, batch: &mut Vec<Job>) {
    let outcomes = match together(primary, batch).await {
        Ok(true) => Ok(vec![Ok(()); batch.len()]),
        Ok(false) => one_by_one(primary, batch).await,
        Err(error) => Err(error),
    };
    let outcomes = outcomes.unwrap_or_else(|error| vec![Err(error); batch.len()]);
    for ((_, reply), outcome) in batch.drain(..).zip(outcomes) {
        drop(reply.send(outcome));
    }
}

/// Writes the whole batch, or nothing where an event's number is taken.
async fn together(primary: &Primary, batch: &[Job]) -> Result<bool, StoreError> {
    let mut transaction = primary.begin().await?;
    let written = insert(&mut transaction, batch).await?;
    if written < batch.len() as u64 {
        transaction.roll_back().await?;
        return Ok(false);
    }
    for (append, _) in batch {
        list(&mut transaction, append).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

/// Writes what can be written; an event whose number is taken is refused alone.
async fn one_by_one(
    primary: &Primary,
    batch: &[Job],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut transaction = primary.begin().await?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for job in batch {
        let taken = insert(&mut transaction, std::slice::from_ref(job)).await? == 0;
        outcomes.push(if taken {
            Err(StoreError::Taken)
        } else {
            list(&mut transaction, &job.0).await?;
            Ok(())
        });
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// Events in one statement; answers how many had a number that was free.
async fn insert(transaction: &mut Transaction<'_>, batch: &[Job]) -> Result<u64, StoreError> {
    let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO event (table_id, seq, at, event) ");
    query.push_values(batch, |mut row, (append, _)| {
        row.push_bind(append.table.as_str())
            // No table comes near a number that is too large.
            .push_bind(i64::try_from(append.stored.seq).unwrap_or(i64::MAX))
            .push_bind(append.stored.at)
            .push_bind(&append.stored.event);
    });
    query.push(" ON CONFLICT (table_id, seq) DO NOTHING");
    // Its text depends on how many there are: it is not worth keeping.
    transaction.run(query.build().persistent(false)).await
}

/// What lists say from now on, where that changes.
async fn list(transaction: &mut Transaction<'_>, append: &Append) -> Result<(), StoreError> {
    let Some(summary) = &append.summary else {
        return Ok(());
    };
    let text = serde_json::to_string(summary).expect("a summary is plain data");
    let row = sqlx::query(
        "INSERT INTO summary (table_id, phase, listed, changed, turns, summary)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (table_id) DO UPDATE SET phase = excluded.phase, listed = excluded.listed,
            changed = excluded.changed, turns = excluded.turns, summary = excluded.summary",
    );
    let row = row
        .bind(append.table.as_str())
        .bind(summary.phase.as_str())
        .bind(i64::from(summary.public))
        .bind(summary.changed)
        .bind(i64::try_from(summary.turns).unwrap_or(i64::MAX))
        .bind(text);
    transaction.run(row).await?;
    seat(transaction, summary).await
}

/// Who sits at a table, and what orders the archives of its players.
async fn seat(transaction: &mut Transaction<'_>, summary: &Summary) -> Result<(), StoreError> {
    let begun = i64::from(summary.phase != Phase::Waiting);
    let row = sqlx::query("UPDATE seat SET begun = $2, changed = $3 WHERE table_id = $1");
    let row = row
        .bind(summary.id.as_str())
        .bind(begun)
        .bind(summary.changed);
    transaction.run(row).await?;
    for (seat, occupant) in (0_i64..).zip(&summary.seats) {
        let Some(player) = occupant.player() else {
            continue;
        };
        let row = sqlx::query(
            "INSERT INTO seat (table_id, seat, player, begun, changed) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (table_id, seat) DO UPDATE SET player = excluded.player",
        );
        let row = row
            .bind(summary.id.as_str())
            .bind(seat)
            .bind(player.as_str())
            .bind(begun)
            .bind(summary.changed);
        transaction.run(row).await?;
    }
    Ok(())
}
