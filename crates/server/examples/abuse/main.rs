//! Floods against a server, and what another player notices of them.
//!
//! ```sh
//! cargo xtask abuse --seconds 60
//! ```
//!
//! Every flood comes from an address of its own, and the other player from another: the server
//! trusts this machine as a proxy, and clients name their address in `X-Forwarded-For`.
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod flood;
mod report;
mod victim;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::process::ServerProcess;
use report::Report;

/// Starts a server on a port of its own, on one core if that is asked for.
fn start(folder: &Path) -> Result<ServerProcess, Fault> {
    let mut command = Command::new(server_program());
    if option("--cores", "all") == "1" {
        command = Command::new("taskset");
        command.args(["--cpu-list", "0"]).arg(server_program());
    }
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let args = ["--trusted-proxy", "127.0.0.1", "--log-level", "error"];
    ServerProcess::spawn(&mut command, any, folder, &args)
}

/// What the other player measures for so long, while `floods` run or not.
async fn measure(address: SocketAddr, pid: u32, time: Duration) -> Result<Report, Fault> {
    let over = Arc::new(AtomicBool::new(false));
    let work = tokio::spawn(victim::play(address, pid, Arc::clone(&over)));
    let begun = std::time::Instant::now();
    while begun.elapsed() < time && !work.is_finished() {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let (second, all) = (begun.elapsed().as_secs(), time.as_secs());
        if second.is_multiple_of(10) {
            println!(
                "  {second:3} of {all} s, {} MB",
                report::megabytes(pid, "VmRSS:")
            );
        }
    }
    over.store(true, Ordering::Relaxed);
    work.await?
}

async fn run(address: SocketAddr, pid: u32, time: Duration) -> Result<bool, Fault> {
    println!("without a flood:");
    let calm = measure(address, pid, Duration::from_secs(10)).await?;
    let floods = flood::start(address);
    println!("with every flood:");
    let flooded = measure(address, pid, time).await;
    let counts = flood::stop(floods).await;
    let flooded = flooded?;
    println!("\nwhat the floods did:");
    for (name, count) in counts {
        println!("  {name:<44} {count}");
    }
    Ok(report::print(&calm, &flooded))
}

fn main() -> Result<(), Fault> {
    convoy_server::raise_file_limit();
    let time = Duration::from_secs(option("--seconds", "60").parse()?);
    let folder = std::env::temp_dir().join(format!("convoy-abuse-{}", std::process::id()));
    let server = start(&folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let reached = runtime.block_on(run(server.address, server.id(), time));
    drop(server);
    let _ = std::fs::remove_dir_all(folder);
    if reached? {
        Ok(())
    } else {
        Err("a goal was missed".into())
    }
}
