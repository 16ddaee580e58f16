//! The deal of a seed (Rules 2.3.5 to 2.3.10): the same cards on every machine, and no way back
//! from the cards to the seed.

mod chacha;

use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use chacha::Words;

use crate::card::{Card, Face, Rank, Suit};
use crate::card_set::CardSet;

/// The secret from which rounds are dealt: 256 bits.
///
/// It prints nothing of itself in debug output, so that a log cannot give a deal away.
///
/// ```
/// use tractor::{Deck, Seed};
/// let seed = Seed::from_bytes([0; 32]);
/// assert_eq!(seed.to_hex().parse(), Ok(seed));
/// assert_eq!(format!("{seed:?}"), "Seed(..)");
/// assert_eq!(Deck::of(&seed, 1).cards()[0].to_string(), "KH0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed of these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A seed from a small number, for tests and benches: its eight bytes, least first, then zeros.
    pub fn from_number(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }

    /// Its bytes.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// Its 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.map(digit).collect()
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSeedError;

impl fmt::Display for ParseSeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seed is 64 hexadecimal digits")
    }
}

impl Error for ParseSeedError {}

impl FromStr for Seed {
    type Err = ParseSeedError;

    fn from_str(text: &str) -> Result<Self, ParseSeedError> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(ParseSeedError);
        }
        let digit = |b: u8| match b {
            b'0'..=b'9' => Ok(b - b'0'),
            b'a'..=b'f' => Ok(b - b'a' + 10),
            _ => Err(ParseSeedError),
        };
        let mut bytes = [0; 32];
        for (byte, two) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(two[0])? << 4 | digit(two[1])?;
        }
        Ok(Self(bytes))
    }
}

/// All 108 cards in the order of a deal: place `i` below 100 is dealt `i`-th, the last eight are
/// the kitty.
///
/// ```
/// use tractor::{CardSet, Deck, Seed};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// assert_eq!(deck.kitty().len(), 8);
/// assert_eq!(Deck::new(deck.cards()), Some(deck.clone()));
/// assert_eq!(Deck::new(deck.kitty()), None);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Deck([Card; Card::COUNT]);

impl Deck {
    /// Cards dealt to the four seats; the others are the kitty.
    pub const DEALT: u8 = 100;
    /// Cards dealt to each seat.
    pub const HAND: usize = Self::DEALT as usize / 4;

    /// The deck of a seed for the round of that number.
    pub fn of(seed: &Seed, round: u32) -> Self {
        let mut words = Words::new(&seed.0, [round, 0, 0]);
        let mut cards = Self::ordered();
        for i in (1..108_u32).rev() {
            cards.swap(i as usize, below(i + 1, &mut words) as usize);
        }
        Self(cards)
    }

    /// A deck in an order of one's own, or `None` unless each of the 108 cards is there once.
    pub fn new(cards: &[Card]) -> Option<Self> {
        let set: CardSet = cards.iter().copied().collect();
        let cards = cards.try_into().ok()?;
        (set == CardSet::FULL).then_some(Self(cards))
    }

    /// The cards in order.
    pub const fn cards(&self) -> &[Card; Card::COUNT] {
        &self.0
    }

    /// The eight cards of the kitty.
    pub fn kitty(&self) -> &[Card] {
        &self.0[usize::from(Self::DEALT)..]
    }

    /// The cards before they are shuffled (Rule 2.3.9).
    fn ordered() -> [Card; Card::COUNT] {
        const SUITS: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
        core::array::from_fn(|place| {
            let face = match place % Face::COUNT {
                52 => Face::SMALL_JOKER,
                53 => Face::BIG_JOKER,
                i => Face::new(SUITS[i / 13], Rank::ALL[i % 13]),
            };
            Card::new(face, place >= Face::COUNT)
        })
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deck(..)")
    }
}

/// A number below `n`, every one equally likely (Rule 2.3.7).
fn below(n: u32, words: &mut impl Iterator<Item = u32>) -> u32 {
    let limit = (1 << 32) / u64::from(n) * u64::from(n);
    words
        .find(|&word| u64::from(word) < limit)
        .expect("the stream is far longer than any deal")
        % n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_2_3_5_the_stream_has_the_round_as_nonce() {
        let words: Vec<u32> = Words::new(&[0; 32], [2, 0, 0]).take(4).collect();
        assert_eq!(
            words,
            [4_172_755_508, 3_321_861_019, 1_144_511_779, 2_666_959_675]
        );
    }

    #[test]
    fn rule_2_3_6_words_are_read_least_byte_first() {
        let first = Words::new(&[0; 32], [0; 3]).next();
        assert_eq!(first, Some(u32::from_le_bytes([0x76, 0xb8, 0xe0, 0xad])));
    }

    #[test]
    fn rule_2_3_7_a_word_above_the_last_multiple_is_passed_over() {
        // 2^32 = 39,768,215 × 108 + 76: the last 76 words would favour small numbers.
        let last = u32::MAX - 76;
        assert_eq!(below(108, &mut [last + 1, u32::MAX, 109].into_iter()), 1);
        assert_eq!(below(108, &mut [last].into_iter()), 107);
        assert_eq!(below(64, &mut [u32::MAX].into_iter()), 63);
    }

    #[test]
    fn rule_2_3_9_the_cards_begin_in_order() {
        let cards = Deck::ordered();
        for (place, text) in [
            (0, "2S0"),
            (13, "2H0"),
            (51, "AD0"),
            (53, "bj0"),
            (54, "2S1"),
        ] {
            assert_eq!(cards[place].to_string(), text);
        }
        assert_eq!(cards[107].to_string(), "bj1");
    }

    #[test]
    fn seeds_read_back_as_written() {
        let seed = Seed::from_number(0x0123_4567_89ab_cdef);
        assert_eq!(seed.to_hex().parse(), Ok(seed));
        assert!("00".parse::<Seed>().is_err());
        assert!("G".repeat(64).parse::<Seed>().is_err());
    }
}
