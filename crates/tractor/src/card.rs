//! Suits, ranks, faces and cards.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A printed suit, in the order ♣ ♦ ♥ ♠.
///
/// ```
/// # use tractor::Suit;
/// assert_eq!(Suit::Hearts.to_string(), "H");
/// assert_eq!("S".parse(), Ok(Suit::Spades));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All four, lowest index first.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The English word, as used in refusals.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clubs => "clubs",
            Self::Diamonds => "diamonds",
            Self::Hearts => "hearts",
            Self::Spades => "spades",
        }
    }

    /// The letter of the notation: `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        match self {
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
        }
    }

    /// The suit of a letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|suit| suit.letter() == letter)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Suit {
    type Err = ParseCardError;

    fn from_str(s: &str) -> Result<Self, ParseCardError> {
        single_letter(s)
            .and_then(Self::from_letter)
            .ok_or(ParseCardError)
    }
}

/// The letter of a text that holds one and nothing else.
fn single_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// A printed rank; two is the lowest, the ace the highest (Rule 1.1).
///
/// ```
/// # use tractor::Rank;
/// assert!(Rank::Ace > Rank::King);
/// assert_eq!("T".parse(), Ok(Rank::Ten));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All thirteen, lowest first.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// The letter of the notation: one of `23456789TJQKA`.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank of a letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter)
    }

    /// The next higher rank, or `None` above the ace.
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Rank {
    type Err = ParseCardError;

    fn from_str(s: &str) -> Result<Self, ParseCardError> {
        single_letter(s)
            .and_then(Self::from_letter)
            .ok_or(ParseCardError)
    }
}

/// What is printed on a card: a suit and a rank, or a joker. Two cards of one face are a pair.
///
/// The index is `13 * suit + rank` for the 52 suited faces, then the small and the big joker.
///
/// ```
/// # use tractor::{Face, Rank, Suit};
/// let ten: Face = "TS".parse()?;
/// assert_eq!(ten, Face::new(Suit::Spades, Rank::Ten));
/// assert_eq!(ten.points(), 10);
/// assert_eq!("bj".parse(), Ok(Face::BIG_JOKER));
/// # Ok::<_, tractor::ParseCardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

impl Face {
    /// How many faces there are.
    pub const COUNT: usize = 54;
    /// The small joker, `sj`.
    pub const SMALL_JOKER: Self = Self(52);
    /// The big joker, `bj`.
    pub const BIG_JOKER: Self = Self(53);

    /// The face of a suit and a rank.
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self(13 * suit as u8 + rank as u8)
    }

    /// The face of an index below [`Face::COUNT`].
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index)
            .ok()
            .filter(|_| index < Self::COUNT)
            .map(Self)
    }

    /// The index, `0..54`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every face, by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).map(Self).take(Self::COUNT)
    }

    /// The printed suit; jokers have none.
    pub fn suit(self) -> Option<Suit> {
        Suit::ALL.get(usize::from(self.0 / 13)).copied()
    }

    /// The printed rank; jokers have none.
    pub fn rank(self) -> Option<Rank> {
        (self.0 < 52).then(|| Rank::ALL[usize::from(self.0 % 13)])
    }

    /// What the card is worth: five for a five, ten for a ten or a king (Rule 1.1).
    pub fn points(self) -> u32 {
        match self.rank() {
            Some(Rank::Five) => 5,
            Some(Rank::Ten | Rank::King) => 10,
            _ => 0,
        }
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => write!(f, "{rank}{suit}"),
            _ if *self == Self::SMALL_JOKER => f.write_str("sj"),
            _ => f.write_str("bj"),
        }
    }
}

impl FromStr for Face {
    type Err = ParseCardError;

    fn from_str(s: &str) -> Result<Self, ParseCardError> {
        match *s.as_bytes() {
            [b's', b'j'] => Ok(Self::SMALL_JOKER),
            [b'b', b'j'] => Ok(Self::BIG_JOKER),
            [rank, suit] => Rank::from_letter(rank.into())
                .zip(Suit::from_letter(suit.into()))
                .map(|(rank, suit)| Self::new(suit, rank))
                .ok_or(ParseCardError),
            _ => Err(ParseCardError),
        }
    }
}

/// One of the 108 cards: a face and which of the two copies, `0` or `1` (Rule 1.1).
///
/// ```
/// # use tractor::{Card, Face};
/// let card: Card = "TS1".parse()?;
/// assert_eq!((card.face(), card.copy()), ("TS".parse()?, 1));
/// assert_eq!(card.to_string(), "TS1");
/// assert!("TS".parse::<Card>().is_err());
/// assert!("TS2".parse::<Card>().is_err());
/// # Ok::<_, tractor::ParseCardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 108;

    /// The first or the second copy of a face.
    pub const fn new(face: Face, second: bool) -> Self {
        Self(2 * face.0 + second as u8)
    }

    /// The card of an index below [`Card::COUNT`].
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index)
            .ok()
            .filter(|_| index < Self::COUNT)
            .map(Self)
    }

    /// The index, `2 * face + copy`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every card, by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).map(Self).take(Self::COUNT)
    }

    /// What is printed on it.
    pub const fn face(self) -> Face {
        Face(self.0 / 2)
    }

    /// Which copy of its face it is: 0 or 1.
    pub const fn copy(self) -> usize {
        (self.0 & 1) as usize
    }

    /// What the card is worth.
    pub fn points(self) -> u32 {
        self.face().points()
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.face(), self.copy())
    }
}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(s: &str) -> Result<Self, ParseCardError> {
        let (face, second) = match s.as_bytes() {
            [face @ .., b'0'] => (face, false),
            [face @ .., b'1'] => (face, true),
            _ => return Err(ParseCardError),
        };
        let face = core::str::from_utf8(face).map_err(|_| ParseCardError)?;
        Ok(Self::new(face.parse()?, second))
    }
}

/// A text that names no suit, rank, face or card.
///
/// ```
/// # use tractor::{Face, ParseCardError};
/// assert_eq!("1S".parse::<Face>(), Err(ParseCardError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseCardError;

impl fmt::Display for ParseCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such card: write a rank (23456789TJQKA) and a suit (SHCD), or sj, bj")
    }
}

impl Error for ParseCardError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_as_written() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.face().to_string().parse(), Ok(card.face()));
            assert_eq!(Card::from_index(card.index()), Some(card));
        }
        for bad in ["", "1S", "10S", "SJ", "sj2", "ts", "T", "T♠", "TSS", "♠"] {
            assert_eq!(bad.parse::<Card>(), Err(ParseCardError), "{bad}");
            assert_eq!(bad.parse::<Face>(), Err(ParseCardError), "{bad}");
        }
    }

    #[test]
    fn rule_1_1_3_two_decks_hold_two_hundred_points() {
        assert_eq!(Card::all().count(), 108);
        assert_eq!(Card::all().map(Card::points).sum::<u32>(), 200);
    }
}
