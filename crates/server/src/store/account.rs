//! Accounts, sessions and retired players in SQLite.

use sqlx::Row as _;
use sqlx::sqlite::{SqlitePool, SqliteRow};

use super::sqlite::{damaged, failed};
use super::{Account, Retired, SessionRow, StoreError};
use crate::id::{PlayerId, TableId};
use crate::table::Guest;

fn text(row: &SqliteRow, column: usize) -> Result<String, StoreError> {
    row.try_get(column).map_err(damaged)
}

fn player(row: &SqliteRow, column: usize) -> Result<PlayerId, StoreError> {
    text(row, column)?.parse().map_err(damaged)
}

fn account_row(row: &SqliteRow) -> Result<Account, StoreError> {
    Ok(Account {
        player: player(row, 0)?,
        name: text(row, 1)?,
        password: text(row, 2)?,
    })
}

fn session_row(row: &SqliteRow) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        token: text(row, 0)?,
        account: player(row, 1)?,
        created: row.try_get(2).map_err(damaged)?,
        seen: row.try_get(3).map_err(damaged)?,
        device: text(row, 4)?,
    })
}

/// Reads a retired player from a column on.
fn retired_row(row: &SqliteRow, column: usize) -> Result<Retired, StoreError> {
    let successor: Option<String> = row.try_get(column + 1).map_err(damaged)?;
    let name: Option<String> = row.try_get(column + 2).map_err(damaged)?;
    let successor = match (successor, name) {
        (Some(successor), Some(name)) => Some(Guest {
            player: successor.parse().map_err(damaged)?,
            name,
        }),
        _ => None,
    };
    Ok(Retired {
        player: player(row, column)?,
        successor,
        at: row.try_get(column + 3).map_err(damaged)?,
    })
}

pub(super) async fn add(pool: &SqlitePool, account: &Account) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO account (player, folded, name, password) VALUES ($1, $2, $3, $4)")
        .bind(account.player.as_str())
        .bind(account.name.to_lowercase())
        .bind(&account.name)
        .bind(&account.password)
        .execute(pool)
        .await
        .map_err(failed)?;
    Ok(())
}

pub(super) async fn by_name(pool: &SqlitePool, name: &str) -> Result<Option<Account>, StoreError> {
    let row = sqlx::query("SELECT player, name, password FROM account WHERE folded = $1")
        .bind(name.to_lowercase())
        .fetch_optional(pool)
        .await
        .map_err(failed)?;
    row.as_ref().map(account_row).transpose()
}

pub(super) async fn by_player(
    pool: &SqlitePool,
    player: &PlayerId,
) -> Result<Option<Account>, StoreError> {
    let row = sqlx::query("SELECT player, name, password FROM account WHERE player = $1")
        .bind(player.as_str())
        .fetch_optional(pool)
        .await
        .map_err(failed)?;
    row.as_ref().map(account_row).transpose()
}

pub(super) async fn set_password(
    pool: &SqlitePool,
    player: &PlayerId,
    password: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE account SET password = $2 WHERE player = $1")
        .bind(player.as_str())
        .bind(password)
        .execute(pool)
        .await
        .map_err(failed)?;
    Ok(())
}

/// Account and sessions go, and the player is retired: all of it or nothing.
pub(super) async fn delete(pool: &SqlitePool, retired: &Retired) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await.map_err(failed)?;
    for statement in [
        "DELETE FROM account WHERE player = $1",
        "DELETE FROM session WHERE account = $1",
        "UPDATE retired SET successor = NULL, name = NULL WHERE successor = $1",
    ] {
        sqlx::query(statement)
            .bind(retired.player.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
    }
    insert_retired(&mut *transaction, retired).await?;
    transaction.commit().await.map_err(failed)
}

pub(super) async fn add_session(pool: &SqlitePool, session: &SessionRow) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO session (token, account, created, seen, device) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&session.token)
    .bind(session.account.as_str())
    .bind(session.created)
    .bind(session.seen)
    .bind(&session.device)
    .execute(pool)
    .await
    .map_err(failed)?;
    Ok(())
}

pub(super) async fn session(
    pool: &SqlitePool,
    token: &str,
) -> Result<Option<SessionRow>, StoreError> {
    let row =
        sqlx::query("SELECT token, account, created, seen, device FROM session WHERE token = $1")
            .bind(token)
            .fetch_optional(pool)
            .await
            .map_err(failed)?;
    row.as_ref().map(session_row).transpose()
}

pub(super) async fn sessions(
    pool: &SqlitePool,
    account: &PlayerId,
) -> Result<Vec<SessionRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT token, account, created, seen, device FROM session WHERE account = $1
         ORDER BY seen DESC, token",
    )
    .bind(account.as_str())
    .fetch_all(pool)
    .await
    .map_err(failed)?;
    rows.iter().map(session_row).collect()
}

pub(super) async fn touch_session(
    pool: &SqlitePool,
    token: &str,
    seen: i64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE session SET seen = $2 WHERE token = $1")
        .bind(token)
        .bind(seen)
        .execute(pool)
        .await
        .map_err(failed)?;
    Ok(())
}

pub(super) async fn drop_session(pool: &SqlitePool, token: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM session WHERE token = $1")
        .bind(token)
        .execute(pool)
        .await
        .map_err(failed)?;
    Ok(())
}

pub(super) async fn purge_sessions(pool: &SqlitePool, before: i64) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM session WHERE seen < $1",
        "DELETE FROM retired WHERE at < $1
           AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = retired.player)",
    ] {
        sqlx::query(statement)
            .bind(before)
            .execute(pool)
            .await
            .map_err(failed)?;
    }
    Ok(())
}

async fn insert_retired<'e>(
    to: impl sqlx::Executor<'e, Database = sqlx::Sqlite>,
    retired: &Retired,
) -> Result<(), StoreError> {
    let successor = retired.successor.as_ref();
    sqlx::query(
        "INSERT INTO retired (player, successor, name, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (player) DO NOTHING",
    )
    .bind(retired.player.as_str())
    .bind(successor.map(|successor| successor.player.as_str()))
    .bind(successor.map(|successor| successor.name.as_str()))
    .bind(retired.at)
    .execute(to)
    .await
    .map_err(failed)?;
    Ok(())
}

pub(super) async fn retire(pool: &SqlitePool, retired: &Retired) -> Result<(), StoreError> {
    insert_retired(pool, retired).await
}

pub(super) async fn retired(
    pool: &SqlitePool,
    player: &PlayerId,
) -> Result<Option<Retired>, StoreError> {
    let row = sqlx::query("SELECT player, successor, name, at FROM retired WHERE player = $1")
        .bind(player.as_str())
        .fetch_optional(pool)
        .await
        .map_err(failed)?;
    row.map(|row| retired_row(&row, 0)).transpose()
}

pub(super) async fn seats_to_move(
    pool: &SqlitePool,
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
             ORDER BY summary.phase = 'over', seat.table_id LIMIT $1 OFFSET $2"
        }
        Some(_) => {
            "SELECT seat.table_id, retired.player, successor, name, at
             FROM retired CROSS JOIN seat LEFT JOIN summary ON summary.table_id = seat.table_id
             WHERE seat.player = retired.player AND retired.player = $3
             ORDER BY summary.phase = 'over', seat.table_id LIMIT $1 OFFSET $2"
        }
    };
    let rows = sqlx::query(query)
        .bind(i64::from(limit))
        .bind(i64::from(offset))
        .bind(player.map_or("", PlayerId::as_str))
        .fetch_all(pool)
        .await
        .map_err(failed)?;
    let read = |row: &SqliteRow| {
        let table = text(row, 0)?.parse().map_err(damaged)?;
        Ok((table, retired_row(row, 1)?))
    };
    rows.iter().map(read).collect()
}
