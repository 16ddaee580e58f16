//! `cargo xtask faults` and `cargo xtask reads`: a real server, and what it takes.

use crate::steps::{example, run};

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
    /// How many servers share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1))]
    nodes: u32,
}

/// Fill a storage with games, and measure how long a server takes to show them
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
