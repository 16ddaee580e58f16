//! What happens at a table, as it is stored.

use serde::{Deserialize, Serialize};

use crate::table::Seat;

/// One event. What happens within a round is the line of text that the rules give it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub(super) enum Event {
    /// The server has drawn its secret for the next round; only the hash of it is told.
    Committed { secret: String, salt: String },
    /// The browser of a seat has added its randomness.
    Contributed { seat: Seat, bits: String },
    /// The cards are shuffled.
    Shuffled,
    /// Something within the round.
    Round { e: String },
    /// A seat wants the next round.
    Ready { seat: Seat },
    /// A seat wants another game.
    Again { seat: Seat },
}

impl Event {
    /// The word that pages are told.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Committed { .. } => "committed",
            Self::Contributed { .. } => "contributed",
            Self::Shuffled => "shuffled",
            Self::Ready { .. } => "ready",
            Self::Again { .. } => "again",
            Self::Round { e } => match e.split(' ').next().unwrap_or_default() {
                "deal" => "dealt",
                "declare" => "declared",
                "retract" => "retracted",
                "pass" => "passed",
                "close" => "closed",
                "bury" => "buried",
                "take-back" => "tookback",
                "end-early" => "ended",
                _ => "played",
            },
        }
    }
}
