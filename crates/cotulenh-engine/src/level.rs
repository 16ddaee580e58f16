//! Ten playing strengths.

use cotulenh::{Move, SplitMix64};

/// What makes a level weaker: a node limit, evaluation noise, the same for the same position, and
/// moves that it overlooks, its own as well as the other side's.
///
/// ```
/// use cotulenh_engine::{Engine, Handicap, Options, SkillLevel};
/// let level = SkillLevel::new(2).expect("between 1 and 10");
/// // Between two levels.
/// let handicap = Handicap { noise: 10, ..level.handicap() };
/// Engine::new(Options { handicap: Some(handicap), ..Options::default() });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Handicap {
    /// The node limit of a turn.
    pub nodes: Option<u64>,
    /// The size of the evaluation noise, in hundredths of an infantry.
    pub noise: i32,
    /// How many of a thousand moves it overlooks.
    pub blindness: u64,
}

/// The errors of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Weakness {
    pub(crate) noise: i32,
    pub(crate) blindness: u64,
    pub(crate) seed: u64,
}

impl Weakness {
    pub(crate) const fn new(handicap: Handicap, seed: u64) -> Self {
        Self {
            noise: handicap.noise,
            blindness: handicap.blindness,
            seed,
        }
    }

    /// The evaluation noise of a position.
    #[inline]
    pub(crate) fn eval_noise(self, key: u64) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        // The sum of four uniform numbers is close to a normal distribution.
        let bits = SplitMix64::mix(key ^ self.seed);
        let sum: i32 = (0..4)
            .map(|at| i32::from(bits.to_le_bytes()[2 * at]) - 128)
            .sum();
        sum * self.noise / 150
    }

    /// Whether it overlooks a move.
    #[inline]
    pub(crate) fn overlooks(self, key: u64, mv: Move) -> bool {
        self.blindness != 0
            && SplitMix64::mix(key ^ self.seed ^ u64::from(mv.bits()) << 32) % 1000 < self.blindness
    }
}

/// A playing strength from 1 to 10.
///
/// ```
/// use cotulenh_engine::SkillLevel;
/// assert!(SkillLevel::new(0).is_none());
/// let level = SkillLevel::new(3).expect("between 1 and 10");
/// assert!(level.nodes().is_some_and(|nodes| nodes < 5_000));
/// assert_eq!(SkillLevel::new(10).and_then(SkillLevel::nodes), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkillLevel(u8);

/// Node limit, evaluation noise, moves overlooked in a thousand.
const LEVELS: [(u64, i32, u64); 10] = [
    (110, 800, 550),
    (127, 330, 252),
    (187, 157, 100),
    (330, 68, 35),
    (600, 21, 9),
    (1_350, 0, 0),
    (3_200, 0, 0),
    (8_000, 0, 0),
    (20_000, 0, 0),
    (u64::MAX, 0, 0),
];

impl SkillLevel {
    /// The strongest: no limit of its own.
    pub const MAX: Self = Self(10);

    /// A level from 1 to 10.
    pub const fn new(level: u8) -> Option<Self> {
        if level >= 1 && level <= 10 {
            Some(Self(level))
        } else {
            None
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The node limit of a turn, if it has one.
    pub const fn nodes(self) -> Option<u64> {
        self.handicap().nodes
    }

    /// What makes the level.
    pub const fn handicap(self) -> Handicap {
        let (nodes, noise, blindness) = LEVELS[self.0 as usize - 1];
        Handicap {
            nodes: if nodes == u64::MAX { None } else { Some(nodes) },
            noise,
            blindness,
        }
    }
}

impl Default for SkillLevel {
    fn default() -> Self {
        Self::MAX
    }
}
