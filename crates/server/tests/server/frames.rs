//! The documents name every frame, every question, every kind of event and every refusal that the
//! source knows, and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::schema::DOCUMENT;

const GUIDE: &str = include_str!("../../../../docs/server.md");

const SOCKET: &str = include_str!("../../src/socket.rs");
const TABLE_SOCKET: &str = include_str!("../../src/socket/table.rs");
const LOBBY_SOCKET: &str = include_str!("../../src/socket/lobby.rs");
const ANALYSIS_SOCKET: &str = include_str!("../../src/cotulenh/analysis_socket.rs");
const TASK: &str = include_str!("../../src/room/task.rs");
const ACTION: &str = include_str!("../../src/room/action.rs");
const AUDIENCE: &str = include_str!("../../src/room/audience.rs");
const STATE: &str = include_str!("../../src/room/state.rs");
const PROTOCOL: &str = include_str!("../../src/protocol.rs");
const REFUSAL: &str = include_str!("../../src/refusal.rs");
const BOARD: &str = include_str!("../../src/cotulenh/game.rs");
const BOARD_EVENT: &str = include_str!("../../src/cotulenh/event.rs");
const CARDS: &str = include_str!("../../src/tractor/game.rs");
const CARDS_EVENT: &str = include_str!("../../src/tractor/event.rs");
const QUESTION: &str = include_str!("../../src/tractor/question.rs");

type Words = BTreeSet<String>;

/// The source of one function, up to the next one.
fn function<'a>(source: &'a str, head: &str) -> &'a str {
    let (_, rest) = source
        .split_once(head)
        .unwrap_or_else(|| panic!("no {head}"));
    let end = ["\n    fn ", "\n    pub", "\nfn ", "\nasync fn ", "\n}\n"];
    let end = end.into_iter().filter_map(|next| rest.find(next)).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// The texts that the arms of a `match` compare with.
fn arms(source: &str) -> Words {
    let arm = |line: &str| {
        let line = line.trim();
        let pattern = line
            .split_once("=>")
            .map(|(pattern, _)| pattern.to_owned())?;
        pattern.starts_with('"').then_some(pattern)
    };
    let words = |pattern: String| {
        let pattern = pattern.split(" if ").next().unwrap_or_default().to_owned();
        let texts: Vec<String> = pattern.split('"').map(str::to_owned).collect();
        texts.into_iter().skip(1).step_by(2)
    };
    source.lines().filter_map(arm).flat_map(words).collect()
}

/// The texts that follow a mark.
fn after(source: &str, mark: &str) -> Words {
    // What stands in tests is no frame of the server.
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let found = source.split(mark).skip(1);
    found
        .filter_map(|rest| rest.split(['"', '\\']).next())
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// What the description lists under a pointer.
fn described(pointer: &str) -> Words {
    let list = DOCUMENT.pointer(pointer).and_then(Value::as_array);
    let list = list.unwrap_or_else(|| panic!("{pointer}"));
    list.iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

fn in_guide(words: &Words) {
    for word in words {
        assert!(GUIDE.contains(&format!("`{word}`")), "{word} is not told");
    }
}

#[test]
fn every_frame_of_a_client_is_described() {
    let mut frames = Words::new();
    frames.extend(arms(function(TABLE_SOCKET, "async fn answer(")));
    frames.extend(arms(function(ANALYSIS_SOCKET, "async fn answer(")));
    frames.extend(after(ACTION, "action.t == \""));
    for source in [
        function(BOARD, "fn decide("),
        function(BOARD, "fn judge("),
        function(CARDS, "fn decide("),
        function(CARDS, "fn read("),
    ] {
        frames.extend(arms(source));
        frames.extend(after(source, "what == \""));
    }
    assert!(frames.len() > 20, "{frames:?}");
    assert_eq!(
        frames,
        described("/components/schemas/Frame/properties/t/enum")
    );
    in_guide(&frames);
}

#[test]
fn every_frame_of_the_server_is_described() {
    let mut frames = Words::new();
    for source in [
        SOCKET,
        TABLE_SOCKET,
        LOBBY_SOCKET,
        ANALYSIS_SOCKET,
        TASK,
        AUDIENCE,
        PROTOCOL,
    ] {
        for mark in ["plain(\"", "numbered(\"", "\\\"t\\\":\\\""] {
            frames.extend(after(source, mark));
        }
    }
    assert_eq!(
        frames,
        described("/components/schemas/Told/properties/t/enum")
    );
    in_guide(&frames);
}

#[test]
fn every_question_and_every_kind_of_event_is_told() {
    let questions = arms(function(QUESTION, "fn answer("));
    assert!(questions.len() >= 4, "{questions:?}");
    in_guide(&questions);
    let mut kinds = Words::new();
    for source in [
        function(STATE, "fn kind("),
        function(BOARD_EVENT, "fn kind("),
        function(CARDS_EVENT, "fn kind("),
    ] {
        kinds.extend(after(source, "=> \""));
    }
    // The table itself, and that a node has it now: nobody is there yet to be told.
    kinds.remove("opened");
    kinds.remove("owned");
    assert!(kinds.len() > 15, "{kinds:?}");
    in_guide(&kinds);
}

#[test]
fn every_refusal_is_described() {
    let codes: Words = REFUSAL
        .lines()
        .filter_map(|line| line.split_once("=> (S::")?.1.split('"').nth(1))
        .map(str::to_owned)
        .collect();
    in_guide(&codes);
    // Those of questions are in the table of docs/protocol.md, which has a test of its own.
    let questions = convoy_protocol::ErrorCode::ALL.iter();
    let all: Words = codes
        .into_iter()
        .chain(questions.map(ToString::to_string))
        .collect();
    assert_eq!(
        all,
        described("/components/schemas/Refusal/properties/code/enum")
    );
}
