//! `cargo xtask fuzz SECONDS`: every fuzz target for so long.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::steps::root;

/// The targets: the programs of `fuzz/fuzz_targets`, by name.
fn targets() -> anyhow::Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
        );
    }
    names.sort();
    Ok(names)
}

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
    let targets = targets()?;
    if let Some(only) = only
        && !targets.iter().any(|target| target == only)
    {
        bail!(
            "there is no target {only}; there are {}",
            targets.join(", ")
        );
    }
    let chosen = |target: &&String| only.is_none_or(|only| only == *target);
    for target in targets.iter().filter(chosen) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_declared() {
        let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("readable");
        let targets = targets().expect("readable");
        assert!(targets.len() >= 10, "{targets:?}");
        for target in targets {
            let line = format!("name = \"{target}\"");
            assert!(
                manifest.contains(&line),
                "{target} is not in fuzz/Cargo.toml"
            );
        }
    }
}
