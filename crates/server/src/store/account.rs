//! Accounts, sessions and retired players.

use super::database::Database;
use super::statement::{Row, Statement, damaged};
use super::{Account, Retired, SessionRow, StoreError};
use crate::game::Player;
use crate::id::{PlayerId, TableId};
use crate::name::skeleton;

fn player(row: &Row, column: usize) -> Result<PlayerId, StoreError> {
    row.get::<&str>(column)?.parse().map_err(damaged)
}

fn account_row(row: &Row) -> Result<Account, StoreError> {
    Ok(Account {
        player: player(row, 0)?,
        name: row.get(1)?,
        password: row.get(2)?,
    })
}

fn session_row(row: &Row) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        token: row.get(0)?,
        account: player(row, 1)?,
        created: row.get(2)?,
        seen: row.get(3)?,
        device: row.get(4)?,
    })
}

/// Reads a retired player from a column on.
fn retired_row(row: &Row, column: usize) -> Result<Retired, StoreError> {
    let successor: Option<String> = row.get(column + 1)?;
    let name: Option<String> = row.get(column + 2)?;
    let successor = match (successor, name) {
        (Some(successor), Some(name)) => Some(Player {
            id: successor.parse().map_err(damaged)?,
            name,
        }),
        _ => None,
    };
    Ok(Retired {
        player: player(row, column)?,
        successor,
        at: row.get(column + 3)?,
    })
}

/// Writes a row whose key must be free.
async fn insert(database: &Database, row: Statement) -> Result<(), StoreError> {
    let added = database.write(row).await?;
    added.then_some(()).ok_or(StoreError::Taken)
}

pub(super) async fn add(database: &Database, account: &Account) -> Result<(), StoreError> {
    let row = Statement::new(
        "INSERT INTO account (player, folded, name, password, skeleton)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
    );
    let row = row
        .bind(account.player.as_str())
        .bind(account.name.to_lowercase())
        .bind(&*account.name)
        .bind(&*account.password)
        .bind(skeleton(&account.name));
    insert(database, row).await
}

/// How many accounts are given their skeletons at once.
const BATCH: i64 = 500;

/// Gives their skeletons to accounts that have none: those from before there were any, and those whose
/// skeleton another account had that is gone. Of accounts that look alike already, one has it and the
/// others have none, so no further name can look like theirs.
pub(super) async fn fill_skeletons(database: &Database) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let query = Statement::new(
            "SELECT player, name FROM account WHERE skeleton IS NULL AND player > $1
             ORDER BY player LIMIT $2",
        );
        let read = |row: &Row| Ok((row.get::<String>(0)?, row.get::<String>(1)?));
        let accounts = database.read(query.bind(&*after).bind(BATCH), read).await?;
        let Some((last, _)) = accounts.last() else {
            return Ok(());
        };
        after.clone_from(last);
        let mut transaction = database.begin().await?;
        for (player, name) in &accounts {
            let fill = Statement::new(
                "UPDATE account SET skeleton = $2 WHERE player = $1
                 AND NOT EXISTS (SELECT 1 FROM account AS other WHERE other.skeleton = $2)",
            );
            transaction
                .run(fill.bind(&**player).bind(skeleton(name)))
                .await?;
        }
        transaction.commit().await?;
    }
}

pub(super) async fn by_name(
    database: &Database,
    name: &str,
) -> Result<Option<Account>, StoreError> {
    if name.contains('\0') {
        // PostgreSQL takes no such text, and no account has it.
        return Ok(None);
    }
    let query = Statement::new("SELECT player, name, password FROM account WHERE folded = $1");
    let query = query.bind(name.to_lowercase());
    Ok(database.read(query, account_row).await?.pop())
}

pub(super) async fn by_player(
    database: &Database,
    player: &PlayerId,
) -> Result<Option<Account>, StoreError> {
    let query = Statement::new("SELECT player, name, password FROM account WHERE player = $1");
    let query = query.bind(player.as_str());
    Ok(database.read(query, account_row).await?.pop())
}

pub(super) async fn set_password(
    database: &Database,
    player: &PlayerId,
    password: &str,
) -> Result<(), StoreError> {
    let query = Statement::new("UPDATE account SET password = $2 WHERE player = $1");
    let query = query.bind(player.as_str()).bind(password);
    database.write(query).await.map(drop)
}

/// Account and sessions go, and the player is retired: all of it or nothing.
pub(super) async fn delete(database: &Database, retired: &Retired) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    for statement in [
        "DELETE FROM account WHERE player = $1",
        "DELETE FROM session WHERE account = $1",
        "DELETE FROM ban WHERE player = $1",
        "DELETE FROM attempt WHERE player = $1",
        "DELETE FROM rating WHERE holder = $1",
        "DELETE FROM progress WHERE player = $1",
        "DELETE FROM analysis WHERE owner = $1",
        "UPDATE retired SET successor = NULL, name = NULL WHERE successor = $1",
    ] {
        let query = Statement::new(statement).bind(retired.player.as_str());
        transaction.run(query).await?;
    }
    transaction.run(retired_insert(retired)).await?;
    transaction.commit().await
}

pub(super) async fn add_session(
    database: &Database,
    session: &SessionRow,
) -> Result<(), StoreError> {
    let row = Statement::new(
        "INSERT INTO session (token, account, created, seen, device) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
    );
    let row = row
        .bind(&*session.token)
        .bind(session.account.as_str())
        .bind(session.created)
        .bind(session.seen)
        .bind(&*session.device);
    insert(database, row).await
}

pub(super) async fn session(
    database: &Database,
    token: &str,
) -> Result<Option<SessionRow>, StoreError> {
    let query = Statement::new(
        "SELECT token, account, created, seen, device FROM session WHERE token = $1",
    );
    Ok(database.read(query.bind(token), session_row).await?.pop())
}

pub(super) async fn sessions(
    database: &Database,
    account: &PlayerId,
) -> Result<Vec<SessionRow>, StoreError> {
    let query = Statement::new(
        "SELECT token, account, created, seen, device FROM session WHERE account = $1
         ORDER BY seen DESC, token",
    );
    database
        .read(query.bind(account.as_str()), session_row)
        .await
}

pub(super) async fn touch_session(
    database: &Database,
    token: &str,
    seen: i64,
) -> Result<(), StoreError> {
    let query = Statement::new("UPDATE session SET seen = $2 WHERE token = $1");
    database.write(query.bind(token).bind(seen)).await.map(drop)
}

pub(super) async fn drop_session(database: &Database, token: &str) -> Result<(), StoreError> {
    let query = Statement::new("DELETE FROM session WHERE token = $1");
    database.write(query.bind(token)).await.map(drop)
}

pub(super) async fn purge_sessions(database: &Database, before: i64) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    for statement in [
        "DELETE FROM session WHERE seen < $1",
        "DELETE FROM retired WHERE at < $1
           AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = retired.player)",
    ] {
        transaction
            .run(Statement::new(statement).bind(before))
            .await?;
    }
    transaction.commit().await
}

fn retired_insert(retired: &Retired) -> Statement {
    let successor = retired.successor.as_ref();
    let row = Statement::new(
        "INSERT INTO retired (player, successor, name, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (player) DO NOTHING",
    );
    row.bind(retired.player.as_str())
        .bind(successor.map(|successor| successor.id.as_str()))
        .bind(successor.map(|successor| successor.name.as_str()))
        .bind(retired.at)
}

pub(super) async fn retire(database: &Database, retired: &Retired) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    let is_new = transaction.run(retired_insert(retired)).await? > 0;
    if let Some(successor) = retired.successor.as_ref().filter(|_| is_new) {
        // Seats are moved table by table; analyses have nobody to be told.
        let analyses = Statement::new("UPDATE analysis SET owner = $2 WHERE owner = $1");
        let (former, new) = (retired.player.as_str(), successor.id.as_str());
        transaction.run(analyses.bind(former).bind(new)).await?;
    }
    transaction.commit().await
}

pub(super) async fn retired(
    database: &Database,
    player: &PlayerId,
) -> Result<Option<Retired>, StoreError> {
    let query = Statement::new("SELECT player, successor, name, at FROM retired WHERE player = $1");
    let query = query.bind(player.as_str());
    Ok(database.read(query, |row| retired_row(row, 0)).await?.pop())
}

pub(super) async fn seats_to_move(
    database: &Database,
    player: Option<&PlayerId>,
    offset: u32,
    limit: u32,
) -> Result<Vec<(TableId, Retired)>, StoreError> {
    // In this order of the joins only the seats of retired players are looked at.
    let query = match player {
        None => {
            "SELECT seat.table_id, retired.player, successor, name, at
             FROM retired CROSS JOIN seat LEFT JOIN summary ON summary.table_id = seat.table_id
             WHERE seat.player = retired.player AND $3 = ''
             ORDER BY CASE summary.phase WHEN 'over' THEN 1 ELSE 0 END, seat.table_id LIMIT $1 OFFSET $2"
        }
        Some(_) => {
            "SELECT seat.table_id, retired.player, successor, name, at
             FROM retired CROSS JOIN seat LEFT JOIN summary ON summary.table_id = seat.table_id
             WHERE seat.player = retired.player AND retired.player = $3
             ORDER BY CASE summary.phase WHEN 'over' THEN 1 ELSE 0 END, seat.table_id LIMIT $1 OFFSET $2"
        }
    };
    let query = Statement::new(query)
        .bind(i64::from(limit))
        .bind(i64::from(offset))
        .bind(player.map_or("", PlayerId::as_str));
    let read = |row: &Row| {
        let table = row.get::<&str>(0)?.parse().map_err(damaged)?;
        Ok((table, retired_row(row, 1)?))
    };
    database.read(query, read).await
}
