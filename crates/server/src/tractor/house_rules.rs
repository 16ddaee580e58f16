//! House rules of Tractor in words: every switch of the rules crate, and every value of each.

use fluent_bundle::{FluentArgs, FluentValue};
use tractor::{Rules, SwitchValues};

use crate::page::Page;

/// A house rule in the form.
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    /// What the switch is called.
    pub(crate) words: String,
    /// What the recommended game has.
    pub(crate) default: String,
    /// Each value with its words; none where the value is written.
    pub(crate) values: Vec<(String, String)>,
    /// How a written value looks.
    pub(crate) pattern: &'static str,
    /// What a written value means.
    pub(crate) hint: String,
}

/// Every switch, with what it may be.
pub(crate) fn switches(page: &Page) -> Vec<Switch> {
    let switch = |switch: &tractor::Switch| {
        let name = switch.name;
        let (values, pattern, hint) = match switch.values {
            SwitchValues::OneOf(values) => (values, "", String::new()),
            SwitchValues::Text { pattern, .. } => {
                let hint = page.t(&format!("tr-hint-{}", kebab(name)));
                (&[][..], pattern, hint)
            }
        };
        let worded = |value: &&str| ((*value).to_owned(), value_words(page, name, value));
        Switch {
            words: page.t(&name_key(name)),
            default: switch.default(),
            pattern,
            hint,
            values: values.iter().map(worded).collect(),
            name,
        }
    };
    Rules::SWITCHES.iter().map(switch).collect()
}

/// What a preset has for a switch.
pub(crate) fn preset_value(preset: &str, name: &str) -> Option<String> {
    let rules = Rules::preset(preset)?;
    let switch = Rules::SWITCHES.iter().find(|switch| switch.name == name)?;
    Some(switch.get(&rules))
}

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

/// The key of a switch's name.
pub(crate) fn name_key(name: &str) -> String {
    format!("tr-sw-{}", kebab(name))
}

/// The key of a value's name.
fn value_key(name: &str, value: &str) -> String {
    match value {
        "true" => "tr-yes".to_owned(),
        "false" => "tr-no".to_owned(),
        _ => format!("tr-val-{}-{}", kebab(name), kebab(value)),
    }
}

/// What a value is called; numbers and levels speak for themselves.
pub(crate) fn value_words(page: &Page, name: &str, value: &str) -> String {
    if name == "scoring" {
        return scoring(page, value);
    }
    let key = value_key(name, value);
    let words = page.t(&key);
    if words != key {
        return words;
    }
    let level = |word: &str| match word {
        "T" => "10".to_owned(),
        "NT" => page.t("tr-nt"),
        word => word.to_owned(),
    };
    value.split(' ').map(level).collect::<Vec<_>>().join(" ")
}

fn scoring(page: &Page, value: &str) -> String {
    let parts: Vec<i64> = value.split(' ').flat_map(str::parse).collect();
    let [step, turnover, dead, shutout] = parts[..] else {
        return value.to_owned();
    };
    let mut args = FluentArgs::new();
    for (name, number) in [
        ("step", step),
        ("goal", step * turnover),
        ("dead", dead),
        ("shutout", shutout),
    ] {
        args.set(name, FluentValue::from(number));
    }
    page.lang.message("tr-val-scoring", Some(&args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn page(lang: Language) -> Page {
        Page {
            public_url: None,
            lang,
            csrf: String::new(),
            player: String::new(),
            account: false,
            path: String::new(),
            is_kept: false,
        }
    }

    #[test]
    fn every_switch_of_the_rules_has_a_control() {
        let form = switches(&page(Language::English));
        assert_eq!(form.len(), Rules::SWITCHES.len());
        for (control, switch) in form.iter().zip(Rules::SWITCHES.iter()) {
            let name = switch.name;
            assert_eq!((control.name, &control.default), (name, &switch.default()));
            let offered: Vec<&str> = control.values.iter().map(|(value, _)| &**value).collect();
            match switch.values {
                SwitchValues::OneOf(values) => assert_eq!(offered, values, "{name}"),
                SwitchValues::Text { pattern, .. } => {
                    assert!(offered.is_empty(), "{name}");
                    assert_eq!(control.pattern, pattern, "{name}");
                }
            }
        }
    }

    #[test]
    fn every_switch_and_value_has_a_name_in_every_language() {
        for lang in Language::ALL {
            let page = page(lang);
            for switch in switches(&page) {
                assert!(!switch.words.starts_with("tr-"), "{lang} {}", switch.words);
                assert!(!switch.hint.starts_with("tr-"), "{lang} {}", switch.hint);
                for (value, words) in switch.values {
                    let bare = value.chars().all(|c| c.is_ascii_digit());
                    assert!(
                        bare || words != value,
                        "{lang} {}: no words for {value}",
                        switch.name
                    );
                }
            }
        }
    }

    #[test]
    fn written_values_are_read_out() {
        let page = page(Language::English);
        assert_eq!(value_words(&page, "must_defend", "5 T K A"), "5 10 K A");
        let scoring = value_words(&page, "scoring", "40 2 1 0");
        assert!(
            scoring.contains("40") && scoring.contains("80"),
            "{scoring}"
        );
    }
}
