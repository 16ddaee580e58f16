//! The steps of `cargo xtask test`, in the order of how soon they fail.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};

use crate::{rules, web};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in a folder of the workspace")
        .to_path_buf()
}

/// Every check there is. `deep` multiplies the work of the property and differential tests.
pub(crate) fn test(deep: bool) -> anyhow::Result<()> {
    let begun = Instant::now();
    step("formatting", cargo(["fmt", "--all", "--check"]))?;
    println!("== numbered rules");
    rules::check()?;
    web::browser()?;
    web::types()?;
    step(
        "lints",
        cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    step(
        "docs",
        cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    let mut tests = cargo(["test", "--workspace"]);
    if deep {
        tests.env("CONVOY_DEEP", "1").env("PROPTEST_CASES", "20000");
    }
    step("tests", &mut tests)?;
    println!("== all green after {} s", begun.elapsed().as_secs());
    Ok(())
}

/// Builds the server and its load client, and lets the one loose on the other.
pub(crate) fn load(tractor: bool, numbers: [u32; 3]) -> anyhow::Result<()> {
    step(
        "server",
        cargo(["build", "--release", "--package", "convoy"]),
    )?;
    let mut client = cargo([
        "run",
        "--release",
        "--package",
        "convoy-server",
        "--example",
        "load",
        "--",
    ]);
    client.args(["--game", if tractor { "tractor" } else { "cotulenh" }]);
    for (name, value) in ["--games", "--seconds", "--pace"].into_iter().zip(numbers) {
        client.args([name, &value.to_string()]);
    }
    step("load", &mut client)
}

pub(crate) fn cargo<const N: usize>(args: [&str; N]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(args);
    command
}

/// Runs one step in the root of the workspace and names it where it fails.
pub(crate) fn step(
    name: &str,
    mut command: impl std::borrow::BorrowMut<Command>,
) -> anyhow::Result<()> {
    println!("== {name}");
    let status = command
        .borrow_mut()
        .current_dir(root())
        .status()
        .with_context(|| format!("{name}: could not be started"))?;
    if !status.success() {
        bail!("{name}: failed ({status})");
    }
    Ok(())
}
