//! Seats and teams.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A seat at the table, `0..4`; play goes to the next higher seat (Rule 2.1).
///
/// ```
/// # use tractor::{Seat, Team};
/// let seat = Seat::new(3).expect("there are four seats");
/// assert_eq!(seat.next(), Seat::ALL[0]);
/// assert_eq!(seat.partner(), Seat::ALL[1]);
/// assert_eq!(seat.team(), Team::B);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// All four.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The seat of an index below four.
    pub const fn new(index: usize) -> Option<Self> {
        if index < 4 {
            Some(Self::ALL[index])
        } else {
            None
        }
    }

    /// The index, `0..4`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Who plays after this seat.
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// The seat opposite.
    #[must_use]
    pub const fn partner(self) -> Self {
        self.after(2)
    }

    /// The seat `steps` places further in turn order.
    #[must_use]
    pub const fn after(self, steps: usize) -> Self {
        Self::ALL[(self.0 as usize + steps) % 4]
    }

    /// The team of the seat: A for 0 and 2, B for 1 and 3.
    pub const fn team(self) -> Team {
        if self.0.is_multiple_of(2) {
            Team::A
        } else {
            Team::B
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A text that names no seat or team.
///
/// ```
/// # use tractor::{Seat, Team};
/// assert_eq!("4".parse::<Seat>().unwrap_err().to_string(), "a seat is 0, 1, 2 or 3");
/// assert_eq!("C".parse::<Team>().unwrap_err().to_string(), "a team is A or B");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParseSeatError {
    /// No seat.
    Seat,
    /// No team.
    Team,
}

impl fmt::Display for ParseSeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seat => "a seat is 0, 1, 2 or 3",
            Self::Team => "a team is A or B",
        })
    }
}

impl Error for ParseSeatError {}

impl FromStr for Seat {
    type Err = ParseSeatError;

    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        match *text.as_bytes() {
            [digit @ b'0'..=b'3'] => Ok(Self(digit - b'0')),
            _ => Err(ParseSeatError::Seat),
        }
    }
}

impl FromStr for Team {
    type Err = ParseSeatError;

    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        match text {
            "A" => Ok(Self::A),
            "B" => Ok(Self::B),
            _ => Err(ParseSeatError::Team),
        }
    }
}

/// Two seats opposite each other (Rule 2.1).
///
/// ```
/// # use tractor::Team;
/// assert_eq!(Team::A.other(), Team::B);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Team {
    /// Seats 0 and 2.
    A,
    /// Seats 1 and 3.
    B,
}

impl Team {
    /// Both.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The opponents.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// 0 for A, 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}
