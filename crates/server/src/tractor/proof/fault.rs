//! Why a file does not hold.

use std::fmt;

/// Why a round is not what it claims to be.
///
/// ```
/// use convoy_server::VerifyError;
///
/// assert_eq!(VerifyError::Deck(0).code(), "deck");
/// assert_eq!(VerifyError::Deck(0).to_string(), "card 1 of the deck is not what the seed deals");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyError {
    /// The file is no proof of a round.
    Unreadable(String),
    /// A value is not the hexadecimal digits it should be.
    Digits(&'static str),
    /// The attempts are not numbered from 1, or one was voided without reason.
    Attempts,
    /// The server's hash of an attempt does not follow from table, round, rules, levels, starter,
    /// secret and salt.
    Server(usize),
    /// The roster of an attempt does not follow from its seats.
    Roster(usize),
    /// What a seat revealed is not what it had committed to.
    Reveal(usize),
    /// A seat that did not reveal adds again.
    Dropped(usize),
    /// The seed does not follow from roster, secret, salt and bits.
    Seed,
    /// The deck is not the one that the seed deals; the first place that differs.
    Deck(usize),
    /// The cards of a seat are not those that the deck deals it.
    Hand(usize),
    /// The record is not of this deal or not of this round.
    Record,
    /// The hash of the record is another.
    RecordHash,
    /// An event of the record is against the rules.
    Event {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// The record stops before the round is over.
    Unfinished,
    /// The result does not follow from the record.
    Result,
    /// The roster is not the one that was kept.
    Commitment,
    /// The bits of a seat are not those that were kept.
    Mine(u8),
}

impl VerifyError {
    /// The word for programs and translations.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Digits(_) => "digits",
            Self::Attempts => "attempts",
            Self::Server(_) => "server",
            Self::Roster(_) => "roster",
            Self::Reveal(_) => "reveal",
            Self::Dropped(_) => "dropped",
            Self::Seed => "seed",
            Self::Deck(_) => "deck",
            Self::Hand(_) => "hand",
            Self::Record => "record",
            Self::RecordHash => "record-hash",
            Self::Event { .. } => "event",
            Self::Unfinished => "unfinished",
            Self::Result => "result",
            Self::Commitment => "commitment",
            Self::Mine(_) => "mine",
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => write!(f, "not the file of a round: {reason}"),
            Self::Digits(field) => write!(f, "{field} is not made of the right number of digits"),
            Self::Attempts => f.write_str("the attempts are not in order, or one had no reason"),
            Self::Server(attempt) => {
                write!(
                    f,
                    "attempt {attempt}: the server's hash is not that of its secret and its context"
                )
            }
            Self::Roster(attempt) => {
                write!(f, "attempt {attempt}: the roster is not that of its seats")
            }
            Self::Reveal(attempt) => {
                write!(
                    f,
                    "attempt {attempt}: a seat revealed other bits than it committed to"
                )
            }
            Self::Dropped(seat) => write!(f, "seat {seat} did not reveal and yet adds again"),
            Self::Seed => f.write_str("the seed does not follow from what was revealed"),
            Self::Deck(place) => {
                let place = place + 1;
                write!(f, "card {place} of the deck is not what the seed deals")
            }
            Self::Hand(seat) => write!(f, "seat {seat} was not dealt the cards listed"),
            Self::Record => f.write_str("the record is not that of this round and seed"),
            Self::RecordHash => f.write_str("the record has another hash"),
            Self::Event { number, reason } => write!(f, "event {number} of the record: {reason}"),
            Self::Unfinished => f.write_str("the record stops before the round is over"),
            Self::Result => f.write_str("the result does not follow from the record"),
            Self::Commitment => f.write_str("the commitment is not the one that you kept"),
            Self::Mine(seat) => write!(f, "seat {seat} did not add the bits that you kept"),
        }
    }
}

impl std::error::Error for VerifyError {}
