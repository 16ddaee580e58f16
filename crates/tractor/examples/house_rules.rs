//! Prints every house rule, its values and what it decides; with arguments, the rules that they name:
//! `cargo run -p tractor --example house_rules -- shengji throw_penalty=10`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use tractor::{Rules, RulesError, Switch};

fn main() -> Result<(), RulesError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = if words.is_empty() {
        Rules::DEFAULT
    } else {
        words.join(" ").parse()?
    };
    for line in lines(&rules) {
        println!("{line}");
    }
    Ok(())
}

/// A line a switch; what differs from the default has a star.
fn lines(rules: &Rules) -> Vec<String> {
    let line = |switch: &Switch| {
        let value = switch.get(rules);
        let changed = if value == switch.default() { " " } else { "*" };
        let (name, values, doc) = (switch.name, &switch.values, switch.doc());
        format!("{changed} {name} = {value} ({values})\n    {doc}")
    };
    Rules::SWITCHES.iter().map(line).collect()
}

#[test]
fn what_differs_has_a_star() -> Result<(), RulesError> {
    let changed = |rules: &Rules| {
        lines(rules)
            .iter()
            .filter(|line| line.starts_with('*'))
            .count()
    };
    assert_eq!(changed(&Rules::DEFAULT), 0);
    assert_eq!(changed(&"default throw_penalty=10".parse()?), 1);
    Ok(())
}
