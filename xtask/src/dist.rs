//! Archives of the binary for people without Rust.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::steps::{cargo, root, run};

/// The target whose binaries need no library of the machine that they run on.
const STATIC: &str = "x86_64-unknown-linux-musl";
/// What an archive holds besides the binary.
const BESIDE: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "deploy",
];

/// Write an archive of the binary with its docs to `target/dist`, for people without Rust
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build for this target [default: x86_64-unknown-linux-musl if it is installed, else this machine's]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

pub(crate) fn dist(args: &Args) -> anyhow::Result<()> {
    let target = match &args.target {
        Some(target) => target.clone(),
        None => default_target()?,
    };
    let mut build = cargo(["build", "--release", "--locked", "--package", "convoy"]);
    build.args(["--target", &target]);
    if target == STATIC {
        build.env("CC_x86_64_unknown_linux_musl", "musl-gcc");
    }
    run(build)?;
    let name = format!("convoy-{}-{target}", env!("CARGO_PKG_VERSION"));
    let folder = root().join("target/dist");
    let whole = folder.join(&name);
    let _ = fs::remove_dir_all(&whole);
    fs::create_dir_all(&whole)?;
    let binary = root().join("target").join(&target).join("release/convoy");
    fs::copy(&binary, whole.join("convoy")).with_context(|| binary.display().to_string())?;
    for file in BESIDE {
        copy(&root().join(file), &whole.join(file))?;
    }
    copy_docs(&whole.join("docs"))?;
    let archive = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    tar.args([
        "--create",
        "--gzip",
        "--owner=0",
        "--group=0",
        "--sort=name",
        "--file",
    ]);
    tar.arg(folder.join(&archive))
        .arg("--directory")
        .arg(&folder)
        .arg(&name);
    run(tar)?;
    let sum = Command::new("sha256sum")
        .arg(&archive)
        .current_dir(&folder)
        .output()?;
    if !sum.status.success() {
        bail!("sha256sum failed ({})", sum.status);
    }
    fs::write(folder.join(format!("{archive}.sha256")), &sum.stdout)?;
    fs::remove_dir_all(&whole)?;
    println!(
        "target/dist/{}",
        String::from_utf8_lossy(&sum.stdout).trim()
    );
    Ok(())
}

/// The static target where it can be built, else this machine's, with a word about it.
fn default_target() -> anyhow::Result<String> {
    let installed = Command::new("rustup")
        .args(["target", "list", "--installed"])
        .output();
    let installed = installed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let has_target = installed.is_ok_and(|list| list.lines().any(|line| line == STATIC));
    let has_compiler = Command::new("musl-gcc").arg("--version").output().is_ok();
    if has_target && has_compiler {
        return Ok(STATIC.to_owned());
    }
    println!(
        "no static binary: it would need `rustup target add {STATIC}` and Debian's package musl-tools.\n\
         The archive is for this machine's system and C library alone."
    );
    let version = Command::new(env!("CARGO"))
        .args(["--version", "--verbose"])
        .output()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host
        .context("cargo does not tell this machine's target")?
        .to_owned())
}

/// Copies a file, or a folder of files.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let copied = || -> std::io::Result<()> {
        if !from.is_dir() {
            return fs::copy(from, to).map(drop);
        }
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let path = entry?.path();
            fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
        }
        Ok(())
    };
    copied().with_context(|| from.display().to_string())
}

/// The docs without their pictures.
fn copy_docs(to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(root().join("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "md") {
            copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_goes_into_an_archive_is_there() {
        for file in BESIDE {
            assert!(root().join(file).exists(), "{file}");
        }
        for file in [
            "Dockerfile",
            "compose.yaml",
            "convoy.service",
            "convoy-worker.service",
            "nats.conf",
        ] {
            assert!(root().join("deploy").join(file).exists(), "{file}");
        }
    }
}
