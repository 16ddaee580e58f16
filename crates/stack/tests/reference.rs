//! The built-in table against the answers of the reference (`tests/data/README.md`).
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::HashMap;

use convoy_stack::{COTULENH, Role, RoleSet, Stack, Stacker, State};

const ANSWERS: &str = include_str!("data/cotulenh.txt");

/// The answers of one kind, word by word.
fn answers(kind: &str) -> Vec<Vec<&'static str>> {
    let lines = ANSWERS.lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split(' ').collect::<Vec<_>>());
    let found: Vec<_> = words.filter(|words| words[0] == kind).collect();
    assert!(!found.is_empty());
    found
}

/// A stack in the spelling of the data.
fn show(state: State) -> String {
    let shown = COTULENH.blueprint().show(state);
    shown.replace('|', "").to_lowercase()
}

fn set(letters: &str) -> RoleSet {
    COTULENH.blueprint().read_set(letters).unwrap()
}

fn stacker() -> Stacker<'static, char, fn(&char) -> Option<Role>> {
    Stacker::new(&COTULENH, |letter| {
        COTULENH.blueprint().role(letter.encode_utf8(&mut [0; 4]))
    })
}

fn stack(letters: &str) -> Stack<char> {
    let pieces: Vec<char> = letters.chars().collect();
    stacker().combine(&pieces).unwrap()
}

#[test]
fn all_2048_sets_agree() {
    let expected: HashMap<u16, &str> = answers("stack")
        .into_iter()
        .map(|words| (words[1].parse().unwrap(), words[2]))
        .collect();
    assert_eq!(expected.len(), 34);
    for mask in 0..2048 {
        let found = COTULENH.lookup(RoleSet::from_bits(mask)).map(show);
        assert_eq!(
            found.as_deref(),
            expected.get(&mask).copied(),
            "mask {mask}"
        );
    }
}

#[test]
fn all_removals_agree() {
    let removals = answers("remove");
    assert_eq!(removals.len(), 108);
    for words in removals {
        let [_, whole, removed, rest] = words[..] else {
            panic!("four words: {words:?}");
        };
        let rest = (rest != "-").then_some(rest);
        let state = COTULENH.lookup(set(whole)).unwrap();
        let left = COTULENH.remove(state, set(removed)).map(show);
        assert_eq!(left.as_deref(), rest, "{whole} without {removed}");

        let left = stacker().remove(&stack(whole), set(removed)).unwrap();
        let pieces = left.map(|left| left.into_iter().collect::<String>());
        assert_eq!(pieces.as_deref(), rest, "{whole} without {removed}");
    }
}

#[test]
fn all_pairs_agree() {
    let pairs: HashMap<(&str, &str), &str> = answers("pair")
        .into_iter()
        .map(|words| ((words[1], words[2]), words[3]))
        .collect();
    assert_eq!(pairs.len(), 74);
    for a in COTULENH.lawful() {
        for b in COTULENH.lawful() {
            let (left, right) = (show(a), show(b));
            let expected = pairs.get(&(left.as_str(), right.as_str())).copied();
            let found = COTULENH.combine(a, b).map(show);
            assert_eq!(found.as_deref(), expected, "{left} with {right}");

            let pieces: Vec<char> = (left + &right).chars().collect();
            let found = stacker().combine(&pieces).ok();
            let pieces = found.map(|stack| stack.into_iter().collect::<String>());
            assert_eq!(pieces.as_deref(), expected);
        }
    }
}

#[test]
fn packed_values_are_those_of_the_table() {
    let bits = |letters| COTULENH.lookup(set(letters)).unwrap().bits();
    assert_eq!(bits("NT"), 0x40_0200);
    assert_eq!(bits("NF"), 0x80_0200);
    assert_eq!(bits("NFT"), 0x40_0080_0200);
    assert_eq!(bits("C"), 0x1);
    for state in COTULENH.lawful() {
        assert_eq!(COTULENH.read_state(state.bits()), Some(state));
        assert_eq!(COTULENH.read_state(state.bits() | 1 << 63), None);
    }
    assert_eq!(
        COTULENH.read_state(0x200_0040),
        None,
        "a tank carries no navy"
    );
    assert_eq!(COTULENH.read_state(0x8000_0200), None, "no such role");
    assert_eq!(COTULENH.read_state(0), None);
}

#[test]
fn typical_refusals_are_refused() {
    for letters in [
        "NTI", "FIM", "FCI", "EAG", "TA", "NA", "NE", "NH", "HI", "NFTI", "CI",
    ] {
        assert!(!COTULENH.is_lawful(set(letters)), "{letters}");
        assert!(!COTULENH.conflicts(set(letters)).is_empty(), "{letters}");
        assert!(!COTULENH.errors(set(letters)).is_empty(), "{letters}");
    }
}
