//! What the seat to play can see, and what follows from it: counts, chances, the worth of cards.

use tractor::{Group, Lead, RankedCards, Seat, Shown, Team, Trick};

use crate::trump_tables::{TrumpTables, count, none_of};

/// The information state of one seat: its own cards, what was played, and nothing else. The rollout policy decides from
/// this alone, in real rounds as in play-outs.
#[derive(Debug, Clone, Copy)]
pub struct SeatState<'a> {
    /// The trump and its tables.
    pub tables: &'a TrumpTables,
    /// Whose state it is, and whose turn.
    pub seat: Seat,
    /// Its cards.
    pub hand: RankedCards,
    /// Every card it cannot see: those of the others, and the kitty unless it buried that itself.
    pub unseen: RankedCards,
    /// What each seat has shown.
    pub shown: [Shown; 4],
    /// How many cards each seat holds.
    pub held: [u32; 4],
    /// What it buried itself.
    pub buried: Option<RankedCards>,
    /// Who defends.
    pub defending: Team,
    /// The attackers' points.
    pub attackers: i32,
    /// The open trick.
    pub trick: Option<&'a Trick>,
    /// The points in it.
    pub pot: u32,
}

impl SeatState<'_> {
    /// What a seat has shown.
    #[inline]
    pub const fn shown(&self, seat: Seat) -> Shown {
        self.shown[seat.index()]
    }

    /// Forgets what was played: a limited player sees its own hand alone.
    #[must_use]
    pub fn forget(mut self) -> Self {
        self.unseen = self.tables.full().less_unchecked(self.hand);
        self.shown = [Shown::default(); 4];
        self
    }

    /// The share of the unseen cards of `group` that a seat is expected to hold.
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "hands have at most 33 cards")]
    pub(crate) fn share(&self, seat: Seat, group: Group) -> f32 {
        if self.shown(seat).is_void(group) {
            return 0.0;
        }
        let mut pool = match (self.buried, group) {
            (Some(_), _) => 0.0,
            (None, Group::Trump) => self.tables.weights().kitty_trumps,
            (None, Group::Plain(_)) => self.tables.weights().kitty_plain,
        };
        for steps in 1..4 {
            let other = self.seat.after(steps);
            if !self.shown(other).is_void(group) {
                pool += self.held[other.index()] as f32;
            }
        }
        self.held[seat.index()] as f32 / pool.max(1.0)
    }

    /// The unseen cards of a group.
    #[inline]
    pub(crate) fn unseen_in(&self, group: Group) -> u32 {
        count(self.unseen, self.tables.mask(group))
    }

    /// The chance that a seat has no card of a group.
    #[inline]
    pub(crate) fn void_chance(&self, seat: Seat, group: Group) -> f32 {
        if self.shown(seat).is_void(group) {
            return 1.0;
        }
        none_of(self.share(seat, group), self.unseen_in(group))
    }

    /// The chance that a seat, playing after it, beats `best` in a trick with this lead.
    pub(crate) fn beats(&self, seat: Seat, lead: &Lead, best: RankedCards) -> f32 {
        let tables = self.tables;
        let group = lead.group();
        let top = (best.any() | 1).ilog2();
        let trumped = best.any() & tables.trumps() != 0;
        let share = self.share(seat, group);
        let shown = self.shown(seat);
        let above = tables.above(top);
        let straight = !lead.is_throw();
        let inside = if straight && (group.is_trump() || !trumped) && share > 0.0 {
            self.beats_in_suit(lead, above, share, shown)
        } else {
            0.0
        };
        if group.is_trump() {
            return inside;
        }
        let void = self.void_chance(seat, group);
        if void < 0.01 || shown.is_void(Group::Trump) {
            return inside;
        }
        let over = if trumped { above } else { tables.trumps() };
        let ruff = self.ruffs_over(seat, lead, over, shown);
        inside + (1.0 - inside) * void * ruff * tables.weights().ruffs
    }

    /// The chance that a seat with this share of the led group has stronger cards of the led shape in it.
    fn beats_in_suit(&self, lead: &Lead, above: u64, share: f32, shown: Shown) -> f32 {
        if lead.len() == 1 {
            return 1.0 - none_of(share, count(self.unseen, above));
        }
        if shown.is_pairless(lead.group()) {
            return 0.0;
        }
        let pairs = (self.unseen.pair() & above).count_ones();
        if lead.len() == 2 {
            return 1.0 - none_of(share * share, pairs);
        }
        let run = u32::try_from(lead.len() / 2).unwrap_or(2);
        if pairs >= run {
            0.15 * (1.0 - none_of(share * share, pairs))
        } else {
            0.0
        }
    }

    /// The chance that a seat void in the led suit has trumps of the led shape among the slots of `over`.
    fn ruffs_over(&self, seat: Seat, lead: &Lead, over: u64, shown: Shown) -> f32 {
        let share = self.share(seat, Group::Trump);
        let pairs = lead.shape().pairs();
        if pairs == 0 {
            let one = 1.0 - none_of(share, count(self.unseen, over));
            // Each further single needs a further trump.
            return match lead.len() {
                1 => one,
                2 => 0.8 * one,
                3 => 0.6 * one,
                _ => 0.4 * one,
            };
        }
        if shown.is_pairless(Group::Trump) {
            return 0.0;
        }
        let some = (self.unseen.pair() & over).count_ones();
        let pair = 1.0 - none_of(share * share, some);
        match (pairs, lead.len()) {
            (1, 2) => pair,
            (1, _) => 0.7 * pair,
            (2, _) => 0.2 * pair,
            _ => 0.05 * pair,
        }
    }

    /// What it is worth to keep one card of a slot.
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "counts of cards")]
    pub(crate) fn keep(&self, slot: u32) -> f32 {
        let tables = self.tables;
        let weights = tables.weights();
        let mask = tables.mask(tables.group(slot));
        let mut worth = if mask & tables.trumps() != 0 {
            let late = if self.hand.len() as f32 <= weights.few {
                weights.late
            } else {
                1.0
            };
            tables.trump_worth(slot) * weights.trump * late
        } else {
            let higher = count(self.unseen, tables.above(slot));
            let rank = (slot - mask.trailing_zeros()) as f32;
            let own = count(self.hand, mask);
            let shape = if own == 1 {
                -self.void_worth()
            } else {
                weights.length * own as f32
            };
            let boss = match higher {
                0 => weights.boss,
                1 => weights.second,
                2 => weights.third,
                _ => 0.0,
            };
            let few = 6u32.saturating_sub(count(self.unseen, mask)) as f32;
            boss * (1.0 - weights.thin * few) + weights.rank * rank + shape
        };
        if self.hand.pair() >> slot & 1 == 1 {
            worth += self.pair_worth(slot);
            if self.unseen.pair() & tables.above(slot) == 0 {
                worth += weights.boss_pair;
            }
        }
        worth
    }

    /// What a pair of a slot is worth beyond its cards.
    #[inline]
    pub(crate) fn pair_worth(&self, slot: u32) -> f32 {
        let weights = self.tables.weights();
        if self.tables.trumps() >> slot & 1 == 1 {
            weights.trump_pair
        } else {
            weights.pair
        }
    }

    /// What it is worth to have no card of a plain suit: nothing without trumps.
    #[inline]
    pub(crate) fn void_worth(&self) -> f32 {
        if self.hand.any() & self.tables.trumps() == 0 {
            0.0
        } else {
            self.tables.weights().void
        }
    }

    /// Points a card among the unseen cards of a group.
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "counts of cards")]
    pub(crate) fn density(&self, group: Group) -> f32 {
        let hidden = self.unseen.within(self.tables.mask(group));
        self.points(hidden) / (hidden.len() as f32).max(6.0)
    }

    /// What it is worth to keep these cards.
    pub(crate) fn keep_all(&self, cards: RankedCards) -> f32 {
        let mut sum = 0.0;
        let mut rest = cards.any();
        while rest != 0 {
            let slot = rest.trailing_zeros();
            rest &= rest - 1;
            let keep = self.keep(slot);
            sum += keep;
            if cards.pair() >> slot & 1 == 1 {
                // A pair that is played as one is not broken.
                sum += keep - self.pair_worth(slot);
            }
        }
        sum
    }

    /// Points among cards.
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "200 points at most")]
    pub(crate) fn points(&self, cards: RankedCards) -> f32 {
        self.tables.judge().points(cards) as f32
    }

    /// Whether no unseen card of its group beats a single of this slot.
    #[inline]
    pub(crate) fn is_boss(&self, slot: u32) -> bool {
        self.unseen.any() & self.tables.above(slot) == 0
    }

    /// Whether no unseen pair of its group beats a pair of this slot.
    #[inline]
    pub(crate) fn is_boss_pair(&self, slot: u32) -> bool {
        self.unseen.pair() & self.tables.above(slot) == 0
    }
}
