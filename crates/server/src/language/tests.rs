use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use axum::http::HeaderValue;

use super::*;

fn keys(language: Language) -> BTreeSet<String> {
    let text = source(language);
    let resource = fluent_syntax::parser::parse(text.as_str())
        .unwrap_or_else(|(_, faults)| panic!("{language}: {faults:?}"));
    let name = |entry: &Entry<&str>| match entry {
        Entry::Message(message) => Some(message.id.name.to_owned()),
        _ => None,
    };
    resource.body.iter().filter_map(name).collect()
}

#[test]
fn every_language_has_every_message() {
    let all: BTreeSet<String> = Language::ALL.into_iter().flat_map(keys).collect();
    for language in Language::ALL {
        let missing: Vec<_> = all.difference(&keys(language)).cloned().collect();
        assert!(missing.is_empty(), "{language} lacks {missing:?}");
    }
}

#[test]
fn no_message_is_written_twice() {
    for language in Language::ALL {
        let text = source(language);
        let mut seen = BTreeSet::new();
        for line in text.lines() {
            let Some((key, _)) = line.split_once(" =") else {
                continue;
            };
            if key.starts_with(|c: char| c.is_ascii_lowercase()) {
                assert!(seen.insert(key), "{language}: {key} is written twice");
            }
        }
        assert!(seen.len() > 500, "{language}");
    }
}

#[test]
fn every_message_that_a_template_names_exists() {
    let known = keys(Language::English);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for opening in ["page.t(\"", "page.t1(\""] {
            for rest in text.split(opening).skip(1) {
                let key = rest.split('"').next().unwrap();
                assert!(known.contains(key), "{}: no message {key}", path.display());
            }
        }
    }
}

#[test]
fn every_message_that_a_script_names_exists() {
    let core = PARTS.iter().map(|(part, _)| (*part).to_owned());
    let parts = core.chain(game_parts());
    let parts = parts.map(|part| messages(&format!("en{part}")).unwrap());
    let parts = parts.map(|json| serde_json::from_str::<BTreeMap<String, Value>>(&json).unwrap());
    let known: BTreeSet<String> = parts.flat_map(BTreeMap::into_keys).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/js");
    let files = ["tractor", "learn", "review", "local", ""]
        .map(|part| folder.join(part))
        .map(|folder| fs::read_dir(folder).unwrap());
    for entry in files.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for key in calls(&text, "t('", '\'') {
            assert!(known.contains(key), "{}: no message {key}", path.display());
        }
        // A key put together from parts: something must begin as it does.
        for start in calls(&text, "t(`", '$') {
            let some = known.iter().any(|key| key.starts_with(start));
            assert!(some, "{}: no message {start}…", path.display());
        }
    }
}

/// What follows each call of `t` itself, and not of a function whose name ends so.
fn calls<'a>(text: &'a str, call: &'a str, end: char) -> impl Iterator<Item = &'a str> {
    let other = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let found = text.match_indices(call);
    let found = found.filter(move |(at, _)| !text[..*at].ends_with(other));
    found.filter_map(move |(at, _)| text[at + call.len()..].split(end).next())
}

#[test]
fn the_weights_of_the_browser_decide() {
    let chosen = |header: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(header));
        Language::accepted(&headers)
    };
    assert_eq!(
        chosen("vi-VN,vi;q=0.9,en;q=0.5"),
        Some(Language::Vietnamese)
    );
    assert_eq!(
        chosen("fr, zh-Hans;q=0.3, en;q=0.2"),
        Some(Language::Chinese)
    );
    assert_eq!(chosen("fr"), None);
    assert_eq!(chosen(";;;q=,,en;q=0"), None);
}

#[test]
fn scripts_read_the_same_catalogue() {
    let json: Value = serde_json::from_str(&messages("en").unwrap()).unwrap();
    assert_eq!(json["site-name"], "Convoy");
    assert!(json.get("tr-play").is_none());
    let json: Value = serde_json::from_str(&messages("en.tractor").unwrap()).unwrap();
    assert_eq!(json["tr-play"], "Play");
    assert!(messages("xx").is_none());
    assert!(messages("en.xx").is_none());
}

#[test]
fn every_refusal_has_words_in_every_language() {
    use crate::cotulenh::refusal_code::POSITIONS;
    use crate::refusal::{BadChoice, NotNow, TooMany};

    // The codes, as the one match of the source lists them.
    let source = include_str!("../refusal.rs");
    let codes: Vec<&str> = source
        .lines()
        .filter_map(|line| line.split_once("=> (S::")?.1.split('"').nth(1))
        .collect();
    assert!(codes.len() > 25, "{codes:?}");
    let questions = convoy_protocol::ErrorCode::ALL
        .iter()
        .map(|code| code.word());
    let codes = codes.into_iter().chain(questions);
    let mut wanted: Vec<String> = codes.map(|code| format!("refusal-{code}")).collect();
    let not_now = NotNow::ALL.iter().map(|reason| ("not-now", reason.code()));
    let bad_choice = BadChoice::ALL
        .iter()
        .map(|reason| ("bad-choice", reason.code()));
    let too_many = TooMany::ALL
        .iter()
        .map(|reason| ("too-many", reason.code()));
    let moves = convoy_protocol::cotulenh::MOVE_REASONS.map(|reason| ("illegal-move", reason));
    let fens = convoy_protocol::cotulenh::FEN_REASONS.map(|reason| ("bad-fen", reason));
    let positions = POSITIONS.map(|reason| ("bad-fen", reason));
    let reasons = not_now
        .chain(bad_choice)
        .chain(too_many)
        .chain(moves)
        .chain(fens)
        .chain(positions)
        .chain([("malformed", "field"), ("unknown-field", "field")]);
    wanted.extend(reasons.map(|(code, reason)| format!("refusal-{code}-{reason}")));
    for language in Language::ALL {
        let known = keys(language);
        for key in &wanted {
            assert!(known.contains(key), "{language} lacks {key}");
        }
    }
    let refusal = Refusal::NotNow(NotNow::NoTurn);
    assert_eq!(
        Language::English.refusal(&refusal),
        "There is no move to take back."
    );
    assert_ne!(
        Language::Chinese.refusal(&refusal),
        Language::English.refusal(&refusal)
    );
}
