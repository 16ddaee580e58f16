//! Accounts, sessions and retired players in SQLite.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};

use super::sqlite::{damaged, get};
use super::{Account, Retired, SessionRow, SqliteStore, StoreError};
use crate::game::Player;
use crate::id::{PlayerId, TableId};

fn player(row: &SqliteRow, column: usize) -> Result<PlayerId, StoreError> {
    get::<&str>(row, column)?.parse().map_err(damaged)
}

fn account_row(row: &SqliteRow) -> Result<Account, StoreError> {
    Ok(Account {
        player: player(row, 0)?,
        name: get(row, 1)?,
        password: get(row, 2)?,
    })
}

fn session_row(row: &SqliteRow) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        token: get(row, 0)?,
        account: player(row, 1)?,
        created: get(row, 2)?,
        seen: get(row, 3)?,
        device: get(row, 4)?,
    })
}

/// Reads a retired player from a column on.
fn retired_row(row: &SqliteRow, column: usize) -> Result<Retired, StoreError> {
    let successor: Option<String> = get(row, column + 1)?;
    let name: Option<String> = get(row, column + 2)?;
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
        at: get(row, column + 3)?,
    })
}

/// Writes a row whose key must be free.
async fn insert(
    store: &SqliteStore,
    row: Query<'_, Sqlite, SqliteArguments>,
) -> Result<(), StoreError> {
    let added = store.write(row).await?;
    added.then_some(()).ok_or(StoreError::Taken)
}

pub(super) async fn add(store: &SqliteStore, account: &Account) -> Result<(), StoreError> {
    let row = sqlx::query(
        "INSERT INTO account (player, folded, name, password) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
    );
    let row = row
        .bind(account.player.as_str())
        .bind(account.name.to_lowercase())
        .bind(&account.name)
        .bind(&account.password);
    insert(store, row).await
}

pub(super) async fn by_name(
    store: &SqliteStore,
    name: &str,
) -> Result<Option<Account>, StoreError> {
    let query = sqlx::query("SELECT player, name, password FROM account WHERE folded = $1");
    let query = query.bind(name.to_lowercase());
    Ok(store.read(query, account_row).await?.pop())
}

pub(super) async fn by_player(
    store: &SqliteStore,
    player: &PlayerId,
) -> Result<Option<Account>, StoreError> {
    let query = sqlx::query("SELECT player, name, password FROM account WHERE player = $1");
    let query = query.bind(player.as_str());
    Ok(store.read(query, account_row).await?.pop())
}

pub(super) async fn set_password(
    store: &SqliteStore,
    player: &PlayerId,
    password: &str,
) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE account SET password = $2 WHERE player = $1");
    let query = query.bind(player.as_str()).bind(password);
    store.write(query).await.map(drop)
}

/// Account and sessions go, and the player is retired: all of it or nothing.
pub(super) async fn delete(store: &SqliteStore, retired: &Retired) -> Result<(), StoreError> {
    let mut transaction = store.primary.begin().await?;
    for statement in [
        "DELETE FROM account WHERE player = $1",
        "DELETE FROM session WHERE account = $1",
        "UPDATE retired SET successor = NULL, name = NULL WHERE successor = $1",
    ] {
        let query = sqlx::query(statement).bind(retired.player.as_str());
        transaction.run(query).await?;
    }
    transaction.run(retired_insert(retired)).await?;
    transaction.commit().await
}

pub(super) async fn add_session(
    store: &SqliteStore,
    session: &SessionRow,
) -> Result<(), StoreError> {
    let row = sqlx::query(
        "INSERT INTO session (token, account, created, seen, device) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
    );
    let row = row
        .bind(&session.token)
        .bind(session.account.as_str())
        .bind(session.created)
        .bind(session.seen)
        .bind(&session.device);
    insert(store, row).await
}

pub(super) async fn session(
    store: &SqliteStore,
    token: &str,
) -> Result<Option<SessionRow>, StoreError> {
    let query =
        sqlx::query("SELECT token, account, created, seen, device FROM session WHERE token = $1");
    Ok(store.read(query.bind(token), session_row).await?.pop())
}

pub(super) async fn sessions(
    store: &SqliteStore,
    account: &PlayerId,
) -> Result<Vec<SessionRow>, StoreError> {
    let query = sqlx::query(
        "SELECT token, account, created, seen, device FROM session WHERE account = $1
         ORDER BY seen DESC, token",
    );
    store.read(query.bind(account.as_str()), session_row).await
}

pub(super) async fn touch_session(
    store: &SqliteStore,
    token: &str,
    seen: i64,
) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE session SET seen = $2 WHERE token = $1");
    store.write(query.bind(token).bind(seen)).await.map(drop)
}

pub(super) async fn drop_session(store: &SqliteStore, token: &str) -> Result<(), StoreError> {
    let query = sqlx::query("DELETE FROM session WHERE token = $1");
    store.write(query.bind(token)).await.map(drop)
}

pub(super) async fn purge_sessions(store: &SqliteStore, before: i64) -> Result<(), StoreError> {
    let mut transaction = store.primary.begin().await?;
    for statement in [
        "DELETE FROM session WHERE seen < $1",
        "DELETE FROM retired WHERE at < $1
           AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = retired.player)",
    ] {
        transaction.run(sqlx::query(statement).bind(before)).await?;
    }
    transaction.commit().await
}

fn retired_insert(retired: &Retired) -> Query<'_, Sqlite, SqliteArguments> {
    let successor = retired.successor.as_ref();
    let row = sqlx::query(
        "INSERT INTO retired (player, successor, name, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (player) DO NOTHING",
    );
    row.bind(retired.player.as_str())
        .bind(successor.map(|successor| successor.id.as_str()))
        .bind(successor.map(|successor| successor.name.as_str()))
        .bind(retired.at)
}

pub(super) async fn retire(store: &SqliteStore, retired: &Retired) -> Result<(), StoreError> {
    store.write(retired_insert(retired)).await.map(drop)
}

pub(super) async fn retired(
    store: &SqliteStore,
    player: &PlayerId,
) -> Result<Option<Retired>, StoreError> {
    let query = sqlx::query("SELECT player, successor, name, at FROM retired WHERE player = $1");
    let query = query.bind(player.as_str());
    Ok(store.read(query, |row| retired_row(row, 0)).await?.pop())
}

pub(super) async fn seats_to_move(
    store: &SqliteStore,
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
    let query = sqlx::query(query)
        .bind(i64::from(limit))
        .bind(i64::from(offset))
        .bind(player.map_or("", PlayerId::as_str));
    let read = |row: &SqliteRow| {
        let table = get::<&str>(row, 0)?.parse().map_err(damaged)?;
        Ok((table, retired_row(row, 1)?))
    };
    store.read(query, read).await
}
