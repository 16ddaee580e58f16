//! Reading the text of a round.

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use super::{Deal, Record, Redacted, Seen};
use crate::card::{Card, ParseCardError};
use crate::deal::Deck;
use crate::event::{Event, ParseEventError, read_seat};
use crate::level::Level;
use crate::round::Setup;
use crate::rules::{Rules, RulesError};
use crate::score::Start;
use crate::seat::{Seat, Team};
use crate::trump::Trump;

/// Why a text is no round: the line, counted from 1, and the fault.
///
/// ```
/// use tractor::Record;
/// let error = "tractor 1\nrules odd\n".parse::<Record>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: there is no preset odd: it is default, ejfn, shengji");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: RecordError,
}

/// What is wrong with a line of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordError {
    /// A line of the head is missing here.
    Missing(&'static str),
    /// The number of the round is not a number from 1.
    Number,
    /// The house rules name an unknown preset, switch or value.
    Rules(RulesError),
    /// The levels are not two of 2 to A or NT.
    Levels,
    /// The team is neither A nor B.
    Team,
    /// The seat is not 0 to 3.
    Seat,
    /// The trump is unknown.
    Trump,
    /// The seed is not 64 hexadecimal digits.
    Seed,
    /// The deck does not hold each of the 108 cards once.
    Deck,
    /// The event does not read.
    Event(ParseEventError),
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.error {
            RecordError::Missing(word) => write!(f, "a line that begins with {word:?} is missing"),
            RecordError::Number => f.write_str("the number of the round is no number from 1"),
            RecordError::Rules(error) => error.fmt(f),
            RecordError::Levels => f.write_str("the levels are not two of 2 to A, or NT"),
            RecordError::Team => f.write_str("a team is A or B"),
            RecordError::Seat => f.write_str("a seat is 0, 1, 2 or 3"),
            RecordError::Trump => f.write_str("this trump is unknown"),
            RecordError::Seed => f.write_str("a seed is 64 hexadecimal digits"),
            RecordError::Deck => f.write_str("a deck holds each of the 108 cards once"),
            RecordError::Event(error) => error.fmt(f),
        }
    }
}

impl Error for ParseRecordError {}

/// The lines of a text, numbered from 1.
struct Lines<'a> {
    lines: core::iter::Peekable<core::iter::Enumerate<core::str::Lines<'a>>>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate().peekable(),
            last: 0,
        }
    }

    fn fault(&self, error: RecordError) -> ParseRecordError {
        ParseRecordError {
            line: self.last,
            error,
        }
    }

    /// The rest of the next line if it begins with `word`.
    fn optional(&mut self, word: &str) -> Option<&'a str> {
        let (place, line) = *self.lines.peek()?;
        let rest = line.strip_prefix(word)?.strip_prefix(' ')?;
        self.lines.next();
        self.last = place + 1;
        Some(rest)
    }

    fn required(&mut self, word: &'static str) -> Result<&'a str, ParseRecordError> {
        if let Some(rest) = self.optional(word) {
            return Ok(rest);
        }
        self.last += 1;
        Err(self.fault(RecordError::Missing(word)))
    }

    fn next(&mut self) -> Option<&'a str> {
        let (place, line) = self.lines.next()?;
        self.last = place + 1;
        Some(line)
    }

    fn setup(&mut self) -> Result<Setup, ParseRecordError> {
        let number = self.required("tractor")?;
        let number = number
            .parse()
            .ok()
            .filter(|n: &u32| *n > 0 && n.to_string() == number)
            .ok_or_else(|| self.fault(RecordError::Number))?;
        let rules = self.required("rules")?;
        let rules = rules
            .parse::<Rules>()
            .map_err(|error| self.fault(RecordError::Rules(error)))?;
        let levels = self.required("levels")?;
        let levels = read_levels(levels).ok_or_else(|| self.fault(RecordError::Levels))?;
        let defending = self.required("defending")?;
        let defending: Team = defending
            .parse()
            .map_err(|_| self.fault(RecordError::Team))?;
        let starter = self.required("starter")?;
        let starter = read_seat(Some(starter)).map_err(|_| self.fault(RecordError::Seat))?;
        let trump = self
            .optional("trump")
            .map(str::parse::<Trump>)
            .transpose()
            .map_err(|_| self.fault(RecordError::Trump))?;
        Ok(Setup {
            rules,
            number,
            start: Start {
                starter,
                defending,
                levels,
            },
            trump,
        })
    }
}

fn read_levels(text: &str) -> Option<[Level; 2]> {
    let (a, b) = text.split_once(' ')?;
    Some([a.parse().ok()?, b.parse().ok()?])
}

impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        let mut lines = Lines::new(text);
        let setup = lines.setup()?;
        let deal = if let Some(cards) = lines.optional("deck") {
            let cards: Result<Vec<Card>, ParseCardError> =
                cards.split(' ').map(str::parse).collect();
            let deck = cards.ok().and_then(|cards| Deck::new(&cards));
            Deal::Deck(deck.ok_or_else(|| lines.fault(RecordError::Deck))?)
        } else {
            let seed = lines.required("seed")?;
            Deal::Seed(seed.parse().map_err(|_| lines.fault(RecordError::Seed))?)
        };
        let mut events = Vec::new();
        while let Some(line) = lines.next() {
            let event: Result<Event, _> = line.parse();
            events.push(event.map_err(|error| lines.fault(RecordError::Event(error)))?);
        }
        Ok(Self {
            setup,
            deal,
            events,
        })
    }
}

impl FromStr for Redacted {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        let mut lines = Lines::new(text);
        let setup = lines.setup()?;
        let viewer: Option<Seat> = match lines.required("viewer")? {
            "-" => None,
            seat => Some(read_seat(Some(seat)).map_err(|_| lines.fault(RecordError::Seat))?),
        };
        let deck = lines.required("deck")?;
        let deck = read_holes(deck).ok_or_else(|| lines.fault(RecordError::Deck))?;
        let mut events = Vec::new();
        while let Some(line) = lines.next() {
            let event: Result<Seen, _> = line.parse();
            events.push(event.map_err(|error| lines.fault(RecordError::Event(error)))?);
        }
        Ok(Self {
            setup,
            viewer,
            deck,
            events,
        })
    }
}

/// A deck with holes: no card twice.
fn read_holes(text: &str) -> Option<Vec<Option<Card>>> {
    let mut seen = crate::CardSet::EMPTY;
    let mut deck = Vec::with_capacity(Card::COUNT);
    for word in text.split(' ') {
        deck.push(match word {
            "??" => None,
            card => Some(card.parse().ok().filter(|&card| seen.insert(card))?),
        });
    }
    (deck.len() == Card::COUNT).then_some(deck)
}
