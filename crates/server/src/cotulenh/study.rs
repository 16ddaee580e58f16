//! An analysis that somebody asks for.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::engine::{Known, Search};
use super::word;
use crate::refusal::Refusal;
use crate::table::{Slice, Step};

/// The longest analysis.
const LONGEST: Duration = Duration::from_mins(2);

#[derive(Debug, Deserialize)]
struct Asked {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    lines: Option<usize>,
    ms: Option<u64>,
    depth: Option<u8>,
}

/// An analysis that is about to begin.
#[derive(Debug, Clone)]
pub(crate) struct Study {
    search: Search,
}

impl Study {
    /// Reads what is to be analysed.
    pub(crate) fn read(d: &Value) -> Result<Self, Refusal> {
        let asked = Asked::deserialize(d).map_err(|why| Refusal::Malformed(why.to_string()))?;
        let mut position = match &asked.fen {
            None => cotulenh::Position::start(),
            Some(fen) => fen.trim().parse().map_err(|why| word::fen(&why))?,
        };
        for text in &asked.moves {
            let read = position.read(text);
            for action in read.map_err(|why| word::unread(text, &why))?.iter() {
                let next = position.play(*action);
                position = next.map_err(|why| word::illegal(text, why))?;
            }
        }
        let time = asked.ms.map_or(LONGEST, Duration::from_millis).min(LONGEST);
        Ok(Self {
            search: Search {
                position,
                lines: asked.lines.unwrap_or(1).clamp(1, 8),
                time,
                depth: asked.depth,
                known: Known::default(),
            },
        })
    }

    /// Tells better and better lines, until it is told to pause or to stop.
    pub(crate) fn run(
        &mut self,
        slice: &Slice<'_>,
        tell: &mut (dyn FnMut(Value) + Send),
    ) -> Step<()> {
        self.search.analyse(slice, tell)
    }
}
