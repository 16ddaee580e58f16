//! The steps of `cargo xtask test`, in the order of how soon they fail.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use crate::suite::{self, Settings};
use crate::{bench, icon, javascript, length, libraries, names, package, python, rules, web};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in a folder of the workspace")
        .to_path_buf()
}

/// Run every check: formatting, lints, docs, numbered rules, all tests
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this step; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Explore: many more cases of the property and differential tests, from a fresh seed
    #[arg(long)]
    deep: bool,
    /// The seed of the property tests
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A folder of fonts for the browser in place of the gate's families; may be given several
    /// times
    #[arg(long, value_name = "DIR")]
    fonts: Vec<PathBuf>,
}

/// One of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// `cargo fmt`, and no file that is too long
    Formatting,
    /// Every numbered rule has a test that names it
    Rules,
    /// No name that was given up is defined again
    Names,
    /// No page uses a letter of a font as a picture
    Icons,
    /// The types in the comments of the pages' modules
    Types,
    /// Clippy, with warnings as errors
    Lints,
    /// Rustdoc, with warnings as errors
    Docs,
    /// Manifests and packages of the libraries, and the rules crates without `std`
    Libraries,
    /// Unit, doc, property, differential and end-to-end tests
    Tests,
    /// The tests of the server over PostgreSQL instead of SQLite
    Postgres,
    /// The Python package: its wheel, its tests, its docstrings and the snippets of its guide
    Python,
    /// The npm package: its committed WebAssembly against the native code, its tests and its guide
    Javascript,
    /// The instructions of the hot paths, against the committed table
    Bench,
}

impl Step {
    fn name(self) -> String {
        let value = self.to_possible_value().expect("no step is hidden");
        value.get_name().to_owned()
    }

    fn run(self, settings: &Settings) -> anyhow::Result<()> {
        match self {
            Self::Formatting => {
                length::check()?;
                run(cargo(["fmt", "--all", "--check"]))
            }
            Self::Rules => rules::check(),
            Self::Names => names::check(),
            Self::Icons => icon::check(),
            Self::Types => web::types(),
            Self::Lints => {
                let what = ["clippy", "--workspace", "--all-targets"];
                run(cargo(what).args(["--", "-D", "warnings"]))
            }
            Self::Docs => {
                let mut doc = cargo(["doc", "--workspace", "--no-deps"]);
                run(doc.env("RUSTDOCFLAGS", "-D warnings"))
            }
            Self::Libraries => libraries::check(),
            Self::Tests => {
                web::axe()?;
                suite::run(settings)
            }
            Self::Postgres => suite::run_over_postgres(settings),
            Self::Python => python::check(),
            Self::Javascript => javascript::check(),
            Self::Bench => bench::check(),
        }
    }
}

/// Runs the checks, and tells how long each has taken.
pub(crate) fn test(args: &Args) -> anyhow::Result<()> {
    let settings = Settings::new(args.deep, args.seed, &args.fonts)?;
    let every = Step::value_variants();
    let chosen = |step: &&Step| args.only.is_empty() || args.only.contains(step);
    let steps: Vec<Step> = every.iter().filter(chosen).copied().collect();
    package::provide(&steps)?;
    let mut times: Vec<(String, Duration)> = Vec::new();
    for (step, number) in steps.iter().zip(1..) {
        let name = step.name();
        println!("== step {number} of {}: {name}", steps.len());
        let begun = Instant::now();
        let result = step.run(&settings);
        times.push((name.clone(), begun.elapsed()));
        if let Err(error) = result {
            bail!("{name}: {error:#}\nthis step again: cargo xtask test --only {name}{settings}");
        }
    }
    println!("== all green");
    for (name, time) in &times {
        println!("{:8.1} s  {name}", time.as_secs_f64());
    }
    let sum: Duration = times.iter().map(|(_, time)| *time).sum();
    println!("{:8.1} s  in all", sum.as_secs_f64());
    Ok(())
}

/// Builds the server, and answers the command that lets an example of its crate loose on it.
pub(crate) fn example(name: &str) -> anyhow::Result<Command> {
    run(cargo(["build", "--release", "--package", "convoy"]))?;
    Ok(cargo([
        "run",
        "--release",
        "--package",
        "convoy-server",
        "--example",
        name,
        "--",
    ]))
}

/// Builds the server and the floods, and measures what another player notices of them.
pub(crate) fn abuse(seconds: u32, one_core: bool) -> anyhow::Result<()> {
    run(cargo(["build", "--release", "--package", "convoy"]))?;
    let mut floods = cargo([
        "run",
        "--release",
        "--package",
        "convoy-server",
        "--example",
        "abuse",
        "--",
        "--seconds",
    ]);
    floods.arg(seconds.to_string());
    if one_core {
        floods.args(["--cores", "1"]);
    }
    run(floods)
}

pub(crate) fn cargo<const N: usize>(args: [&str; N]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(args).current_dir(root());
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(tells_of_this_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether `cargo run` has set a variable to say which package runs. Build scripts of libraries look at these (`ring`
/// does), so that a cargo which got them would build again what a cargo of the command line has built, and the other
/// way round.
fn tells_of_this_package(variable: &str) -> bool {
    variable.starts_with("CARGO_PKG_")
        || ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"].contains(&variable)
}

/// Runs a command in the root of the workspace, and fails if it does.
pub(crate) fn run(mut command: impl std::borrow::BorrowMut<Command>) -> anyhow::Result<()> {
    let command = command.borrow_mut().current_dir(root());
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("{name} could not be started"))?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    Ok(())
}
