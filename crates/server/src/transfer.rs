//! Seats that change hands: those of a guest who takes an account, and of an account that is deleted.
//!
//! A player that ends is *retired*: the storage keeps its successor, and its seats are transferred
//! table by table, each by an event in the log of the table. After a restart this continues where it
//! stopped.

use std::time::Duration;

use crate::app::App;
use crate::game::Player;
use crate::id::PlayerId;
use crate::room::{Request, unix_now};
use crate::session::Visitor;
use crate::store::{Retired, StoreError};

/// How many tables are looked up at once.
const BATCH: u32 = 100;
/// How long a request waits for the seats; the rest are transferred in the background.
const PATIENCE: Duration = Duration::from_secs(5);

/// Retires the visitor's guest and transfers its seats to an account. The guest's cookie is invalid
/// from then on, and its sockets are closed.
pub(crate) async fn to_account(
    app: &App,
    visitor: &Visitor,
    account: Player,
) -> Result<(), StoreError> {
    let retired = Retired {
        player: visitor.player().clone(),
        successor: Some(account),
        at: unix_now(),
    };
    app.store().retire(&retired).await?;
    app.sockets().end(&visitor.session());
    wait_for_seats(app, retired.player).await;
    Ok(())
}

/// Deletes an account and makes its seats anonymous.
pub(crate) async fn anonymise(app: &App, player: PlayerId) -> Result<(), StoreError> {
    let retired = Retired {
        player,
        successor: None,
        at: unix_now(),
    };
    app.store().drop_account(&retired).await?;
    wait_for_seats(app, retired.player).await;
    Ok(())
}

/// Moves the seats of a retired player, and waits for it a little.
async fn wait_for_seats(app: &App, player: PlayerId) {
    let app = app.clone();
    let moving = tokio::spawn(async move { move_seats(&app, Some(&player)).await });
    if tokio::time::timeout(PATIENCE, moving).await.is_err() {
        tracing::info!("seats are still being moved");
    }
}

/// Moves the seats of one retired player, or of all.
pub(crate) async fn move_seats(app: &App, player: Option<&PlayerId>) {
    // A table that cannot be read is skipped, so that it does not block the others.
    let mut skipped = 0;
    loop {
        let found = app.store().seats_to_move(player, skipped, BATCH).await;
        let found = match found {
            Ok(found) if found.is_empty() => return,
            Ok(found) => found,
            Err(error) => {
                tracing::error!(%error, "seats were not moved");
                return;
            }
        };
        for (table, retired) in found {
            let request = |reply| Request::Transfer {
                from: retired.player.clone(),
                successor: retired.successor.clone(),
                reply,
            };
            if let Err(refusal) = app.lobby().ask(&table, request).await.flatten() {
                tracing::error!(%table, code = refusal.code(), "a seat was not moved");
                skipped += 1;
            }
        }
    }
}
