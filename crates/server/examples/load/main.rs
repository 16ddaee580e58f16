//! A load of scripted games against a server: how long an echo takes, how much memory it costs,
//! and whether anything is lost.
//!
//! ```sh
//! cargo xtask load --games 1000 --seconds 300
//! cargo xtask load --tractor --games 200 --seconds 120
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::time::{Duration, Instant};

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::drive::{Game, Plan, Report, drive};
use convoy_test_client::process::{ServerProcess, UNLIMITED};

/// A line of the server's status in the process table, in megabytes.
fn megabytes(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// The processor time that a process has used, in hundredths of a second.
fn hundredths(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th after it.
    let rest = stat.rsplit(") ").next().unwrap_or_default();
    let fields = rest.split(' ').skip(11).take(2);
    fields.filter_map(|field| field.parse::<u64>().ok()).sum()
}

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
    let mut plan = plan()?;
    let files = convoy_server::raise_file_limit();
    let folder = std::env::temp_dir().join(format!("convoy-load-{}", std::process::id()));
    let server = ServerProcess::start(&server_program(), &folder, &UNLIMITED)?;
    println!(
        "{:?}: {} games, a move every {:?}, {:?}; {files} files may be open",
        plan.game, plan.games, plan.pace, plan.time
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    plan.begun = Instant::now();
    let report = runtime.block_on(drive(server.address, plan));
    print_report(plan, &report);
    print_cost(plan, server.id());
    drop(server);
    let _ = std::fs::remove_dir_all(folder);
    match report.faults.first() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
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
    for of_hundred in [50.0, 90.0, 99.0, 99.9, 100.0] {
        println!("p{of_hundred:<5} {:8.2} ms", report.percentile(of_hundred));
    }
    println!("slowest seconds of the run:");
    for (second, slowest, slow, all) in report.slowest() {
        println!("  {second:4} s: {slowest:5} ms; {slow} of {all} over 100 ms");
    }
}

/// What the server took for it.
fn print_cost(plan: Plan, pid: u32) {
    println!(
        "server memory: peak {} MB, now {} MB",
        megabytes(pid, "VmHWM:"),
        megabytes(pid, "VmRSS:")
    );
    let seconds = |pid| format!("{}.{:02} s", hundredths(pid) / 100, hundredths(pid) % 100);
    println!(
        "processor time: server {}, client {}, in {:?}",
        seconds(pid),
        seconds(std::process::id()),
        plan.begun.elapsed()
    );
}
