//! Sets of cards that do not depend on the trump.

use core::error::Error;
use core::fmt;
use core::iter::FusedIterator;
use core::str::FromStr;

use crate::card::{Card, Face};
use crate::planes::Planes;

/// Cards by face: how often each face is there, zero to two times. Bit `i` is the face of index `i`.
///
/// ```
/// # use tractor::Faces;
/// let hand: Faces = "9H 9H TS sj".parse()?;
/// let play: Faces = "9H sj".parse()?;
/// assert_eq!(hand.len(), 4);
/// assert_eq!(hand.points(), 10);
/// assert_eq!(hand.less(play).map(|rest| rest.to_string()), Some("9H TS".into()));
/// assert_eq!(play.less(hand), None);
/// # Ok::<_, tractor::ParseCardsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Faces(pub(crate) Planes);

impl Faces {
    /// No card.
    pub const EMPTY: Self = Self(Planes::EMPTY);
    /// Both decks.
    pub const FULL: Self = Self(Planes::twice((1 << Face::COUNT) - 1));

    /// How many cards.
    pub const fn len(self) -> usize {
        self.0.len() as usize
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0.any == 0
    }

    /// How often `face` is there.
    pub const fn count(self, face: Face) -> usize {
        self.0.count(face.index()) as usize
    }

    /// Whether all of `other` is here, copies counted.
    pub const fn contains(self, other: Self) -> bool {
        self.0.contains(other.0)
    }

    /// These cards less `other`, or `None` if they are not all here.
    pub const fn less(self, other: Self) -> Option<Self> {
        match self.0.less(other.0) {
            Some(rest) => Some(Self(rest)),
            None => None,
        }
    }

    /// These cards and `other`, or `None` if a face would be there three times.
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.plus(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// The cards with one more of `face`, or `None` if there are two already.
    pub const fn with(self, face: Face) -> Option<Self> {
        self.plus(Self(Planes::once(1 << face.index())))
    }

    /// Points held (Rule 1.1).
    pub const fn points(self) -> u32 {
        const SUITS: u64 = 1 | 1 << 13 | 1 << 26 | 1 << 39;
        self.0.points(SUITS << 3, SUITS << 8 | SUITS << 11)
    }

    /// The faces, each as often as it is there, by index.
    pub fn iter(self) -> impl Iterator<Item = Face> {
        self.0
            .indices()
            .filter_map(|index| Face::from_index(index as usize))
    }
}

impl FromIterator<Face> for Faces {
    /// Collects faces; a third copy is dropped, so use [`Faces::with`] where that may happen.
    fn from_iter<T: IntoIterator<Item = Face>>(faces: T) -> Self {
        faces
            .into_iter()
            .fold(Self::EMPTY, |cards, face| cards.with(face).unwrap_or(cards))
    }
}

impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, face) in self.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{face}")?;
        }
        Ok(())
    }
}

impl FromStr for Faces {
    type Err = ParseCardsError;

    /// Reads faces or cards between spaces; either all with deck digits or none.
    fn from_str(s: &str) -> Result<Self, ParseCardsError> {
        CardSet::read(s.split_whitespace()).map(CardSet::faces)
    }
}

/// A set of the 108 physical cards, copies told apart.
///
/// The rules look at faces alone ([`CardSet::faces`]); a table that names the copies keeps these.
///
/// ```
/// # use tractor::CardSet;
/// let hand: CardSet = "9H0 9H1 TS1".parse()?;
/// let play = hand.pick("9H TS".parse()?).expect("both are held");
/// assert_eq!(play.to_string(), "9H0 TS1");
/// assert_eq!(hand.less(play).map(|rest| rest.to_string()), Some("9H1".into()));
/// # Ok::<_, tractor::ParseCardsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet {
    copies: [u64; 2],
}

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self { copies: [0; 2] };
    /// All 108 cards.
    pub const FULL: Self = Self {
        copies: [(1 << Face::COUNT) - 1; 2],
    };

    /// Reads cards from their texts, all with deck digits or all without.
    ///
    /// Without digits the first of a face is copy 0 and the second copy 1.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, ParseCardsError> {
        let mut set = Self::EMPTY;
        let mut digits = None;
        for (index, text) in texts.into_iter().enumerate() {
            let card = text.parse::<Card>();
            if *digits.get_or_insert(card.is_ok()) != card.is_ok() {
                return Err(match text.parse::<Face>() {
                    Err(_) if card.is_err() => ParseCardsError::Unknown { index },
                    _ => ParseCardsError::Mixed { index },
                });
            }
            if let Ok(card) = card {
                if !set.insert(card) {
                    return Err(ParseCardsError::Twice(card));
                }
                continue;
            }
            let Ok(face) = text.parse::<Face>() else {
                return Err(ParseCardsError::Unknown { index });
            };
            if !set.insert(Card::new(face, false)) && !set.insert(Card::new(face, true)) {
                return Err(ParseCardsError::Third(face));
            }
        }
        Ok(set)
    }

    /// How many cards.
    pub const fn len(self) -> usize {
        (self.copies[0].count_ones() + self.copies[1].count_ones()) as usize
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.copies[0] | self.copies[1] == 0
    }

    /// Whether this very card is in the set.
    pub const fn has(self, card: Card) -> bool {
        self.copies[card.copy()] >> card.face().index() & 1 == 1
    }

    /// Puts a card in; `false` if it was there.
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.has(card);
        self.copies[card.copy()] |= 1 << card.face().index();
        new
    }

    /// Takes a card out; `false` if it was not there.
    pub const fn remove(&mut self, card: Card) -> bool {
        let old = self.has(card);
        self.copies[card.copy()] &= !(1 << card.face().index());
        old
    }

    /// These cards less `other`, or `None` if they are not all here.
    pub const fn less(self, other: Self) -> Option<Self> {
        let [a, b] = self.copies;
        let [x, y] = other.copies;
        if x & !a | y & !b != 0 {
            return None;
        }
        Some(Self {
            copies: [a & !x, b & !y],
        })
    }

    /// These cards and `other`, or `None` if a card is in both.
    pub const fn plus(self, other: Self) -> Option<Self> {
        let [a, b] = self.copies;
        let [x, y] = other.copies;
        if x & a | y & b != 0 {
            return None;
        }
        Some(Self {
            copies: [a | x, b | y],
        })
    }

    /// The faces of the set, copies merged.
    pub const fn faces(self) -> Faces {
        let [a, b] = self.copies;
        Faces(Planes {
            any: a | b,
            pair: a & b,
        })
    }

    /// Cards of this set that show `cards`, first copies first; `None` if they are not all here.
    pub const fn pick(self, cards: Faces) -> Option<Self> {
        if !self.faces().contains(cards) {
            return None;
        }
        let [a, b] = self.copies;
        let first = cards.0.any & a;
        let second = cards.0.any & !a | cards.0.pair;
        Some(Self {
            copies: [first, second & b],
        })
    }

    /// The cards, by index.
    pub fn iter(self) -> impl FusedIterator<Item = Card> {
        let mut rest = self;
        core::iter::from_fn(move || {
            let face = (rest.copies[0] | rest.copies[1]).trailing_zeros() as usize;
            let second = rest.copies[0] >> face.min(63) & 1 == 0;
            let card = Card::new(Face::from_index(face)?, second);
            rest.remove(card);
            Some(card)
        })
        .fuse()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<T: IntoIterator<Item = Card>>(cards: T) -> Self {
        let mut set = Self::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl FromStr for CardSet {
    type Err = ParseCardsError;

    /// Reads cards between spaces; either all with deck digits or none.
    fn from_str(s: &str) -> Result<Self, ParseCardsError> {
        Self::read(s.split_whitespace())
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{card}")?;
        }
        Ok(())
    }
}

/// Why a list of cards was not read.
///
/// ```
/// # use tractor::Faces;
/// let refused = "9H 9H 9H".parse::<Faces>().unwrap_err();
/// assert_eq!(refused.to_string(), "there are only two 9H in the two decks");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParseCardsError {
    /// The text at this place (from 0) is no card.
    Unknown {
        /// Which text of the list.
        index: usize,
    },
    /// Some cards have deck digits and some have none.
    Mixed {
        /// The first text that differs from those before it.
        index: usize,
    },
    /// The same physical card stands there twice.
    Twice(Card),
    /// There are only two of each face.
    Third(Face),
}

impl fmt::Display for ParseCardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { index } => write!(f, "card {} of the list is unknown", index + 1),
            Self::Mixed { index } => write!(
                f,
                "card {} of the list: give all cards a deck digit or none",
                index + 1
            ),
            Self::Twice(card) => write!(f, "the card {card} is named twice"),
            Self::Third(face) => write!(f, "there are only two {face} in the two decks"),
        }
    }
}

impl Error for ParseCardsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_with_digits_or_without() {
        let read = |s: &str| CardSet::read(s.split_whitespace());
        assert_eq!(
            read("9H 9H sj").map(|set| set.to_string()),
            Ok("9H0 9H1 sj0".into())
        );
        assert_eq!(
            read("9H1 sj1").map(|set| set.to_string()),
            Ok("9H1 sj1".into())
        );
        assert_eq!(
            read("9H 9H 9H"),
            Err(ParseCardsError::Third("9H".parse().unwrap()))
        );
        assert_eq!(
            read("9H1 9H1"),
            Err(ParseCardsError::Twice("9H1".parse().unwrap()))
        );
        assert_eq!(read("9H1 9H"), Err(ParseCardsError::Mixed { index: 1 }));
        assert_eq!(read("9H 9H0"), Err(ParseCardsError::Mixed { index: 1 }));
        assert_eq!(read("9H xx"), Err(ParseCardsError::Unknown { index: 1 }));
        assert_eq!(read("9H0 xx"), Err(ParseCardsError::Unknown { index: 1 }));
    }

    #[test]
    fn both_decks_are_full() {
        assert_eq!(CardSet::FULL.len(), 108);
        assert_eq!(CardSet::FULL.faces(), Faces::FULL);
        assert_eq!(CardSet::FULL.iter().count(), 108);
        assert_eq!(Faces::FULL.points(), 200);
        assert_eq!(CardSet::FULL.pick(Faces::FULL), Some(CardSet::FULL));
    }
}
