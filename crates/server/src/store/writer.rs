//! One task writes all events: what arrives while a transaction is flushed shares the next one, so
//! a thousand tables cost far fewer flushes than a thousand a second. The events of a transaction
//! are one statement: every statement is handed to the database's thread and back, and on a busy
//! machine each hand-over waits for a processor.

use sqlx::QueryBuilder;
use sqlx::sqlite::{Sqlite, SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};

use super::sqlite::failed;
use super::{Append, StoreError};

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
    pub(super) fn start(pool: SqlitePool) -> Self {
        let (jobs, mut queue) = mpsc::channel::<Job>(WAITING);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while queue.recv_many(&mut batch, BATCH).await > 0 {
                write(&pool, &mut batch).await;
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

async fn write(pool: &SqlitePool, batch: &mut Vec<Job>) {
    let outcomes = transact(pool, batch).await;
    match outcomes {
        Ok(outcomes) => {
            for ((_, reply), outcome) in batch.drain(..).zip(outcomes) {
                drop(reply.send(outcome));
            }
        }
        Err(error) => {
            for (_, reply) in batch.drain(..) {
                drop(reply.send(Err(error.clone())));
            }
        }
    }
}

/// One transaction; a row that is refused fails alone.
async fn transact(
    pool: &SqlitePool,
    batch: &[Job],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut transaction = pool.begin().await.map_err(failed)?;
    let mut outcomes = Vec::with_capacity(batch.len());
    // A statement that fails changes nothing, and the transaction goes on row by row.
    let together = insert_all(&mut transaction, batch).await.is_ok();
    for (append, _) in batch {
        let event = if together {
            Ok(())
        } else {
            insert(&mut transaction, append).await
        };
        outcomes.push(match event {
            Ok(()) => list(&mut transaction, append).await,
            refused => refused,
        });
    }
    transaction.commit().await.map_err(failed)?;
    Ok(outcomes)
}

fn number(n: u64) -> Result<i64, StoreError> {
    i64::try_from(n).map_err(|_| StoreError::Taken)
}

/// All events in one statement: every one of them or none.
async fn insert_all(connection: &mut SqliteConnection, batch: &[Job]) -> Result<(), StoreError> {
    let numbers: Result<Vec<i64>, _> = batch
        .iter()
        .map(|(append, _)| number(append.stored.seq))
        .collect();
    let rows = batch.iter().zip(numbers?);
    let mut query = QueryBuilder::<Sqlite>::new("INSERT INTO event (table_id, seq, at, event) ");
    query.push_values(rows, |mut row, ((append, _), seq)| {
        row.push_bind(append.table.as_str())
            .push_bind(seq)
            .push_bind(append.stored.at)
            .push_bind(&append.stored.event);
    });
    // Its text depends on how many there are: it is not worth keeping.
    let done = query.build().persistent(false).execute(connection).await;
    done.map(drop).map_err(failed)
}

async fn insert(connection: &mut SqliteConnection, append: &Append) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO event (table_id, seq, at, event) VALUES ($1, $2, $3, $4)")
        .bind(append.table.as_str())
        .bind(number(append.stored.seq)?)
        .bind(append.stored.at)
        .bind(&append.stored.event)
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    Ok(())
}

/// What lists say from now on, where that changes.
async fn list(connection: &mut SqliteConnection, append: &Append) -> Result<(), StoreError> {
    let Some(summary) = &append.summary else {
        return Ok(());
    };
    let text = serde_json::to_string(summary).expect("a summary is plain data");
    sqlx::query(
        "INSERT INTO summary (table_id, phase, listed, changed, summary)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (table_id) DO UPDATE SET phase = excluded.phase, listed = excluded.listed,
            changed = excluded.changed, summary = excluded.summary",
    )
    .bind(append.table.as_str())
    .bind(summary.phase.as_str())
    .bind(i64::from(summary.public))
    .bind(summary.changed)
    .bind(text)
    .execute(&mut *connection)
    .await
    .map_err(failed)?;
    for (seat, occupant) in (0_i64..).zip(&summary.seats) {
        let Some(player) = occupant.player() else {
            continue;
        };
        sqlx::query(
            "INSERT INTO seat (table_id, seat, player) VALUES ($1, $2, $3)
             ON CONFLICT (table_id, seat) DO UPDATE SET player = excluded.player",
        )
        .bind(append.table.as_str())
        .bind(seat)
        .bind(player.as_str())
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    }
    Ok(())
}
