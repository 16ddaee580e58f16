//! What the player knows of a trump before it looks at a hand: tables over the slots of a [`RankedCards`].

use tractor::{Face, Faces, Group, Judge, RankedCards, Rules, Trump};

use crate::weights::Weights;

/// A judge with the tables that make its answers cheap in play-outs.
///
/// ```
/// # use tractor::{Judge, Rules};
/// # use tractor_engine::TrumpTables;
/// let tables = TrumpTables::new("2H".parse()?, Rules::DEFAULT);
/// let aces = tables.judge().ranked("AS AS".parse()?);
/// assert_eq!(tables.above(aces.any().trailing_zeros()), 0);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TrumpTables {
    judge: Judge,
    above: [u64; 64],
    groups: [Group; 64],
    masks: [u64; 5],
    points: [u8; 64],
    pointed: u64,
    /// What it costs to part with a trump, in points.
    trump_worth: [f32; 64],
    full: RankedCards,
    weights: Weights,
}

impl TrumpTables {
    /// The tables of a trump under house rules.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "slots are below 64, points at most ten"
    )]
    pub fn new(trump: Trump, rules: Rules) -> Self {
        let judge = Judge::new(trump, rules);
        let mut tables = Self {
            judge,
            above: [0; 64],
            groups: [Group::Trump; 64],
            masks: Group::ALL.map(|group| judge.mask(group)),
            points: [0; 64],
            pointed: 0,
            trump_worth: [0.0; 64],
            full: judge.ranked(Faces::FULL),
            weights: Weights::NORMAL,
        };
        for face in Face::all() {
            let slot = judge.slot(face) as usize;
            tables.groups[slot] = trump.group(face);
            tables.points[slot] = face.points() as u8;
            if face.points() > 0 {
                tables.pointed |= 1 << slot;
            }
            for other in Face::all() {
                let higher = judge.compare(other, face) == Some(std::cmp::Ordering::Greater);
                if higher && trump.group(other) == trump.group(face) {
                    tables.above[slot] |= 1 << judge.slot(other);
                }
            }
        }
        tables.weigh_trumps();
        tables
    }

    /// The same tables with other weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self.weigh_trumps();
        self
    }

    #[allow(clippy::cast_precision_loss, reason = "rungs are below 32")]
    fn weigh_trumps(&mut self) {
        let weights = self.weights;
        let suited = self.judge.trump().suit().is_some();
        for slot in bits(self.trumps()) {
            self.trump_worth[slot as usize] = match slot {
                63 => weights.big_joker,
                62 => weights.small_joker,
                61 if suited => weights.own_rank,
                58..=61 => weights.off_rank,
                _ => {
                    let rung = self.judge.rung(self.judge.face(slot));
                    weights.low_trump + weights.trump_rung * rung as f32
                }
            };
        }
    }

    /// The weights of play.
    #[inline]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The judge.
    #[inline]
    pub const fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The slots of the same group that are strictly stronger than a slot.
    #[inline]
    pub const fn above(&self, slot: u32) -> u64 {
        self.above[slot as usize & 63]
    }

    /// The group of a slot.
    #[inline]
    pub const fn group(&self, slot: u32) -> Group {
        self.groups[slot as usize & 63]
    }

    /// The slots of a group.
    #[inline]
    pub const fn mask(&self, group: Group) -> u64 {
        self.masks[group.index()]
    }

    /// The slots of the trumps.
    #[inline]
    pub const fn trumps(&self) -> u64 {
        self.masks[4]
    }

    /// The points of a slot's card.
    #[inline]
    pub const fn points_at(&self, slot: u32) -> u8 {
        self.points[slot as usize & 63]
    }

    /// The slots of cards with points.
    #[inline]
    pub const fn pointed(&self) -> u64 {
        self.pointed
    }

    /// What it costs to part with a trump.
    #[inline]
    pub(crate) const fn trump_worth(&self, slot: u32) -> f32 {
        self.trump_worth[slot as usize & 63]
    }

    /// Both decks.
    #[inline]
    pub const fn full(&self) -> RankedCards {
        self.full
    }
}

/// How many cards lie under a mask.
#[inline]
pub(crate) const fn count(hand: RankedCards, mask: u64) -> u32 {
    (hand.any() & mask).count_ones() + (hand.pair() & mask).count_ones()
}

/// One card of a slot.
#[inline]
pub(crate) const fn one(slot: u32) -> RankedCards {
    match RankedCards::from_planes(1 << slot, 0) {
        Some(hand) => hand,
        None => RankedCards::EMPTY,
    }
}

/// Both cards of a slot.
#[inline]
pub(crate) const fn both(slot: u32) -> RankedCards {
    match RankedCards::from_planes(1 << slot, 1 << slot) {
        Some(hand) => hand,
        None => RankedCards::EMPTY,
    }
}

/// `(1 - share)^n`: the chance that none of `n` cards lies where a share of the hidden cards lies.
#[inline]
pub(crate) fn none_of(share: f32, n: u32) -> f32 {
    let mut base = (1.0 - share).max(0.0);
    let mut left = n;
    let mut out = 1.0;
    while left > 0 {
        if left & 1 == 1 {
            out *= base;
        }
        base *= base;
        left >>= 1;
    }
    out
}

/// The slots of a mask, lowest first.
#[inline]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let slot = mask.trailing_zeros();
            mask &= mask - 1;
            slot
        })
    })
}
