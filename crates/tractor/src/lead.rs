//! Leading: what a play is, and whether it may be led.

use core::error::Error;
use core::fmt;

use crate::card::Face;
use crate::card_set::Faces;
use crate::judge::Judge;
use crate::ranked_cards::RankedCards;
use crate::rules::ThrowMode;
use crate::shape::{Kind, Shape};
use crate::throw::Knowledge;
use crate::trump::Group;

/// Cards as they were led: of one group, with their shape.
///
/// ```
/// # use tractor::{Judge, Kind, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let lead = judge.lead(judge.ranked("5S 5S 6S 6S".parse()?))?;
/// assert_eq!(lead.kind(), Some(Kind::Tractor { pairs: 2 }));
/// assert!(judge.lead(judge.ranked("5S 5D".parse()?)).is_err());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lead {
    pub(crate) cards: RankedCards,
    pub(crate) shape: Shape,
    /// The top rungs of the tractors where the leader named them, in the order of the shape's sizes.
    pub(crate) named: Option<[u8; 6]>,
}

impl Lead {
    /// The cards.
    #[inline]
    pub const fn cards(&self) -> RankedCards {
        self.cards
    }

    /// Their summary.
    #[inline]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The led group.
    #[inline]
    pub const fn group(&self) -> Group {
        self.shape.group
    }

    /// How many cards each must play.
    #[inline]
    pub const fn len(&self) -> usize {
        self.shape.len()
    }

    /// Never true: a lead has cards.
    pub const fn is_empty(&self) -> bool {
        self.shape.is_empty()
    }

    /// The kind of a straight lead; `None` for a throw.
    #[inline]
    pub const fn kind(&self) -> Option<Kind> {
        self.shape.kind()
    }

    /// Whether it has several components.
    #[inline]
    pub const fn is_throw(&self) -> bool {
        self.shape.components() > 1
    }
}

/// Why cards may not be led; the hand stays as it was.
///
/// ```
/// # use tractor::{Group, Judge, LeadError, Rules, Suit};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let refusal = judge.lead(judge.ranked("AS AD".parse()?)).unwrap_err();
/// assert_eq!(refusal, LeadError::Mixed(Group::Plain(Suit::Diamonds), Group::Plain(Suit::Spades)));
/// assert_eq!(refusal.to_string(), "a lead is of one suit: these cards are diamonds and spades");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeadError {
    /// No card at all.
    Empty,
    /// A card that the leader does not hold, or not twice.
    NotHeld(Face),
    /// Cards of two groups.
    Mixed(Group, Group),
    /// Rule 3.2: trumps are not thrown.
    TrumpThrow,
    /// Rule 3.2: a component that unseen cards could beat.
    Beatable {
        /// The kind of the component.
        kind: Kind,
        /// Its cards.
        component: Faces,
        /// Unseen cards that beat it.
        by: Faces,
    },
    /// Rule 3.1: the named grouping is not made of these cards' singles, pairs and tractors.
    Grouping,
}

impl LeadError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "none",
            Self::NotHeld(_) => "held",
            Self::Mixed(..) => "mixed",
            Self::TrumpThrow => "trump-throw",
            Self::Beatable { .. } => "beatable",
            Self::Grouping => "grouping",
        }
    }
}

impl fmt::Display for LeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("choose at least one card to lead"),
            Self::NotHeld(face) => write!(f, "you do not hold {face} (or not as often)"),
            Self::Mixed(a, b) => {
                write!(f, "a lead is of one suit: these cards are {a} and {b}")
            }
            Self::TrumpThrow => {
                f.write_str("trumps cannot be thrown: lead one single, pair or tractor")
            }
            Self::Beatable {
                kind,
                component,
                by,
            } => write!(
                f,
                "not a sure throw: the {kind} {component} may be beaten by {by}"
            ),
            Self::Grouping => {
                f.write_str("the cards do not fall into the singles, pairs and tractors named")
            }
        }
    }
}

impl Error for LeadError {}

impl Judge {
    /// Reads cards as a lead: one group, canonical components (Rules 3.1, 3.2). Whether a throw is allowed
    /// is a question for [`Judge::check_lead`].
    #[inline]
    pub fn lead(&self, cards: RankedCards) -> Result<Lead, LeadError> {
        match self.group(cards) {
            Some(group) => Ok(Lead {
                cards,
                shape: self.shape_in(cards, group),
                named: None,
            }),
            None => Err(self.mixed(cards)),
        }
    }

    fn mixed(&self, cards: RankedCards) -> LeadError {
        if cards.is_empty() {
            return LeadError::Empty;
        }
        let first = self.group_at(cards.any().trailing_zeros());
        let rest = cards.any() & !self.mask(first);
        LeadError::Mixed(first, self.group_at(rest.trailing_zeros()))
    }

    /// Reads a lead whose components the leader names (Rule 3.1, switch `name_grouping`): tractors may be cut
    /// into shorter ones or into pairs, but no pair is split. Throws are then judged by the components named.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let rules = Rules { name_grouping: true, ..Rules::SHENGJI };
    /// let judge = Judge::new("2S".parse()?, rules);
    /// let parts = [judge.ranked("AS AS 2H 2H".parse()?), judge.ranked("2C 2C 2S 2S".parse()?)];
    /// assert_eq!(judge.grouped_lead(&parts)?.shape().tractor_sizes(), [2, 2]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "a ladder has sixteen rungs")]
    pub fn grouped_lead(&self, parts: &[RankedCards]) -> Result<Lead, LeadError> {
        let cards = parts
            .iter()
            .try_fold(RankedCards::EMPTY, |sum, &part| sum.plus(part))
            .ok_or(LeadError::Grouping)?;
        let mut lead = self.lead(cards)?;
        let canonical = lead.shape;
        let (shape, tops) = (&mut lead.shape, lead.named.insert([0; 6]));
        let mut pairs = 0;
        (shape.tractors, shape.tractor_pairs, shape.sizes) = (0, 0, [0; 6]);
        for &part in parts {
            match self.lead(part)?.kind().ok_or(LeadError::Grouping)? {
                Kind::Single => {}
                Kind::Pair => pairs += 1,
                Kind::Tractor { pairs: run } => {
                    let rungs = self.rungs(shape.group, self.local_bits(part.pair(), shape.group));
                    let at = shape.add_tractor(run);
                    tops.copy_within(at..5, at + 1);
                    tops[at] = u8::try_from(rungs.ilog2()).expect("a ladder has sixteen rungs");
                    pairs += run;
                }
            }
        }
        // Pairs that were split into singles are missing here.
        if pairs == shape.pairs && (self.rules().name_grouping || *shape == canonical) {
            Ok(lead)
        } else {
            Err(LeadError::Grouping)
        }
    }

    /// Whether `cards` may be led from `hand` by someone who knows `known` (Rule 3.2).
    ///
    /// Under `throw_mode = challenge` every throw may be tried; [`Judge::challenge`] says what it becomes.
    ///
    /// ```
    /// # use tractor::{Judge, Knowledge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hand = judge.ranked("AS AS KS QS 3D".parse()?);
    /// let known = Knowledge::at_start(&judge, hand);
    /// assert!(judge.check_lead(hand, judge.ranked("AS AS KS".parse()?), &known).is_ok());
    /// let refusal = judge.check_lead(hand, judge.ranked("AS KS QS".parse()?), &known).unwrap_err();
    /// assert_eq!(refusal.to_string(), "not a sure throw: the single QS may be beaten by KS");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_lead(
        &self,
        hand: RankedCards,
        cards: RankedCards,
        known: &Knowledge,
    ) -> Result<Lead, LeadError> {
        if let Some(face) = self.missing(hand, cards) {
            return Err(LeadError::NotHeld(face));
        }
        let lead = self.lead(cards)?;
        self.allow(lead, known)
    }

    /// Whether a lead that was read may be led (Rule 3.2).
    #[inline]
    pub fn allow(&self, lead: Lead, known: &Knowledge) -> Result<Lead, LeadError> {
        if !lead.is_throw() {
            return Ok(lead);
        }
        if lead.group().is_trump() && !self.rules().allow_trump_throw {
            return Err(LeadError::TrumpThrow);
        }
        if self.rules().throw_mode == ThrowMode::Challenge || known.all_void(lead.group()) {
            return Ok(lead);
        }
        match self.weak_point(&lead, known.unseen) {
            None => Ok(lead),
            Some((combo, by)) => Err(LeadError::Beatable {
                kind: combo.kind,
                component: self.faces(combo.cards),
                by: self.faces(by),
            }),
        }
    }

    /// A card of `play` that `hand` lacks.
    #[inline]
    pub(crate) fn missing(&self, hand: RankedCards, play: RankedCards) -> Option<Face> {
        if hand.contains(play) {
            return None;
        }
        let lacking = play.any() & !hand.any() | play.pair() & !hand.pair();
        Some(self.face(lacking.trailing_zeros()))
    }
}
