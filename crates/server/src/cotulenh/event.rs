//! What happens in a game, as it is stored.

use serde::{Deserialize, Serialize};

use crate::game::Seat;

/// What one side offers the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Offer {
    Draw,
    Takeback,
}

/// How a game ends otherwise than on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum End {
    Resign,
    Agreed,
    Time,
    Abandoned,
    Aborted,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// One event. Times are what both sides have left, in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub(super) enum Event {
    /// A whole turn, in LAN.
    Moved {
        lan: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[u64; 2]>,
        /// The lag that was credited, in milliseconds; it is in what is left.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: u64,
    },
    Offered {
        by: Seat,
        offer: Offer,
    },
    Declined {
        by: Seat,
    },
    /// Back to so many turns.
    TookBack {
        turns: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[u64; 2]>,
    },
    Ended {
        winner: Option<Seat>,
        end: End,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[u64; 2]>,
    },
    /// Somebody wants to play again.
    Again {
        by: Seat,
    },
}

impl Event {
    /// The word that pages are told.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Moved { .. } => "moved",
            Self::Offered { .. } => "offered",
            Self::Declined { .. } => "declined",
            Self::TookBack { .. } => "tookback",
            Self::Ended { .. } => "ended",
            Self::Again { .. } => "again",
        }
    }
}
