//! Archives of the binary for people without Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::steps::{cargo, root, run};

/// The target whose binaries need no library of the machine that they run on.
const STATIC: &str = "x86_64-unknown-linux-musl";
/// What an archive holds besides the binary, its own README.md and the docs. What `deploy` has for containers needs the
/// sources.
const BESIDE: [&str; 11] = [
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "deploy/convoy.service",
    "deploy/convoy-backup.service",
    "deploy/convoy-backup.timer",
    "deploy/convoy-worker.service",
    "deploy/nats.conf",
    "docs",
    "examples",
];

/// Write an archive of the binary with its docs to `target/dist`, for people without Rust
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build for this target [default: x86_64-unknown-linux-musl if it can be built here, else this machine's]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

pub(crate) fn dist(args: &Args) -> anyhow::Result<()> {
    let target = match &args.target {
        Some(target) => target.clone(),
        None => default_target()?,
    };
    if let Some(missing) = missing(&target)? {
        bail!("{target} cannot be built here: {missing}");
    }
    let built = std::env::var_os("CARGO_TARGET_DIR");
    let built = built.map_or_else(|| root().join("target"), |folder| root().join(folder));
    println!("building convoy for {target}, which takes some minutes");
    run(build(&target)?)?;
    let name = format!("convoy-{}-{target}", env!("CARGO_PKG_VERSION"));
    let folder = built.join("dist");
    println!("packing {name}");
    let whole = folder.join(&name);
    let _ = fs::remove_dir_all(&whole);
    fs::create_dir_all(&whole)?;
    copy(
        &built.join(&target).join("release/convoy"),
        &whole.join("convoy"),
    )?;
    fill(&whole)?;
    let archive = format!("{name}.tar.gz");
    run(pack(&folder, &name, &archive))?;
    fs::remove_dir_all(&whole)?;
    let sum = Command::new("sha256sum")
        .arg(&archive)
        .current_dir(&folder)
        .output()
        .context("sha256sum could not be started")?;
    if !sum.status.success() {
        bail!("sha256sum failed ({})", sum.status);
    }
    fs::write(folder.join(format!("{archive}.sha256")), &sum.stdout)?;
    let path = folder.join(&archive);
    let megabytes = fs::metadata(&path)?.len() / 1_000_000;
    println!("{megabytes} MB, and the same name with .sha256 beside it:");
    println!("{}", path.display());
    Ok(())
}

/// The build, whose binary does not tell where it was made.
fn build(target: &str) -> anyhow::Result<Command> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=.", root().display())];
    if let Some(home) = home {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    let mut build = cargo(["build", "--release", "--locked", "--package", "convoy"]);
    build.args(["--target", target, "--config"]);
    build.arg(format!(
        "build.rustflags={}",
        serde_json::to_string(&flags)?
    ));
    if target == STATIC {
        build.env("CC_x86_64_unknown_linux_musl", "musl-gcc");
    }
    Ok(build)
}

/// Packs a folder so that the same files give the same bytes, whoever packs them and when.
fn pack(folder: &Path, name: &str, archive: &str) -> Command {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--use-compress-program=gzip --no-name --best"])
        .args(["--format=gnu", "--sort=name", "--mode=u=rwX,go=rX"])
        .args(["--owner=0", "--group=0", "--numeric-owner"])
        .arg(format!("--mtime=@{}", time()))
        .arg("--file")
        .arg(folder.join(archive))
        .arg("--directory")
        .arg(folder)
        .arg(name);
    tar
}

/// The time of the commit, for every file. Without a repository, the first second of 2026.
fn time() -> String {
    let git = Command::new("git")
        .args(["log", "-1", "--format=%ct"])
        .current_dir(root())
        .output();
    let told = git.ok().filter(|output| output.status.success());
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    told.filter(|time| !time.is_empty())
        .unwrap_or_else(|| "1767225600".to_owned())
}

/// The static target where it can be built, else this machine's, with a word about it.
fn default_target() -> anyhow::Result<String> {
    let Some(missing) = missing(STATIC)? else {
        return Ok(STATIC.to_owned());
    };
    println!(
        "no static binary: {missing}.\nThe archive is for this machine's system and C library alone."
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

/// What a target lacks to be built, if anything.
fn missing(target: &str) -> anyhow::Result<Option<String>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .context("rustc could not be started")?;
    if !asked.status.success() {
        return Ok(Some("rustc knows no target of this name".to_owned()));
    }
    let mut missing = Vec::new();
    if !Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir() {
        missing.push(format!(
            "Rust's library for it is missing (`rustup target add {target}`)"
        ));
    }
    if target == STATIC && Command::new("musl-gcc").arg("--version").output().is_err() {
        missing.push("musl-gcc is missing (Debian's package musl-tools)".to_owned());
    }
    Ok((!missing.is_empty()).then(|| missing.join(", and ")))
}

/// Fills the folder of an archive with everything but the binary.
fn fill(folder: &Path) -> anyhow::Result<()> {
    fs::write(folder.join("README.md"), include_str!("dist/README.md"))?;
    for file in BESIDE {
        copy(&root().join(file), &folder.join(file))?;
    }
    unlink(folder, folder)
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let here = || from.display().to_string();
    if from.is_dir() {
        for entry in fs::read_dir(from).with_context(here)? {
            let name = entry.with_context(here)?.file_name();
            if name != "__pycache__" {
                copy(&from.join(&name), &to.join(&name))?;
            }
        }
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).with_context(here)?;
    }
    fs::copy(from, to).map(drop).with_context(here)
}

/// Makes words of the links to files that only the sources have, in all texts of a folder.
fn unlink(whole: &Path, folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            unlink(whole, &path)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            let text = fs::read_to_string(&path)?;
            let text = unlinked(&text, |link| is_there(whole, folder, link));
            fs::write(&path, text)?;
        }
    }
    Ok(())
}

/// Whether a link of a text in `folder` leads to something in the archive, or out into the world.
fn is_there(whole: &Path, folder: &Path, link: &str) -> bool {
    let file = link.split('#').next().unwrap_or_default();
    if file.is_empty() || file.contains(':') {
        return true;
    }
    let found = folder.join(file).canonicalize();
    let whole = whole.canonicalize();
    found.is_ok_and(|found| whole.is_ok_and(|whole| found.starts_with(whole)))
}

/// A text in which the links that are not kept are their words alone.
fn unlinked(text: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        let (before, after) = (&rest[..middle], &rest[middle + 2..]);
        let begun = before.rfind('[');
        let link = after.find([')', ' ', '\n']).map(|end| (&after[..end], end));
        match (begun, link) {
            (Some(begun), Some((link, end))) if after[end..].starts_with(')') && !is_kept(link) => {
                told.push_str(before[..begun].trim_end_matches('!'));
                told.push_str(&before[begun + 1..]);
                rest = &after[end + 1..];
            }
            _ => {
                told.push_str(&rest[..middle + 2]);
                rest = after;
            }
        }
    }
    told + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links of a text, by the reader of `unlinked`.
    fn links(text: &str) -> Vec<String> {
        let found = std::cell::RefCell::new(Vec::new());
        unlinked(text, |link| {
            found.borrow_mut().push(link.to_owned());
            true
        });
        found.into_inner()
    }

    fn texts(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("it is a folder");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
        let files = files
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "md"));
        files
            .chain(folders.iter().flat_map(|inner| texts(inner)))
            .collect()
    }

    #[test]
    fn no_link_of_an_archive_leads_nowhere() {
        let folder = std::env::temp_dir().join(format!("convoy-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        fill(&folder).expect("all that goes into an archive is there");
        let mut count = 0;
        for path in texts(&folder) {
            let text = fs::read_to_string(&path).expect("it is text");
            let beside = path.parent().expect("it lies in a folder");
            for link in links(&text) {
                assert!(
                    is_there(&folder, beside, &link),
                    "{}: {link}",
                    path.display()
                );
                count += 1;
            }
        }
        assert!(count > 50, "only {count} links");
        assert!(folder.join("docs/pictures/board.svg").exists());
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn links_that_are_not_kept_are_their_words() {
        let text = "see [the source](../src/a.rs#b), [docs](b.md) and ![a picture](c.png); [x] (y)";
        assert_eq!(
            unlinked(text, |link| link == "b.md"),
            "see the source, [docs](b.md) and a picture; [x] (y)"
        );
        assert_eq!(unlinked(text, |_| true), text);
    }

    #[test]
    fn what_a_target_lacks_is_one_line() {
        let told = missing("no-such-target").expect("rustc is there");
        assert_eq!(told.as_deref(), Some("rustc knows no target of this name"));
    }

    #[test]
    fn the_same_files_are_the_same_archive() {
        let folder = std::env::temp_dir().join(format!("convoy-pack-{}", std::process::id()));
        let inner = folder.join("whole");
        let packed = |mode: u32, archive: &str| {
            use std::os::unix::fs::PermissionsExt as _;
            let _ = fs::remove_dir_all(&inner);
            fs::create_dir_all(&inner).expect("a folder can be made");
            fs::write(inner.join("file"), "text").expect("a file can be made");
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(inner.join("file"), permissions).expect("it is ours");
            run(pack(&folder, "whole", archive)).expect("tar packs");
            fs::read(folder.join(archive)).expect("it was packed")
        };
        let first = packed(0o600, "first.tar.gz");
        assert!(first == packed(0o664, "second.tar.gz"));
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
