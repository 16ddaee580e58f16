//! The trump of a round and the groups it makes.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::card::{Face, Rank, Suit};

/// What is trump in a round: the jokers, the trump rank in every suit, and the trump suit if there is one (Rule 1.2).
///
/// Written `7H`, or `7N` without a trump suit, or `N` where the jokers alone are trump.
///
/// ```
/// # use tractor::{Group, Suit, Trump};
/// let trump: Trump = "2H".parse()?;
/// assert_eq!(trump.group("2S".parse()?), Group::Trump);
/// assert_eq!(trump.group("3S".parse()?), Group::Plain(Suit::Spades));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trump {
    rank: Option<Rank>,
    suit: Option<Suit>,
}

impl Trump {
    /// Only the jokers are trump: the level after the ace where `max_rank` is NT (Rule 2.10).
    pub const JOKERS: Self = Self {
        rank: None,
        suit: None,
    };

    /// A trump rank, with a trump suit or without.
    pub const fn new(rank: Rank, suit: Option<Suit>) -> Self {
        Self {
            rank: Some(rank),
            suit,
        }
    }

    /// The trump rank; `None` where the jokers alone are trump.
    pub const fn rank(self) -> Option<Rank> {
        self.rank
    }

    /// The trump suit, if any.
    pub const fn suit(self) -> Option<Suit> {
        self.suit
    }

    /// The group a face belongs to; all rules of play look at the group, never at the printed suit.
    pub fn group(self, face: Face) -> Group {
        match (face.suit(), face.rank()) {
            (Some(suit), rank) if rank != self.rank && Some(suit) != self.suit => {
                Group::Plain(suit)
            }
            _ => Group::Trump,
        }
    }
}

impl fmt::Display for Trump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rank) = self.rank {
            write!(f, "{rank}")?;
        }
        write!(f, "{}", self.suit.map_or('N', Suit::letter))
    }
}

impl FromStr for Trump {
    type Err = ParseTrumpError;

    fn from_str(s: &str) -> Result<Self, ParseTrumpError> {
        if s == "N" {
            return Ok(Self::JOKERS);
        }
        let mut letters = s.chars();
        let rank = letters.next().and_then(Rank::from_letter);
        let suit = match letters.next() {
            Some('N') => Some(None),
            Some(letter) => Suit::from_letter(letter).map(Some),
            None => None,
        };
        match (rank, suit, letters.next()) {
            (Some(rank), Some(suit), None) => Ok(Self::new(rank, suit)),
            _ => Err(ParseTrumpError),
        }
    }
}

/// A text that names no trump.
///
/// ```
/// # use tractor::{ParseTrumpError, Trump};
/// assert_eq!("H7".parse::<Trump>(), Err(ParseTrumpError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseTrumpError;

impl fmt::Display for ParseTrumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such trump: write a rank and a suit (7H), or N for no suit (7N)")
    }
}

impl Error for ParseTrumpError {}

/// The effective suit of a card: trump, or its printed suit (Rule 1.2).
///
/// ```
/// # use tractor::{Group, Suit};
/// assert_eq!(Group::Plain(Suit::Spades).to_string(), "spades");
/// assert_eq!(Group::Trump.to_string(), "trumps");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Cards of this suit that are not trump.
    Plain(Suit),
    /// The trumps.
    Trump,
}

impl Group {
    /// All groups there can be: four suits, then trump.
    pub const ALL: [Self; 5] = [
        Self::Plain(Suit::Clubs),
        Self::Plain(Suit::Diamonds),
        Self::Plain(Suit::Hearts),
        Self::Plain(Suit::Spades),
        Self::Trump,
    ];

    /// The index in [`Group::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Plain(suit) => suit as usize,
            Self::Trump => 4,
        }
    }

    /// Whether these are the trumps.
    pub const fn is_trump(self) -> bool {
        matches!(self, Self::Trump)
    }

    /// The suit of a plain group.
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Self::Plain(suit) => Some(suit),
            Self::Trump => None,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(suit) => suit.word(),
            Self::Trump => "trumps",
        })
    }
}
