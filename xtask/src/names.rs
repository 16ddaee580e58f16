//! Names that were given up do not come back: `xtask/renamed.txt` against the definitions.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::steps::root;

/// The committed list, relative to the root of the workspace.
const LIST: &str = "xtask/renamed.txt";

/// A name that was given up.
#[derive(Debug, PartialEq, Eq)]
struct Renamed<'a> {
    package: &'a str,
    keyword: &'a str,
    old: &'a str,
    new: &'a str,
}

/// Fails with the definitions that have a name of the list.
pub(crate) fn check() -> anyhow::Result<()> {
    let text = fs::read_to_string(root().join(LIST)).with_context(|| format!("reading {LIST}"))?;
    let list = read(&text)?;
    let mut faults = Vec::new();
    let mut packages: Vec<&str> = list.iter().map(|renamed| renamed.package).collect();
    packages.dedup();
    for package in packages {
        let folder = folder_of(package)?;
        let names: Vec<_> = list.iter().filter(|name| name.package == package).collect();
        search(&root().join(folder), &names, &mut faults)?;
    }
    println!("{} names given up, {} in use", list.len(), faults.len());
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The lines `PACKAGE: KEYWORD NAME -> NEW`.
fn read(text: &str) -> anyhow::Result<Vec<Renamed<'_>>> {
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| {
            let fields = || {
                let (package, rest) = line.split_once(": ")?;
                let (definition, new) = rest.split_once(" -> ")?;
                let (keyword, old) = definition.split_once(' ')?;
                KEYWORDS.contains(&keyword).then_some(Renamed {
                    package,
                    keyword,
                    old,
                    new,
                })
            };
            fields().with_context(|| {
                format!("{LIST}, line {number}: not `PACKAGE: KEYWORD NAME -> NEW`: {line}")
            })
        })
        .collect()
}

/// What a definition may be of.
const KEYWORDS: [&str; 8] = [
    "struct", "enum", "trait", "type", "fn", "mod", "field", "file",
];

/// Where a package of the list lies.
fn folder_of(package: &str) -> anyhow::Result<&'static str> {
    Ok(match package {
        "convoy-protocol" => "crates/protocol",
        "convoy-server" => "crates/server",
        "convoy-stack" => "crates/stack",
        "convoy" => "crates/cli",
        "cotulenh" => "crates/cotulenh",
        "cotulenh-engine" => "crates/cotulenh-engine",
        "tractor" => "crates/tractor",
        "tractor-engine" => "crates/tractor-engine",
        "web" => "web",
        "xtask" => "xtask",
        _ => bail!("{LIST}: there is no package {package}"),
    })
}

fn search(folder: &Path, names: &[&Renamed<'_>], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            search(&path, names, faults)?;
            continue;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let place = path.strip_prefix(root()).unwrap_or(&path).display();
        let mut complain = |renamed: &Renamed<'_>, line: usize| {
            let Renamed {
                keyword, old, new, ..
            } = renamed;
            faults.push(format!("{place}:{line}: {keyword} {old} is {new} now"));
        };
        for renamed in names {
            if renamed.keyword == "file" && renamed.old == file {
                complain(renamed, 1);
            }
        }
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        for (line, number) in fs::read_to_string(&path)?.lines().zip(1..) {
            for renamed in names.iter().filter(|renamed| renamed.is_defined_in(line)) {
                complain(renamed, number);
            }
        }
    }
    Ok(())
}

impl Renamed<'_> {
    /// Whether a line of code defines the name.
    fn is_defined_in(&self, line: &str) -> bool {
        let line = without_visibility(line.trim_start());
        let words = line.strip_prefix("const ").unwrap_or(line);
        let words = words.strip_prefix("async ").unwrap_or(words);
        let defined = match self.keyword {
            "field" => return line.strip_prefix(self.old).is_some_and(is_colon),
            keyword => words.strip_prefix(keyword),
        };
        let name = defined.and_then(|rest| rest.strip_prefix(' '));
        name.and_then(|name| name.strip_prefix(self.old))
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    }
}

/// A field's colon, and not the two of a path.
fn is_colon(rest: &str) -> bool {
    rest.starts_with(':') && !rest.starts_with("::")
}

fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else {
        return line;
    };
    let rest = match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    };
    rest.strip_prefix(' ').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given_up(keyword: &'static str, old: &'static str) -> Renamed<'static> {
        Renamed {
            package: "xtask",
            keyword,
            old,
            new: "Other",
        }
    }

    #[test]
    fn lines_are_read_or_named() {
        let list = read("# names\n\ntractor: struct Hand -> RankedCards\n").expect("one name");
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].old, list[0].new), ("Hand", "RankedCards"));
        for bad in [
            "tractor: Hand -> Cards",
            "tractor: struct Hand",
            "a: let b -> c",
        ] {
            let error = read(bad).expect_err(bad).to_string();
            assert!(error.contains("line 1") && error.contains(bad), "{error}");
        }
        assert!(folder_of("nothing").is_err());
    }

    #[test]
    fn definitions_are_found_and_uses_are_not() {
        let hand = given_up("struct", "Hand");
        for line in [
            "struct Hand;",
            "pub struct Hand {",
            "    pub(crate) struct Hand<T>(T);",
        ] {
            assert!(hand.is_defined_in(line), "{line}");
        }
        for line in [
            "struct Handful;",
            "enum Hand {",
            "// struct Hand",
            "use a::Hand;",
        ] {
            assert!(!hand.is_defined_in(line), "{line}");
        }
        let pay = given_up("fn", "pay");
        assert!(pay.is_defined_in("    pub const fn pay(&self) {"));
        assert!(pay.is_defined_in("async fn pay() {") && !pay.is_defined_in("fn payer() {"));
        let wild = given_up("field", "wild");
        assert!(wild.is_defined_in("    pub wild: f32,"));
        assert!(!wild.is_defined_in("wild::call();") && !wild.is_defined_in("wilder: u8,"));
    }

    #[test]
    fn faults_have_a_place() {
        let mut faults = Vec::new();
        let here = given_up("fn", "definitions_are_found_and_uses_are_not");
        search(&root().join("xtask/src"), &[&here], &mut faults).expect("readable");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("xtask/src/names.rs:"), "{faults:?}");
    }
}
