//! The table of the house rules: one row a switch, from which rules are read, written, drawn at random, shown in
//! forms and checked against the documentation.

use alloc::string::{String, ToString as _};
use core::fmt;

use super::{Rules, RulesError, Scoring};
use crate::level::{Level, LevelSet};

/// One switch of the house [`Rules`]: its name, its values and what it decides. [`Rules::SWITCHES`] lists them all.
///
/// ```
/// # use tractor::{Rules, SwitchValues};
/// let switch = Rules::switch("follow_policy").expect("there is such a switch");
/// assert_eq!(switch.values, SwitchValues::OneOf(&["loose", "strict", "free"]));
/// assert_eq!((switch.default().as_str(), switch.get(&Rules::SHENGJI).as_str()), ("loose", "strict"));
/// assert!(switch.doc().contains("Rule 3.3"));
/// ```
#[derive(Clone, Copy)]
pub struct Switch {
    /// Its name: the field of [`Rules`].
    pub name: &'static str,
    /// The values it takes.
    pub values: SwitchValues,
    pub(super) doc: &'static str,
    pub(super) read: fn(&mut Rules, &str) -> bool,
    pub(super) write: fn(&Rules) -> String,
}

impl Switch {
    /// What it decides, in one sentence, with the number of the rule.
    pub fn doc(&self) -> &'static str {
        self.doc.trim()
    }

    /// The value it has in the preset `default`.
    pub fn default(&self) -> String {
        self.get(&Rules::DEFAULT)
    }

    /// The value it has in these rules, as [`Switch::set`] reads it.
    pub fn get(&self, rules: &Rules) -> String {
        (self.write)(rules)
    }

    /// Gives it a value; the rules stay as they were where it takes no such value.
    pub fn set(&self, rules: &mut Rules, value: &str) -> Result<(), RulesError> {
        if (self.read)(rules, value) {
            Ok(())
        } else {
            Err(RulesError::Value {
                switch: self.name,
                value: value.to_string(),
                values: self.values,
            })
        }
    }
}

impl PartialEq for Switch {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Switch {}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Switch")
            .field("name", &self.name)
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

/// The values that a [`Switch`] takes.
///
/// ```
/// # use tractor::Rules;
/// let penalty = Rules::switch("throw_penalty").expect("there is such a switch");
/// assert_eq!(penalty.values.to_string(), "a number of points");
/// assert_eq!(penalty.values.samples(), ["0", "5", "10"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchValues {
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// Any text of a form.
    Text {
        /// The form, in words.
        form: &'static str,
        /// The same as a regular expression, for the input fields of a form.
        pattern: &'static str,
        /// Some values that are played.
        samples: &'static [&'static str],
    },
}

impl SwitchValues {
    /// Every name, or some values where any text of a form will do.
    pub const fn samples(&self) -> &'static [&'static str] {
        match self {
            Self::OneOf(names) => names,
            Self::Text { samples, .. } => samples,
        }
    }
}

impl fmt::Display for SwitchValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(names) => {
                for (place, name) in names.iter().enumerate() {
                    write!(f, "{}{name}", if place == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Text { form, .. } => f.write_str(form),
        }
    }
}

/// A field of [`Rules`]: how its value is read and written, and what it may be.
pub(super) trait SwitchValue: Sized {
    const VALUES: SwitchValues;
    fn read(text: &str) -> Option<Self>;
    fn write(&self) -> String;
}

impl SwitchValue for bool {
    const VALUES: SwitchValues = SwitchValues::OneOf(&["true", "false"]);
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

/// Points.
impl SwitchValue for u16 {
    const VALUES: SwitchValues = SwitchValues::Text {
        form: "a number of points",
        pattern: "[0-9]{1,3}",
        samples: &["0", "5", "10"],
    };
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

/// Pairs of the shortest tractor.
impl SwitchValue for u8 {
    const VALUES: SwitchValues = SwitchValues::OneOf(&["2", "3"]);
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|len| (2..=3).contains(len))
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

/// The last level of a game.
impl SwitchValue for Level {
    const VALUES: SwitchValues = SwitchValues::OneOf(&["A", "NT"]);
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|&level| level >= Self::ACE)
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl SwitchValue for LevelSet {
    const VALUES: SwitchValues = SwitchValues::Text {
        form: "levels between spaces (5 T K A)",
        pattern: "[2-9TJQKA]( [2-9TJQKA])*( NT)?",
        samples: &["A", "5 T K A", ""],
    };
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl SwitchValue for Scoring {
    const VALUES: SwitchValues = SwitchValues::Text {
        form: "step, turnover, dead zone and shutout (40 2 1 0)",
        pattern: "[0-9]{1,3}( [0-9]{1,3}){3}",
        samples: &["40 2 1 0", "40 2 1 5", "20 4 2 0", "50 2 1 0"],
    };
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace().map(|part| part.parse::<u16>().ok());
        let mut next = || parts.next().flatten();
        let scoring = Self {
            step: next().filter(|&step| step > 0)?,
            turnover: next().and_then(|steps| u8::try_from(steps).ok())?,
            dead_zone: next().and_then(|steps| u8::try_from(steps).ok())?,
            shutout: next()?,
        };
        parts.next().is_none().then_some(scoring)
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            step,
            turnover,
            dead_zone,
            shutout,
        } = self;
        write!(f, "{step} {turnover} {dead_zone} {shutout}")
    }
}
