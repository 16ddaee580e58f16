//! `convoy admin`: what an operator does to a running installation, and the log of it.

use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use convoy_server::{AdminCommand, AuditEntry, Cell, Phase, Relation, Store, Summary, TableId};

use crate::config::Location;
use crate::storage::{Installation, wait};

/// How long to wait for a server to carry a command out.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many tables are read at once.
const BATCH: u32 = 500;

/// List and close tables, rename, ban or delete players, end their sessions; every command is logged
///
/// Commands are written to the storage. The server that runs over it carries them out within a
/// second; if none runs, the next one does when it starts.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy admin tables\n  convoy admin ban Ann\n  convoy admin log --data /var/lib/convoy"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    location: Location,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the tables that are not over
    Tables,
    /// End a table and delete it with all its events
    Close {
        /// The table, as in its address
        table: String,
    },
    /// Rename an account, at its tables too
    Rename {
        /// The current name
        name: String,
        /// The new name
        to: String,
    },
    /// Ban an account: end its sessions and refuse logins
    Ban {
        /// The name of the account
        name: String,
    },
    /// Lift the ban of an account
    Unban {
        /// The name of the account
        name: String,
    },
    /// End all sessions of an account
    EndSessions {
        /// The name of the account
        name: String,
    },
    /// Delete an account; its seats become anonymous
    DeletePlayer {
        /// The name of the account
        name: String,
    },
    /// Print the log of these commands, newest first
    Log {
        /// How many entries
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let installation = Installation::new(&args.location.load()?)?;
    wait(async {
        let store = installation.open_beside().await?;
        match command(&args.action)? {
            Some(command) => carry_out(&*store, command).await,
            None => match &args.action {
                Action::Log { limit } => print_log(&*store, *limit).await,
                _ => print_tables(&*store).await,
            },
        }
    })
}

/// The command that an action writes down; none if it only reads.
fn command(action: &Action) -> anyhow::Result<Option<AdminCommand>> {
    let name = String::clone;
    Ok(Some(match action {
        Action::Tables | Action::Log { .. } => return Ok(None),
        Action::Close { table } => {
            let id = table.parse::<TableId>();
            let table = id.with_context(|| format!("{table:?} is not the name of a table"))?;
            AdminCommand::Close { table }
        }
        Action::Rename { name: of, to } => AdminCommand::Rename {
            name: name(of),
            to: name(to),
        },
        Action::Ban { name: of } => AdminCommand::Ban { name: name(of) },
        Action::Unban { name: of } => AdminCommand::Unban { name: name(of) },
        Action::EndSessions { name: of } => AdminCommand::EndSessions { name: name(of) },
        Action::DeletePlayer { name: of } => AdminCommand::DeletePlayer { name: name(of) },
    }))
}

fn unix_now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// Writes a command down and waits until a server has carried it out.
async fn carry_out(store: &dyn Store, command: AdminCommand) -> anyhow::Result<()> {
    let operator = ["SUDO_USER", "USER", "LOGNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|user| !user.is_empty()));
    // A service has no name in its environment.
    let operator =
        operator.unwrap_or_else(|| format!("user {}", rustix::process::getuid().as_raw()));
    let entry = AuditEntry::new(&operator, command, unix_now());
    store.add_audit(&entry).await?;
    let done = async {
        loop {
            let entries = store.audit(false, 100).await?;
            let own = entries.into_iter().find(|found| found.id == entry.id);
            if let Some(outcome) = own.and_then(|found| found.outcome) {
                return anyhow::Ok(outcome);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    match tokio::time::timeout(PATIENCE, done).await {
        Ok(outcome) => {
            let outcome = outcome?;
            if outcome.starts_with("refused: ") {
                bail!("{}: {outcome}", entry.command);
            }
            println!("{}: {outcome}", entry.command);
        }
        Err(_) => println!(
            "{}: no server has carried it out yet; the next one does when it starts",
            entry.command
        ),
    }
    Ok(())
}

/// Milliseconds of Unix time as UTC.
fn time(at: i64) -> String {
    let at = Duration::from_millis(at.unsigned_abs());
    humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + at).to_string()
}

async fn print_log(store: &dyn Store, limit: u32) -> anyhow::Result<()> {
    for entry in store.audit(false, limit).await? {
        let outcome = entry.outcome.as_deref().unwrap_or("not carried out yet");
        let (at, operator, command) = (time(entry.at), &entry.operator, &entry.command);
        println!("{at}  {operator}  {command}  {outcome}");
    }
    Ok(())
}

async fn print_tables(store: &dyn Store) -> anyhow::Result<()> {
    let mut after: Option<Vec<Cell>> = None;
    loop {
        let rows = store
            .rows(Relation::Summary, after.as_deref(), BATCH)
            .await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = Some(last[..1].to_vec());
        let texts = rows.iter().filter_map(|row| match row.get(4) {
            Some(Cell::Text(text)) => Some(text),
            _ => None,
        });
        for text in texts {
            let summary: Summary = serde_json::from_str(text)?;
            if summary.phase == Phase::Over {
                continue;
            }
            let seats: Vec<String> = summary
                .seats
                .iter()
                .map(convoy_server::Occupant::name)
                .collect();
            println!(
                "{}  {}  {}  {}  {}",
                summary.id,
                time(summary.changed),
                summary.game,
                summary.phase.as_str(),
                seats.join(", ")
            );
        }
    }
}
