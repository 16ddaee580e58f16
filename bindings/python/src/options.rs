//! The options of rounds of Tractor in the words of Python.

use convoy_encode::tractor::{Form, Options, Reward, Start};
use pyo3::prelude::*;

use crate::errors::invalid_text;

const FORMS: [(&str, Form); 2] = [
    ("candidates", Form::Candidates),
    ("cards", Form::CardByCard),
];
const STARTS: [(&str, Start); 2] = [("first", Start::First), ("random", Start::Random)];
const REWARDS: [(&str, Reward); 2] = [("win", Reward::Win), ("points", Reward::Points)];

/// Makes options out of words.
pub(crate) fn options(rules: &str, form: &str, start: &str, reward: &str) -> PyResult<Options> {
    Ok(Options {
        rules: crate::tractor::rules(rules)?,
        form: read("form", &FORMS, form)?,
        start: read("start", &STARTS, start)?,
        reward: read("reward", &REWARDS, reward)?,
    })
}

/// The words for form, start and reward.
pub(crate) fn words(options: &Options) -> [&'static str; 3] {
    [
        word(&FORMS, options.form),
        word(&STARTS, options.start),
        word(&REWARDS, options.reward),
    ]
}

fn read<T: Copy>(name: &str, known: &[(&str, T); 2], word: &str) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == word);
    let [(first, _), (second, _)] = known;
    let unknown = || invalid_text(format!("{name} {word:?}: it is '{first}' or '{second}'"));
    found.map(|(_, value)| *value).ok_or_else(unknown)
}

fn word<T: Copy + PartialEq>(known: &[(&'static str, T); 2], value: T) -> &'static str {
    let [first, second] = known;
    if first.1 == value { first.0 } else { second.0 }
}
