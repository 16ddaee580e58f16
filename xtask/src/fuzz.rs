//! `cargo xtask fuzz SECONDS`: every fuzz target for so long.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::steps::root;

const TARGETS: [&str; 7] = [
    "fen",
    "moves",
    "pgn",
    "blueprint",
    "query",
    "tractor_cards",
    "tractor_play",
];

/// Runs the targets one after another, or one of them. Needs a nightly toolchain; installs
/// `cargo-fuzz` where it is missing.
pub(crate) fn run(seconds: u32, only: Option<&str>) -> anyhow::Result<()> {
    let folder = root().join("fuzz");
    let installed = Command::new("cargo")
        .args(["+nightly", "fuzz", "--version"])
        .output();
    if !installed.is_ok_and(|output| output.status.success()) {
        let status = Command::new("cargo")
            .args(["install", "cargo-fuzz"])
            .status();
        if !status.is_ok_and(|status| status.success()) {
            bail!("fuzzing needs a nightly toolchain and cargo-fuzz");
        }
    }
    for target in TARGETS
        .iter()
        .filter(|target| only.is_none_or(|only| only == **target))
    {
        println!("== {target}, {seconds} s");
        let corpus = folder.join("corpus").join(target);
        std::fs::create_dir_all(&corpus).with_context(|| format!("making {}", corpus.display()))?;
        let given = ["seeds", "faults"].map(|kind| folder.join(kind).join(target));
        let status = Command::new("cargo")
            .current_dir(root())
            .args(["+nightly", "fuzz", "run", target])
            .args(
                [&corpus]
                    .into_iter()
                    .chain(given.iter().filter(|path| Path::exists(path))),
            )
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .args([
                "-max_len=2000",
                "-dict=fuzz/cotulenh.dict",
                "-print_final_stats=1",
            ])
            .status()
            .context("starting cargo fuzz")?;
        if !status.success() {
            bail!("{target}: a fault was found; keep its input in fuzz/faults/{target}");
        }
    }
    Ok(())
}
