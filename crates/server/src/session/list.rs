//! The sessions of an account: listed for their owner, ended one by one, and purged.

use std::sync::Weak;
use std::time::Duration;

use serde::Serialize;

use super::cookie::DAY;
use super::{Visitor, expiry};
use crate::app::App;
use crate::refusal::{NotNow, Refusal};
use crate::room::unix_now;
use crate::store::{SessionRow, StoreError};
use crate::transfer;

/// How often sessions that have ended by their age are purged.
const PURGED_EVERY: Duration = Duration::from_hours(1);

/// One session of an account, as its owner sees it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Session {
    /// A name for it; it opens nothing.
    pub(crate) id: String,
    /// When somebody logged in, in milliseconds of Unix time.
    pub(crate) created: i64,
    /// When it was last used, to the hour.
    pub(crate) seen: i64,
    /// Browser and system, or nothing.
    pub(crate) device: String,
    /// Whether it is the one that asks.
    pub(crate) current: bool,
}

fn id(row: &SessionRow) -> &str {
    &row.token[..16.min(row.token.len())]
}

async fn rows(app: &App, visitor: &Visitor) -> Result<Vec<SessionRow>, Refusal> {
    if visitor.account.is_none() {
        return Err(Refusal::NotNow(NotNow::NoAccount));
    }
    let mut rows = app.store().sessions(visitor.player()).await?;
    rows.retain(|row| row.seen >= expiry(unix_now()));
    Ok(rows)
}

/// The sessions of the visitor's account: this one, then the others, the last used first.
pub(crate) async fn list(app: &App, visitor: &Visitor) -> Result<Vec<Session>, Refusal> {
    let own = visitor.session();
    let session = |row: SessionRow| Session {
        id: id(&row).to_owned(),
        created: row.created,
        seen: row.seen,
        current: row.token == own,
        device: row.device,
    };
    let rows = rows(app, visitor).await?;
    let mut all: Vec<Session> = rows.into_iter().map(session).collect();
    all.sort_by_key(|session| (!session.current, -session.seen));
    Ok(all)
}

async fn revoke_row(app: &App, row: &SessionRow) -> Result<(), StoreError> {
    app.store().drop_session(&row.token).await?;
    app.sockets().end(&row.token);
    Ok(())
}

/// Ends one session of the visitor's account, and answers whether it was this one.
pub(crate) async fn revoke(app: &App, visitor: &Visitor, wanted: &str) -> Result<bool, Refusal> {
    let rows = rows(app, visitor).await?;
    let row = rows.iter().find(|row| id(row) == wanted);
    let row = row.ok_or(Refusal::NoSuchSession)?;
    revoke_row(app, row).await?;
    Ok(row.token == visitor.session())
}

/// Ends all sessions of the visitor's account but this one, and answers how many they were.
pub(crate) async fn revoke_others(app: &App, visitor: &Visitor) -> Result<usize, Refusal> {
    let own = visitor.session();
    let mut ended = 0;
    for row in rows(app, visitor).await? {
        if row.token != own {
            revoke_row(app, &row).await?;
            ended += 1;
        }
    }
    Ok(ended)
}

/// Purges expired sessions and transfers seats that were left behind, at the start and every hour.
pub(crate) async fn maintain(app: Weak<crate::app::Inner>) {
    let mut tick = tokio::time::interval(PURGED_EVERY);
    loop {
        tick.tick().await;
        let Some(app) = app.upgrade().map(App::from) else {
            return;
        };
        transfer::move_seats(&app, None).await;
        // Two days of grace, so that no guest cookie outlives the row that invalidates it.
        let before = expiry(unix_now()) - 2 * DAY;
        if let Err(error) = app.store().purge_sessions(before).await {
            tracing::warn!(%error, "sessions that have expired were not purged");
        }
    }
}
