//! The phases of a round (Rule 2.2): an enum of structs, each with what only that phase has.

use alloc::vec::Vec;

use crate::card_set::CardSet;
use crate::lead::Lead;
use crate::rules::Rules;
use crate::score::RoundResult;
use crate::seat::{Seat, Team};
use crate::view::{SeenThrow, SeenTrick};

/// Where a round stands.
///
/// ```
/// use tractor::{Deck, Event, Phase, Round, Rules, Seed, Setup};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// let Phase::Dealing(dealing) = round.phase() else { unreachable!() };
/// assert_eq!(dealing.dealt, 0);
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// assert!(matches!(round.phase(), Phase::Burying(burying) if burying.seat == round.starter()));
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Cards go out, declarations come in.
    Dealing(Dealing),
    /// A seat holds 33 cards and is to bury eight.
    Burying(Burying),
    /// With `kitty_theft`: the other seats may outbid the standing declaration.
    Stealing(Stealing),
    /// Tricks are played.
    Playing(Playing),
    /// The round has a result.
    Over(Over),
}

/// The deal and its declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dealing {
    /// How many cards have gone out, 0 to 100.
    pub dealt: u8,
    /// Who has passed since the last declaration, once all cards are out.
    pub passed: [bool; 4],
}

/// The burying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burying {
    /// Who is to bury.
    pub seat: Seat,
}

/// The window for theft after a burying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stealing {
    /// Who has passed; the seat that buried counts as having passed.
    pub passed: [bool; 4],
}

/// The tricks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playing {
    /// The finished tricks, oldest first.
    pub tricks: Vec<PlayedTrick>,
    /// Who leads the open trick.
    pub leader: Seat,
    /// The plays of the open trick, the lead first; fewer than four.
    pub plays: Vec<CardSet>,
    /// The components that the leader named for the open trick (Rule 2.10.18).
    pub parts: Option<Vec<CardSet>>,
    /// The lead as it was judged.
    pub lead: Option<Lead>,
    /// The throw that failed at the head of the open trick.
    pub failed: Option<FailedThrow>,
}

impl Playing {
    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.leader.after(self.plays.len())
    }
}

/// A finished trick.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlayedTrick {
    /// Who led.
    pub leader: Seat,
    /// What the four seats played, from the leader on.
    pub plays: [CardSet; 4],
    /// Who was ahead after each play.
    pub ahead: [Seat; 4],
    /// The throw that failed at its head, if one did.
    pub failed: Option<FailedThrow>,
}

impl PlayedTrick {
    /// Who won it.
    pub const fn winner(&self) -> Seat {
        self.ahead[3]
    }

    /// The points in it.
    pub fn points(&self) -> u32 {
        self.plays.iter().map(|play| play.faces().points()).sum()
    }

    /// The trick as all see it.
    pub(crate) fn seen(&self, rules: &Rules) -> SeenTrick {
        SeenTrick {
            leader: self.leader,
            plays: self.plays.to_vec(),
            ahead: self.ahead.to_vec(),
            points: self.points(),
            parts: None,
            failed: self.failed.map(|failed| failed.seen(rules)),
        }
    }
}

/// A throw that the real hands refuted (Rule 3.2.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FailedThrow {
    /// All cards that were shown; those not led went back to the hand.
    pub cards: CardSet,
    /// Who could beat one of its components.
    pub by: Seat,
}

impl FailedThrow {
    /// The throw as all see it: who stopped it is told or not (Rule 2.10.7).
    pub(crate) fn seen(&self, rules: &Rules) -> SeenThrow {
        SeenThrow {
            cards: self.cards,
            by: Some(self.by).filter(|_| rules.announce_stopper),
        }
    }
}

/// The end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
    /// All tricks that were played.
    pub tricks: Vec<PlayedTrick>,
    /// What the kitty added.
    pub bonus: Option<KittyBonus>,
    /// What came of it.
    pub result: RoundResult,
    /// Who ended it before the cards ran out.
    pub ended_by: Option<Seat>,
}

/// What the kitty adds to the attackers' points (Rule 2.7).
///
/// ```
/// use tractor::KittyBonus;
/// let bonus = KittyBonus { points: 25, multiplier: 8 };
/// assert_eq!(bonus.total(), 200);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KittyBonus {
    /// The points in the kitty.
    pub points: u32,
    /// How often they count.
    pub multiplier: i32,
}

impl KittyBonus {
    /// The points it adds.
    pub fn total(&self) -> i32 {
        self.points.cast_signed().saturating_mul(self.multiplier)
    }
}

/// Points so far, the bonus not among them.
///
/// ```
/// use tractor::{Points, Team};
/// let points = Points { taken: [120, 60], penalty: -10 };
/// assert_eq!(points.of(Team::B), 50);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Points {
    /// What A and B took in tricks.
    pub taken: [u32; 2],
    /// What failed throws gave the attackers, or cost them.
    pub penalty: i32,
}

impl Points {
    /// What counts for the attackers so far.
    pub fn of(&self, attackers: Team) -> i32 {
        self.taken[attackers.index()].cast_signed() + self.penalty
    }
}
