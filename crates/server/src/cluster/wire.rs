//! What nodes ask each other about tables.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::{Action, Player};
use crate::id::{PlayerId, TableId};
use crate::refusal::{Refusal, Relayed};
use crate::room::Actor;
use crate::shared_limit::Count;

/// What a node is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Call {
    /// About a table that it owns.
    Table { table: TableId, ask: Ask },
    /// A socket of another node is gone.
    Detach { edge: String, listener: u64 },
    /// How long, in milliseconds, frames take to sockets of another node and back.
    Lags { edge: String, lags: Vec<(u64, u64)> },
    /// The next part of an answer.
    Next(String),
    /// A count that it keeps.
    Count(Count),
}

/// As [`Request`](crate::room::Request), without the ways back.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ask {
    /// Whether there is such a table; it is read from the storage.
    Load,
    Join {
        actor: Actor,
        seq: Option<u64>,
        edge: String,
        listener: u64,
    },
    Action {
        actor: Actor,
        seq: Option<u64>,
        id: Option<String>,
        action: Action,
    },
    Seen {
        actor: Actor,
    },
    Close,
    Transfer {
        from: PlayerId,
        successor: Option<Player>,
    },
    Question {
        actor: Actor,
        what: String,
        d: Value,
    },
    View {
        actor: Actor,
    },
    Export {
        ending: String,
        ply: Option<usize>,
        flip: bool,
    },
    FireDeadline,
}

/// What the owner answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// It does not own the table, or was just putting it away: nothing was done.
    Elsewhere,
    Refused(Refused),
    Done(Value),
    /// A part of an answer that one message has no room for, and by which name to ask for the next.
    Part {
        text: String,
        next: Option<String>,
    },
}

/// A refusal on its way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Refused {
    status: u16,
    json: Value,
    /// What was seen and what is present, of one that is stale.
    stale: Option<(u64, u64)>,
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        Self {
            status: refusal.status().as_u16(),
            json: refusal.json(),
            stale: match refusal {
                Refusal::Stale { seen, now } => Some((*seen, *now)),
                _ => None,
            },
        }
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        let code = refused.json["code"].as_str().unwrap_or_default();
        match (refused.stale, code) {
            (Some((seen, now)), _) => Self::Stale { seen, now },
            (None, "storage") => Self::Storage,
            (None, "busy") => Self::Busy,
            (None, "no-such-table") => Self::NoSuchTable,
            _ => Self::Relayed(Relayed {
                status: StatusCode::from_u16(refused.status).unwrap_or(StatusCode::CONFLICT),
                code: constant(code),
                json: refused.json,
            }),
        }
    }
}

/// The same text for as long as the process lives. Only for what nodes send: it is one of a few.
pub(super) fn constant(text: &str) -> &'static str {
    use std::collections::HashSet;
    use std::sync::Mutex;
    static KNOWN: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut known = KNOWN.lock().expect("no holder of this lock panics");
    let known = known.get_or_insert_default();
    if let Some(text) = known.get(text) {
        return text;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    known.insert(text);
    text
}

/// A frame on its way to a socket: its listener, its number among the frames of that listener, and the
/// frame.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) listener: u64,
    pub(super) number: u64,
    pub(super) content: Content<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    /// The next frame, or its end.
    Text(&'a str),
    /// A frame, or some of it, that is not all.
    Part(&'a str),
    /// Nothing new: this many have been sent by this node.
    Count(&'a str),
    /// No more will come.
    End,
}

impl<'a> Frame<'a> {
    pub(super) fn text(&self) -> String {
        let (kind, text) = match self.content {
            Content::Text(text) => ("text", text),
            Content::Part(text) => ("part", text),
            Content::Count(owner) => ("count", owner),
            Content::End => ("end", ""),
        };
        format!("{} {} {kind}\n{text}", self.listener, self.number)
    }

    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (head, text) = text.split_once('\n')?;
        let mut words = head.split(' ');
        let listener = words.next()?.parse().ok()?;
        let number = words.next()?.parse().ok()?;
        let content = match words.next()? {
            "text" => Content::Text(text),
            "part" => Content::Part(text),
            "count" => Content::Count(text),
            "end" => Content::End,
            _ => return None,
        };
        Some(Self {
            listener,
            number,
            content,
        })
    }
}

/// A text in parts of at most so many bytes: none for an empty one.
pub(super) fn parts(mut text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let (part, rest) = text.split_at(text.floor_char_boundary(most.max(4)));
        parts.push(part);
        text = rest;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::{NotNow, Reason};

    #[test]
    fn frames_are_read_as_they_were_written() {
        for content in [
            Content::Text("{\"a\":\"\n\"}"),
            Content::Part("{"),
            Content::Count("a"),
            Content::End,
        ] {
            let frame = Frame {
                listener: 7,
                number: 3,
                content,
            };
            assert_eq!(Frame::read(&frame.text()), Some(Frame { ..frame }));
        }
        assert_eq!(Frame::read("1 2 other\n"), None);
        assert_eq!(Frame::read(""), None);
    }

    #[test]
    fn a_text_is_cut_between_letters() {
        assert_eq!(parts("", 4), [""; 0]);
        assert_eq!(parts("abcd", 4), ["abcd"]);
        assert_eq!(parts("aéé\u{1f0a1}e", 4), ["aé", "é", "\u{1f0a1}", "e"]);
    }

    #[test]
    fn a_relayed_refusal_says_the_same() {
        for refusal in [
            Refusal::Stale { seen: 3, now: 5 },
            Refusal::Storage,
            Refusal::NotYourTurn,
            Refusal::NotNow(NotNow::NotDealt),
            Refusal::Illegal(Reason::new("held", "you do not hold these cards")),
        ] {
            let sent = serde_json::to_string(&Refused::from(&refusal)).unwrap();
            let again = Refusal::from(serde_json::from_str::<Refused>(&sent).unwrap());
            assert_eq!(again.json(), refusal.json());
            assert_eq!(again.status(), refusal.status());
            assert_eq!(again.code(), refusal.code());
            assert_eq!(again.keys(), refusal.keys());
        }
    }
}
