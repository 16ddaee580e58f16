//! A server with many games in its storage: how long it takes to show them, and pages of an archive.
//!
//! ```sh
//! cargo xtask reads --finished 50000 --unfinished 5000
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use convoy_server::{
    Account, Append, Durability, Occupant, Phase, PlayerId, SqliteStore, Store as _, Stored,
    Summary, TableId,
};
use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::{Client, Fault, some_turn};
use convoy_test_client::process::{ServerProcess, UNLIMITED};
use futures_util::future::try_join_all;
use serde_json::json;

/// The turns of an unfinished game.
const TURNS: usize = 150;
/// How many tables are written at once.
const BATCH: usize = 250;
/// The player whose archive holds all games.
const NAME: &str = "Ann";

fn main() -> Result<(), Fault> {
    let finished: usize = option("--finished", "50000").parse()?;
    let unfinished: usize = option("--unfinished", "5000").parse()?;
    let readers: usize = option("--readers", "16").parse()?;
    let folder = std::env::temp_dir().join(format!("convoy-reads-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let database = folder.join("convoy.db");
    let begun = Instant::now();
    let tables = runtime.block_on(fill(&database, finished, unfinished))?;
    let size = std::fs::metadata(&database)?.len() >> 20;
    println!(
        "{finished} finished and {unfinished} unfinished games: {size} MB, made in {:.0?}",
        begun.elapsed()
    );
    let begun = Instant::now();
    let server = ServerProcess::start(&server_program(), &folder, &UNLIMITED)?;
    println!("start: {:.2?}", begun.elapsed());
    runtime.block_on(read_archive(server.address, finished, readers))?;
    runtime.block_on(read_games(server.address, &tables, readers))?;
    drop(server);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

async fn read_archive(address: SocketAddr, finished: usize, readers: usize) -> Result<(), Fault> {
    let pages = u32::try_from(finished.div_ceil(20))?;
    for (name, page) in [("first", 1), ("middle", pages / 2), ("last", pages)] {
        let path = format!("/archive/{NAME}?page={}", page.max(1));
        let times = ask(address, vec![path; 50], 1).await?;
        tell(&format!("archive, {name} page, one reader"), &times);
    }
    let paths = (1..=400).map(|n| format!("/archive/{NAME}?page={}", n * pages.max(400) / 400));
    let times = ask(address, paths.collect(), readers).await?;
    tell(
        &format!("archive, pages at random, {readers} readers"),
        &times,
    );
    Ok(())
}

async fn read_games(address: SocketAddr, tables: &[TableId], readers: usize) -> Result<(), Fault> {
    let begun = Instant::now();
    let paths = tables.iter().map(|table| format!("/api/v1/tables/{table}"));
    let times = ask(address, paths.collect(), readers).await?;
    tell(
        &format!("unfinished games shown, {readers} readers"),
        &times,
    );
    println!("all of them in {:.1?}", begun.elapsed());
    Ok(())
}

/// Makes the storage, and answers the names of the unfinished games.
async fn fill(database: &Path, finished: usize, unfinished: usize) -> Result<Vec<TableId>, Fault> {
    let store = SqliteStore::open_with(database, Durability::Normal).await?;
    let ann = PlayerId::random();
    let account = Account {
        player: ann.clone(),
        name: NAME.to_owned(),
        password: String::new(),
    };
    store.add_account(&account).await?;
    let game = game()?;
    let mut tables = Vec::new();
    let games = (0..finished).map(|_| Phase::Over);
    let games: Vec<Phase> = games
        .chain((0..unfinished).map(|_| Phase::Playing))
        .collect();
    for (number, batch) in games.chunks(BATCH).enumerate() {
        let mut writes = Vec::new();
        for (offset, phase) in batch.iter().enumerate() {
            let table = TableId::random();
            let at = i64::try_from(number * BATCH + offset)? * 1000;
            let opening = opening(&table, &ann, *phase, at);
            // A list shows a finished game without its events.
            let turns: &[String] = if *phase == Phase::Over { &[] } else { &game };
            writes.extend(appends(opening, turns));
            if *phase == Phase::Playing {
                tables.push(table);
            }
        }
        try_join_all(writes.into_iter().map(|append| store.append(append))).await?;
    }
    store.close().await?;
    Ok(tables)
}

/// The events of one game of random turns.
fn game() -> Result<Vec<String>, Fault> {
    let mut seed = 7;
    loop {
        let mut position = cotulenh::Position::start();
        let mut events = Vec::new();
        while events.len() < TURNS && position.outcome().is_none() {
            let lan = some_turn(&position.to_string(), &mut seed)?;
            for action in position.clone().read(&lan)?.iter() {
                position = position.play(*action)?;
            }
            let by = events.len() % 2;
            let event = json!({ "e": "game", "by": by, "d": { "k": "moved", "lan": lan } });
            events.push(event.to_string());
        }
        if events.len() == TURNS {
            return Ok(events);
        }
    }
}

fn opening(table: &TableId, ann: &PlayerId, phase: Phase, at: i64) -> Append {
    let human = |player: PlayerId, name: &str| Occupant::Human {
        player,
        name: name.to_owned(),
    };
    let seats = vec![human(ann.clone(), NAME), human(PlayerId::random(), "Bob")];
    let event = json!({
        "e": "opened", "game": "cotulenh", "setup": {}, "seats": seats, "public": true, "previous": null,
    });
    let summary = Summary {
        id: table.clone(),
        game: "cotulenh".to_owned(),
        phase,
        public: true,
        seats,
        clock: String::new(),
        result: json!(null),
        turns: TURNS,
        opened: at,
        changed: at,
    };
    Append {
        table: table.clone(),
        stored: Stored {
            seq: 1,
            at,
            event: event.to_string(),
        },
        summary: Some(Box::new(summary)),
    }
}

/// The opening of a game and its turns.
fn appends(opening: Append, turns: &[String]) -> Vec<Append> {
    let (table, at) = (opening.table.clone(), opening.stored.at);
    let turn = |(seq, event): (u64, &String)| Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at,
            event: event.clone(),
        },
        summary: None,
    };
    std::iter::once(opening)
        .chain((2..).zip(turns).map(turn))
        .collect()
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

fn tell(what: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |of_hundred: usize| {
        let index = (sorted.len() * of_hundred / 100).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or_default().as_secs_f64() * 1000.0
    };
    println!(
        "{what}: p50 {:.1} ms, p99 {:.1} ms, slowest {:.1} ms",
        at(50),
        at(99),
        at(100)
    );
}
