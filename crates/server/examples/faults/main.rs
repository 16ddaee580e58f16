//! Faults of every kind done to a real server while both games are played on it, and whether anything
//! that was acknowledged is missing afterwards.
//!
//! ```sh
//! cargo xtask faults
//! cargo xtask faults --only full-disk --runs 20 --seconds 8
//! cargo xtask faults --nodes 3 --minutes 10
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::path::PathBuf;
use std::time::Duration;

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::faults::kind::Kind;
use convoy_test_client::faults::nodes::{self, NodeFault};
use convoy_test_client::faults::run::{Row, suffer};

/// How soon service must resume when the cause is gone, and how long a game may stand when its node is killed.
const RESUMED: Duration = Duration::from_secs(5);

fn kinds() -> Result<Vec<Kind>, Fault> {
    let only = option("--only", "");
    if only.is_empty() {
        return Ok(Kind::ALL.to_vec());
    }
    let found = Kind::ALL.into_iter().find(|kind| kind.word() == only);
    let words = Kind::ALL.map(Kind::word).join(", ");
    Ok(vec![found.ok_or_else(|| {
        format!("no fault is called {only:?}; there are {words}")
    })?])
}

fn main() -> Result<(), Fault> {
    let nodes: usize = option("--nodes", "1").parse()?;
    if nodes > 1 {
        if !option("--only", "").is_empty() {
            return Err("--only names a fault of one server; to several nodes all happen".into());
        }
        let minutes: f64 = option("--minutes", "10").parse()?;
        let time = Duration::try_from_secs_f64(60.0 * minutes);
        let time = time.map_err(|why| format!("--minutes {minutes}: {why}"))?;
        return several_nodes(nodes, time);
    }
    let runs: usize = option("--runs", "1").parse()?;
    let longest: u64 = option("--seconds", "4").parse()?;
    let program = PathBuf::from(server_program());
    convoy_server::raise_file_limit();
    let folder = std::env::temp_dir().join(format!("convoy-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for kind in kinds()? {
        for run in 0..runs {
            // Runs of one kind last from a second to the longest time.
            let span = longest.saturating_sub(1) * run as u64 / (runs as u64 - 1).max(1);
            let seconds = if runs == 1 { longest } else { 1 + span };
            let place = folder.join(format!("{}-{run}", kind.word()));
            match runtime.block_on(suffer(
                kind,
                run,
                Duration::from_secs(seconds),
                &program,
                &place,
            )) {
                Ok(row) => {
                    tell(&row);
                    if row.resumed > RESUMED {
                        faults.push(format!("{}: resumed too late", kind.word()));
                    }
                    rows.push(row);
                }
                Err(fault) => {
                    println!("{:<13} run {run}: {fault}", kind.word());
                    faults.push(format!("{}: {fault}", kind.word()));
                }
            }
        }
    }
    sum_up(&rows);
    let lost: usize = rows.iter().map(|row| row.missing.len()).sum();
    if lost > 0 || !faults.is_empty() {
        println!("logs and files are kept in {}", folder.display());
        return Err(format!("{lost} lost; {} runs failed: {faults:?}", faults.len()).into());
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Faults at random, done to several nodes and to what they share.
fn several_nodes(nodes: usize, time: Duration) -> Result<(), Fault> {
    convoy_server::raise_file_limit();
    let folder = std::env::temp_dir().join(format!("convoy-faults-{}", std::process::id()));
    let program = PathBuf::from(server_program());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(nodes::suffer(&program, &folder, nodes, time));
    let outcome = outcome.inspect_err(|_| println!("logs are kept in {}", folder.display()))?;
    println!(
        "| fault | times | refused, but for `stale` | pages wrong, of | longest interruption |\n|---|---|---|---|---|"
    );
    for fault in NodeFault::ALL {
        let of: Vec<_> = outcome
            .happened
            .iter()
            .filter(|one| one.fault == fault)
            .collect();
        let longest = of.iter().map(|one| one.interruption).max();
        println!(
            "| {} | {} | {} | {} of {} | {:.1} s |",
            fault.words(),
            of.len(),
            of.iter().map(|one| one.refused).sum::<usize>(),
            of.iter().map(|one| one.wrong_pages).sum::<usize>(),
            of.iter().map(|one| one.pages).sum::<usize>(),
            longest.unwrap_or_default().as_secs_f64(),
        );
    }
    println!(
        "\n{} events told at {} tables; somebody came again {} times; refused: {:?}",
        outcome.told, outcome.tables, outcome.again, outcome.refused
    );
    let mut wrong = outcome.wrong;
    for one in &outcome.happened {
        if one.fault == NodeFault::KillNode && one.interruption > RESUMED {
            let seconds = one.interruption.as_secs_f64();
            wrong.push(format!("{}: {seconds:.1} s", one.fault.words()));
        }
    }
    if wrong.is_empty() {
        std::fs::remove_dir_all(&folder)?;
        return Ok(());
    }
    for wrong in &wrong {
        println!("{wrong}");
    }
    println!("logs are kept in {}", folder.display());
    Err(format!("{} things are wrong", wrong.len()).into())
}

fn tell(row: &Row) {
    println!(
        "{:<13} {:>3} s  told {:>6}  lost {:>3}  refused {:>5}  came again {:>5}  resumed after {:>5.2} s  {}",
        row.kind.word(),
        row.time.as_secs(),
        row.told,
        row.missing.len(),
        row.refused,
        row.again,
        row.resumed.as_secs_f64(),
        row.note,
    );
    for missing in row.missing.iter().take(3) {
        println!("    {missing}");
    }
}

fn sum_up(rows: &[Row]) {
    println!(
        "\n| fault | runs | told | lost | refused | slowest to resume |\n|---|---|---|---|---|---|"
    );
    for kind in Kind::ALL {
        let of: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
        if of.is_empty() {
            continue;
        }
        let slowest = of.iter().map(|row| row.resumed).max().unwrap_or_default();
        println!(
            "| {} | {} | {} | {} | {} | {:.2} s |",
            kind.word(),
            of.len(),
            of.iter().map(|row| row.told).sum::<usize>(),
            of.iter().map(|row| row.missing.len()).sum::<usize>(),
            of.iter().map(|row| row.refused).sum::<usize>(),
            slowest.as_secs_f64(),
        );
    }
}
