//! An analysis that somebody asks for.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::engine::{Known, Search};
use super::refusal_code;
use crate::game::read_fields;
use crate::refusal::Refusal;

/// The most lines at once.
pub(super) const LINES: usize = 8;
/// The longest analysis.
pub(super) const LONGEST: Duration = Duration::from_mins(2);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct AnalysisRequest {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    lines: Option<usize>,
    ms: Option<u64>,
    depth: Option<u8>,
}

/// An analysis that is about to begin.
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    pub(super) search: Search,
}

impl Analysis {
    /// Reads what is to be analysed.
    pub(crate) fn read(d: &Value) -> Result<Self, Refusal> {
        let asked: AnalysisRequest = read_fields(d)?;
        let mut position = match &asked.fen {
            None => cotulenh::Position::start(),
            Some(fen) => fen
                .trim()
                .parse()
                .map_err(|error| refusal_code::fen(&error))?,
        };
        for text in &asked.moves {
            let read = position.read(text);
            for action in read
                .map_err(|error| refusal_code::unread(text, &error))?
                .iter()
            {
                let next = position.play(*action);
                position = next.map_err(|error| refusal_code::illegal(text, error))?;
            }
        }
        let time = asked.ms.map_or(LONGEST, Duration::from_millis).min(LONGEST);
        Ok(Self {
            search: Search {
                position,
                lines: asked.lines.unwrap_or(1).clamp(1, LINES),
                time,
                depth: asked.depth,
                known: Known::default(),
            },
        })
    }

    /// What is to be analysed.
    pub(crate) const fn position(&self) -> &cotulenh::Position {
        &self.search.position
    }
}
