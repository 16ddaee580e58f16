//! What a seat can do, and its number in the card-by-card form.

use tractor::{Bid, Face, Faces, Suit};

/// The declarations, in the order of their numbers.
pub const BIDS: [Bid; 12] = [
    Bid::Single(Suit::Clubs),
    Bid::Single(Suit::Diamonds),
    Bid::Single(Suit::Hearts),
    Bid::Single(Suit::Spades),
    Bid::Pair(Suit::Clubs),
    Bid::Pair(Suit::Diamonds),
    Bid::Pair(Suit::Hearts),
    Bid::Pair(Suit::Spades),
    Bid::SmallJoker,
    Bid::BigJoker,
    Bid::SmallJokers,
    Bid::BigJokers,
];

/// Card by card: the number that ends a lead. The numbers below it are slots of cards.
pub const END: usize = 64;
/// Card by card: the number of passing.
pub const PASS: usize = 65;
/// Card by card: the number of the first of [`BIDS`].
pub const FIRST_BID: usize = 66;
/// How many numbers there are card by card.
pub const ACTIONS: usize = FIRST_BID + BIDS.len();

/// What a seat does, in words of the rules.
///
/// ```
/// use convoy_encode::tractor::{Action, Env, Options};
/// let env = Env::new(Options::default(), 7);
/// assert_eq!(env.action(0), Some(Action::Pass));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Declares nothing.
    Pass,
    /// Declares.
    Declare(Bid),
    /// Lays one more card out, to be buried or to be played.
    Lay(Face),
    /// Leads what is laid out.
    End,
    /// Plays these cards.
    Play(Faces),
}
