//! `convoy migrate`, `convoy export` and `convoy import`: a whole installation brought up to date, or
//! from one database to another.

use std::path::PathBuf;

use anyhow::Context as _;
use convoy_server::Totals;
use indicatif::{ProgressBar, ProgressStyle};

use crate::config::Location;
use crate::storage::{Installation, wait};

/// Migrate the schema of the storage without serving; `convoy serve` also does so when it starts
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convoy migrate --database postgres://convoy@db.example/convoy")]
pub(crate) struct Migrate {
    #[command(flatten)]
    location: Location,
}

/// Export the whole storage to a JSON Lines file, while no server runs
#[derive(Debug, clap::Args)]
#[command(
    after_help = "From SQLite to PostgreSQL:\n  convoy export convoy.jsonl\n  \
                  convoy import convoy.jsonl --database postgres://convoy@db.example/convoy\n\n\
                  The key of running shuffles, shuffle.key in the data folder, is not exported: keep the folder,\n\
                  or copy that file. An export that was interrupted goes on where it stopped."
)]
pub(crate) struct Export {
    /// The file to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    location: Location,
}

/// Import a file written by `convoy export` into an empty storage
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  convoy import convoy.jsonl --database postgres://convoy@db.example/convoy\n\n\
                  An import that was interrupted goes on where it stopped when it is called again."
)]
pub(crate) struct Import {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    location: Location,
}

pub(crate) fn migrate(args: &Migrate) -> anyhow::Result<()> {
    let installation = Installation::new(&args.location.load()?)?;
    wait(async {
        let store = installation.open(false).await?;
        store.close().await?;
        println!(
            "The schema of {installation} is at migration {}.",
            convoy_server::SCHEMA
        );
        anyhow::Ok(())
    })
}

/// A bar for so many rows, which are known when the first is told of.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} rows, {eta} left");
    ProgressBar::new(0).with_style(style.expect("the template is right"))
}

fn tell(bar: &ProgressBar) -> impl FnMut(u64, u64) + Send {
    let bar = bar.clone();
    move |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    }
}

fn print(totals: &Totals) {
    for (relation, total) in totals {
        let (name, rows, sha256) = (relation.name(), total.rows, &total.sha256);
        println!("{name:8} {rows:10} rows  sha256 {sha256}");
    }
}

pub(crate) fn export(args: &Export) -> anyhow::Result<()> {
    let installation = Installation::new(&args.location.load()?)?;
    let bar = bar();
    let exported = wait(async {
        let store = installation.open_alone().await?;
        let done = convoy_server::export(&*store, &args.file, &mut tell(&bar)).await;
        store.close().await?;
        anyhow::Ok(done?)
    });
    bar.finish_and_clear();
    let exported = exported.with_context(|| format!("exporting {installation}"))?;
    print(&exported.totals);
    if exported.left_out > 0 {
        println!(
            "{} running tables were left out: their rounds were begun by an earlier version, and their \
             secrets are not encrypted. Let them end first, or lose them.",
            exported.left_out
        );
    }
    println!("{} written. Keep it private.", args.file.display());
    Ok(())
}

pub(crate) fn import(args: &Import) -> anyhow::Result<()> {
    let installation = Installation::new(&args.location.load()?)?;
    let bar = bar();
    let imported = wait(async {
        let store = installation.open_alone().await?;
        let done = convoy_server::import(&*store, &args.file, &mut tell(&bar)).await;
        store.close().await?;
        anyhow::Ok(done?)
    });
    bar.finish_and_clear();
    let totals = imported.with_context(|| format!("importing into {installation}"))?;
    print(&totals);
    println!("Imported into {installation}: the checksums match.");
    Ok(())
}
