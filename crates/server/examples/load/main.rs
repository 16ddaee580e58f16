//! A load of scripted games against servers: how long an echo takes, how much memory it costs, and
//! whether anything is lost.
//!
//! ```sh
//! cargo xtask load --games 1000 --seconds 300
//! cargo xtask load --tractor --games 200 --seconds 120
//! cargo xtask load --nodes 3 --games 500 --idle 1000
//! cargo xtask load --table
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod measure;
mod process;
mod table;
mod target;

use std::time::{Duration, Instant};

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::drive::{Game, Plan, Report};

use measure::{Measured, measure};
use target::{Setup, Storage};

/// What is to be played, by the command line.
fn plan() -> Result<Plan, Fault> {
    let game = match &*option("--game", "cotulenh") {
        "cotulenh" => Game::Boards,
        "tractor" => Game::Cards,
        other => return Err(format!("no game is called {other:?}").into()),
    };
    Ok(Plan {
        game,
        games: option("--games", "1000").parse()?,
        pace: Duration::from_millis(option("--pace", "1000").parse()?),
        time: Duration::from_secs(option("--seconds", "300").parse()?),
        moves: 0,
        begun: Instant::now(),
    })
}

fn main() -> Result<(), Fault> {
    let plan = plan()?;
    let idle: usize = option("--idle", "0").parse()?;
    // Each of four people at a table has a socket, and asks for something beside it.
    process::allow_files(idle + 8 * plan.games)?;
    println!(
        "{:?}: {} games, a move every {:?}, {:?}; {idle} idle sockets",
        plan.game, plan.games, plan.pace, plan.time
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    if option("--mode", "one") == "table" {
        return runtime.block_on(table::run(plan, idle));
    }
    let setup = Setup {
        program: server_program(),
        storage: match option("--nodes", "0").parse()? {
            0 => Storage::Sqlite(option("--durability", "full")),
            nodes => Storage::Postgres { nodes },
        },
    };
    let measured = runtime.block_on(measure(&setup, plan, idle))?;
    print_report(plan, &measured.report);
    print_cost(&measured);
    measured.fault().map_or(Ok(()), Err)
}

/// What was played, and how long an echo took.
fn print_report(plan: Plan, report: &Report) {
    println!(
        "moves {}  games {}  faults {}",
        report.moves,
        report.games,
        report.faults.len()
    );
    if plan.game == Game::Cards {
        println!(
            "declared {}  thrown {}  refused as they must be {}",
            report.declared, report.thrown, report.refused
        );
    }
    let times = report.times(|_| true);
    for of_hundred in [50.0, 90.0, 99.0, 99.9, 100.0] {
        println!("p{of_hundred:<5} {:8.2} ms", times.percentile(of_hundred));
    }
    println!("slowest seconds of the run:");
    for (second, slowest, slow, all) in report.slowest() {
        println!("  {second:4} s: {slowest:5} ms; {slow} of {all} over 100 ms");
    }
}

/// What the servers took for it.
fn print_cost(measured: &Measured) {
    if measured.idle > 0 {
        println!(
            "{} of {} idle sockets held, {} KB of memory each",
            measured.held, measured.idle, measured.socket_kilobytes
        );
    }
    for server in &measured.servers {
        println!(
            "server: memory at most {} MB; processor time {:.2} s",
            server.kilobytes / 1024,
            server.processor.as_secs_f64(),
        );
    }
    println!(
        "client: processor time {:.2} s of {:.1?}",
        process::processor_time(std::process::id()).as_secs_f64(),
        measured.took
    );
}
