//! House rules in one line: the nearest preset, then each switch that differs from it.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use super::{Rules, Switch, SwitchValues};

impl Rules {
    /// A switch by its name.
    pub fn switch(name: &str) -> Option<&'static Switch> {
        Self::SWITCHES.iter().find(|switch| switch.name == name)
    }

    /// Sets one switch from its name and value, as texts.
    pub fn set(&mut self, switch: &str, value: &str) -> Result<(), RulesError> {
        match Self::switch(switch) {
            Some(switch) => switch.set(self, value),
            None => Err(RulesError::Switch(switch.to_string())),
        }
    }

    /// The value of one switch as text, as [`Rules::set`] reads it.
    pub fn value(&self, switch: &str) -> Option<String> {
        Self::switch(switch).map(|switch| switch.get(self))
    }

    /// The switches that differ from a preset.
    fn differences(&self, preset: &str) -> Vec<&'static Switch> {
        let base = Self::preset(preset).unwrap_or_default();
        let switches = Self::SWITCHES.iter();
        switches
            .filter(|switch| switch.get(self) != switch.get(&base))
            .collect()
    }
}

/// The nearest preset, then each switch that differs from it; a space inside a value is written as a comma.
///
/// ```
/// # use tractor::Rules;
/// let rules = Rules { throw_penalty: 10, ..Rules::SHENGJI };
/// assert_eq!(rules.to_string(), "shengji throw_penalty=10");
/// assert_eq!("shengji throw_penalty=10".parse(), Ok(rules));
/// ```
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preset = Self::PRESETS
            .into_iter()
            .min_by_key(|preset| self.differences(preset).len())
            .unwrap_or_default();
        f.write_str(preset)?;
        for switch in self.differences(preset) {
            write!(f, " {}={}", switch.name, switch.get(self).replace(' ', ","))?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let mut words = text.split(' ');
        let preset = words.next().unwrap_or_default();
        let mut rules =
            Self::preset(preset).ok_or_else(|| RulesError::Preset(preset.to_string()))?;
        for word in words {
            let (switch, value) = word
                .split_once('=')
                .ok_or_else(|| RulesError::Word(word.to_string()))?;
            rules.set(switch, &value.replace(',', " "))?;
        }
        Ok(rules)
    }
}

/// Why house rules were not read.
///
/// ```
/// # use tractor::{Rules, RulesError};
/// let refused = Rules::DEFAULT.clone().set("folow_policy", "strict").unwrap_err();
/// assert_eq!(refused, RulesError::Switch("folow_policy".into()));
/// assert_eq!(refused.to_string(), "there is no switch folow_policy among the house rules; follow_policy is the nearest");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RulesError {
    /// There is no such preset.
    Preset(String),
    /// There is no such switch.
    Switch(String),
    /// A word is not `switch=value`.
    Word(String),
    /// The switch takes no such value.
    Value {
        /// Which switch.
        switch: &'static str,
        /// What it was given.
        value: String,
        /// What it takes.
        values: SwitchValues,
    },
}

impl RulesError {
    /// The known switch whose name is nearest to the unknown one.
    pub fn nearest(&self) -> Option<&'static Switch> {
        let Self::Switch(name) = self else {
            return None;
        };
        Rules::SWITCHES
            .iter()
            .map(|switch| (distance(name, switch.name), switch))
            .filter(|&(distance, switch)| distance <= switch.name.len() / 3)
            .min_by_key(|&(distance, _)| distance)
            .map(|(_, switch)| switch)
    }
}

/// The Levenshtein distance of two names: letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset(name) => write!(
                f,
                "there is no preset {name}: it is {}",
                Rules::PRESETS.join(", ")
            ),
            Self::Switch(name) => {
                write!(f, "there is no switch {name} among the house rules")?;
                match self.nearest() {
                    Some(switch) => write!(f, "; {} is the nearest", switch.name),
                    None => Ok(()),
                }
            }
            Self::Word(word) => write!(f, "{word} is not switch=value"),
            Self::Value { switch, values, .. } => match values {
                SwitchValues::OneOf(_) => write!(f, "{switch} is one of: {values}"),
                SwitchValues::Text { .. } => write!(f, "{switch} is {values}"),
            },
        }
    }
}

impl Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_reads_back_as_written() {
        for preset in Rules::PRESETS {
            let rules = Rules::preset(preset).unwrap();
            let mut copy = Rules::DEFAULT;
            for switch in Rules::SWITCHES {
                switch.set(&mut copy, &switch.get(&rules)).unwrap();
                assert!(switch.set(&mut copy, "odd").is_err());
            }
            assert_eq!(copy, rules);
            assert_eq!(rules.to_string(), preset);
            assert_eq!(preset.parse(), Ok(rules));
        }
    }

    #[test]
    fn every_value_of_the_table_is_read_and_no_other_name() {
        for switch in Rules::SWITCHES {
            assert!(
                !switch.doc().is_empty()
                    && switch.doc().ends_with(')') | switch.doc().ends_with('.')
            );
            assert!(switch.values.samples().len() > 1, "{}", switch.name);
            for value in switch.values.samples() {
                let mut rules = Rules::DEFAULT;
                switch.set(&mut rules, value).unwrap();
                assert_eq!(switch.get(&rules), *value, "{}", switch.name);
                assert_eq!(rules.to_string().parse(), Ok(rules));
                let other = Rules::SWITCHES.iter().filter(|other| *other != switch);
                for other in other {
                    assert_eq!(other.get(&rules), other.default(), "{}", other.name);
                }
            }
        }
    }

    #[test]
    fn bad_rules_are_refused_with_what_was_wrong() {
        for (text, words) in [
            (
                "odd",
                "there is no preset odd: it is default, ejfn, shengji",
            ),
            ("default odd", "odd is not switch=value"),
            ("default throw_mod=certain", "throw_mode is the nearest"),
            (
                "default zzz=1",
                "there is no switch zzz among the house rules",
            ),
            (
                "default throw_penalty=x",
                "throw_penalty is a number of points",
            ),
            ("default max_rank=K", "max_rank is one of: A, NT"),
        ] {
            let refused = text.parse::<Rules>().unwrap_err().to_string();
            assert!(refused.ends_with(words), "{text}: {refused}");
        }
    }
}
