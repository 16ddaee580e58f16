//! What operators do: written down first, carried out by the server, kept.

use serde::{Deserialize, Serialize};

use super::database::Database;
use super::statement::{Row, Statement, damaged};
use super::{Account, StoreError};
use crate::id::{PlayerId, TableId};
use crate::name::skeleton;

/// What an operator may do to an installation.
///
/// ```
/// use convoy_server::AdminCommand;
///
/// let ban = AdminCommand::Ban { name: "Ann".to_owned() };
/// assert_eq!(ban.to_string(), "ban Ann");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum AdminCommand {
    /// Ends a table and deletes it with all its events.
    Close {
        /// The table.
        table: TableId,
    },
    /// Gives an account another name.
    Rename {
        /// Its name so far.
        name: String,
        /// Its new name.
        to: String,
    },
    /// Ends the sessions of an account and lets nobody log in to it.
    Ban {
        /// Its name.
        name: String,
    },
    /// Lets the owner of an account log in again.
    Unban {
        /// Its name.
        name: String,
    },
    /// Ends all sessions of an account.
    EndSessions {
        /// Its name.
        name: String,
    },
    /// Deletes an account; its seats become anonymous.
    DeletePlayer {
        /// Its name.
        name: String,
    },
}

impl std::fmt::Display for AdminCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Close { table } => write!(f, "close {table}"),
            Self::Rename { name, to } => write!(f, "rename {name} {to}"),
            Self::Ban { name } => write!(f, "ban {name}"),
            Self::Unban { name } => write!(f, "unban {name}"),
            Self::EndSessions { name } => write!(f, "end-sessions {name}"),
            Self::DeletePlayer { name } => write!(f, "delete-player {name}"),
        }
    }
}

/// An entry of the audit log.
///
/// ```
/// use convoy_server::{AdminCommand, AuditEntry};
///
/// let ban = AdminCommand::Ban { name: "Ann".to_owned() };
/// let entry = AuditEntry::new("root", ban, 1_000);
/// assert_eq!(entry.outcome, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Tells it from all others.
    pub id: String,
    /// When it was asked for, in milliseconds of Unix time.
    pub at: i64,
    /// Who asked: a user of the operator's machine.
    pub operator: String,
    /// What to do.
    pub command: AdminCommand,
    /// What came of it, once it is done.
    pub outcome: Option<String>,
    /// When it was done, or 0.
    pub done: i64,
}

impl AuditEntry {
    /// A command that is not carried out yet.
    pub fn new(operator: &str, command: AdminCommand, at: i64) -> Self {
        Self {
            id: PlayerId::random().as_str().to_owned(),
            at,
            operator: operator.to_owned(),
            command,
            outcome: None,
            done: 0,
        }
    }
}

fn entry_row(row: &Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        id: row.get(0)?,
        at: row.get(1)?,
        operator: row.get(2)?,
        command: serde_json::from_str(row.get::<&str>(3)?).map_err(damaged)?,
        outcome: row.get(4)?,
        done: row.get(5)?,
    })
}

pub(super) async fn add(database: &Database, entry: &AuditEntry) -> Result<(), StoreError> {
    let command = serde_json::to_string(&entry.command).expect("a command is plain data");
    let statement = Statement::new(
        "INSERT INTO audit (id, at, operator, command, outcome, done)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    );
    let statement = statement
        .bind(&*entry.id)
        .bind(entry.at)
        .bind(&*entry.operator)
        .bind(command)
        .bind(entry.outcome.as_deref())
        .bind(entry.done);
    let added = database.write(statement).await?;
    added.then_some(()).ok_or(StoreError::Taken)
}

pub(super) async fn list(
    database: &Database,
    only_open: bool,
    limit: u32,
) -> Result<Vec<AuditEntry>, StoreError> {
    let sql = if only_open {
        "SELECT id, at, operator, command, outcome, done FROM audit WHERE outcome IS NULL
         ORDER BY at, id LIMIT $1"
    } else {
        "SELECT id, at, operator, command, outcome, done FROM audit
         ORDER BY at DESC, id LIMIT $1"
    };
    let statement = Statement::new(sql).bind(i64::from(limit));
    database.read(statement, entry_row).await
}

pub(super) async fn finish(
    database: &Database,
    id: &str,
    outcome: &str,
    done: i64,
) -> Result<(), StoreError> {
    let statement = Statement::new(
        "UPDATE audit SET outcome = $2, done = $3 WHERE id = $1 AND outcome IS NULL",
    );
    let statement = statement.bind(id).bind(outcome).bind(done);
    database.write(statement).await.map(drop)
}

pub(super) async fn is_banned(database: &Database, player: &PlayerId) -> Result<bool, StoreError> {
    let statement = Statement::new("SELECT at FROM ban WHERE player = $1").bind(player.as_str());
    let rows = database.read(statement, |row| row.get::<i64>(0)).await?;
    Ok(!rows.is_empty())
}

/// Bans a player since a time, or lifts the ban.
pub(super) async fn set_ban(
    database: &Database,
    player: &PlayerId,
    since: Option<i64>,
) -> Result<(), StoreError> {
    let statement = match since {
        Some(at) => {
            let sql = "INSERT INTO ban (player, at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            Statement::new(sql).bind(player.as_str()).bind(at)
        }
        None => Statement::new("DELETE FROM ban WHERE player = $1").bind(player.as_str()),
    };
    database.write(statement).await.map(drop)
}

/// Gives an account another name and another player, so that its seats follow under the new name;
/// its former player retires. All of it or nothing.
pub(super) async fn rename(
    database: &Database,
    former: &PlayerId,
    account: &Account,
    at: i64,
) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    let taken = Statement::new(
        "SELECT player FROM account WHERE (folded = $1 OR skeleton = $3) AND player <> $2",
    );
    let taken = taken
        .bind(account.name.to_lowercase())
        .bind(former.as_str())
        .bind(skeleton(&account.name));
    if !transaction.rows(taken).await?.is_empty() {
        return Err(StoreError::Taken);
    }
    let (new, name) = (account.player.as_str(), &*account.name);
    let folded = account.name.to_lowercase();
    let update =
        "UPDATE account SET player = $2, folded = $3, name = $4, skeleton = $5 WHERE player = $1";
    let update = Statement::new(update).bind(former.as_str()).bind(new);
    let update = update.bind(folded).bind(name).bind(skeleton(name));
    transaction.run(update).await?;
    for sql in [
        "UPDATE session SET account = $2 WHERE account = $1",
        "UPDATE ban SET player = $2 WHERE player = $1",
        "UPDATE attempt SET player = $2 WHERE player = $1",
        "UPDATE rating SET holder = $2 WHERE holder = $1",
        "UPDATE progress SET player = $2 WHERE player = $1",
        "UPDATE analysis SET owner = $2 WHERE owner = $1",
    ] {
        let statement = Statement::new(sql).bind(former.as_str()).bind(new);
        transaction.run(statement).await?;
    }
    // Guests who took this account have their seats moved to the new player too.
    let heirs = Statement::new("UPDATE retired SET successor = $2, name = $3 WHERE successor = $1");
    let heirs = heirs.bind(former.as_str()).bind(new).bind(name);
    transaction.run(heirs).await?;
    let retired =
        Statement::new("INSERT INTO retired (player, successor, name, at) VALUES ($1, $2, $3, $4)");
    let retired = retired.bind(former.as_str()).bind(new).bind(name);
    transaction.run(retired.bind(at)).await?;
    transaction.commit().await
}
