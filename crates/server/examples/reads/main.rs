//! A server with many games in its storage: how long it takes to start, to show them, and to show pages of an
//! archive.
//!
//! ```sh
//! cargo xtask reads --finished 50000 --unfinished 5000
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod fill;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use convoy_server::{Durability, PostgresStore, SqliteStore, Storage, Store as _, TableId};
use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::{Client, Fault};
use convoy_test_client::process::{ServerProcess, UNLIMITED};
use convoy_test_postgres::Server as Postgres;
use futures_util::future::try_join_all;

use fill::{NAME, fill};

/// What a start must stay under.
const START: Duration = Duration::from_millis(200);
/// What the middle one of many readers of unfinished games must stay under.
const GAME: Duration = Duration::from_millis(100);

/// Where the games are.
enum Place {
    Sqlite,
    Postgres(Postgres),
}

impl Place {
    fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }

    /// What 99 of 100 pages of an archive must stay under.
    fn page(&self) -> Duration {
        Duration::from_millis(match self {
            Self::Sqlite => 30,
            Self::Postgres(_) => 50,
        })
    }

    /// Fills it, and answers the names of the unfinished games.
    async fn fill(
        &self,
        folder: &Path,
        finished: usize,
        unfinished: usize,
    ) -> Result<Vec<TableId>, Fault> {
        match self {
            Self::Sqlite => {
                let file = folder.join("convoy.db");
                let store = SqliteStore::open_with(&file, Durability::Normal).await?;
                let tables = fill(&store, finished, unfinished).await?;
                store.close().await?;
                Ok(tables)
            }
            Self::Postgres(server) => {
                let storage = Storage {
                    durability: Durability::Normal,
                    ..Storage::default()
                };
                let store = PostgresStore::open(&server.url().parse()?, storage).await?;
                let tables = fill(&store, finished, unfinished).await?;
                store.close().await?;
                Ok(tables)
            }
        }
    }

    /// Starts a server over it.
    fn serve(&self, folder: &Path) -> Result<ServerProcess, Fault> {
        let mut command = Command::new(server_program());
        if let Self::Postgres(server) = self {
            command.env("CONVOY_DATABASE", server.url());
        }
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        ServerProcess::spawn(&mut command, any, folder, &UNLIMITED)
    }
}

fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut missed = runtime.block_on(measure(&Place::Sqlite))?;
    let postgres = Place::Postgres(Postgres::start_durable()?);
    missed.extend(runtime.block_on(measure(&postgres))?);
    if missed.is_empty() {
        return Ok(());
    }
    Err(missed.join("; ").into())
}

/// Fills a storage, reads it, and answers which goals were missed.
async fn measure(place: &Place) -> Result<Vec<String>, Fault> {
    let finished: usize = option("--finished", "50000").parse()?;
    let unfinished: usize = option("--unfinished", "5000").parse()?;
    let readers: usize = option("--readers", "16").parse()?;
    let (name, process) = (place.name(), std::process::id());
    let folder = std::env::temp_dir().join(format!("convoy-reads-{name}-{process}"));
    std::fs::create_dir_all(&folder)?;
    let begun = Instant::now();
    let tables = place.fill(&folder, finished, unfinished).await?;
    println!(
        "{name}: {finished} finished and {unfinished} unfinished games, made in {:.0?}",
        begun.elapsed()
    );
    let begun = Instant::now();
    let server = place.serve(&folder)?;
    let start = begun.elapsed();
    println!("start: {start:.2?}");
    let page = read_archive(server.address, finished, readers).await?;
    let game = read_games(server.address, &tables, readers).await?;
    drop(server);
    std::fs::remove_dir_all(&folder)?;
    let goals = [
        ("a start", start, START),
        ("a page of an archive (p99)", page, place.page()),
        ("an unfinished game (p50)", game, GAME),
    ];
    let mut missed = Vec::new();
    for (what, took, goal) in goals {
        println!("goal: {what} under {goal:?}: {took:.1?}");
        if took >= goal {
            missed.push(format!(
                "{name}: {what} took {took:.1?}, not under {goal:?}"
            ));
        }
    }
    Ok(missed)
}

/// Pages of an archive; the slowest p99 of those that one reader asked for.
async fn read_archive(
    address: SocketAddr,
    finished: usize,
    readers: usize,
) -> Result<Duration, Fault> {
    let pages = u32::try_from(finished.div_ceil(20))?;
    let mut slowest = Duration::ZERO;
    for (name, page) in [("first", 1), ("middle", pages / 2), ("last", pages)] {
        let path = format!("/archive/{NAME}?page={}", page.max(1));
        let times = ask(address, vec![path; 200], 1).await?;
        tell(&format!("archive, {name} page, one reader"), &times);
        slowest = slowest.max(percentile(&times, 99));
    }
    let paths = (1..=400).map(|n| format!("/archive/{NAME}?page={}", n * pages.max(400) / 400));
    let times = ask(address, paths.collect(), readers).await?;
    tell(
        &format!("archive, pages at random, {readers} readers"),
        &times,
    );
    Ok(slowest)
}

/// All unfinished games; the p50.
async fn read_games(
    address: SocketAddr,
    tables: &[TableId],
    readers: usize,
) -> Result<Duration, Fault> {
    let begun = Instant::now();
    let paths = tables.iter().map(|table| format!("/api/v1/tables/{table}"));
    let times = ask(address, paths.collect(), readers).await?;
    tell(
        &format!("unfinished games shown, {readers} readers"),
        &times,
    );
    println!("all of them in {:.1?}", begun.elapsed());
    Ok(percentile(&times, 50))
}

/// Asks for all of these, by so many readers, and answers how long each took.
async fn ask(
    address: SocketAddr,
    paths: Vec<String>,
    readers: usize,
) -> Result<Vec<Duration>, Fault> {
    let share = paths.len().div_ceil(readers);
    let reader = |paths: &[String]| {
        let paths = paths.to_vec();
        async move {
            let client = Client::new(address).await?;
            let mut times = Vec::new();
            for path in paths {
                let begun = Instant::now();
                let answer = client.request("GET", &path, None).await?;
                if answer.status != 200 {
                    return Err(format!("{path}: {} {}", answer.status, answer.body).into());
                }
                times.push(begun.elapsed());
            }
            Ok::<_, Fault>(times)
        }
    };
    let all = try_join_all(paths.chunks(share).map(reader)).await?;
    Ok(all.into_iter().flatten().collect())
}

/// The time that so many of a hundred stayed under.
fn percentile(times: &[Duration], of_hundred: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let index = (sorted.len() * of_hundred / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or_default()
}

fn tell(what: &str, times: &[Duration]) {
    let [p50, p99, slowest] = [50, 99, 100].map(|of_hundred| percentile(times, of_hundred));
    println!("{what}: p50 {p50:.1?}, p99 {p99:.1?}, slowest {slowest:.1?}");
}
