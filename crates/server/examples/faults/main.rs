//! Faults of every kind done to a real server while both games are played on it, and whether anything
//! that was acknowledged is missing afterwards.
//!
//! ```sh
//! cargo xtask faults
//! cargo xtask faults --only full-disk --runs 20 --seconds 8
//! ```
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::path::PathBuf;
use std::time::Duration;

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::faults::kind::Kind;
use convoy_test_client::faults::run::{Row, suffer};

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
    if option("--nodes", "1") != "1" {
        return Err("there is one node so far".into());
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
