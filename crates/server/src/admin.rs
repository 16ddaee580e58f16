//! What operators ask for with `convoy admin`: found in the storage, carried out, written down.

use std::sync::Weak;
use std::time::Duration;

use crate::account::check_name;
use crate::app::{App, Inner};
use crate::id::PlayerId;
use crate::refusal::Refusal;
use crate::room::unix_now;
use crate::store::{Account, AdminCommand, StoreError};
use crate::transfer;

/// How often commands are looked for.
const POLLING: Duration = Duration::from_secs(1);
/// How many are carried out at once.
const BATCH: u32 = 20;

/// Carries out commands as long as the application is there.
pub(crate) async fn maintain(app: Weak<Inner>) {
    let mut tick = tokio::time::interval(POLLING);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let Some(app) = app.upgrade().map(App::from) else {
            return;
        };
        if *app.closing().borrow() {
            return;
        }
        // Of several nodes one carries them out.
        let cluster = app.cluster();
        let is_ours = cluster.is_none_or(|cluster| cluster.is_home("admin"));
        // While the storage fails, it tells the log itself.
        if is_ours && app.store().health().fault.is_none() {
            drop(carry_out(&app).await);
        }
    }
}

async fn carry_out(app: &App) -> Result<(), StoreError> {
    for entry in app.store().audit(true, BATCH).await? {
        let outcome = match run(app, &entry.command).await {
            Ok(outcome) => outcome,
            // It is tried again when the storage works.
            Err(Refusal::Storage | Refusal::Busy) => return Ok(()),
            Err(refusal) => format!("refused: {refusal}"),
        };
        let operator = &entry.operator;
        tracing::info!(%operator, command = %entry.command, %outcome, "an operator's command");
        let store = app.store();
        store.finish_audit(&entry.id, &outcome, unix_now()).await?;
    }
    Ok(())
}

/// Carries one command out, and answers what was done. Each may be carried out again.
async fn run(app: &App, command: &AdminCommand) -> Result<String, Refusal> {
    match command {
        AdminCommand::Close { table } => {
            app.lobby().close(table).await?;
            Ok("closed and deleted".to_owned())
        }
        AdminCommand::Rename { name, to } => rename(app, &account(app, name).await?, to).await,
        AdminCommand::Ban { name } => {
            let account = account(app, name).await?;
            let since = Some(unix_now());
            app.store().set_ban(&account.player, since).await?;
            let ended = end_sessions(app, &account.player).await?;
            Ok(format!("banned; {ended} sessions ended"))
        }
        AdminCommand::Unban { name } => {
            let account = account(app, name).await?;
            app.store().set_ban(&account.player, None).await?;
            Ok("may log in again".to_owned())
        }
        AdminCommand::EndSessions { name } => {
            let account = account(app, name).await?;
            let ended = end_sessions(app, &account.player).await?;
            Ok(format!("{ended} sessions ended"))
        }
        AdminCommand::DeletePlayer { name } => {
            let account = account(app, name).await?;
            end_sessions(app, &account.player).await?;
            transfer::anonymise(app, account.player).await?;
            Ok("deleted; the seats are anonymous".to_owned())
        }
    }
}

async fn account(app: &App, name: &str) -> Result<Account, Refusal> {
    let found = app.store().account(name).await?;
    found.ok_or_else(|| Refusal::NoSuchPlayer(name.to_owned()))
}

async fn end_sessions(app: &App, player: &PlayerId) -> Result<usize, Refusal> {
    let rows = app.store().sessions(player).await?;
    for row in &rows {
        app.store().drop_session(&row.token).await?;
        app.sockets().end(&row.token);
    }
    Ok(rows.len())
}

async fn rename(app: &App, account: &Account, to: &str) -> Result<String, Refusal> {
    if account.name == to {
        return Ok("has that name already".to_owned());
    }
    check_name(to)?;
    let renamed = Account {
        player: PlayerId::random(),
        name: to.to_owned(),
        password: account.password.clone(),
    };
    let former = &account.player;
    match app
        .store()
        .rename_account(former, &renamed, unix_now())
        .await
    {
        Ok(()) => {}
        Err(StoreError::Taken) => return Err(Refusal::NameTaken),
        Err(error) => return Err(error.into()),
    }
    // They connect again, as the new player.
    for row in app.store().sessions(&renamed.player).await? {
        app.sockets().end(&row.token);
    }
    transfer::move_seats(app, Some(former)).await;
    Ok("renamed; the seats have the new name".to_owned())
}
