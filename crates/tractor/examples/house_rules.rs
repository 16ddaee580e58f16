//! Prints every house rule, its values and what it decides; with arguments, the rules that they name:
//! `cargo run -p tractor --example house_rules -- shengji throw_penalty=10`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use tractor::{Rules, RulesError};

fn main() -> Result<(), RulesError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = if words.is_empty() {
        Rules::DEFAULT
    } else {
        words.join(" ").parse()?
    };
    for switch in Rules::SWITCHES {
        let value = switch.get(&rules);
        let changed = if value == switch.default() { " " } else { "*" };
        println!(
            "{changed} {} = {value} ({})\n    {}",
            switch.name,
            switch.values,
            switch.doc()
        );
    }
    Ok(())
}
