//! `cargo xtask load`, `cargo xtask faults` and `cargo xtask reads`: real servers, and what they take.

use crate::steps::{example, run};

/// Play many games at once against servers of their own: echo times, memory, nothing lost
#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// Tables of Tractor with four sockets each, instead of Cờ Tư Lệnh with two
    #[arg(long)]
    tractor: bool,
    /// Games at once
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// How long to play [default: 300, 20 with --table]
    #[arg(long)]
    seconds: Option<u32>,
    /// Milliseconds from one move of a game to the next
    #[arg(long, default_value_t = 1000)]
    pace: u32,
    /// So many nodes over PostgreSQL and NATS, the players of each game at different ones; 0 for one
    /// server over SQLite
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=9))]
    nodes: u32,
    /// Sockets at the lobby that do nothing, opened before the games begin [default: 0, 10000 with --table]
    #[arg(long)]
    idle: Option<u32>,
    /// What an acknowledged move outlives with SQLite: `full`, a power cut; `normal`, only the end of the
    /// process
    #[arg(long, default_value = "full")]
    durability: String,
    /// One server over SQLite at both durabilities, then one, two and three nodes, and the table of
    /// docs/operating.md; fails if a goal is missed
    #[arg(long, conflicts_with_all = ["tractor", "nodes", "durability"])]
    table: bool,
    /// The program of another version, which is measured in the same run
    #[arg(long, value_name = "PROGRAM", requires = "table")]
    baseline: Option<std::path::PathBuf>,
}

/// Do everything to a server that may happen to one, and compare what it acknowledged with its file
#[derive(Debug, clap::Args)]
pub(crate) struct Faults {
    /// How often each fault happens; the runs last from one second to the longest time
    #[arg(long, default_value_t = 1)]
    runs: u32,
    /// How long a fault lasts at most
    #[arg(long, default_value_t = 4)]
    seconds: u32,
    /// Only this fault: kill, full-disk, write-error, sync-error, stop, clock-jump, two-servers or
    /// slow-readers
    #[arg(long, value_name = "FAULT")]
    only: Option<String>,
    /// How many nodes share the work, over PostgreSQL and NATS; with more than one, all faults of such
    /// an installation happen at random
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9))]
    nodes: u32,
    /// For how long, with several nodes
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
}

/// Fill SQLite and PostgreSQL with games, and measure how long a server takes to start and to show them; fails if a goal is missed
#[derive(Debug, clap::Args)]
pub(crate) struct Reads {
    /// Finished games, all in one player's archive
    #[arg(long, default_value_t = 50_000)]
    finished: u32,
    /// Games of 150 turns that go on
    #[arg(long, default_value_t = 5_000)]
    unfinished: u32,
    /// How many read at once
    #[arg(long, default_value_t = 16)]
    readers: u32,
}

pub(crate) fn load(args: &Load) -> anyhow::Result<()> {
    let mut client = example("load")?;
    client.args(["--game", if args.tractor { "tractor" } else { "cotulenh" }]);
    client.args(["--durability", &args.durability]);
    let (seconds, idle) = if args.table { (20, 10_000) } else { (300, 0) };
    if args.table {
        client.args(["--mode", "table"]);
    }
    if let Some(program) = &args.baseline {
        client.arg("--baseline").arg(std::path::absolute(program)?);
    }
    let numbers = [
        ("--games", args.games),
        ("--seconds", args.seconds.unwrap_or(seconds)),
        ("--pace", args.pace),
        ("--nodes", args.nodes),
        ("--idle", args.idle.unwrap_or(idle)),
    ];
    for (name, value) in numbers {
        client.args([name, &value.to_string()]);
    }
    run(client)
}

pub(crate) fn faults(args: &Faults) -> anyhow::Result<()> {
    let mut client = example("faults")?;
    let numbers = [
        ("--runs", args.runs),
        ("--seconds", args.seconds),
        ("--nodes", args.nodes),
    ];
    for (name, value) in numbers {
        client.args([name, &value.to_string()]);
    }
    client.args(["--minutes", &args.minutes.to_string()]);
    if let Some(only) = &args.only {
        client.args(["--only", only]);
    }
    run(client)
}

pub(crate) fn reads(args: &Reads) -> anyhow::Result<()> {
    let mut client = example("reads")?;
    let numbers = [
        ("--finished", args.finished),
        ("--unfinished", args.unfinished),
        ("--readers", args.readers),
    ];
    for (name, value) in numbers {
        client.args([name, &value.to_string()]);
    }
    run(client)
}
