//! Who sits where.

use serde::{Deserialize, Serialize};

use crate::id::PlayerId;

/// What a seat of a table holds.
///
/// ```
/// use convoy_server::Occupant;
///
/// assert_eq!(Occupant::Bot { level: 3 }.name(), "Bot 3");
/// assert!(Occupant::Open.is_open());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Occupant {
    /// Nobody yet.
    Open,
    /// A person, or a program that plays as one.
    Human {
        /// Whose session or account the seat belongs to.
        player: PlayerId,
        /// What the others call the player.
        name: String,
    },
    /// A player of ours.
    Bot {
        /// How strong.
        level: u8,
    },
}

impl Occupant {
    /// Whether someone may sit down here.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }

    /// Whether a player of ours sits here.
    pub const fn is_bot(&self) -> bool {
        matches!(self, Self::Bot { .. })
    }

    /// The person here.
    pub const fn player(&self) -> Option<&PlayerId> {
        match self {
            Self::Human { player, .. } => Some(player),
            Self::Open | Self::Bot { .. } => None,
        }
    }

    /// What the others call who sits here; empty while nobody does.
    pub fn name(&self) -> String {
        match self {
            Self::Open => String::new(),
            Self::Human { name, .. } => name.clone(),
            Self::Bot { level } => format!("Bot {level}"),
        }
    }

    /// The word for who sits here.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Human { .. } => "human",
            Self::Bot { .. } => "bot",
        }
    }
}
