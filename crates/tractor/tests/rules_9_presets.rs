//! Rule 9.1: the presets and the switches of the house rules are those of the docs.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

use std::collections::BTreeSet;

use tractor::{Rules, SwitchValues};

#[test]
fn rule_9_1_the_presets_have_their_values() {
    let table = include_str!("../../../docs/rules-tractor.md");
    let (_, table) = table.split_once("**9.1**").unwrap();
    let mut checked = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names = cells[0].split(", ").map(|name| name.trim_matches('`'));
        for name in names {
            for (preset, want) in Rules::PRESETS.iter().zip(&cells[1..]) {
                let rules = Rules::preset(preset).unwrap();
                assert_eq!(rules.value(name).as_deref(), Some(*want), "{preset} {name}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, Rules::SWITCHES.len());
}

#[test]
fn the_switches_have_the_values_of_the_table() {
    let text = include_str!("../../../docs/rules-tractor.md");
    let mut named = 0;
    for line in text.lines().filter(|line| line.starts_with("**2.10.")) {
        let Some((name, values)) = line
            .split('`')
            .nth(1)
            .and_then(|code| code.split_once(" = "))
        else {
            continue;
        };
        let switch = Rules::switch(name).unwrap();
        if let SwitchValues::OneOf(names) = switch.values {
            let listed: Vec<&str> = values.split(" | ").collect();
            assert_eq!(
                listed[0],
                switch.default(),
                "{name}: the default is listed first"
            );
            let listed: BTreeSet<&str> = listed.into_iter().collect();
            assert_eq!(listed, names.iter().copied().collect(), "{name}");
            named += 1;
        }
    }
    assert_eq!(named, 15);
    for switch in Rules::SWITCHES {
        assert!(
            text.contains(&format!("`{}", switch.name)),
            "{}",
            switch.name
        );
    }
}
