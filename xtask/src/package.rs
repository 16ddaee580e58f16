//! The Debian packages that the checks need: one table, read by the gate and told in CONTRIBUTING.md.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::bail;

use crate::steps::Step;

/// A package, and how to see that what it brings is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package {
    name: &'static str,
    why: &'static str,
    /// The steps that need it.
    steps: &'static [Step],
    brings: Brings,
    /// A variable of the environment that names something else in its place.
    instead: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brings {
    Path(&'static str),
    Program(&'static str),
    /// A module of `python3`.
    Module(&'static str),
}

/// Every package of the gate.
const PACKAGES: [Package; 10] = [
    Package {
        name: "chromium-headless-shell",
        why: "the browser that the tests of the pages drive: Chromium without windows of its own, which saves a third of the time",
        steps: &[Step::Tests],
        brings: Brings::Path("/usr/bin/chromium-headless-shell"),
        instead: Some("CONVOY_CHROMIUM"),
    },
    Package {
        name: "fonts-dejavu-core",
        why: "the fonts of that browser, and no others: a wide family",
        steps: &[Step::Tests],
        brings: Brings::Path("/usr/share/fonts/truetype/dejavu"),
        instead: Some("CONVOY_FONTS"),
    },
    Package {
        name: "fonts-roboto-unhinted",
        why: "the second family of the layout tests: Roboto Condensed, a narrow one",
        steps: &[Step::Tests],
        brings: Brings::Path("/usr/share/fonts/truetype/roboto/unhinted"),
        instead: Some("CONVOY_FONTS"),
    },
    Package {
        name: "nats-server",
        why: "carries messages between nodes and workers; each test starts one of its own",
        steps: &[Step::Tests, Step::Postgres],
        brings: Brings::Path("/usr/sbin/nats-server"),
        instead: None,
    },
    Package {
        name: "nodejs",
        why: "runs the TypeScript compiler over the modules of the pages, and the tests of the npm package",
        steps: &[Step::Types, Step::Javascript],
        brings: Brings::Program("node"),
        instead: None,
    },
    Package {
        name: "npm",
        why: "fetches that compiler, and what the npm package is tried with",
        steps: &[Step::Types, Step::Javascript],
        brings: Brings::Program("npm"),
        instead: None,
    },
    Package {
        name: "postgresql",
        why: "the second database that the server is tested over; each run starts one of its own",
        steps: &[Step::Tests, Step::Postgres],
        brings: Brings::Path("/usr/lib/postgresql"),
        instead: None,
    },
    Package {
        name: "python3",
        why: "runs the example bots that matches and arenas are tested with, and the Python package",
        steps: &[Step::Tests, Step::Python],
        brings: Brings::Program("python3"),
        instead: None,
    },
    Package {
        name: "python3-venv",
        why: "the virtual environment in which the Python package is tested",
        steps: &[Step::Python],
        brings: Brings::Module("ensurepip"),
        instead: Some("CONVOY_PYTHON"),
    },
    Package {
        name: "valgrind",
        why: "counts the instructions of the hot paths",
        steps: &[Step::Bench],
        brings: Brings::Program("valgrind"),
        instead: None,
    },
];

impl Package {
    fn is_there(&self) -> bool {
        if self.instead.is_some_and(|name| env::var_os(name).is_some()) {
            return true;
        }
        match self.brings {
            Brings::Path(path) => Path::new(path).exists(),
            Brings::Program(program) => answers(program, &["--version"]),
            Brings::Module(module) => answers("python3", &["-c", &format!("import {module}")]),
        }
    }
}

/// Makes sure that everything these steps need is there: installs what is missing, or names all of
/// it at once.
pub(crate) fn provide(steps: &[Step]) -> anyhow::Result<()> {
    let missing = || -> Vec<Package> {
        let needed = |package: &Package| package.steps.iter().any(|step| steps.contains(step));
        let packages = PACKAGES.into_iter().filter(needed);
        packages.filter(|package| !package.is_there()).collect()
    };
    let before = missing();
    if before.is_empty() {
        return Ok(());
    }
    println!("installing {}", names(&before));
    install(&before);
    let after = missing();
    if !after.is_empty() {
        bail!("{}", complaint(&after));
    }
    Ok(())
}

fn names(packages: &[Package]) -> String {
    let names: Vec<&str> = packages.iter().map(|package| package.name).collect();
    names.join(" ")
}

fn complaint(missing: &[Package]) -> String {
    let line = |package: &Package| format!("  {}: {}\n", package.name, package.why);
    let lines: String = missing.iter().map(line).collect();
    format!(
        "these packages are missing and could not be installed:\n{lines}\
         install them as root: apt-get install --no-install-recommends {}",
        names(missing)
    )
}

fn answers(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    let quiet = command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Tries to install packages; whether it worked is seen by what they bring.
fn install(packages: &[Package]) {
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        let quiet = command
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    };
    if apt(&["update"]) {
        let mut args = vec!["install", "--yes", "--no-install-recommends"];
        args.extend(packages.iter().map(|package| package.name));
        apt(&args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::root;

    #[test]
    fn contributing_tells_every_package() {
        let path = root().join("CONTRIBUTING.md");
        let text = std::fs::read_to_string(path).expect("it lies in the root");
        let told: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let rows = PACKAGES.map(|package| format!("| `{}` | {} |", package.name, package.why));
        for row in &rows {
            assert!(told.contains(&row.as_str()), "CONTRIBUTING.md lacks {row}");
        }
        let count = told
            .iter()
            .filter(|line| rows.iter().any(|row| row == *line));
        assert_eq!(count.count(), rows.len());
    }

    #[test]
    fn all_that_is_missing_is_named_at_once() {
        let text = complaint(&PACKAGES);
        for package in PACKAGES {
            assert!(text.contains(package.name) && text.contains(package.why));
        }
        assert!(text.ends_with(
            "fonts-roboto-unhinted nats-server nodejs npm postgresql python3 python3-venv valgrind"
        ));
    }

    #[test]
    fn what_is_not_there_is_seen() {
        let of = |brings| Package {
            brings,
            instead: None,
            ..PACKAGES[0]
        };
        assert!(!of(Brings::Path("/no/such/file")).is_there());
        assert!(!of(Brings::Program("no-such-program")).is_there());
        assert!(!of(Brings::Module("no_such_module")).is_there());
        assert!(of(Brings::Path("/")).is_there());
    }
}
