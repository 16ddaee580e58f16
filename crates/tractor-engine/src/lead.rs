//! The heuristic player as a leader: safe throws, unbeatable combos, the partner's void, drawing trumps, exits.

use arrayvec::ArrayVec;
use tractor::{Deck, Group, Knowledge, Lead, RankedCards};

use crate::follow::PlayList;
use crate::seat_state::SeatState;
use crate::trump_tables::{bits, both, count, one};

/// A throw of more components than this is tried whole and without one of them, not in every part.
const PARTS: usize = 4;

impl SeatState<'_> {
    /// What the heuristic player leads: always a legal lead.
    pub fn lead(&self) -> RankedCards {
        let mut list = PlayList::default();
        self.lead_candidates(&mut list, false);
        let mut best = (f32::NEG_INFINITY, RankedCards::EMPTY);
        for &cards in list.as_slice() {
            let value = self.lead_value(cards);
            if value > best.0 {
                best = (value, cards);
            }
        }
        best.1
    }

    /// What it knows that makes a throw legal.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge {
            unseen: self.unseen,
            voids: [1, 2, 3].map(|steps| self.shown(self.seat.after(steps)).voids),
        }
    }

    /// Leads worth a thought; with `wide` every straight lead that differs.
    pub(crate) fn lead_candidates(&self, list: &mut PlayList, wide: bool) {
        if self.tables.weights().throws {
            for group in Group::ALL {
                if !group.is_trump() || self.tables.judge().rules().allow_trump_throw {
                    self.throws(group, list);
                }
            }
        }
        for tractor in self.tables.judge().tractors(self.hand) {
            list.add(tractor);
        }
        for group in Group::ALL {
            self.straight(group, list, wide);
        }
    }

    fn straight(&self, group: Group, list: &mut PlayList, wide: bool) {
        let tables = self.tables;
        let mask = tables.mask(group);
        let own = self.hand.any() & mask;
        if own == 0 {
            return;
        }
        let pairs = self.hand.pair() & mask;
        if pairs != 0 {
            list.add(both(pairs.ilog2()));
            list.add(both(pairs.trailing_zeros()));
            if wide {
                bits(pairs).for_each(|slot| list.add(both(slot)));
            }
        }
        list.add(one(own.ilog2()));
        let loose = own & !self.hand.pair();
        let worthless = loose & !tables.pointed();
        for low in [worthless, loose, own] {
            if low != 0 {
                list.add(one(low.trailing_zeros()));
                break;
            }
        }
        let worthy = loose & tables.pointed();
        if worthy != 0 {
            list.add(one(worthy.ilog2()));
            list.add(one(worthy.trailing_zeros()));
        }
        if wide && worthless != 0 {
            list.add(one(worthless.ilog2()));
        }
    }

    /// Throws of a group: the whole of its unbeatable components and parts of that.
    fn throws(&self, group: Group, list: &mut PlayList) {
        let tables = self.tables;
        let judge = tables.judge();
        let own = judge.of_group(self.hand, group);
        if own.len() < 2 {
            return;
        }
        let known = self.knowledge();
        let sure = if known.all_void(group) {
            own
        } else {
            let mut any = 0;
            let mut pair = 0;
            for slot in bits(own.any()) {
                if own.pair() >> slot & 1 == 1 && self.is_boss_pair(slot) {
                    any |= 1 << slot;
                    pair |= 1 << slot;
                } else if self.is_boss(slot) {
                    any |= 1 << slot;
                }
            }
            RankedCards::from_planes(any, pair).unwrap_or_default()
        };
        if sure.len() < 2 {
            return;
        }
        let components = judge.components(sure).take(Deck::HAND);
        let parts: ArrayVec<RankedCards, { Deck::HAND }> =
            components.map(|combo| combo.cards).collect();
        let mut consider = |cards: RankedCards| {
            if let Ok(lead) = judge.lead(cards)
                && lead.is_throw()
                && (known.all_void(group) || judge.is_unbeatable(&lead, self.unseen))
            {
                list.add(cards);
            }
        };
        consider(sure);
        if parts.len() <= PARTS {
            for chosen in 1..1u32 << parts.len() {
                if chosen.count_ones() > 1 {
                    let cards = parts
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| chosen >> at & 1 == 1)
                        .fold(RankedCards::EMPTY, |sum, (_, part)| {
                            sum.plus_unchecked(*part)
                        });
                    consider(cards);
                }
            }
        } else {
            for part in &parts {
                consider(sure.less_unchecked(*part));
            }
        }
    }

    /// What a lead is expected to bring, in points.
    pub(crate) fn lead_value(&self, cards: RankedCards) -> f32 {
        match self.tables.judge().lead(cards) {
            Ok(lead) => self.value_of(&lead),
            Err(_) => f32::NEG_INFINITY,
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of cards")]
    fn value_of(&self, lead: &Lead) -> f32 {
        let tables = self.tables;
        let weights = tables.weights();
        let cards = lead.cards();
        let group = lead.group();
        let [next, partner, last] = [1, 2, 3].map(|steps| self.seat.after(steps));
        let fail = (1.0 - self.beats(next, lead, cards)) * (1.0 - self.beats(last, lead, cards));
        let help = self.beats(partner, lead, cards);
        let chance = fail + (1.0 - fail) * help * weights.partner;
        let mask = tables.mask(group);
        let hidden = self.unseen.within(mask);
        let size = cards.len().min(5) as f32;
        let brought = size * (weights.brought + weights.density * self.density(group));
        let mut value = (2.0 * chance - 1.0) * brought
            + (chance - weights.feed_lead) * self.points(cards)
            + fail * weights.tempo;
        if cards == self.hand {
            // The last lead: nothing is left to keep, and the kitty counts the more the longer it is.
            return value + weights.last * chance;
        }
        if group.is_trump() {
            let own = count(self.hand, mask) as f32;
            let theirs = hidden.len() as f32 / 3.0;
            value += (own - theirs).clamp(-4.0, 8.0) * weights.draw * size.min(2.0);
            value -= weights.trump_lead * self.keep_all(cards);
            if hidden.is_empty() {
                // Nobody is left to draw from: trumps win whenever they are played.
                value -= weights.drained;
            }
        } else {
            let own = count(self.hand, mask);
            if own as usize == cards.len() {
                value += self.void_worth();
            }
            if chance < 0.5 {
                value -= weights.loser * self.keep_all(cards).max(0.0);
            } else if self.hand.pair() & cards.any() & !cards.pair() != 0 {
                value -= weights.pair;
            }
        }
        value
    }
}
