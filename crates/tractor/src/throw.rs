//! Throws: whether every component is unbeatable, by knowledge or by the real hands.

use alloc::vec::Vec;

use crate::judge::Judge;
use crate::lead::{Lead, LeadError};
use crate::ranked_cards::RankedCards;
use crate::rules::ThrowMode;
use crate::run;
use crate::shape::{Combo, Kind, Shape};
use crate::trump::Group;

/// What a leader knows of the other hands: the cards not seen, and who has shown void.
///
/// ```
/// # use tractor::{Faces, Group, Judge, Knowledge, Rules, Suit};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let hand = judge.ranked("7S 8S 9S".parse()?);
/// let mut known = Knowledge::at_start(&judge, hand);
/// assert!(judge.check_lead(hand, hand, &known).is_err());
/// for other in 0..3 {
///     known.voids[other] = 1 << Group::Plain(Suit::Spades).index();
/// }
/// assert!(judge.check_lead(hand, hand, &known).is_ok());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Knowledge {
    /// All cards the leader has not seen: both decks less own hand, cards played and, for the round's
    /// starter, the buried kitty.
    pub unseen: RankedCards,
    /// For the three others in turn order, the groups they have shown void: bit [`Group::index`].
    pub voids: [u8; 3],
}

impl Knowledge {
    /// Before the first play: all but the own hand is unseen. A starter takes the buried cards off `unseen`.
    pub fn at_start(judge: &Judge, hand: RankedCards) -> Self {
        let full = judge.ranked(crate::Faces::FULL);
        Self {
            unseen: full.less_unchecked(hand),
            voids: [0; 3],
        }
    }

    /// Whether all three others have shown void in `group`.
    #[inline]
    pub const fn all_void(&self, group: Group) -> bool {
        let [a, b, c] = self.voids;
        (a & b & c) >> group.index() & 1 == 1
    }
}

/// A component that could be beaten, and unseen cards that do it.
///
/// ```
/// # use tractor::{Judge, Knowledge, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let hand = judge.ranked("AS QS QS".parse()?);
/// let validation = judge.validate(&judge.lead(hand)?, &Knowledge::at_start(&judge, hand));
/// let weakness = validation.beatable[0];
/// assert_eq!(judge.faces(weakness.combo.cards).to_string(), "QS QS");
/// assert_eq!(judge.faces(weakness.by).to_string(), "KS KS");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weakness {
    /// The component.
    pub combo: Combo,
    /// The strongest cards that beat it.
    pub by: RankedCards,
}

/// Whether a throw may be led, and if not, why: document 003's validation. [`Judge::validate`] makes one.
///
/// ```
/// # use tractor::{Judge, Knowledge, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let hand = judge.ranked("AS AS KS".parse()?);
/// let validation = judge.validate(&judge.lead(hand)?, &Knowledge::at_start(&judge, hand));
/// assert!(validation.valid && validation.beatable.is_empty());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Validation {
    /// Whether it may be led.
    pub valid: bool,
    /// The first reason against it.
    pub reason: Option<LeadError>,
    /// Which of the others, in turn order, have shown void in the group.
    pub void: [bool; 3],
    /// Every component that unseen cards could beat.
    pub beatable: Vec<Weakness>,
}

/// A set of cards of one group with several components, as document 003 detects it. [`Judge::detect`] makes one.
///
/// ```
/// # use tractor::{Judge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let found = judge.detect(judge.ranked("KH KH QH QH JH 9H".parse()?), None).expect("a throw");
/// assert_eq!((found.components.len(), found.shape.tractors()), (3, 1));
/// assert!(judge.detect(judge.ranked("KH KH QH QH".parse()?), None).is_none());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Detection {
    /// The summary.
    pub shape: Shape,
    /// The components, canonical order.
    pub components: Vec<Combo>,
    /// The verdict, where knowledge was given.
    pub validation: Option<Validation>,
}

/// What becomes of a throw against the real hands (Rule 3.2). [`Judge::challenge`] makes one.
///
/// ```
/// # use tractor::{RankedCards, Judge, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::SHENGJI);
/// let lead = judge.lead(judge.ranked("AS KS".parse()?))?;
/// assert_eq!(judge.challenge(lead, [RankedCards::EMPTY; 3]).stopper, None);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Challenge {
    /// What is really led: the throw, or the component that was forced.
    pub lead: Lead,
    /// Who stopped it: 1 to 3 seats after the leader.
    pub stopper: Option<usize>,
}

impl Judge {
    /// Detects a throw: several components of one plain suit, or of trump where `allow_trump_throw` is on.
    ///
    /// ```
    /// # use tractor::{Judge, Knowledge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hand = judge.ranked("KS KS QS 5D".parse()?);
    /// let cards = judge.ranked("KS KS QS".parse()?);
    /// let found = judge.detect(cards, Some(&Knowledge::at_start(&judge, hand))).expect("a throw");
    /// let validation = found.validation.expect("knowledge was given");
    /// assert!(!validation.valid);
    /// assert_eq!(judge.faces(validation.beatable[0].by).to_string(), "AS AS");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn detect(&self, cards: RankedCards, known: Option<&Knowledge>) -> Option<Detection> {
        let lead = self.lead(cards).ok().filter(Lead::is_throw)?;
        if lead.group().is_trump() && !self.rules().allow_trump_throw {
            return None;
        }
        Some(Detection {
            shape: lead.shape,
            components: self.components(cards).collect(),
            validation: known.map(|known| self.validate(&lead, known)),
        })
    }

    /// Document 003's `validateMultiComboLead`: whether `cards` may be led from `hand` by someone who knows `known`, with
    /// every reason in one answer (Rule 3.2). [`Judge::check_lead`] stops at the first reason and is faster.
    ///
    /// ```
    /// # use tractor::{Judge, Knowledge, LeadError, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hand = judge.ranked("AS QS QS 9S 3D".parse()?);
    /// let known = Knowledge::at_start(&judge, hand);
    /// let throw = judge.validate_lead(hand, judge.ranked("QS QS 9S".parse()?), &known);
    /// assert!(!throw.valid && matches!(throw.reason, Some(LeadError::Beatable { .. })));
    /// let weak: Vec<_> = throw.beatable.iter().map(|weak| judge.faces(weak.combo.cards).to_string()).collect();
    /// assert_eq!(weak, ["QS QS", "9S"]);
    /// let mixed = judge.validate_lead(hand, judge.ranked("AS 3D".parse()?), &known);
    /// assert!(matches!(mixed.reason, Some(LeadError::Mixed(..))) && mixed.beatable.is_empty());
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn validate_lead(
        &self,
        hand: RankedCards,
        cards: RankedCards,
        known: &Knowledge,
    ) -> Validation {
        let refused = |reason| Validation {
            valid: false,
            reason: Some(reason),
            void: [false; 3],
            beatable: Vec::new(),
        };
        if let Some(face) = self.missing(hand, cards) {
            return refused(LeadError::NotHeld(face));
        }
        match self.lead(cards) {
            Ok(lead) => self.validate(&lead, known),
            Err(reason) => refused(reason),
        }
    }

    /// Every reason for and against a throw. [`Judge::allow`] answers the same faster.
    pub fn validate(&self, lead: &Lead, known: &Knowledge) -> Validation {
        let group = lead.group();
        let beatable = self
            .components_of(lead)
            .filter_map(|combo| {
                let by = self.beaten_by(&combo, group, known.unseen)?;
                Some(Weakness { combo, by })
            })
            .collect();
        let reason = self.allow(*lead, known).err();
        Validation {
            valid: reason.is_none(),
            reason,
            void: known.voids.map(|groups| groups >> group.index() & 1 == 1),
            beatable,
        }
    }

    /// The first component, in canonical order, that cards of `pool` beat.
    pub(crate) fn weak_point(
        &self,
        lead: &Lead,
        pool: RankedCards,
    ) -> Option<(Combo, RankedCards)> {
        if self.is_unbeatable(lead, pool) {
            return None;
        }
        let group = lead.group();
        self.components_of(lead)
            .find_map(|combo| Some((combo, self.beaten_by(&combo, group, pool)?)))
    }

    /// Whether no component of a lead can be beaten from `pool` (Rule 3.2).
    #[inline]
    pub fn is_unbeatable(&self, lead: &Lead, pool: RankedCards) -> bool {
        let group = lead.group();
        if lead.named.is_some() {
            let mut all = self.components_of(lead);
            return all.all(|combo| self.beaten_by(&combo, group, pool).is_none());
        }
        let (own, out) = (self.local(lead.cards, group), self.local(pool, group));
        let singles = self.rungs(group, own.any & !own.pair);
        if singles != 0 && run::top(self.rungs(group, out.any)) > singles.trailing_zeros() + 1 {
            return false;
        }
        if own.pair == 0 || out.pair == 0 {
            return true;
        }
        let theirs = self.rungs(group, out.pair);
        let rungs = self.rungs(group, own.pair);
        let tractors = run::covered(rungs, self.min_run());
        let spare = own.pair & !self.one_each(group, tractors, own.pair);
        let lowest = self.rungs(group, spare);
        if lowest != 0 && run::top(theirs) > lowest.trailing_zeros() + 1 {
            return false;
        }
        tractors == 0
            || run::maximal(tractors)
                .all(|(first, len)| run::top(run::starts(theirs, len)) <= first + 1)
    }

    /// The strongest cards of `pool` that beat a combo of `group`; `None` if none does.
    pub fn beaten_by(&self, combo: &Combo, group: Group, pool: RankedCards) -> Option<RankedCards> {
        let out = self.local(pool, group);
        let plane = match combo.kind {
            Kind::Single => out.any,
            Kind::Pair | Kind::Tractor { .. } => out.pair,
        };
        let rungs = self.rungs(group, plane);
        let len = match combo.kind {
            Kind::Single | Kind::Pair => 1,
            Kind::Tractor { pairs } => u32::from(pairs),
        };
        let first = run::top(run::starts(rungs, len)).checked_sub(1)?;
        if first + len - 1 <= combo.top {
            return None;
        }
        let bits = self.one_each(group, run::window(first, len), plane);
        let any = self.plane(bits, group);
        let pair = if combo.kind == Kind::Single { 0 } else { any };
        RankedCards::from_planes(any, pair)
    }

    /// What is really led when a throw meets the real hands of the others, in turn order (Rule 3.2).
    ///
    /// The first of the others who can beat a component stops the throw; the leader's smallest and then weakest
    /// component that this player beats is led instead.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::SHENGJI);
    /// let lead = judge.lead(judge.ranked("9S 9S KS".parse()?))?;
    /// let others = ["TS TS", "AS", "4C"].map(|hand| judge.ranked(hand.parse().expect("cards")));
    /// let outcome = judge.challenge(lead, others);
    /// assert_eq!(outcome.stopper, Some(1));
    /// assert_eq!(judge.faces(outcome.lead.cards()).to_string(), "9S 9S");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn challenge(&self, lead: Lead, others: [RankedCards; 3]) -> Challenge {
        let group = lead.group();
        let stopper = lead
            .is_throw()
            .then(|| {
                others
                    .iter()
                    .position(|&hand| !self.is_unbeatable(&lead, hand))
            })
            .flatten();
        let Some(at) = stopper else {
            return Challenge {
                lead,
                stopper: None,
            };
        };
        let forced = self
            .components_of(&lead)
            .filter(|combo| self.beaten_by(combo, group, others[at]).is_some())
            .min_by_key(|combo| (combo.kind, combo.top));
        // A throw that is stopped has a component that is beaten.
        let cards = forced.map_or(lead.cards, |combo| combo.cards);
        Challenge {
            lead: Lead {
                cards,
                shape: self.shape_in(cards, group),
                named: None,
            },
            stopper: Some(at + 1),
        }
    }

    /// Whether `cards` may be led, judged by the real hands where the house rules say so: the lead that
    /// results, or a refusal.
    pub fn lead_against(
        &self,
        hand: RankedCards,
        cards: RankedCards,
        known: &Knowledge,
        others: [RankedCards; 3],
    ) -> Result<Challenge, LeadError> {
        let lead = self.check_lead(hand, cards, known)?;
        Ok(match self.rules().throw_mode {
            ThrowMode::Challenge => self.challenge(lead, others),
            ThrowMode::Certain => Challenge {
                lead,
                stopper: None,
            },
        })
    }
}
