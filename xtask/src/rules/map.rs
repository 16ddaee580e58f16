//! The tables of ARCHITECTURE.md that say where a rule is written: every section of the rules has a
//! row, and what a row names is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::steps::root;

/// What is wrong with the rows of a game: `rules` are its numbers, `source` the folder that file
/// names are relative to.
pub(super) fn faults(text: &str, rules: &BTreeSet<String>, source: &str) -> Vec<String> {
    let sections: BTreeSet<&str> = rules.iter().map(|rule| section(rule)).collect();
    let mut faults = Vec::new();
    let mut listed = BTreeSet::new();
    for numbers in text.lines().filter_map(numbers) {
        for number in numbers.split(", ") {
            if !sections.contains(number) {
                faults.push(format!("ARCHITECTURE.md: there is no rule {number}"));
            } else if !listed.insert(number) {
                faults.push(format!("ARCHITECTURE.md: two rows for {number}"));
            }
        }
    }
    faults.extend(missing_places(text, source));
    let without = sections.difference(&listed);
    faults.extend(without.map(|section| format!("ARCHITECTURE.md: no row for rules {section}")));
    faults
}

/// The part of ARCHITECTURE.md below a heading.
pub(super) fn chapter<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("\n## {heading}\n"))?;
    Some(rest.split("\n## ").next().unwrap_or(rest))
}

/// `3.5` of `3.5.2`.
fn section(rule: &str) -> &str {
    let mut dots = rule.match_indices('.').map(|(at, _)| at);
    dots.nth(1).map_or(rule, |second| &rule[..second])
}

/// The first and the last cell of a row.
fn cells(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let (first, rest) = inner.split_once(" | ")?;
    Some((first, rest.rsplit(" | ").next().unwrap_or(rest)))
}

/// The numbers of rules in the first cell of a row, if it holds nothing else.
fn numbers(line: &str) -> Option<&str> {
    let (first, _) = cells(line)?;
    let number = |c: char| c.is_ascii_digit() || "., ".contains(c);
    first.chars().all(number).then_some(first)
}

/// What the last cells of all rows name that is not there.
pub(super) fn missing_places(text: &str, source: &str) -> Vec<String> {
    let rows = text.lines().filter_map(cells);
    rows.flat_map(|(_, places)| missing(places, source))
        .collect()
}

/// The files and items of a cell, `a.rs`: `f`, `T::g`; `b.rs`: `h`, that are not there.
fn missing(places: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut file, mut code) = (String::new(), None);
    for name in places.split('`').skip(1).step_by(2) {
        if Path::new(name).extension().is_some_and(|end| end == "rs") {
            file = match name.strip_prefix("crates/") {
                Some(_) => name.to_owned(),
                None => format!("{source}/{name}"),
            };
            code = fs::read_to_string(root().join(&file)).ok();
            if code.is_none() {
                faults.push(format!("ARCHITECTURE.md: there is no file {file}"));
            }
        } else if name.contains('/') {
            if !root().join(name).exists() {
                faults.push(format!("ARCHITECTURE.md: there is no file {name}"));
            }
        } else if let Some(code) = &code
            && !defines(code, name.rsplit("::").next().unwrap_or(name))
        {
            faults.push(format!("ARCHITECTURE.md: {file} has no {name}"));
        }
    }
    faults
}

/// Whether a source defines an item of that name.
fn defines(code: &str, name: &str) -> bool {
    let keywords = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    code.lines().any(|line| {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let mut pairs = words.windows(2);
        pairs.any(|pair| keywords.contains(&pair[0]) && pair[1] == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(numbers: &[&str]) -> BTreeSet<String> {
        numbers.iter().map(|number| (*number).to_owned()).collect()
    }

    #[test]
    fn rows_are_checked_against_rules_and_sources() {
        let known = rules(&["1.1.1", "1.1.2", "1.2.1", "2.1"]);
        let good = "| rules | what | where |\n|---|---|---|\n\
            | 1.1, 1.2 | rows | `map.rs`: `faults`, `Some::section` |\n\
            | 2.1 | other | `crates/stack/Cargo.toml`; `crates/stack/src/table.rs`: `StackTable` |\n";
        assert_eq!(faults(good, &known, "xtask/src/rules"), [""; 0]);
        let bad = "| 1.1 | rows | `map.rs`: `no_such_function` |\n| 1.1 | twice | `none.rs`, `crates/none.txt` |\n\
            | 7.1 | unknown | here |\n";
        let expected = [
            "ARCHITECTURE.md: two rows for 1.1",
            "ARCHITECTURE.md: there is no rule 7.1",
            "ARCHITECTURE.md: xtask/src/rules/map.rs has no no_such_function",
            "ARCHITECTURE.md: there is no file xtask/src/rules/none.rs",
            "ARCHITECTURE.md: there is no file crates/none.txt",
            "ARCHITECTURE.md: no row for rules 1.2",
            "ARCHITECTURE.md: no row for rules 2.1",
        ];
        assert_eq!(faults(bad, &known, "xtask/src/rules"), expected);
    }

    #[test]
    fn chapters_end_at_the_next_heading() {
        let text = "# A\n\n## One\nfirst\n## Two\nsecond\n";
        assert_eq!(chapter(text, "One"), Some("first"));
        assert_eq!(chapter(text, "Two"), Some("second\n"));
        assert_eq!(chapter(text, "Three"), None);
    }
}
