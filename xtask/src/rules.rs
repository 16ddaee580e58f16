//! Every numbered rule has a test that names it.
//!
//! A rule is a line of `docs/rules-*.md` that opens with its number in bold, `**3.5.2** …`; its
//! test is any function called `rule_3_5_2` or `rule_3_5_2_in_words`, in the crates of that game.
//! ARCHITECTURE.md says where each rule is written; that is checked too.

mod map;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::steps::root;

/// A game's rules, the crates whose tests answer for them, its heading in ARCHITECTURE.md, and the
/// folder that the file names there are relative to.
struct Game {
    doc: &'static str,
    crates: &'static [&'static str],
    heading: &'static str,
    source: &'static str,
}

const GAMES: [Game; 2] = [
    Game {
        doc: "docs/rules-cotulenh.md",
        crates: &["crates/stack", "crates/cotulenh"],
        heading: "Cờ Tư Lệnh",
        source: "crates/cotulenh/src",
    },
    Game {
        doc: "docs/rules-tractor.md",
        crates: &["crates/tractor"],
        heading: "Tractor",
        source: "crates/tractor/src",
    },
];

/// Fails with the list of rules that no test names, of tests that name no rule, and of rules whose
/// place ARCHITECTURE.md does not tell.
pub(crate) fn check() -> anyhow::Result<()> {
    let mut faults = Vec::new();
    let read =
        |doc: &str| fs::read_to_string(root().join(doc)).with_context(|| format!("reading {doc}"));
    let architecture = read("ARCHITECTURE.md")?;
    for game in GAMES {
        let Game { doc, crates, .. } = game;
        let text = read(doc)?;
        let rules: BTreeSet<String> = text.lines().filter_map(rule_number).collect();
        let mut tested = BTreeSet::new();
        for folder in crates {
            collect_tests(&root().join(folder), &rules, &mut tested, &mut faults)?;
        }
        faults.extend(
            rules
                .difference(&tested)
                .map(|rule| format!("{doc}: rule {rule} has no test")),
        );
        let chapter = map::chapter(&architecture, game.heading);
        let chapter = chapter.with_context(|| format!("no chapter {}", game.heading))?;
        faults.extend(map::faults(chapter, &rules, game.source));
        println!("{doc}: {} rules, {} tested", rules.len(), tested.len());
    }
    let server = map::chapter(&architecture, "The server").context("no chapter of the server")?;
    faults.extend(map::missing_places(server, "crates/server/src"));
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The number that opens a line such as `**3.5.2** A heavy piece …`.
fn rule_number(line: &str) -> Option<String> {
    let (number, _) = line.strip_prefix("**")?.split_once("**")?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (number.contains('.') && number.split('.').all(digits)).then(|| number.to_owned())
}

/// The rule that a line such as `fn rule_3_5_2_heavy_pieces() {` tests.
///
/// Words after the number may begin with a digit, so the longest number that is a rule counts.
fn tested_rule(line: &str, rules: &BTreeSet<String>) -> Option<Result<String, String>> {
    let name = line
        .trim_start()
        .strip_prefix("fn rule_")?
        .split('(')
        .next()?;
    let parts: Vec<&str> = name
        .split('_')
        .take_while(|part| part.bytes().all(|b| b.is_ascii_digit()))
        .collect();
    let known = (1..=parts.len())
        .rev()
        .map(|n| parts[..n].join("."))
        .find(|n| rules.contains(n));
    Some(known.ok_or_else(|| format!("test rule_{name} names no rule of the docs")))
}

fn collect_tests(
    folder: &Path,
    rules: &BTreeSet<String>,
    tested: &mut BTreeSet<String>,
    faults: &mut Vec<String>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect_tests(&path, rules, tested, faults)?;
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            for line in fs::read_to_string(&path)?.lines() {
                match tested_rule(line, rules) {
                    Some(Ok(rule)) => drop(tested.insert(rule)),
                    Some(Err(fault)) => faults.push(fault),
                    None => {}
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_opens_its_line_in_bold() {
        assert_eq!(
            rule_number("**3.5.2** A heavy piece").as_deref(),
            Some("3.5.2")
        );
        assert_eq!(rule_number("**Heavy** pieces"), None);
        assert_eq!(rule_number("As 3.5 says"), None);
    }

    #[test]
    fn a_test_names_the_longest_rule_it_can() {
        let rules = BTreeSet::from(["3.5".to_owned(), "3.5.2".to_owned()]);
        let of = |line| tested_rule(line, &rules);
        assert_eq!(of("    fn rule_3_5_2_heavy() {"), Some(Ok("3.5.2".into())));
        assert_eq!(of("    fn rule_3_5_12_squares() {"), Some(Ok("3.5".into())));
        assert!(of("    fn rule_9_9_unknown() {").is_some_and(|rule| rule.is_err()));
        assert_eq!(of("    fn rules() {"), None);
    }
}
