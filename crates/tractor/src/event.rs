//! What can happen in a round, and its text.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::card_set::{CardSet, ParseCardsError};
use crate::deal::Deck;
use crate::seat::Seat;

/// One thing that happens in a round. A round is its set-up, its deck and its events.
///
/// Each has one line of text, by which it is stored and read back.
///
/// ```
/// use tractor::Event;
/// let event: Event = "play 2 9D0 9D1".parse()?;
/// assert!(matches!(event, Event::Play { seat, cards } if seat.index() == 2 && cards.len() == 2));
/// assert_eq!(event.to_string(), "play 2 9D0 9D1");
/// # Ok::<_, tractor::ParseEventError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)
)]
pub enum Event {
    /// So many more cards go out (Rule 2.3.2).
    Deal {
        /// At least one.
        count: u8,
    },
    /// A seat declares with these cards (Rule 2.4).
    Declare {
        /// Who.
        seat: Seat,
        /// The cards shown.
        cards: CardSet,
    },
    /// A seat takes its standing declaration back (Rule 2.10.16).
    Retract {
        /// Who.
        seat: Seat,
    },
    /// A seat lets the last window for declaring, or for theft, go by.
    Pass {
        /// Who.
        seat: Seat,
    },
    /// The table closes the window for declaring, or for theft, for all (Rule 2.4.6).
    Close,
    /// A seat buries eight cards (Rule 2.5).
    Bury {
        /// Who.
        seat: Seat,
        /// The eight cards.
        cards: CardSet,
    },
    /// A seat leads or follows (Rule 2.6).
    Play {
        /// Who.
        seat: Seat,
        /// The cards.
        cards: CardSet,
    },
    /// A seat leads a throw and names its components (Rule 2.10.18).
    Throw {
        /// Who.
        seat: Seat,
        /// The cards of each component.
        parts: Vec<CardSet>,
    },
    /// A seat takes its last play back (Rule 2.10.16).
    TakeBack {
        /// Who.
        seat: Seat,
    },
    /// A seat ends a round that is decided (Rule 2.10.15).
    EndEarly {
        /// Who.
        seat: Seat,
    },
}

impl Event {
    /// Who acts; the table itself deals and closes.
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Deal { .. } | Self::Close => None,
            Self::Declare { seat, .. }
            | Self::Retract { seat }
            | Self::Pass { seat }
            | Self::Bury { seat, .. }
            | Self::Play { seat, .. }
            | Self::Throw { seat, .. }
            | Self::TakeBack { seat }
            | Self::EndEarly { seat } => Some(*seat),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal { count } => write!(f, "deal {count}"),
            Self::Declare { seat, cards } => write!(f, "declare {seat} {cards}"),
            Self::Retract { seat } => write!(f, "retract {seat}"),
            Self::Pass { seat } => write!(f, "pass {seat}"),
            Self::Close => f.write_str("close"),
            Self::Bury { seat, cards } => write!(f, "bury {seat} {cards}"),
            Self::Play { seat, cards } => write!(f, "play {seat} {cards}"),
            Self::Throw { seat, parts } => {
                write!(f, "throw {seat}")?;
                for (place, part) in parts.iter().enumerate() {
                    write!(f, "{} {part}", if place == 0 { "" } else { " +" })?;
                }
                Ok(())
            }
            Self::TakeBack { seat } => write!(f, "take-back {seat}"),
            Self::EndEarly { seat } => write!(f, "end-early {seat}"),
        }
    }
}

/// Why a line is no event.
///
/// ```
/// use tractor::Event;
/// let error = "play 2 9D0 9D0".parse::<Event>().unwrap_err();
/// assert_eq!(error.to_string(), "the card 9D0 is named twice");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseEventError {
    /// The first word names nothing that can happen.
    Word,
    /// No seat, 0 to 3, where one belongs.
    Seat,
    /// No number of cards, 1 to 100, where one belongs.
    Count,
    /// The cards do not read.
    Cards(ParseCardsError),
    /// No card where some belong.
    NoCards,
    /// Cards without deck digits.
    Copies,
    /// Something is left over at the end of the line.
    Rest,
}

impl fmt::Display for ParseEventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word => f.write_str("the line names no event (deal, declare, bury, play, …)"),
            Self::Seat => f.write_str("a seat is 0, 1, 2 or 3"),
            Self::Count => f.write_str("a number of cards, 1 to 100, is missing"),
            Self::Cards(error) => error.fmt(f),
            Self::NoCards => f.write_str("the cards are missing"),
            Self::Copies => f.write_str("the cards of a round need their deck digits (TS0, TS1)"),
            Self::Rest => f.write_str("the line goes on after its end"),
        }
    }
}

impl Error for ParseEventError {}

/// Reads cards with deck digits until the words end.
pub(crate) fn read_cards<'a>(
    words: impl Iterator<Item = &'a str>,
) -> Result<CardSet, ParseEventError> {
    let mut digits = true;
    let words = words.inspect(|word| digits &= word.ends_with(['0', '1']));
    let cards = CardSet::read(words).map_err(ParseEventError::Cards)?;
    match (cards.is_empty(), digits) {
        (true, _) => Err(ParseEventError::NoCards),
        (_, false) => Err(ParseEventError::Copies),
        _ => Ok(cards),
    }
}

/// Reads a seat.
pub(crate) fn read_seat(word: Option<&str>) -> Result<Seat, ParseEventError> {
    word.unwrap_or_default()
        .parse()
        .map_err(|_| ParseEventError::Seat)
}

impl FromStr for Event {
    type Err = ParseEventError;

    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let mut words = line.split(' ');
        let event = match words.next().unwrap_or_default() {
            "deal" => Self::Deal {
                count: words
                    .next()
                    .filter(|digits| !digits.starts_with(['0', '+']))
                    .and_then(|digits| digits.parse().ok())
                    .filter(|count| (1..=Deck::DEALT).contains(count))
                    .ok_or(ParseEventError::Count)?,
            },
            "declare" => Self::Declare {
                seat: read_seat(words.next())?,
                cards: read_cards(&mut words)?,
            },
            "bury" => Self::Bury {
                seat: read_seat(words.next())?,
                cards: read_cards(&mut words)?,
            },
            "play" => Self::Play {
                seat: read_seat(words.next())?,
                cards: read_cards(&mut words)?,
            },
            "throw" => {
                let (seat, parts) = line["throw".len()..]
                    .trim_start()
                    .split_once(' ')
                    .ok_or(ParseEventError::NoCards)?;
                let parts = parts.split(" + ").map(|part| read_cards(part.split(' ')));
                return Ok(Self::Throw {
                    seat: read_seat(Some(seat))?,
                    parts: parts.collect::<Result<_, _>>()?,
                });
            }
            "retract" => Self::Retract {
                seat: read_seat(words.next())?,
            },
            "pass" => Self::Pass {
                seat: read_seat(words.next())?,
            },
            "close" => Self::Close,
            "take-back" => Self::TakeBack {
                seat: read_seat(words.next())?,
            },
            "end-early" => Self::EndEarly {
                seat: read_seat(words.next())?,
            },
            _ => return Err(ParseEventError::Word),
        };
        match words.next() {
            None => Ok(event),
            Some(_) => Err(ParseEventError::Rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_event_are_refused_in_words() {
        for (line, words) in [
            ("", "names no event"),
            ("jump 2", "names no event"),
            ("play", "a seat is"),
            ("play 4 2S0", "a seat is"),
            ("play 2", "cards are missing"),
            ("play 2 2S0 2S0", "named twice"),
            ("play 2 2S", "deck digits"),
            ("play 2 1S0", "unknown"),
            ("deal 0", "a number of cards"),
            ("deal 101", "a number of cards"),
            ("deal +5", "a number of cards"),
            ("close now", "goes on"),
            ("pass 1 2", "goes on"),
        ] {
            let error = line.parse::<Event>().unwrap_err().to_string();
            assert!(error.contains(words), "{line:?}: {error}");
        }
    }
}
