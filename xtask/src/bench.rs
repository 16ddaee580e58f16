//! `cargo xtask bench`: the instructions of the hot paths, compared with a committed table.
//!
//! Wall time depends on the machine and on what else it does; instruction counts hardly do.
//! Cachegrind counts those of a program that prepares a path and does it, less those of one that
//! only prepares it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::steps;

/// Count the instructions of the hot paths
///
/// Needs valgrind (a package of that name in every distribution).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Fail if a path has grown by more than 5 % since the table was written
    #[arg(long)]
    check: bool,
    /// Write the table anew
    #[arg(long, conflicts_with = "check")]
    update: bool,
}

/// The committed table, relative to the root of the workspace.
const TABLE: &str = "xtask/bench-counts.txt";
/// What a path may grow by, in per cent.
const TOLERANCE: u64 = 5;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.check {
        return check();
    }
    if args.update {
        let path = steps::root().join(TABLE);
        return std::fs::write(&path, Table::measure()?.to_text())
            .with_context(|| format!("cannot write {}", path.display()));
    }
    print!("{}", compare()?.text);
    Ok(())
}

/// Fails if a path has grown too much: a step of the test command.
pub(crate) fn check() -> anyhow::Result<()> {
    let report = compare()?;
    print!("{}", report.text);
    if !report.faults.is_empty() {
        bail!(
            "{}; if that is meant, run `cargo xtask bench --update` and say why in the commit",
            report.faults.join("; ")
        );
    }
    Ok(())
}

fn compare() -> anyhow::Result<Comparison> {
    let path = steps::root().join(TABLE);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Table::read(&text)?.compare(&Table::measure()?))
}

/// Instructions by path, and the compiler that they belong to.
#[derive(Debug, PartialEq, Eq)]
struct Table {
    compiler: String,
    counts: BTreeMap<String, u64>,
}

/// What a comparison found.
#[derive(Debug)]
struct Comparison {
    text: String,
    /// Paths that have grown too much, that are new or gone.
    faults: Vec<String>,
}

impl Table {
    fn measure() -> anyhow::Result<Self> {
        let program = build()?;
        let names = output(Command::new(&program))?;
        let mut counts = BTreeMap::new();
        for name in names.lines() {
            let whole = instructions(&program, &[name])?;
            let prepared = instructions(&program, &[name, "--prepare"])?;
            counts.insert(name.to_owned(), whole.saturating_sub(prepared));
        }
        Ok(Self {
            compiler: compiler()?,
            counts,
        })
    }

    fn to_text(&self) -> String {
        let mut text = format!(
            "# Instructions of the hot paths; `cargo xtask bench --update` writes this file.\n\
             compiler: {}\n",
            self.compiler
        );
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{name}: {count}");
        }
        text
    }

    fn read(text: &str) -> anyhow::Result<Self> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut fields = lines.map(|line| {
            line.rsplit_once(": ")
                .with_context(|| format!("{TABLE}: not a name and a number: {line}"))
        });
        let (_, compiler) = fields
            .next()
            .with_context(|| format!("{TABLE} is empty"))??;
        let counts = fields.map(|field| {
            let (name, count) = field?;
            let count = count
                .parse()
                .with_context(|| format!("{TABLE}: {name}: {count} is no number"))?;
            Ok((name.to_owned(), count))
        });
        Ok(Self {
            compiler: compiler.to_owned(),
            counts: counts.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Compares this table with what was measured now. Another compiler makes other code: then
    /// nothing is a fault.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn compare(&self, now: &Self) -> Comparison {
        let mut text = format!(
            "{:<34} {:>14} {:>14} {:>8}\n",
            "path", "table", "now", "growth"
        );
        let mut faults = Vec::new();
        for (name, count) in &now.counts {
            let Some(known) = self.counts.get(name) else {
                let _ = writeln!(text, "{name:<34} {:>14} {count:>14}", "-");
                faults.push(format!("{name} is not in the table"));
                continue;
            };
            let growth = 100.0 * (*count as f64 / (*known).max(1) as f64 - 1.0);
            let _ = writeln!(text, "{name:<34} {known:>14} {count:>14} {growth:>+6.1} %");
            // In whole numbers: a growth of exactly the tolerance is none.
            if 100 * count > (100 + TOLERANCE) * known {
                faults.push(format!("{name} has grown by {growth:.1} %"));
            }
        }
        let gone = self.counts.keys();
        let gone = gone.filter(|name| !now.counts.contains_key(*name));
        faults.extend(gone.map(|name| format!("{name} is counted no more")));
        if self.compiler != now.compiler {
            let _ = writeln!(
                text,
                "the table is of {}, this is {}: growth is reported, not judged",
                self.compiler, now.compiler
            );
            faults.clear();
        }
        Comparison { text, faults }
    }
}

/// Builds the program that does one path.
fn build() -> anyhow::Result<PathBuf> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        bail!("valgrind is needed to count instructions: install the package `valgrind`");
    }
    let build = ["build", "--quiet", "--profile", "counts"];
    steps::run(steps::cargo(build).args(["--package", "convoy-hot-paths"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| steps::root().join("target"), PathBuf::from);
    Ok(target.join("counts/hot-path"))
}

/// The instructions of a run of the program.
fn instructions(program: &Path, args: &[&str]) -> anyhow::Result<u64> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(program)
        .args(args);
    let run = command.output().context("valgrind cannot be started")?;
    let text = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        bail!("hot-path {} failed: {text}", args.join(" "));
    }
    count_in(&text)
        .with_context(|| format!("no count of instructions in what valgrind says: {text}"))
}

/// The instructions that cachegrind reports: `==7== I refs: 1,234`, with more or less space.
fn count_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let named = words.next() == Some("I") && words.next() == Some("refs:");
        let count = words.next().filter(|_| named)?;
        count.replace(',', "").parse().ok()
    })
}

/// The compiler and what it compiles for, in one line.
fn compiler() -> anyhow::Result<String> {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.arg("-vV");
    let text = output(command)?;
    let version = text.lines().next().context("rustc has no version")?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(format!(
        "{version} for {}",
        host.unwrap_or("an unknown host")
    ))
}

fn output(mut command: Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("{command:?} cannot be started"))?;
    if !output.status.success() {
        bail!("{command:?} failed");
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(compiler: &str, counts: &[(&str, u64)]) -> Table {
        let counts = counts.iter();
        Table {
            compiler: compiler.into(),
            counts: counts
                .map(|(name, count)| ((*name).into(), *count))
                .collect(),
        }
    }

    #[test]
    fn counts_of_old_and_new_valgrinds_are_read() {
        let old = "==7== Cachegrind\n==7== I   refs:      97,282,462\n";
        let new = "==7== I refs:        1,234\n==7== D refs: 5";
        assert_eq!(count_in(old), Some(97_282_462));
        assert_eq!(count_in(new), Some(1_234));
        assert_eq!(count_in("==7== D refs: 5"), None);
    }

    #[test]
    fn the_table_is_read_as_it_is_written() {
        let table = table("rustc 1.95.0 for x", &[("FEN read", 1_000), ("a: b", 7)]);
        assert_eq!(Table::read(&table.to_text()).expect("its own text"), table);
        for bad in [
            "",
            "# nothing\n",
            "compiler: x\nFEN read\n",
            "compiler: x\na: b\n",
        ] {
            assert!(Table::read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn growth_beyond_the_tolerance_is_a_fault() {
        let known = table("one", &[("a", 1_000), ("b", 1_000), ("c", 1_000)]);
        let now = table("one", &[("a", 1_050), ("b", 1_051), ("d", 5)]);
        let faults = known.compare(&now).faults;
        let expected = [
            "b has grown by 5.1 %",
            "d is not in the table",
            "c is counted no more",
        ];
        assert_eq!(faults, expected);
        assert!(known.compare(&known).faults.is_empty());
    }

    #[test]
    fn another_compiler_is_reported_only() {
        let known = table("one", &[("a", 1_000)]);
        let found = known.compare(&table("two", &[("a", 9_000)]));
        assert!(found.faults.is_empty());
        assert!(found.text.contains("of one, this is two"), "{}", found.text);
        assert!(found.text.contains("+800.0 %"), "{}", found.text);
    }
}
