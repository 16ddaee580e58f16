//! Builds all tests, runs their programs side by side, and tells how to run again what failed.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, bail};
use serde::Deserialize;

use crate::steps::{self, cargo, root};

/// The cases of the property tests in the gate; `.cargo/config.toml` has the same seed.
const SEED: u64 = 1;

/// Where the browser tests keep what a failed page looked like.
const PAGES: &str = "target/browser-failures";

/// What may be asked of the tests.
#[derive(Debug)]
pub(crate) struct Settings {
    deep: bool,
    seed: u64,
    fonts: Vec<PathBuf>,
}

impl Settings {
    /// Long runs take a fresh seed where none is given.
    pub(crate) fn new(deep: bool, seed: Option<u64>, fonts: &[PathBuf]) -> anyhow::Result<Self> {
        let fresh = || RandomState::new().build_hasher().finish();
        let whole = |folder: &PathBuf| {
            let whole = folder.canonicalize();
            whole.with_context(|| format!("--fonts {}", folder.display()))
        };
        Ok(Self {
            deep,
            seed: seed.unwrap_or_else(|| if deep { fresh() } else { SEED }),
            fonts: fonts.iter().map(whole).collect::<anyhow::Result<_>>()?,
        })
    }

    /// The environment of the tests.
    fn variables(&self) -> anyhow::Result<BTreeMap<&'static str, String>> {
        let mut variables = BTreeMap::from([("PROPTEST_RNG_SEED", self.seed.to_string())]);
        if self.deep {
            variables.insert("CONVOY_DEEP", "1".to_owned());
            variables.insert("PROPTEST_CASES", "20000".to_owned());
        }
        if !self.fonts.is_empty() {
            let fonts = std::env::join_paths(&self.fonts)?;
            variables.insert("CONVOY_FONTS", fonts.to_string_lossy().into_owned());
        }
        Ok(variables)
    }

    /// What stands before a command that shall run under the same conditions.
    fn prefix(&self) -> anyhow::Result<String> {
        let mut variables = self.variables()?;
        if self.seed == SEED {
            variables.remove("PROPTEST_RNG_SEED");
        }
        let words = variables
            .iter()
            .map(|(name, value)| format!("{name}={value} "));
        Ok(words.collect())
    }
}

/// The options that bring these settings about.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.deep {
            f.write_str(" --deep")?;
        }
        if self.seed != SEED {
            write!(f, " --seed {}", self.seed)?;
        }
        for folder in &self.fonts {
            write!(f, " --fonts {}", folder.display())?;
        }
        Ok(())
    }
}

/// A program of tests, or the examples in the docs of all packages.
#[derive(Debug)]
struct Program {
    package: String,
    /// Which of the package's programs it is, as `cargo test` is told.
    target: String,
    executable: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// How `cargo test` is told to run it.
    fn choice(&self) -> String {
        format!("--package {} {}", self.package, self.target)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder);
        command
    }
}

/// A line of `cargo test --message-format json` that tells of a program.
#[derive(Deserialize)]
struct Artifact {
    package_id: String,
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

impl Artifact {
    fn program(self) -> Option<Program> {
        let executable = self.executable.filter(|_| self.profile.test)?;
        let package = package_name(&self.package_id)?;
        let name = &self.target.name;
        let target = match self.target.kind.first()?.as_str() {
            "test" => format!("--test {name}"),
            "bin" => format!("--bin {name}"),
            "example" => format!("--example {name}"),
            _ => "--lib".to_owned(),
        };
        Some(Program {
            package: package.to_owned(),
            target,
            executable,
            folder: self.manifest_path.parent()?.to_path_buf(),
        })
    }
}

/// The package of an id such as `path+file:///src/crates/stack#convoy-stack@0.1.0`, whose name is
/// left out where it is that of the folder.
fn package_name(id: &str) -> Option<&str> {
    let (place, version) = id.rsplit_once('#')?;
    match version.split_once('@') {
        Some((name, _)) => Some(name),
        None => place.rsplit('/').next(),
    }
}

/// A test that failed, and the command that runs just that one.
#[derive(Debug, PartialEq, Eq)]
struct Failure {
    test: String,
    again: String,
}

/// Runs all tests. The seed is told first, the failures last.
pub(crate) fn run(settings: &Settings) -> anyhow::Result<()> {
    println!("seed of the property tests: {}", settings.seed);
    // What earlier runs kept would mislead.
    let _ = std::fs::remove_dir_all(root().join(PAGES));
    let mut programs = build(&["--workspace"])?;
    // The longest goes first, so that nothing waits for it in the end.
    programs.sort_by_key(|program| program.target != "--test browser");
    let (variables, prefix) = (settings.variables()?, settings.prefix()?);
    run_programs(&programs, true, &variables, &prefix)
}

/// The variable that names the database of the server's tests.
const DATABASE: &str = "CONVOY_TEST_DATABASE";

/// Runs the tests of the server again over PostgreSQL, all but those of the browser.
pub(crate) fn run_over_postgres(settings: &Settings) -> anyhow::Result<()> {
    // The whole workspace is named, although one crate of it is run: with fewer crates, features would differ and all be built anew.
    let mut programs = build(&["--workspace", "--tests"])?;
    programs.retain(|program| {
        program.package == "convoy-server"
            && program.target.starts_with("--test ")
            && program.target != "--test browser"
    });
    let server = convoy_test_postgres::Server::start()?;
    let mut variables = settings.variables()?;
    variables.insert(DATABASE, server.url());
    let prefix = format!("cargo xtask with-postgres env {}", settings.prefix()?);
    run_programs(&programs, false, &variables, &prefix)
}

/// Runs a command beside a PostgreSQL of its own.
pub(crate) fn with_postgres(command: &[OsString]) -> anyhow::Result<()> {
    let server = convoy_test_postgres::Server::start()?;
    let (program, args) = command.split_first().context("a command is needed")?;
    let mut command = Command::new(program);
    steps::run(command.args(args).env(DATABASE, server.url()))
}

/// Runs programs side by side, the examples in the docs too where they are asked for.
fn run_programs(
    programs: &[Program],
    with_docs: bool,
    variables: &BTreeMap<&'static str, String>,
    prefix: &str,
) -> anyhow::Result<()> {
    let sum = Mutex::new((0, Vec::new()));
    let docs = with_docs.then_some(None);
    let queue = Mutex::new(programs.iter().map(Some).chain(docs));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                // The lock is held no longer than it takes to fetch the next.
                while let Some(job) = { queue.lock().expect("no worker panics").next() } {
                    let (passed, failed) = work(job, variables, prefix, programs);
                    let mut sum = sum.lock().expect("no worker panics");
                    sum.0 += passed;
                    sum.1.extend(failed);
                }
            });
        }
    });
    let (passed, failures) = sum.into_inner().expect("no worker panics");
    println!("{passed} passed, {} failed", failures.len());
    tell(&failures)
}

/// Builds the programs of the chosen tests.
fn build(choice: &[&str]) -> anyhow::Result<Vec<Program>> {
    let mut command = cargo(["test", "--no-run"]);
    command.args(choice);
    command.arg("--message-format=json-render-diagnostics");
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().context("cargo has an output")?;
    let mut programs = Vec::new();
    for line in BufReader::new(stdout).lines() {
        // Other lines tell of other things.
        let artifact = serde_json::from_str::<Artifact>(&line?);
        programs.extend(artifact.ok().and_then(Artifact::program));
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("the tests do not build ({status})");
    }
    Ok(programs)
}

/// Runs one program, or the examples in the docs where there is none, and answers how many tests
/// passed and what failed.
fn work(
    program: Option<&Program>,
    variables: &BTreeMap<&'static str, String>,
    prefix: &str,
    programs: &[Program],
) -> (usize, Vec<Failure>) {
    let name = program.map_or("--workspace --doc".to_owned(), Program::choice);
    let mut command = program.map_or_else(
        || cargo(["test", "--workspace", "--doc", "--no-fail-fast"]),
        Program::command,
    );
    let begun = Instant::now();
    let output = command.envs(variables).output();
    let seconds = begun.elapsed().as_secs_f64();
    let (fine, text) = match output {
        Ok(output) => (output.status.success(), both(&output)),
        Err(error) => (false, error.to_string()),
    };
    let passed = text
        .lines()
        .filter(|line| line.ends_with(" ... ok"))
        .count();
    println!(
        "{seconds:8.1} s  {name}: {passed} passed{}",
        if fine { "" } else { ", FAILED" }
    );
    if fine {
        return (passed, Vec::new());
    }
    println!("{text}");
    let mut failed = failures(&text, prefix, |test| match program {
        Some(program) => format!("{} -- --exact {test}", program.choice()),
        None => doc_choice(test, programs),
    });
    if failed.is_empty() {
        // It did not come as far as its list of failures.
        let again = format!("{prefix}cargo test {name}");
        failed.push(Failure { test: name, again });
    }
    (passed, failed)
}

fn both(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// What the output of a program says has failed.
fn failures(text: &str, prefix: &str, choice: impl Fn(&str) -> String) -> Vec<Failure> {
    let failed = text.lines().filter_map(|line| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
        Some(name.strip_suffix(" - should panic").unwrap_or(name))
    });
    let failure = |name: &str| Failure {
        test: name.to_owned(),
        again: format!("{prefix}cargo test {}", choice(name)),
    };
    failed.map(failure).collect()
}

/// How to run one example of the docs, named `crates/stack/src/lib.rs - Stack (line 7)`.
fn doc_choice(test: &str, programs: &[Program]) -> String {
    let (file, item) = test.split_once(" - ").unwrap_or((test, ""));
    let file = root().join(file);
    let owner = programs
        .iter()
        .find(|program| file.starts_with(&program.folder));
    let package = owner.map_or("--workspace".to_owned(), |owner| {
        format!("--package {}", owner.package)
    });
    format!("{package} --doc -- '{item}'")
}

/// Names what failed, in the last lines that are printed.
fn tell(failures: &[Failure]) -> anyhow::Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    let lines = failures.iter().map(|Failure { test, again }| {
        let kept = Path::new(PAGES).join(test.replace("::", "."));
        let page = if root().join(&kept).exists() {
            format!("\n    the page: {}", kept.display())
        } else {
            String::new()
        };
        format!("\n  {test}\n    again: {again}{page}")
    });
    let text = lines.collect::<String>();
    bail!("{} failed{text}", failures.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "running 3 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\
        test d - should panic ... FAILED\n\ntest result: FAILED. 1 passed; 2 failed\n";

    #[test]
    fn what_failed_is_named_with_its_command() {
        let found = failures(OUTPUT, "CONVOY_DEEP=1 ", |test| {
            format!("--lib -- --exact {test}")
        });
        let of = |test: &str| Failure {
            test: test.to_owned(),
            again: format!("CONVOY_DEEP=1 cargo test --lib -- --exact {test}"),
        };
        assert_eq!(found, [of("a::c"), of("d")]);
        let told = tell(&found).expect_err("something failed").to_string();
        assert!(told.starts_with("2 failed\n  a::c\n    again: CONVOY_DEEP=1 cargo"));
        assert!(tell(&[]).is_ok());
    }

    #[test]
    fn an_example_of_the_docs_is_run_by_its_item() {
        let program = Program {
            package: "convoy-stack".to_owned(),
            target: "--lib".to_owned(),
            executable: PathBuf::new(),
            folder: root().join("crates/stack"),
        };
        let test = "crates/stack/src/lib.rs - Stacker::combine (line 7)";
        assert_eq!(
            doc_choice(test, &[program]),
            "--package convoy-stack --doc -- 'Stacker::combine (line 7)'"
        );
    }

    #[test]
    fn a_line_of_cargo_tells_of_a_program() {
        let line = r#"{"reason":"compiler-artifact","package_id":"path+file:///x/crates/stack#convoy-stack@0.1.0","manifest_path":"/x/crates/stack/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"laws"},"profile":{"test":true},"executable":"/x/laws"}"#;
        let read = |line: &str| serde_json::from_str::<Artifact>(line).ok()?.program();
        let program = read(line).expect("a program");
        assert_eq!(program.choice(), "--package convoy-stack --test laws");
        assert_eq!(program.folder, Path::new("/x/crates/stack"));
        assert!(read(&line.replace("true", "false")).is_none());
        assert!(read(r#"{"reason":"build-finished","success":true}"#).is_none());
        assert_eq!(package_name("path+file:///x/xtask#0.1.0"), Some("xtask"));
    }

    #[test]
    fn the_same_seed_stands_in_the_configuration() {
        let path = root().join(".cargo/config.toml");
        let text = std::fs::read_to_string(path).expect("it is there");
        assert!(text.contains(&format!("PROPTEST_RNG_SEED = \"{SEED}\"")));
    }

    #[test]
    fn long_runs_take_fresh_seeds_unless_told() {
        let of = |deep, seed| Settings::new(deep, seed, &[]).expect("no fonts");
        assert_ne!(of(true, None).seed, of(true, None).seed);
        assert_eq!(of(true, Some(7)).to_string(), " --deep --seed 7");
        assert_eq!(of(false, None).to_string(), "");
        assert_eq!(
            of(false, Some(7)).prefix().expect("no fonts"),
            "PROPTEST_RNG_SEED=7 "
        );
        assert!(Settings::new(false, None, &["/no/such/folder".into()]).is_err());
    }
}
