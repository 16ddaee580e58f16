//! A load of scripted games against a server: how long an echo takes, how much memory it costs,
//! and whether anything is lost.
//!
//! ```sh
//! cargo xtask load --games 1000 --seconds 300
//! cargo xtask load --tractor --games 200 --seconds 120
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod boards;
mod cards;
mod client;
mod drive;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::Fault;
use drive::{Game, Plan, drive};

/// The server under load, ended with the run.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The value behind `--name`.
fn option(name: &str, default: &str) -> String {
    let mut args = std::env::args();
    let found = args.find(|arg| arg == name).and_then(|_| args.next());
    found.unwrap_or_else(|| default.to_owned())
}

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

fn main() -> Result<(), Fault> {
    let game = match &*option("--game", "cotulenh") {
        "cotulenh" => Game::Boards,
        "tractor" => Game::Cards,
        other => return Err(format!("no game is called {other:?}").into()),
    };
    let mut plan = Plan {
        game,
        games: option("--games", "1000").parse()?,
        pace: Duration::from_millis(option("--pace", "1000").parse()?),
        time: Duration::from_secs(option("--seconds", "300").parse()?),
        moves: 0,
        begun: Instant::now(),
    };
    let files = convoy_server::raise_file_limit();
    let folder = std::env::temp_dir().join(format!("convoy-load-{}", std::process::id()));
    let mut server = Command::new(option("--server", "target/release/convoy"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&folder)
        // All clients come from this machine.
        .args(["--set", "limits.exempt=127.0.0.1"])
        .stdout(Stdio::piped())
        .spawn()
        .map(Server)?;
    let mut first = String::new();
    let output = server.0.stdout.take().ok_or("no output")?;
    let mut output = BufReader::new(output);
    output.read_line(&mut first)?;
    let address = first
        .trim()
        .rsplit('/')
        .next()
        .ok_or("no address")?
        .parse()?;
    println!(
        "{:?}: {} games, a move every {:?}, {:?}; {files} files may be open",
        plan.game, plan.games, plan.pace, plan.time
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    plan.begun = Instant::now();
    let report = runtime.block_on(drive(address, plan));
    let pid = server.0.id();
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
    drop(server);
    let _ = std::fs::remove_dir_all(folder);
    match report.faults.first() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(()),
    }
}
