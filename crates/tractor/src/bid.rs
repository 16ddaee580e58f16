//! Declaring trump during the deal (Rule 2.4).

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::card::{Card, Face, Rank, Suit};
use crate::card_set::{CardSet, Faces};
use crate::level::Level;
use crate::rules::{BidPolicy, BidReinforce, DeclOffer, JokerBids, Rules};
use crate::seat::Seat;

/// What a declaration shows.
///
/// ```
/// use tractor::{Bid, Rank, Suit};
/// assert_eq!(Bid::of("7H 7H".parse()?, Some(Rank::Seven)), Some(Bid::Pair(Suit::Hearts)));
/// assert_eq!(Bid::of("7H 7S".parse()?, Some(Rank::Seven)), None);
/// assert_eq!(Bid::SmallJokers.suit(), None);
/// # Ok::<_, tractor::ParseCardsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bid {
    /// One card of the trump rank.
    Single(Suit),
    /// One small joker, where `joker_bids = singles` (Rule 2.10.10).
    SmallJoker,
    /// One big joker, where `joker_bids = singles`.
    BigJoker,
    /// Two alike of the trump rank.
    Pair(Suit),
    /// Both small jokers.
    SmallJokers,
    /// Both big jokers.
    BigJokers,
}

impl Bid {
    /// What these cards declare when `rank` is the trump rank, if anything.
    pub fn of(cards: Faces, rank: Option<Rank>) -> Option<Self> {
        let mut faces = cards.iter();
        let (face, second) = (faces.next()?, faces.next());
        if faces.next().is_some() || second.is_some_and(|other| other != face) {
            return None;
        }
        match (face.suit(), second) {
            (Some(suit), None) if face.rank() == rank => Some(Self::Single(suit)),
            (Some(suit), Some(_)) if face.rank() == rank => Some(Self::Pair(suit)),
            (None, None) if face == Face::BIG_JOKER => Some(Self::BigJoker),
            (None, None) => Some(Self::SmallJoker),
            (None, Some(_)) if face == Face::BIG_JOKER => Some(Self::BigJokers),
            (None, Some(_)) => Some(Self::SmallJokers),
            _ => None,
        }
    }

    /// The trump suit it sets; jokers set none.
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Self::Single(suit) | Self::Pair(suit) => Some(suit),
            Self::SmallJoker | Self::BigJoker | Self::SmallJokers | Self::BigJokers => None,
        }
    }

    /// How many cards it shows.
    pub const fn len(self) -> usize {
        match self {
            Self::Single(_) | Self::SmallJoker | Self::BigJoker => 1,
            Self::Pair(_) | Self::SmallJokers | Self::BigJokers => 2,
        }
    }

    /// Always false: every bid shows cards.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Whether it shows jokers.
    pub const fn is_joker(self) -> bool {
        self.suit().is_none()
    }

    /// The face it shows under a trump rank; `None` for a suit without a trump rank.
    pub fn face(self, rank: Option<Rank>) -> Option<Face> {
        match self {
            Self::Single(suit) | Self::Pair(suit) => Some(Face::new(suit, rank?)),
            Self::SmallJoker | Self::SmallJokers => Some(Face::SMALL_JOKER),
            Self::BigJoker | Self::BigJokers => Some(Face::BIG_JOKER),
        }
    }

    /// The bid with the second copy added.
    pub const fn doubled(self) -> Option<Self> {
        match self {
            Self::Single(suit) => Some(Self::Pair(suit)),
            Self::SmallJoker => Some(Self::SmallJokers),
            Self::BigJoker => Some(Self::BigJokers),
            Self::Pair(_) | Self::SmallJokers | Self::BigJokers => None,
        }
    }

    /// The word of the line protocols: `single`, `pair`, `smallJokerPair`, `bigJokerPair`, and for
    /// lone jokers `smallJoker`, `bigJoker`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Single(_) => "single",
            Self::SmallJoker => "smallJoker",
            Self::BigJoker => "bigJoker",
            Self::Pair(_) => "pair",
            Self::SmallJokers => "smallJokerPair",
            Self::BigJokers => "bigJokerPair",
        }
    }

    /// The bid of a word of [`Bid::word`] and a suit; jokers have none.
    ///
    /// ```
    /// # use tractor::{Bid, Suit};
    /// assert_eq!(Bid::from_word("pair", Some(Suit::Hearts)), Some(Bid::Pair(Suit::Hearts)));
    /// assert_eq!(Bid::from_word("pair", None), None);
    /// assert_eq!(Bid::from_word("bigJokerPair", None), Some(Bid::BigJokers));
    /// ```
    pub fn from_word(word: &str, suit: Option<Suit>) -> Option<Self> {
        Some(match (word, suit) {
            ("single", Some(suit)) => Self::Single(suit),
            ("pair", Some(suit)) => Self::Pair(suit),
            ("smallJoker", None) => Self::SmallJoker,
            ("bigJoker", None) => Self::BigJoker,
            ("smallJokerPair", None) => Self::SmallJokers,
            ("bigJokerPair", None) => Self::BigJokers,
            _ => return None,
        })
    }

    /// Whether this is strictly stronger than `other` (Rules 2.4.3 and 2.10.8).
    ///
    /// ```
    /// use tractor::{Bid, BidPolicy, Suit};
    /// let (hearts, spades) = (Bid::Pair(Suit::Hearts), Bid::Pair(Suit::Spades));
    /// assert!(!spades.beats(hearts, BidPolicy::JokerOrGreaterLength));
    /// assert!(spades.beats(hearts, BidPolicy::JokerOrHigherSuit));
    /// assert!(Bid::SmallJokers.beats(spades, BidPolicy::JokerOrGreaterLength));
    /// ```
    pub fn beats(self, other: Self, policy: BidPolicy) -> bool {
        let joker = |bid: Self| match bid {
            Self::Single(_) | Self::Pair(_) => 0,
            Self::SmallJoker | Self::SmallJokers => 1,
            Self::BigJoker | Self::BigJokers => 2,
        };
        let key = |bid: Self| match policy {
            BidPolicy::JokerOrGreaterLength => (bid.len(), joker(bid), None),
            BidPolicy::GreaterLength => (bid.len(), 0, None),
            BidPolicy::JokerOrHigherSuit => {
                let suit = bid.suit().filter(|_| bid.len() == 2);
                (bid.len(), joker(bid), suit)
            }
        };
        key(self) > key(other)
    }
}

/// A declaration that was accepted.
///
/// ```
/// # use tractor::{Deck, Event, RoundError, Round, Rules, Seat, Seed, Setup, View};
/// # let deck = Deck::of(&Seed::from_number(7), 1);
/// # let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// round.apply(Event::Deal { count: 100 })?;
/// let seat = Seat::ALL[0];
/// if let Some(offer) = View::of(&round, Some(seat)).offers.first() {
///     round.apply(Event::Declare { seat, cards: offer.cards })?;
///     let declaration = round.declarations()[0];
///     assert_eq!((declaration.bid, declaration.at), (offer.bid, 100));
/// }
/// # Ok::<_, RoundError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Declaration {
    /// Who made it.
    pub seat: Seat,
    /// What it shows.
    pub bid: Bid,
    /// The very cards shown; they stay in the hand.
    pub cards: CardSet,
    /// How many cards had been dealt.
    pub at: u8,
}

/// Why a declaration is refused.
///
/// ```
/// use tractor::{Bid, DeclareError, Suit};
/// let refusal = DeclareError::TooWeak(Bid::Pair(Suit::Hearts));
/// assert_eq!(refusal.to_string(), "a pair in hearts stands, and this is not stronger");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclareError {
    /// The cards are no declaration: one card of the trump rank, two alike, or two alike jokers.
    NoBid,
    /// `joker_bids` does not allow it.
    JokersOff,
    /// Rule 2.4.3: the standing declaration is at least as strong.
    TooWeak(Bid),
    /// Rule 2.4.4: one's own declaration can only be doubled.
    OwnStands(Bid),
}

impl DeclareError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoBid => "no-bid",
            Self::JokersOff => "jokers-off",
            Self::TooWeak(_) => "declare",
            Self::OwnStands(_) => "own-stands",
        }
    }
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBid => f.write_str(
                "declare with one card of the trump rank, two alike, or both jokers of a kind",
            ),
            Self::JokersOff => f.write_str("the house rules do not let these jokers declare"),
            Self::TooWeak(bid) => write!(f, "{bid} stands, and this is not stronger"),
            Self::OwnStands(bid) => {
                write!(f, "your own {bid} stands: you may only add its second card")
            }
        }
    }
}

impl Error for DeclareError {}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(suit) => write!(f, "a single in {}", suit.word()),
            Self::Pair(suit) => write!(f, "a pair in {}", suit.word()),
            Self::SmallJoker => f.write_str("a small joker"),
            Self::BigJoker => f.write_str("a big joker"),
            Self::SmallJokers => f.write_str("the pair of small jokers"),
            Self::BigJokers => f.write_str("the pair of big jokers"),
        }
    }
}

/// Whether `seat` may make `bid` over the declaration that stands (Rules 2.4.3 to 2.4.5).
///
/// ```
/// use tractor::{Bid, DeclareError, Rules, Seat, Suit, may_declare};
/// let [a, b, ..] = Seat::ALL;
/// let standing = Some((a, Bid::Single(Suit::Spades)));
/// let rules = &Rules::DEFAULT;
/// assert_eq!(may_declare(rules, standing, b, Bid::Pair(Suit::Hearts)), Ok(()));
/// assert_eq!(may_declare(rules, standing, a, Bid::Pair(Suit::Spades)), Ok(()));
/// let own = Err(DeclareError::OwnStands(Bid::Single(Suit::Spades)));
/// assert_eq!(may_declare(rules, standing, a, Bid::Pair(Suit::Hearts)), own);
/// ```
pub fn may_declare(
    rules: &Rules,
    standing: Option<(Seat, Bid)>,
    seat: Seat,
    bid: Bid,
) -> Result<(), DeclareError> {
    let allowed = match rules.joker_bids {
        JokerBids::Pairs => !bid.is_joker() || bid.len() == 2,
        JokerBids::Singles => true,
        JokerBids::Off => !bid.is_joker(),
    };
    if !allowed {
        return Err(DeclareError::JokersOff);
    }
    let Some((holder, standing)) = standing else {
        return Ok(());
    };
    let stronger = bid.beats(standing, rules.bid_policy);
    let accepted = if holder == seat {
        let raise = match rules.bid_reinforce {
            BidReinforce::WhileWinning => standing.doubled() == Some(bid),
            BidReinforce::OverturnSelf => stronger,
            BidReinforce::Never => false,
        };
        raise || rules.own_joker_raise && (standing, bid) == (Bid::SmallJokers, Bid::BigJokers)
    } else {
        stronger
    };
    match accepted {
        true => Ok(()),
        false if holder == seat => Err(DeclareError::OwnStands(standing)),
        false => Err(DeclareError::TooWeak(standing)),
    }
}

/// Every declaration that a seat is offered, weakest first, with the cards to show (Rule 2.4.9).
///
/// ```
/// use tractor::{Bid, CardSet, Rules, Level, Seat, Suit, offers};
/// let hand = CardSet::read("2S0 2S1 2H1 sj0".split(' '))?;
/// let bids: Vec<Bid> = offers(&Rules::DEFAULT, Level::TWO, hand, Seat::ALL[0], None)
///     .into_iter()
///     .map(|(bid, _)| bid)
///     .collect();
/// let singles = [Bid::Single(Suit::Hearts), Bid::Single(Suit::Spades)];
/// assert_eq!(bids, [singles[0], singles[1], Bid::Pair(Suit::Spades)]);
/// # Ok::<_, tractor::ParseCardsError>(())
/// ```
pub fn offers(
    rules: &Rules,
    level: Level,
    hand: CardSet,
    seat: Seat,
    standing: Option<(Seat, Bid)>,
) -> Vec<(Bid, CardSet)> {
    let bids = Suit::ALL
        .map(Bid::Single)
        .into_iter()
        .chain([Bid::BigJoker])
        .chain(Suit::ALL.map(Bid::Pair))
        .chain([Bid::SmallJokers, Bid::BigJokers]);
    let mut list = Vec::new();
    for bid in bids {
        let Some(face) = bid.face(level.rank()) else {
            continue;
        };
        let held: Vec<Card> = [false, true]
            .map(|second| Card::new(face, second))
            .into_iter()
            .filter(|&card| hand.has(card))
            .collect();
        let hidden = rules.decl_offer == DeclOffer::PairOnly && held.len() > bid.len();
        if held.len() >= bid.len() && !hidden && may_declare(rules, standing, seat, bid).is_ok() {
            list.push((bid, held[..bid.len()].iter().copied().collect()));
        }
    }
    list
}
