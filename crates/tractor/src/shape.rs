//! What a set of cards of one group consists of.

use core::fmt;

use crate::card_set::Faces;
use crate::judge::Judge;
use crate::lead::Lead;
use crate::ranked_cards::RankedCards;
use crate::run;
use crate::trump::Group;

/// A single, a pair, or a tractor of so many pairs (Rules 1.5, 1.6).
///
/// ```
/// # use tractor::Kind;
/// assert_eq!(Kind::Tractor { pairs: 3 }.len(), 6);
/// assert_eq!(Kind::Tractor { pairs: 3 }.to_string(), "tractor of 3 pairs");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One card.
    Single,
    /// Two cards of one face.
    Pair,
    /// Pairs on touching rungs.
    Tractor {
        /// How many pairs.
        pairs: u8,
    },
}

impl Kind {
    /// How many cards.
    pub const fn len(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Pair => 2,
            Self::Tractor { pairs } => 2 * pairs as usize,
        }
    }

    /// Always false: every kind has cards.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// `S`, `P` or `T`.
    pub const fn letter(self) -> char {
        match self {
            Self::Single => 'S',
            Self::Pair => 'P',
            Self::Tractor { .. } => 'T',
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single => f.write_str("single"),
            Self::Pair => f.write_str("pair"),
            Self::Tractor { pairs } => write!(f, "tractor of {pairs} pairs"),
        }
    }
}

/// A single, pair or tractor with its cards and the rung of its top card.
///
/// ```
/// # use tractor::{Judge, Kind, Rules};
/// let judge = Judge::new("7S".parse()?, Rules::DEFAULT);
/// let cards = judge.ranked("6H 6H 8H 8H".parse()?);
/// let combo = judge.components(cards).next().expect("one tractor: the sevens are trump");
/// assert_eq!((combo.kind, combo.cards), (Kind::Tractor { pairs: 2 }, cards));
/// assert_eq!(combo.top, judge.rung("8H".parse()?));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combo {
    /// What it is.
    pub kind: Kind,
    /// Its cards.
    pub cards: RankedCards,
    /// The rung of its strongest card, which decides against combos of the same kind.
    pub top: u32,
}

/// The summary of a set of cards of one group: its group, cards, pairs and tractors.
///
/// This is document 003's structure and components in one.
///
/// ```
/// # use tractor::{Judge, Kind, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let shape = judge.shape(judge.ranked("KH KH QH QH JH 9H".parse()?)).expect("one group");
/// assert_eq!((shape.len(), shape.pairs(), shape.tractor_sizes()), (6, 2, &[2][..]));
/// assert_eq!((shape.components(), shape.kind()), (3, None));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    pub(crate) group: Group,
    pub(crate) len: u8,
    pub(crate) pairs: u8,
    pub(crate) tractors: u8,
    pub(crate) tractor_pairs: u8,
    /// Lengths of the tractors in pairs, longest first. Twelve pairs make at most six.
    pub(crate) sizes: [u8; 6],
}

impl Shape {
    /// The group of the cards.
    pub const fn group(&self) -> Group {
        self.group
    }

    /// How many cards.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no card: never, for a shape that a judge has made.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All pairs, those in tractors included.
    #[inline]
    pub const fn pairs(&self) -> usize {
        self.pairs as usize
    }

    /// How many tractors.
    pub const fn tractors(&self) -> usize {
        self.tractors as usize
    }

    /// The tractors' lengths in pairs, longest first.
    pub fn tractor_sizes(&self) -> &[u8] {
        &self.sizes[..self.tractors()]
    }

    /// The pairs inside tractors.
    pub const fn tractor_pairs(&self) -> usize {
        self.tractor_pairs as usize
    }

    /// The pairs of the longest tractor, zero without one.
    pub const fn longest(&self) -> usize {
        self.sizes[0] as usize
    }

    /// Cards that are in no pair.
    pub const fn singles(&self) -> usize {
        self.len() - 2 * self.pairs()
    }

    /// How many singles, pairs and tractors there are.
    #[inline]
    pub const fn components(&self) -> usize {
        self.tractors() + self.pairs() - self.tractor_pairs() + self.singles()
    }

    /// The kind of a straight play; `None` for a throw.
    #[inline]
    pub const fn kind(&self) -> Option<Kind> {
        if self.components() != 1 {
            return None;
        }
        Some(match self.len {
            1 => Kind::Single,
            2 => Kind::Pair,
            _ => Kind::Tractor { pairs: self.pairs },
        })
    }

    /// Rule 3.4: whether a play of this shape may answer a throw of `lead`'s shape.
    pub(crate) const fn reaches(&self, lead: &Self) -> bool {
        self.len == lead.len
            && self.pairs >= lead.pairs
            && self.tractors >= lead.tractors
            && self.tractor_pairs >= lead.tractor_pairs
            && self.sizes[0] >= lead.sizes[0]
    }

    /// Adds a tractor and keeps the longest first; the place where it went.
    pub(crate) fn add_tractor(&mut self, pairs: u8) -> usize {
        let mut at = self.tractors();
        while at > 0 && self.sizes[at - 1] < pairs {
            self.sizes[at] = self.sizes[at - 1];
            at -= 1;
        }
        self.sizes[at] = pairs;
        self.tractors += 1;
        self.tractor_pairs += pairs;
        at
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a group has at most 36 cards"
)]
impl Judge {
    /// The summary of cards of one group by the canonical decomposition (Rule 3.1); `None` for no
    /// card or several groups.
    #[inline]
    pub fn shape(&self, cards: RankedCards) -> Option<Shape> {
        Some(self.shape_in(cards, self.group(cards)?))
    }

    /// The summary of cards that are known to be of `group`.
    #[inline]
    pub(crate) fn shape_in(&self, cards: RankedCards, group: Group) -> Shape {
        let mut shape = Shape {
            group,
            len: cards.0.len() as u8,
            pairs: cards.0.pair.count_ones() as u8,
            tractors: 0,
            tractor_pairs: 0,
            sizes: [0; 6],
        };
        if shape.pairs >= 2 {
            let rungs = self.rungs(group, self.local_bits(cards.0.pair, group));
            let least = self.min_run();
            if run::has(rungs, least) {
                // Rule 3.1: every face but those of the shared rung has a rung of its own, so the
                // longest tractors are the maximal runs, and further pairs of that rung stand alone.
                for (_, len) in run::maximal(rungs).filter(|&(_, len)| len >= least) {
                    shape.add_tractor(len as u8);
                }
            }
        }
        shape
    }

    /// The canonical components of cards, group by group (Rule 3.1): tractors, longest first, then pairs,
    /// then singles, the stronger first.
    ///
    /// ```
    /// # use tractor::{Judge, Kind, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// let cards = judge.ranked("AS AS 2H 2H 2C 2C 2S 2S".parse()?);
    /// let kinds: Vec<_> = judge.components(cards).map(|combo| combo.kind).collect();
    /// assert_eq!(kinds, [Kind::Tractor { pairs: 3 }, Kind::Pair]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn components(&self, cards: RankedCards) -> impl Iterator<Item = Combo> {
        Group::ALL
            .into_iter()
            .flat_map(move |group| self.components_in(cards, group))
    }

    /// The canonical components of the cards in `group`.
    pub(crate) fn components_in(&self, cards: RankedCards, group: Group) -> Components<'_> {
        let local = self.local(cards, group);
        let rungs = self.rungs(group, local.pair);
        Components {
            judge: self,
            group,
            tractors: Tractors::Touching(run::covered(rungs, self.min_run())),
            pairs: local.pair,
            singles: local.any & !local.pair,
        }
    }

    /// The components of a lead, as its leader named them or else canonical.
    pub(crate) fn components_of(&self, lead: &Lead) -> Components<'_> {
        let mut all = self.components_in(lead.cards, lead.group());
        if let Some(tops) = lead.named {
            all.tractors = Tractors::Named {
                sizes: lead.shape.sizes,
                tops,
                at: 0,
            };
        }
        all
    }

    /// A combo in words, with its cards: `tractor of 2 pairs 7H 7H 8H 8H`.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// let combo = judge.components(judge.ranked("7H 7H 8H 8H".parse()?)).next().expect("a tractor");
    /// assert_eq!(judge.display(&combo).to_string(), "tractor of 2 pairs 7H 7H 8H 8H");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn display(&self, combo: &Combo) -> impl fmt::Display {
        struct Words(Kind, Faces);
        impl fmt::Display for Words {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.0, self.1)
            }
        }
        Words(combo.kind, self.faces(combo.cards))
    }

    /// The first face of each of these rungs among `pairs`: local bits.
    #[inline]
    pub(crate) const fn one_each(&self, group: Group, rungs: u32, pairs: u32) -> u32 {
        let bits = self.faces_of(group, rungs) & pairs;
        let shared = bits & self.shared(group);
        bits & !shared | shared & shared.wrapping_neg()
    }
}

/// Tractors still to be listed.
#[derive(Debug, Clone, Copy)]
enum Tractors {
    /// The rungs that belong to them: each maximal run is one.
    Touching(u32),
    /// Their lengths and top rungs, from `at` on.
    Named {
        sizes: [u8; 6],
        tops: [u8; 6],
        at: usize,
    },
}

impl Tractors {
    /// Takes the first and longest, as its lowest rung and its length.
    fn take(&mut self) -> Option<(u32, u32)> {
        match self {
            Self::Touching(rungs) => {
                let (first, len) = run::maximal(*rungs).max_by_key(|run| run.1)?;
                *rungs &= !run::window(first, len);
                Some((first, len))
            }
            Self::Named { sizes, tops, at } => {
                let len = sizes.get(*at).copied().filter(|&len| len > 0)?;
                *at += 1;
                Some((u32::from(tops[*at - 1] + 1 - len), len.into()))
            }
        }
    }
}

/// The components of one group, taken off one by one.
#[derive(Debug, Clone)]
pub(crate) struct Components<'a> {
    judge: &'a Judge,
    group: Group,
    tractors: Tractors,
    /// Local bits of pairs and singles not yet listed.
    pairs: u32,
    singles: u32,
}

impl Components<'_> {
    fn combo(&self, kind: Kind, bits: u32) -> Combo {
        let plane = self.judge.plane(bits, self.group);
        let pair = if kind == Kind::Single { 0 } else { plane };
        Combo {
            kind,
            cards: RankedCards::from_planes(plane, pair).expect("pairs are held"),
            top: run::top(self.judge.rungs(self.group, bits)) - 1,
        }
    }
}

impl Iterator for Components<'_> {
    type Item = Combo;

    fn next(&mut self) -> Option<Combo> {
        if let Some((first, len)) = self.tractors.take() {
            let rungs = run::window(first, len);
            let bits = self.judge.one_each(self.group, rungs, self.pairs);
            self.pairs &= !bits;
            let pairs = u8::try_from(len).expect("a ladder has sixteen rungs");
            return Some(self.combo(Kind::Tractor { pairs }, bits));
        }
        let (kind, left) = match (&mut self.pairs, &mut self.singles) {
            (0, 0) => return None,
            (0, singles) => (Kind::Single, singles),
            (pairs, _) => (Kind::Pair, pairs),
        };
        let bit = 1 << left.ilog2();
        *left &= !bit;
        Some(self.combo(kind, bit))
    }
}
