//! Why an event is refused, in words for the player.

use core::error::Error;
use core::fmt;

use crate::bid::DeclareError;
use crate::card::Card;
use crate::follow::FollowError;
use crate::lead::LeadError;
use crate::round::KITTY;
use crate::seat::Seat;

/// Why an event is refused; the round stays as it was (Rule 2.2.2).
///
/// ```
/// use tractor::{RoundError, Seat};
/// let reason = RoundError::OutOfTurn { turn: Seat::ALL[2] };
/// assert_eq!(reason.to_string(), "it is the turn of seat 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoundError {
    /// No more cards are to be dealt.
    DealtOut,
    /// The declaring goes on until all cards are dealt.
    StillDealing,
    /// The time for declaring is over.
    DeclaringOver,
    /// The seat that buried cannot steal from itself.
    OwnKitty,
    /// The seat has passed already.
    HasPassed,
    /// Nothing is to be buried now.
    NotBurying,
    /// Tricks are not being played.
    NotPlaying,
    /// The round is over.
    Over,
    /// It is another seat's turn.
    OutOfTurn {
        /// Whose turn it is.
        turn: Seat,
    },
    /// No card was named.
    NoCards,
    /// A card that the seat does not hold.
    NotHeld(Card),
    /// Not eight cards to bury.
    BuryCount {
        /// How many were named.
        given: usize,
    },
    /// The declaration is not allowed.
    Declare(DeclareError),
    /// The lead is not allowed.
    Lead(LeadError),
    /// Components can only be named for a lead.
    NotLeading,
    /// The play does not follow the lead.
    Follow(FollowError),
    /// The house rules do not know this.
    Off(&'static str),
    /// There is nothing of one's own to take back, or it is too late.
    NothingToTakeBack,
    /// A round is not ended in the middle of a trick.
    TrickOpen,
    /// The cards still out can change the result.
    Undecided,
}

impl RoundError {
    /// A stable code for programs: that of the reason inside, where there is one.
    ///
    /// ```
    /// use tractor::{DeclareError, RoundError};
    /// assert_eq!(RoundError::Declare(DeclareError::NoBid).code(), "no-bid");
    /// assert_eq!(RoundError::Off("take_back").code(), "off");
    /// ```
    pub const fn code(&self) -> &'static str {
        match self {
            Self::DealtOut => "dealt-out",
            Self::StillDealing => "still-dealing",
            Self::DeclaringOver => "declaring-over",
            Self::OwnKitty => "own-kitty",
            Self::HasPassed => "has-passed",
            Self::NotBurying => "not-burying",
            Self::NotPlaying => "not-playing",
            Self::Over => "over",
            Self::OutOfTurn { .. } => "turn",
            Self::NoCards => "none",
            Self::NotHeld(_) => "held",
            Self::BuryCount { .. } => "bury",
            Self::Declare(error) => error.code(),
            Self::Lead(error) => error.code(),
            Self::NotLeading => "not-leading",
            Self::Follow(error) => error.code(),
            Self::Off(_) => "off",
            Self::NothingToTakeBack => "nothing-to-take-back",
            Self::TrickOpen => "trick-open",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for RoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DealtOut => f.write_str("that many cards are not left to deal"),
            Self::StillDealing => f.write_str("the cards are still being dealt"),
            Self::DeclaringOver => f.write_str("the time for declaring is over"),
            Self::OwnKitty => f.write_str("you buried this kitty yourself"),
            Self::HasPassed => f.write_str("you have passed already"),
            Self::NotBurying => f.write_str("nothing is to be buried now"),
            Self::NotPlaying => f.write_str("no trick is being played now"),
            Self::Over => f.write_str("the round is over"),
            Self::OutOfTurn { turn } => write!(f, "it is the turn of seat {turn}"),
            Self::NoCards => f.write_str("choose at least one card"),
            Self::NotHeld(card) => write!(f, "the card {card} is not in your hand"),
            Self::BuryCount { given } => {
                write!(f, "bury exactly {KITTY} cards, not {given}")
            }
            Self::Declare(error) => error.fmt(f),
            Self::Lead(error) => error.fmt(f),
            Self::NotLeading => f.write_str("components are named for a lead only"),
            Self::Follow(error) => error.fmt(f),
            Self::Off(switch) => write!(f, "the house rules do not allow it ({switch} is off)"),
            Self::NothingToTakeBack => f.write_str("there is nothing to take back any more"),
            Self::TrickOpen => f.write_str("the trick is still being played"),
            Self::Undecided => f.write_str("the cards still out can change the result"),
        }
    }
}

impl Error for RoundError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Declare(error) => Some(error),
            Self::Lead(error) => Some(error),
            Self::Follow(error) => Some(error),
            _ => None,
        }
    }
}
