//! A load of scripted games against a server: how long an echo takes, how much memory it costs,
//! and whether anything is lost.
//!
//! ```sh
//! cargo xtask load --games 1000 --seconds 300
//! cargo xtask load --tractor --games 200 --seconds 120
//! cargo xtask load --nodes 3 --games 500 --idle 1000
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::path::Path;
use std::time::{Duration, Instant};

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::{Client, Fault, Socket};
use convoy_test_client::drive::{Game, Nodes, Plan, Report, drive};
use convoy_test_client::installation::{Installation, Node, Size};
use convoy_test_client::process::{ServerProcess, UNLIMITED};

/// A line of a server's status in the process table, in kilobytes.
fn kilobytes(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0)
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

/// What the games are played against.
enum Target {
    /// One server over SQLite.
    Alone(ServerProcess),
    /// Nodes over PostgreSQL and NATS.
    Nodes(Installation),
}

impl Target {
    /// Starts it in a folder, by the command line.
    async fn start(folder: &Path) -> Result<Self, Fault> {
        let program = server_program();
        let nodes: usize = option("--nodes", "0").parse()?;
        if nodes > 0 {
            let size = Size {
                nodes,
                workers: 0,
                can_be_cut: false,
            };
            let installation = Installation::start(Path::new(&program), folder, size);
            return Ok(Self::Nodes(installation.await?));
        }
        let durability = format!("storage.durability={}", option("--durability", "full"));
        let args = [&UNLIMITED[..], &["--set", &durability]].concat();
        Ok(Self::Alone(ServerProcess::start(&program, folder, &args)?))
    }

    fn nodes(&self) -> Nodes {
        Nodes(match self {
            Self::Alone(server) => vec![server.address],
            Self::Nodes(installation) => installation.addresses(),
        })
    }

    /// Its servers among the processes.
    fn ids(&self) -> Vec<u32> {
        match self {
            Self::Alone(server) => vec![server.id()],
            Self::Nodes(installation) => installation.nodes.iter().filter_map(Node::id).collect(),
        }
    }
}

/// People who look at the lobby and do nothing, each with a socket.
async fn idle_sockets(nodes: &Nodes, count: usize) -> Result<Vec<Socket>, Fault> {
    let mut sockets = Vec::new();
    for person in 0..count {
        let client = Client::stranger(nodes.address(person), "");
        sockets.push(client.socket("/ws/lobby").await?);
    }
    Ok(sockets)
}

fn main() -> Result<(), Fault> {
    let mut plan = plan()?;
    let files = convoy_server::raise_file_limit();
    let folder = std::env::temp_dir().join(format!("convoy-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let target = runtime.block_on(Target::start(&folder))?;
    println!(
        "{:?}: {} games, a move every {:?}, {:?}; {files} files may be open",
        plan.game, plan.games, plan.pace, plan.time
    );
    let idle: usize = option("--idle", "0").parse()?;
    let memory = |target: &Target| -> u64 {
        let ids = target.ids().into_iter();
        ids.map(|id| kilobytes(id, "VmRSS:")).sum()
    };
    let before = memory(&target);
    let sockets = runtime.block_on(idle_sockets(&target.nodes(), idle))?;
    if idle > 0 {
        let each = memory(&target).saturating_sub(before) / idle as u64;
        println!("{idle} idle sockets: {each} KB of memory each");
    }
    plan.begun = Instant::now();
    let report = runtime.block_on(drive(&target.nodes(), plan));
    print_report(plan, &report);
    print_cost(plan, &target.ids());
    drop((sockets, target));
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

/// What the servers took for it.
fn print_cost(plan: Plan, ids: &[u32]) {
    let seconds = |id| format!("{}.{:02} s", hundredths(id) / 100, hundredths(id) % 100);
    for id in ids {
        println!(
            "server: memory at most {} MB, now {} MB; processor time {}",
            kilobytes(*id, "VmHWM:") / 1024,
            kilobytes(*id, "VmRSS:") / 1024,
            seconds(*id),
        );
    }
    println!(
        "client: processor time {} of {:?}",
        seconds(std::process::id()),
        plan.begun.elapsed()
    );
}
