//! The text of a round: its set-up, its cards, its events, one a line.
//!
//! ```text
//! tractor 3
//! rules default throw_mode=challenge
//! levels 5 T
//! defending B
//! starter 1
//! seed 000102…1f
//! deal 31
//! declare 2 TH0
//! deal 69
//! close
//! bury 1 3D0 3D1 4C0 5S0 6D1 7D0 8D1 9C0
//! play 1 AS0 AS1
//! ```
//!
//! The first line has the number of the round. `levels` are those of A and B. In place of `seed` a
//! line `deck` may list all 108 cards, and a line `trump 7H` may set the trump beforehand. What one
//! seat may know of a round is written in the same way with holes: see [`Redacted`].

mod read;
mod redacted;

pub use read::{ParseRecordError, RecordError};
pub use redacted::{Redacted, Seen};

use alloc::vec::Vec;
use core::fmt;

use crate::deal::{Deck, Seed};
use crate::event::Event;
use crate::round::{Round, RoundError, Setup};

/// A round as it is written down: enough to play it again to any moment.
///
/// ```
/// use tractor::{Deal, Event, Record, Rules, Seed, Setup};
/// let record = Record {
///     setup: Setup::first(Rules::DEFAULT),
///     deal: Deal::Seed(Seed::from_number(7)),
///     events: vec![Event::Deal { count: 100 }, Event::Close],
/// };
/// assert_eq!(record.to_string().parse(), Ok(record.clone()));
/// let round = record.replay(2).unwrap();
/// assert_eq!(round.hand(round.starter()).len(), 33);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Record {
    /// What the round began with.
    pub setup: Setup,
    /// Where its cards came from.
    pub deal: Deal,
    /// What happened.
    pub events: Vec<Event>,
}

/// Where the cards of a round came from.
///
/// ```
/// use tractor::{Deal, Deck, Seed};
/// let seed = Seed::from_number(7);
/// assert_eq!(Deal::Seed(seed).deck(3), Deck::of(&seed, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum Deal {
    /// From a seed, with the number of the round.
    Seed(Seed),
    /// From a deck in an order of its own.
    Deck(Deck),
}

impl Deal {
    /// The deck of the round of that number.
    pub fn deck(&self, number: u32) -> Deck {
        match self {
            Self::Seed(seed) => Deck::of(seed, number),
            Self::Deck(deck) => deck.clone(),
        }
    }
}

impl Record {
    /// The record of a round so far. Without the seed it holds the deck.
    pub fn of(round: &Round) -> Self {
        Self {
            setup: *round.setup(),
            deal: Deal::Deck(round.deck().clone()),
            events: round.events().to_vec(),
        }
    }

    /// The round after the first so many events, or the place of the first that is refused, and why.
    pub fn replay(&self, events: usize) -> Result<Round, (usize, RoundError)> {
        let deck = self.deal.deck(self.setup.number);
        let events = self.events.iter().take(events).cloned();
        Round::replay(self.setup, deck, events)
    }

    /// The round after all events, or the place of the first that is refused, and why.
    pub fn round(&self) -> Result<Round, (usize, RoundError)> {
        self.replay(self.events.len())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_setup(f, &self.setup)?;
        match &self.deal {
            Deal::Seed(seed) => writeln!(f, "seed {}", seed.to_hex())?,
            Deal::Deck(deck) => {
                f.write_str("deck")?;
                for card in deck.cards() {
                    write!(f, " {card}")?;
                }
                f.write_str("\n")?;
            }
        }
        self.events
            .iter()
            .try_for_each(|event| writeln!(f, "{event}"))
    }
}

fn write_setup(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    let start = &setup.start;
    writeln!(f, "tractor {}", setup.number)?;
    writeln!(f, "rules {}", setup.rules)?;
    writeln!(f, "levels {} {}", start.levels[0], start.levels[1])?;
    writeln!(f, "defending {}", start.defending)?;
    writeln!(f, "starter {}", start.starter)?;
    match setup.trump {
        Some(trump) => writeln!(f, "trump {trump}"),
        None => Ok(()),
    }
}
