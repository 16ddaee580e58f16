//! Following: what is owed, and every play that pays it.

mod plays;

use core::error::Error;
use core::fmt;

use crate::card::Face;
use crate::card_set::Faces;
use crate::judge::Judge;
use crate::lead::Lead;
use crate::loosen::{self, Parts};
use crate::planes::Planes;
use crate::ranked_cards::RankedCards;
use crate::rules::FollowPolicy;
use crate::run;
use crate::shape::Kind;
use crate::subset::{self, Subsets};
use crate::trump::Group;

pub use plays::Plays;

/// What the pairs of a play must form, beside their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing more.
    Nothing,
    /// One tractor of so many pairs, and nothing else.
    Tractor(u32),
    /// So many pairs inside tractors.
    TractorPairs(u32),
    /// Disjoint tractors of these lengths.
    Parts(Parts),
}

/// What a follower owes to a lead: the one place that knows Rule 3.3.
///
/// A legal play is `fixed`, all of it, and `draw` cards of `pool`. The pairs among those drawn decide whether the
/// duty is met: at least `least` of them, formed as `need` says. The other cards drawn are free.
///
/// ```
/// # use tractor::{Judge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let lead = judge.lead(judge.ranked("3H 3H".parse()?))?;
/// let duty = judge.duty(&lead, judge.ranked("7H 7H 8H 8H 9C".parse()?));
/// assert_eq!(duty.count(), 2);
/// let plays: Vec<_> = duty.plays().map(|play| judge.faces(play).to_string()).collect();
/// assert_eq!(plays, ["7H 7H", "8H 8H"]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Duty<'a> {
    pub(crate) judge: &'a Judge,
    hand: RankedCards,
    group: Group,
    len: u32,
    pub(crate) fixed: Planes,
    pub(crate) pool: Planes,
    pub(crate) draw: u32,
    pub(crate) least: u32,
    pub(crate) need: Need,
}

/// Why a play does not follow; the hand stays as it was.
///
/// ```
/// # use tractor::{FollowError, Judge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let lead = judge.lead(judge.ranked("3H 3H".parse()?))?;
/// let hand = judge.ranked("7H 7H 8H 9C".parse()?);
/// let refusal = judge.follow(&lead, hand, judge.ranked("7H 8H".parse()?)).unwrap_err();
/// assert_eq!(refusal, FollowError::Pairs { owed: 1, held: "7H 7H".parse()? });
/// assert_eq!(refusal.to_string(), "a pair was led and you hold one: play 7H 7H");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FollowError {
    /// A card that the player does not hold, or not twice.
    NotHeld(Face),
    /// Another number of cards than were led.
    Count {
        /// Cards led.
        led: usize,
        /// Cards played.
        played: usize,
    },
    /// Cards of other groups while some of the led group are held back.
    Group {
        /// The led group.
        group: Group,
        /// Cards of it that stayed in hand.
        held: Faces,
    },
    /// Fewer pairs than owed.
    Pairs {
        /// Pairs that must be played.
        owed: usize,
        /// The pairs held in the led group.
        held: Faces,
    },
    /// No tractor where one of the led length is held.
    Tractor {
        /// Its pairs.
        pairs: usize,
        /// The pairs from which it can be made.
        held: Faces,
    },
    /// Fewer tractor pairs than owed.
    TractorPairs {
        /// Pairs inside tractors that must be played.
        owed: usize,
        /// The pairs from which tractors can be made.
        held: Faces,
    },
}

impl FollowError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotHeld(_) => "held",
            Self::Count { .. } => "count",
            Self::Group { .. } => "group",
            Self::Pairs { .. } => "pairs",
            Self::Tractor { .. } => "tractor",
            Self::TractorPairs { .. } => "tractor-pairs",
        }
    }
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHeld(face) => write!(f, "you do not hold {face} (or not as often)"),
            Self::Count { led, played } => {
                let s = if *led == 1 { "" } else { "s" };
                write!(f, "play {led} card{s}, as many as were led, not {played}")
            }
            Self::Group { group, held } => {
                write!(f, "you still hold {group}: play them first ({held})")
            }
            Self::Pairs { owed: 1, held } => {
                let choice = if held.len() > 2 { "one pair of " } else { "" };
                write!(f, "a pair was led and you hold one: play {choice}{held}")
            }
            Self::Pairs { owed, held } => {
                write!(f, "pairs were led: play {owed} pairs of {held}")
            }
            Self::Tractor { pairs, held } => write!(
                f,
                "a tractor was led and you hold one: play {pairs} touching pairs of {held}"
            ),
            Self::TractorPairs { owed, held } => write!(
                f,
                "tractors were led: play {owed} pairs in tractors of {held}"
            ),
        }
    }
}

impl Error for FollowError {}

impl Judge {
    /// Whether `play` from `hand` follows `lead` (Rule 3.3).
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let lead = judge.lead(judge.ranked("KS".parse()?))?;
    /// let hand = judge.ranked("2S QS 3D".parse()?);
    /// let refusal = judge.follow(&lead, hand, judge.ranked("2S".parse()?)).unwrap_err();
    /// assert_eq!(refusal.to_string(), "you still hold spades: play them first (QS)");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn follow(
        &self,
        lead: &Lead,
        hand: RankedCards,
        play: RankedCards,
    ) -> Result<(), FollowError> {
        self.duty(lead, hand).check(play)
    }

    /// What `hand` owes to `lead` (Rule 3.3).
    #[inline]
    pub fn duty(&self, lead: &Lead, hand: RankedCards) -> Duty<'_> {
        self.layout.check(hand.1);
        let group = lead.group();
        let len = u32::from(lead.shape.len);
        let have = hand.0.within(self.mask(group));
        let held = have.len();
        let mut duty = Duty {
            judge: self,
            hand,
            group,
            len,
            fixed: Planes::EMPTY,
            pool: have,
            draw: len,
            least: 0,
            need: Need::Nothing,
        };
        if held <= len {
            duty.fixed = have;
            duty.pool = Planes {
                any: hand.0.any & !have.any,
                pair: hand.0.pair & !have.pair,
            };
            duty.draw = len - held;
        } else if lead.shape.pairs > 0 && have.pair != 0 {
            (duty.least, duty.need) = self.owed(lead, have.pair);
        }
        duty
    }

    /// The pairs owed, and their form, by someone with these pairs and more cards than were led.
    fn owed(&self, lead: &Lead, pairs: u64) -> (u32, Need) {
        let shape = &lead.shape;
        let least = u32::from(shape.pairs).min(pairs.count_ones());
        if self.rules().follow_policy == FollowPolicy::Free {
            return (0, Need::Nothing);
        }
        if shape.tractors == 0 || least < 2 {
            return (least, Need::Nothing);
        }
        let local = self.local_bits(pairs, shape.group);
        let rungs = self.rungs(shape.group, local);
        if self.rules().follow_policy == FollowPolicy::Strict {
            return loosen::first_fit(self, shape, local);
        }
        let need = if let Some(Kind::Tractor { pairs }) = shape.kind() {
            if run::has(rungs, pairs.into()) {
                Need::Tractor(pairs.into())
            } else {
                Need::Nothing
            }
        } else {
            let capacity = self.tractor_capacity(rungs, u32::from(shape.len) / 2);
            match capacity.min(shape.tractor_pairs.into()) {
                0 => Need::Nothing,
                owed => Need::TractorPairs(owed),
            }
        };
        (least, need)
    }

    /// The most tractor pairs that at most `limit` pairs can show: each tractor of the hand gives none, or any
    /// number from the shortest tractor up to its length.
    fn tractor_capacity(&self, rungs: u32, limit: u32) -> u32 {
        let least = self.min_run();
        let mut reach = 1u32;
        for (_, len) in run::maximal(rungs).filter(|&(_, len)| len >= least) {
            // Parts of one tractor exclude each other: all start from what the others reach.
            let before = reach;
            for part in least..=len {
                reach |= before << part;
            }
        }
        let allowed = reach & ((2u32 << limit) - 1);
        allowed.ilog2()
    }
}

impl Duty<'_> {
    /// How many cards must be played.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Never true: a lead has cards.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Cards that must be played whatever else is.
    pub const fn fixed(&self) -> RankedCards {
        RankedCards(self.fixed, self.judge.layout)
    }

    /// Cards from which the rest is drawn.
    pub const fn pool(&self) -> RankedCards {
        RankedCards(self.pool, self.judge.layout)
    }

    /// How many cards are drawn from the pool.
    pub const fn draw(&self) -> usize {
        self.draw as usize
    }

    /// Whether `play` pays the duty.
    #[inline]
    pub fn check(&self, play: RankedCards) -> Result<(), FollowError> {
        if self.allows(play) {
            Ok(())
        } else {
            Err(self.refusal(play))
        }
    }

    /// The same as a plain answer.
    #[inline]
    pub fn allows(&self, play: RankedCards) -> bool {
        let off = play.0.any & !(self.fixed.any | self.pool.any);
        self.hand.contains(play)
            && play.0.len() == self.len
            && play.0.contains(self.fixed)
            && off == 0
            && (play.0.pair & self.pool.pair).count_ones() >= self.least
            && self.met(play.0.pair)
    }

    /// Whether some legal play holds all these cards: whether a play that is put together card by card can go on with them.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// let lead = judge.lead(judge.ranked("3H 3H".parse()?))?;
    /// let duty = judge.duty(&lead, judge.ranked("7H 7H 9H".parse()?));
    /// assert!(duty.can_hold(judge.ranked("7H".parse()?)));
    /// assert!(!duty.can_hold(judge.ranked("9H".parse()?)), "the pair is owed");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_hold(&self, cards: RankedCards) -> bool {
        let part = cards.0.within(self.pool.any);
        let rest = cards.0.within(!self.pool.any);
        if !self.pool.contains(part) || !self.fixed.contains(rest) || part.len() > self.draw {
            return false;
        }
        let (faces, pairs) = (self.pool.any.count_ones(), self.pool.pair);
        let (shown, singles) = (part.pair.count_ones(), part.any & !part.pair);
        (self.least.max(shown)..=pairs.count_ones().min(self.draw / 2)).any(|number| {
            // As many faces are shown once beside the pairs.
            let once = self.draw - 2 * number;
            let fits = |single: u32| single <= once && faces - number >= once;
            if self.need == Need::Nothing {
                let paired = (singles & pairs).count_ones().min(number - shown);
                return fits(singles.count_ones() - paired);
            }
            Subsets::new(self.candidates(), number)
                .filter(|set| part.pair & !set == 0 && self.met(*set))
                .any(|set| fits((part.any & !set).count_ones()))
        })
    }

    /// Whether these pairs have the form that is needed.
    #[inline]
    pub(crate) fn met(&self, pairs: u64) -> bool {
        match self.need {
            Need::Nothing => true,
            _ => self.met_by(pairs),
        }
    }

    fn met_by(&self, pairs: u64) -> bool {
        let judge = self.judge;
        let local = judge.local_bits(pairs, self.group);
        let rungs = judge.rungs(self.group, local);
        match self.need {
            Need::Nothing => true,
            Need::Tractor(len) => {
                local.count_ones() == len && rungs.count_ones() == len && run::has(rungs, len)
            }
            Need::TractorPairs(owed) => run::covered(rungs, judge.min_run()).count_ones() >= owed,
            Need::Parts(parts) => loosen::fits(judge, self.group, local, parts),
        }
    }

    #[cold]
    fn refusal(&self, play: RankedCards) -> FollowError {
        let judge = self.judge;
        if let Some(face) = judge.missing(self.hand, play) {
            return FollowError::NotHeld(face);
        }
        if play.0.len() != self.len {
            return FollowError::Count {
                led: self.len as usize,
                played: play.len(),
            };
        }
        let own = judge.of_group(self.hand, self.group);
        let kept = own.less_unchecked(judge.of_group(play, self.group));
        if !play.0.contains(self.fixed) || play.0.any & !(self.fixed.any | self.pool.any) != 0 {
            return FollowError::Group {
                group: self.group,
                held: judge.faces(kept),
            };
        }
        let pairs = |mask: u64| judge.faces(RankedCards(Planes::twice(mask), judge.layout));
        if play.pairs() < self.least as usize {
            return FollowError::Pairs {
                owed: self.least as usize,
                held: pairs(self.pool.pair),
            };
        }
        let local = judge.local_bits(self.pool.pair, self.group);
        let rungs = judge.rungs(self.group, local);
        let shortest = match self.need {
            Need::Tractor(len) => len,
            _ => judge.min_run(),
        };
        let touching = judge.faces_of(self.group, run::covered(rungs, shortest)) & local;
        let held = pairs(judge.plane(touching, self.group));
        match self.need {
            Need::Tractor(len) => FollowError::Tractor {
                pairs: len as usize,
                held,
            },
            Need::Parts(parts) => match (parts.longest(), parts.sum()) {
                (pairs, sum) if pairs == sum => FollowError::Tractor {
                    pairs: pairs as usize,
                    held,
                },
                (_, sum) => FollowError::TractorPairs {
                    owed: sum as usize,
                    held,
                },
            },
            Need::TractorPairs(owed) => FollowError::TractorPairs {
                owed: owed as usize,
                held,
            },
            Need::Nothing => unreachable!("a play that is refused fails one of the tests"),
        }
    }

    /// Pairs that a legal play may show.
    pub(crate) fn candidates(&self) -> u64 {
        match self.need {
            Need::Tractor(len) => {
                let judge = self.judge;
                let local = judge.local_bits(self.pool.pair, self.group);
                let rungs = run::covered(judge.rungs(self.group, local), len);
                judge.plane(judge.faces_of(self.group, rungs) & local, self.group)
            }
            _ => self.pool.pair,
        }
    }

    /// How many legal plays there are.
    pub fn count(&self) -> u64 {
        let faces = self.pool.any.count_ones();
        let free = |pairs: u32| match self.draw.checked_sub(2 * pairs) {
            Some(singles) => subset::choose(faces - pairs, singles),
            None => 0,
        };
        let most = self.pool.pair.count_ones().min(self.draw / 2);
        (self.least..=most)
            .map(|pairs| {
                let ways = match self.need {
                    Need::Nothing => subset::choose(self.pool.pair.count_ones(), pairs),
                    _ => Subsets::new(self.candidates(), pairs)
                        .filter(|&shown| self.met_by(shown))
                        .count() as u64,
                };
                ways * free(pairs)
            })
            .sum()
    }
}
