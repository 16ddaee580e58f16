//! What a round is worth, and what follows it (Rules 2.8 and 2.9).

use crate::card::Rank;
use crate::level::Level;
use crate::rules::{KittyMultiplier, Rules, Scoring};
use crate::seat::{Seat, Team};

/// What decides the result of a round (Rule 2.9.6).
///
/// ```
/// use tractor::{Rules, Level, RoundEnd, Seat, Team};
/// let end = RoundEnd {
///     starter: Seat::ALL[0],
///     defending: Team::A,
///     levels: ["2".parse()?, "5".parse()?],
///     points: 80,
///     lone_jack: false,
/// };
/// let result = end.result(&Rules::DEFAULT);
/// assert_eq!((result.winner, result.rise), (Team::B, 0));
/// let next = result.next.unwrap();
/// assert_eq!((next.starter.index(), next.defending), (1, Team::B));
/// assert_eq!(next.levels[1], "5".parse::<Level>()?);
/// # Ok::<_, tractor::ParseLevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RoundEnd {
    /// Who started the round.
    pub starter: Seat,
    /// Who defended.
    pub defending: Team,
    /// The levels of A and B during the round.
    pub levels: [Level; 2],
    /// X: what the attackers took, bonus and penalties included.
    pub points: i32,
    /// The attackers won the last trick with a single jack (Rule 2.10.3).
    pub lone_jack: bool,
}

/// The result of a round (Rule 2.8).
///
/// ```
/// use tractor::{Rules, RoundEnd, Seat, Team};
/// let end = RoundEnd {
///     starter: Seat::ALL[0],
///     defending: Team::A,
///     levels: ["A".parse()?, "7".parse()?],
///     points: 75,
///     lone_jack: false,
/// };
/// let result = end.result(&Rules::DEFAULT);
/// assert_eq!((result.winner, result.next), (Team::A, None));
/// # Ok::<_, tractor::ParseLevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundResult {
    /// The team that won it.
    pub winner: Team,
    /// X, the attackers' points.
    pub points: i32,
    /// How many levels the table gives the winner, before any stop.
    pub rise: u8,
    /// What the next round begins with, or `None` when the game is over: `winner` has won it.
    pub next: Option<Start>,
}

/// What a round begins with.
///
/// ```
/// use tractor::{Level, Rules, Setup, Team};
/// let start = Setup::first(Rules::DEFAULT).start;
/// assert_eq!((start.defending, start.levels), (Team::A, [Level::TWO; 2]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// Who starts, unless it is the first round and someone declares.
    pub starter: Seat,
    /// Who defends.
    pub defending: Team,
    /// The levels of A and B.
    pub levels: [Level; 2],
}

impl RoundEnd {
    /// The result under these house rules.
    pub fn result(&self, rules: &Rules) -> RoundResult {
        let defenders = self.defending;
        let (defended, rise) = rules.scoring.rise(self.points);
        let winner = if defended {
            defenders
        } else {
            defenders.other()
        };
        let level = self.levels[winner.index()];
        let mut levels = self.levels;
        levels[winner.index()] = rules.advance(level, rise, defended);
        let fallen = rules.jack_back_to_two
            && self.lone_jack
            && self.levels[defenders.index()] == Level::from(Rank::Jack);
        if fallen {
            levels[defenders.index()] = Level::TWO;
        }
        let over = defended && level == rules.max_rank;
        let starter = self.starter.after(if defended { 2 } else { 1 });
        RoundResult {
            winner,
            points: self.points,
            rise,
            next: (!over).then_some(Start {
                starter,
                defending: winner,
                levels,
            }),
        }
    }
}

impl Rules {
    /// The level after a rise: it stops at the last level and on levels that must be defended
    /// (Rules 2.8.3 and 2.9.5).
    fn advance(&self, from: Level, rise: u8, defended: bool) -> Level {
        let mut level = from;
        for step in 0..rise {
            let held = self.must_defend.has(level) && !(defended && step == 0);
            match level.next() {
                Some(next) if !held && level != self.max_rank => level = next,
                _ => break,
            }
        }
        level
    }
}

impl Scoring {
    /// Whether the defenders win with that X, and how many levels the winner rises (Rule 2.10.5).
    ///
    /// ```
    /// let scoring = tractor::Rules::DEFAULT.scoring;
    /// assert_eq!(scoring.rise(0), (true, 3));
    /// assert_eq!(scoring.rise(75), (true, 1));
    /// assert_eq!(scoring.rise(80), (false, 0));
    /// assert_eq!(scoring.rise(240), (false, 4));
    /// ```
    pub fn rise(&self, points: i32) -> (bool, u8) {
        let step = i64::from(self.step.max(1));
        let points = i64::from(points);
        let short = step * i64::from(self.turnover) - points;
        let levels = if short > 0 {
            (short + step - 1) / step + i64::from(points <= i64::from(self.shutout))
        } else {
            -short / step + 1 - i64::from(self.dead_zone)
        };
        let rise = u8::try_from(levels.max(0)).unwrap_or(u8::MAX);
        (short > 0, rise)
    }
}

impl KittyMultiplier {
    /// The factor for a last lead of so many pairs, the largest component of which has so many
    /// cards (Rule 2.10.4).
    ///
    /// ```
    /// use tractor::KittyMultiplier;
    /// assert_eq!(KittyMultiplier::PowPairs.factor(3, 6), 16);
    /// assert_eq!(KittyMultiplier::Times2n.factor(3, 6), 12);
    /// ```
    pub fn factor(self, pairs: usize, largest: usize) -> i32 {
        match self {
            Self::PowPairs => 2 << pairs,
            Self::Flat => 2 + 2 * i32::from(pairs > 0),
            Self::Times2n => i32::try_from(2 * largest).unwrap_or(i32::MAX),
            Self::PowN => 1 << largest,
        }
    }
}
