//! [`Store`] in SQL: the same statements for both databases.

use std::sync::Arc;

use tokio::task::JoinHandle;

use super::database::Database;
use super::statement::{Row, Statement, damaged};
use super::writer::Writer;
use super::{
    Account, Append, AuditEntry, Cell, Cells, Health, Pending, Phase, PuzzleAttempt, PuzzleRating,
    RatedAttempt, Relation, Retired, SavedAnalysis, SessionRow, StepStars, Store, StoreError,
    Stored, StoredReview, Summary, Unused, account, analysis, audit, progress, puzzle, relation,
    retention, review,
};
use crate::id::{AnalysisId, PlayerId, TableId};

/// A storage in an SQL database.
pub(super) trait SqlStore: Send + Sync + std::fmt::Debug {
    fn sql(&self) -> &Sql;

    fn database(&self) -> &Database {
        &self.sql().database
    }
}

/// A database, the task that writes events to it, and the one that looks after it.
#[derive(Debug)]
pub(super) struct Sql {
    database: Arc<Database>,
    writer: Writer,
    tending: JoinHandle<()>,
}

impl Sql {
    pub(super) fn new(database: Database, tending: JoinHandle<()>) -> Self {
        let database = Arc::new(database);
        Self {
            writer: Writer::start(Arc::clone(&database)),
            tending,
            database,
        }
    }
}

impl Drop for Sql {
    fn drop(&mut self) {
        self.tending.abort();
    }
}

fn event_of(row: &Row) -> Result<Stored, StoreError> {
    Ok(Stored {
        seq: u64::try_from(row.get::<i64>(0)?).map_err(damaged)?,
        at: row.get(1)?,
        event: row.get(2)?,
    })
}

fn summary_of(row: &Row) -> Result<Summary, StoreError> {
    serde_json::from_str(row.get::<&str>(0)?).map_err(damaged)
}

impl<S: SqlStore> Store for S {
    fn append(&self, append: Append) -> Pending<'_, ()> {
        Box::pin(self.sql().writer.append(vec![append]))
    }

    fn append_all(&self, appends: Vec<Append>) -> Pending<'_, ()> {
        Box::pin(self.sql().writer.append(appends))
    }

    fn events<'a>(&'a self, table: &'a TableId) -> Pending<'a, Vec<Stored>> {
        Box::pin(async move {
            let sql = "SELECT seq, at, event FROM event WHERE table_id = $1 ORDER BY seq";
            let statement = Statement::new(sql).bind(table.as_str());
            self.database().read(statement, event_of).await
        })
    }

    fn last_seq<'a>(&'a self, table: &'a TableId) -> Pending<'a, u64> {
        Box::pin(async move {
            let sql = "SELECT COALESCE(MAX(seq), 0) FROM event WHERE table_id = $1";
            let statement = Statement::new(sql).bind(table.as_str());
            let read = self.database().read(statement, |row| {
                u64::try_from(row.get::<i64>(0)?).map_err(damaged)
            });
            Ok(read.await?.first().copied().unwrap_or(0))
        })
    }

    fn listed(&self, phase: Phase, limit: u32) -> Pending<'_, Vec<Summary>> {
        Box::pin(async move {
            let statement = Statement::new(
                "SELECT summary FROM summary WHERE phase = $1 AND listed = 1
                 ORDER BY changed DESC LIMIT $2",
            );
            let statement = statement.bind(phase.as_str()).bind(i64::from(limit));
            self.database().read(statement, summary_of).await
        })
    }

    fn archive<'a>(
        &'a self,
        player: &'a PlayerId,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<Summary>> {
        Box::pin(async move {
            let statement = Statement::new(
                "SELECT summary FROM (
                    SELECT table_id, changed FROM seat WHERE player = $1 AND begun = 1
                    ORDER BY changed DESC, table_id LIMIT $2 OFFSET $3
                 ) AS page JOIN summary ON summary.table_id = page.table_id
                 ORDER BY page.changed DESC, page.table_id",
            );
            let statement = statement
                .bind(player.as_str())
                .bind(i64::from(limit))
                .bind(i64::from(offset));
            self.database().read(statement, summary_of).await
        })
    }

    fn add_account<'a>(&'a self, account: &'a Account) -> Pending<'a, ()> {
        Box::pin(account::add(self.database(), account))
    }

    fn account<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_name(self.database(), name))
    }

    fn account_of<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Account>> {
        Box::pin(account::by_player(self.database(), player))
    }

    fn set_password<'a>(&'a self, player: &'a PlayerId, password: &'a str) -> Pending<'a, ()> {
        Box::pin(account::set_password(self.database(), player, password))
    }

    fn drop_account<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::delete(self.database(), retired))
    }

    fn add_session<'a>(&'a self, session: &'a SessionRow) -> Pending<'a, ()> {
        Box::pin(account::add_session(self.database(), session))
    }

    fn session<'a>(&'a self, token: &'a str) -> Pending<'a, Option<SessionRow>> {
        Box::pin(account::session(self.database(), token))
    }

    fn sessions<'a>(&'a self, account: &'a PlayerId) -> Pending<'a, Vec<SessionRow>> {
        Box::pin(account::sessions(self.database(), account))
    }

    fn touch_session<'a>(&'a self, token: &'a str, seen: i64) -> Pending<'a, ()> {
        Box::pin(account::touch_session(self.database(), token, seen))
    }

    fn drop_session<'a>(&'a self, token: &'a str) -> Pending<'a, ()> {
        Box::pin(account::drop_session(self.database(), token))
    }

    fn purge_sessions(&self, before: i64) -> Pending<'_, ()> {
        Box::pin(account::purge_sessions(self.database(), before))
    }

    fn retire<'a>(&'a self, retired: &'a Retired) -> Pending<'a, ()> {
        Box::pin(account::retire(self.database(), retired))
    }

    fn retired<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Option<Retired>> {
        Box::pin(account::retired(self.database(), player))
    }

    fn seats_to_move<'a>(
        &'a self,
        player: Option<&'a PlayerId>,
        offset: u32,
        limit: u32,
    ) -> Pending<'a, Vec<(TableId, Retired)>> {
        Box::pin(account::seats_to_move(
            self.database(),
            player,
            offset,
            limit,
        ))
    }

    fn unused(&self, unused: Unused, limit: u32) -> Pending<'_, Vec<TableId>> {
        Box::pin(retention::unused(self.database(), unused, limit))
    }

    fn drop_tables<'a>(&'a self, tables: &'a [TableId]) -> Pending<'a, ()> {
        Box::pin(retention::drop_tables(self.database(), tables))
    }

    fn get_or_insert<'a>(&'a self, key: &'a str, value: &'a str) -> Pending<'a, String> {
        Box::pin(async move {
            let row = Statement::new(
                "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            );
            self.database().write(row.bind(key).bind(value)).await?;
            let kept = relation::setting(self.database(), key).await?;
            kept.ok_or_else(|| damaged("a setting is gone"))
        })
    }

    fn setting<'a>(&'a self, key: &'a str) -> Pending<'a, Option<String>> {
        Box::pin(relation::setting(self.database(), key))
    }

    fn drop_setting<'a>(&'a self, key: &'a str) -> Pending<'a, ()> {
        Box::pin(relation::drop_setting(self.database(), key))
    }

    fn rows<'a>(
        &'a self,
        relation: Relation,
        after: Option<&'a [Cell]>,
        limit: u32,
    ) -> Pending<'a, Vec<Cells>> {
        Box::pin(relation::rows(self.database(), relation, after, limit))
    }

    fn count(&self, relation: Relation) -> Pending<'_, u64> {
        Box::pin(relation::count(self.database(), relation))
    }

    fn load<'a>(
        &'a self,
        relation: Relation,
        rows: &'a [Cells],
        mark: (&'a str, &'a str),
    ) -> Pending<'a, u64> {
        Box::pin(relation::load(self.database(), relation, rows, mark))
    }

    fn rename_account<'a>(
        &'a self,
        former: &'a PlayerId,
        account: &'a Account,
        at: i64,
    ) -> Pending<'a, ()> {
        Box::pin(audit::rename(self.database(), former, account, at))
    }

    fn is_banned<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, bool> {
        Box::pin(audit::is_banned(self.database(), player))
    }

    fn set_ban<'a>(&'a self, player: &'a PlayerId, since: Option<i64>) -> Pending<'a, ()> {
        Box::pin(audit::set_ban(self.database(), player, since))
    }

    fn add_audit<'a>(&'a self, entry: &'a AuditEntry) -> Pending<'a, ()> {
        Box::pin(audit::add(self.database(), entry))
    }

    fn audit(&self, only_open: bool, limit: u32) -> Pending<'_, Vec<AuditEntry>> {
        Box::pin(audit::list(self.database(), only_open, limit))
    }

    fn finish_audit<'a>(&'a self, id: &'a str, outcome: &'a str, done: i64) -> Pending<'a, ()> {
        Box::pin(audit::finish(self.database(), id, outcome, done))
    }

    fn add_attempt<'a>(
        &'a self,
        attempt: &'a PuzzleAttempt,
        rated: &'a RatedAttempt,
    ) -> Pending<'a, ()> {
        Box::pin(puzzle::add(self.database(), attempt, rated))
    }

    fn attempts<'a>(
        &'a self,
        player: &'a PlayerId,
        game: &'a str,
        limit: u32,
    ) -> Pending<'a, Vec<PuzzleAttempt>> {
        Box::pin(puzzle::list(self.database(), player, game, limit))
    }

    fn puzzle_rating<'a>(
        &'a self,
        game: &'a str,
        holder: &'a str,
    ) -> Pending<'a, Option<PuzzleRating>> {
        Box::pin(puzzle::rating(self.database(), game, holder))
    }

    fn keep_stars<'a>(
        &'a self,
        player: &'a PlayerId,
        stars: &'a [StepStars],
        at: i64,
    ) -> Pending<'a, ()> {
        Box::pin(progress::keep(self.database(), player, stars, at))
    }

    fn stars<'a>(&'a self, player: &'a PlayerId) -> Pending<'a, Vec<StepStars>> {
        Box::pin(progress::list(self.database(), player))
    }

    fn add_analysis<'a>(&'a self, analysis: &'a SavedAnalysis, most: u32) -> Pending<'a, bool> {
        Box::pin(analysis::add(self.database(), analysis, most))
    }

    fn change_analysis<'a>(&'a self, analysis: &'a SavedAnalysis) -> Pending<'a, bool> {
        Box::pin(analysis::change(self.database(), analysis))
    }

    fn drop_analysis<'a>(&'a self, id: &'a AnalysisId, owner: &'a PlayerId) -> Pending<'a, bool> {
        Box::pin(analysis::delete(self.database(), id, owner))
    }

    fn analysis<'a>(&'a self, id: &'a AnalysisId) -> Pending<'a, Option<SavedAnalysis>> {
        Box::pin(analysis::by_id(self.database(), id))
    }

    fn analyses<'a>(&'a self, owner: &'a PlayerId, limit: u32) -> Pending<'a, Vec<SavedAnalysis>> {
        Box::pin(analysis::list(self.database(), owner, limit))
    }

    fn keep_review<'a>(&'a self, review: &'a StoredReview) -> Pending<'a, ()> {
        Box::pin(review::keep(self.database(), review))
    }

    fn review<'a>(&'a self, table: &'a TableId, round: u32) -> Pending<'a, Option<StoredReview>> {
        Box::pin(review::of(self.database(), table, round))
    }

    fn health(&self) -> Health {
        Health {
            waiting: self.sql().writer.waiting(),
            ..self.database().record().health()
        }
    }

    fn note_damage(&self, why: &str) {
        self.database().record().note_damage(why);
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.sql().tending.abort();
            self.database().close().await
        })
    }
}
