//! The languages of the pages: Fluent catalogues, and which of them a visitor reads.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use serde_json::{Value, json};

use crate::asset;
use crate::game::hosted_games;
use crate::refusal::Refusal;

/// A language that the pages speak.
///
/// ```
/// use convoy_server::Language;
///
/// assert_eq!("vi".parse(), Ok(Language::Vietnamese));
/// assert_eq!(Language::Chinese.to_string(), "zh");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Tiếng Việt.
    Vietnamese,
    /// 中文.
    Chinese,
}

impl Language {
    /// All of them, in the order of the choice on the pages.
    pub const ALL: [Self; 3] = [Self::English, Self::Vietnamese, Self::Chinese];

    /// The tag of HTML and HTTP.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Vietnamese => "vi",
            Self::Chinese => "zh",
        }
    }

    /// What the language calls itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Vietnamese => "Tiếng Việt",
            Self::Chinese => "中文",
        }
    }

    /// What the language calls itself where there is little room.
    pub(crate) const fn short_name(self) -> &'static str {
        match self {
            Self::English => "EN",
            Self::Vietnamese => "VI",
            Self::Chinese => "中文",
        }
    }

    /// The best language for an `Accept-Language` header.
    pub(crate) fn accepted(headers: &HeaderMap) -> Option<Self> {
        let header = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        let weigh = |part: &str| {
            let (tag, rest) = part.split_once(';').unwrap_or((part, ""));
            let weight = rest
                .trim()
                .strip_prefix("q=")
                .map_or(Some(1.0), |q| q.parse().ok());
            let primary = tag.trim().split('-').next()?;
            Some((primary.to_ascii_lowercase().parse::<Self>().ok()?, weight?))
        };
        let mut best: Option<(Self, f32)> = None;
        for (language, weight) in header.split(',').take(32).filter_map(weigh) {
            if weight > best.map_or(0.0, |(_, best)| best) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }

    /// A message, or its key where the catalogue has none.
    pub(crate) fn message(self, key: &str, args: Option<&FluentArgs<'_>>) -> String {
        let bundle = &CATALOGUES[self as usize];
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            return key.to_owned();
        };
        let mut faults = Vec::new();
        bundle
            .format_pattern(pattern, args, &mut faults)
            .into_owned()
    }

    /// A refusal in this language, or in its own words where the catalogue has none.
    pub(crate) fn refusal(self, refusal: &Refusal) -> String {
        let bundle = &CATALOGUES[self as usize];
        let known = refusal
            .keys()
            .into_iter()
            .find(|key| bundle.has_message(key));
        let mut args = FluentArgs::new();
        let reason = refusal.reason();
        for (name, value) in reason.iter().flat_map(crate::refusal::Reason::parts) {
            match value {
                Value::String(text) => args.set(name, text.as_str()),
                other => args.set(name, other.to_string()),
            }
        }
        known.map_or_else(
            || refusal.to_string(),
            |key| self.message(&key, Some(&args)),
        )
    }

    /// A message with one argument.
    pub(crate) fn message_with(self, key: &str, name: &str, value: impl fmt::Display) -> String {
        let text = value.to_string();
        let mut args = FluentArgs::new();
        match text.parse::<i64>() {
            Ok(number) => args.set(name, FluentValue::from(number)),
            Err(_) => args.set(name, FluentValue::from(text)),
        }
        self.message(key, Some(&args))
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(tag: &str) -> Result<Self, UnknownLanguage> {
        let known = Self::ALL.into_iter().find(|language| language.tag() == tag);
        known.ok_or(UnknownLanguage)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// A tag that is no language of ours.
///
/// ```
/// use convoy_server::{Language, UnknownLanguage};
///
/// assert_eq!("tlh".parse::<Language>(), Err(UnknownLanguage));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownLanguage;

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such language")
    }
}

impl std::error::Error for UnknownLanguage {}

static CATALOGUES: LazyLock<[FluentBundle<FluentResource>; 3]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let tag = language
            .tag()
            .parse()
            .expect("a tag of ours is well formed");
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        bundle.set_use_isolating(false);
        // A catalogue with a fault still gives its sound messages; a test refuses the fault.
        let resource = FluentResource::try_new(source(language)).unwrap_or_else(|(sound, _)| sound);
        bundle.add_resource_overriding(resource);
        bundle
    })
});

fn source(language: Language) -> String {
    let core = PARTS.iter().flat_map(|(_, files)| *files);
    let files = core.map(|file| (*file).to_owned()).chain(game_parts());
    let texts: Vec<String> = files.map(|file| read(language, &file)).collect();
    texts.join("\n")
}

fn read(language: Language, file: &str) -> String {
    let bytes = asset::read(&format!("i18n/{language}{file}.ftl")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The parts in which scripts are sent the catalogue, with the files of each: the first is for every page, and a page
/// names the others that it needs, so that nobody waits for the words of another game.
const PARTS: [(&str, &[&str]); 4] = [
    ("", &["", ".study", ".refusal"]),
    (".puzzle", &[".puzzle"]),
    (".learn", &[".learn"]),
    (".review", &[".review"]),
];

/// The parts of single games, each of which is a file.
fn game_parts() -> impl Iterator<Item = String> {
    let words = hosted_games().map(|game| game.words);
    let words = words.filter(|words| !words.is_empty());
    words.map(|words| format!(".{words}"))
}

/// The parts that pages need which devices keep: puzzles are not among them.
pub(crate) fn kept_parts() -> impl Iterator<Item = String> {
    let core = PARTS.iter().map(|(part, _)| (*part).to_owned());
    core.filter(|part| part != ".puzzle").chain(game_parts())
}

/// How messages begin that the server alone writes, the long texts of the rules among them: scripts are not sent them.
const SERVER_ALONE: [&str; 6] = [
    "account-", "home-", "lesson-", "rules-", "tr-rule-", "what-",
];

/// One part of a catalogue for scripts, by its name as in `en` or `en.tractor`: texts with `{name}` where an argument goes,
/// and an object of variants where a message is one choice.
pub(crate) fn messages(name: &str) -> Option<String> {
    let (tag, part) = name.split_at(name.find('.').unwrap_or(name.len()));
    let core = PARTS.iter().find(|(known, _)| *known == part);
    let files: &[&str] = match core {
        Some((_, files)) => files,
        None if game_parts().any(|known| known == part) => &[part],
        None => return None,
    };
    let language = tag.parse().ok()?;
    let texts: Vec<String> = files.iter().map(|file| read(language, file)).collect();
    let text = texts.join("\n");
    let resource = fluent_syntax::parser::parse(text.as_str()).unwrap_or_else(|(sound, _)| sound);
    let mut messages = BTreeMap::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry
            && let Some(pattern) = &message.value
            && !SERVER_ALONE
                .iter()
                .any(|start| message.id.name.starts_with(start))
        {
            messages.insert(message.id.name, pattern_json(pattern));
        }
    }
    serde_json::to_string(&messages).ok()
}

fn pattern_json(pattern: &Pattern<&str>) -> Value {
    if let [
        PatternElement::Placeable {
            expression: Expression::Select { selector, variants },
        },
    ] = pattern.elements.as_slice()
    {
        let mut choice = json!({ "$": inline(selector).trim_matches(['{', '}']) });
        for variant in variants {
            let (VariantKey::Identifier { name } | VariantKey::NumberLiteral { value: name }) =
                &variant.key;
            choice[*name] = json!(flat(&variant.value));
            if variant.default {
                choice["other"] = json!(flat(&variant.value));
            }
        }
        return choice;
    }
    json!(flat(pattern))
}

fn flat(pattern: &Pattern<&str>) -> String {
    let part = |element: &PatternElement<&str>| match element {
        PatternElement::TextElement { value } => (*value).to_owned(),
        PatternElement::Placeable {
            expression: Expression::Inline(expression),
        } => inline(expression),
        PatternElement::Placeable {
            expression: Expression::Select { variants, .. },
        } => {
            let default = variants.iter().find(|variant| variant.default);
            default.map_or_else(String::new, |variant| flat(&variant.value))
        }
    };
    pattern.elements.iter().map(part).collect()
}

fn inline(expression: &InlineExpression<&str>) -> String {
    match expression {
        InlineExpression::StringLiteral { value } | InlineExpression::NumberLiteral { value } => {
            (*value).to_owned()
        }
        InlineExpression::VariableReference { id } => format!("{{{}}}", id.name),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
