//! What happens at a table, as it is stored.

use serde::{Deserialize, Serialize};

use crate::game::Seat;

/// One event. What happens within a round is the line of text that the rules give it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub(super) enum Event {
    /// The server has drawn its secret and salt for an attempt to shuffle; both are encrypted.
    Drawn { sealed: String },
    /// A seat has committed to what it will add.
    Commit { seat: Seat, hash: String },
    /// Who adds is fixed.
    Roster,
    /// A seat has revealed what it adds.
    Reveal { seat: Seat, bits: String },
    /// Somebody did not reveal in time: the attempt does not count.
    Voided,
    /// Format 1: the server had drawn its secret. Stored before everyone committed, and still read.
    Committed { secret: String, salt: String },
    /// Format 1: a seat had added its bits. Still read.
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
            // Format 1 is replayed and told to nobody; its events are named after their successors.
            Self::Drawn { .. } | Self::Committed { .. } => "drawn",
            Self::Commit { .. } => "commit",
            Self::Roster => "roster",
            Self::Reveal { .. } | Self::Contributed { .. } => "reveal",
            Self::Voided => "voided",
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
