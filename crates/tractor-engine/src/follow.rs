//! The heuristic player as a follower: the cheapest sufficient winner by position, points only to likely winners,
//! and the three-step answer to a throw (same suit in shape, trumps in shape, disposal).

use arrayvec::ArrayVec;
use tractor::{Duty, Group, Lead, RankedCards, Trick};

use crate::cheapest_follow::cheapest_follow;
use crate::seat_state::SeatState;
use crate::trump_tables::{bits, both, one};

/// Plays to choose from, each once, without allocation.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlayList(ArrayVec<RankedCards, 48>);

impl PlayList {
    /// Adds a play that is not there yet, while there is room.
    #[inline]
    pub(crate) fn add(&mut self, play: RankedCards) {
        if !play.is_empty() && !self.0.contains(&play) {
            // More plays than there is room for are not looked at.
            let _ = self.0.try_push(play);
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[RankedCards] {
        &self.0
    }
}

/// The chances of the team in the open trick, as the follower sees them.
struct Odds {
    /// Of winning where the follower does not take over.
    without: f32,
    /// Points that those after it are expected to add.
    to_come: f32,
}

impl SeatState<'_> {
    /// What the heuristic player puts on the open trick: always a legal play.
    pub fn follow(&self) -> RankedCards {
        let Some(trick) = self.trick else {
            return RankedCards::EMPTY;
        };
        let lead = trick.lead();
        let odds = self.odds(trick);
        let weight = self.price(odds.without);
        if lead.len() == 1 {
            return self.follow_single(trick, &odds, weight);
        }
        let duty = self.tables.judge().duty(lead, self.hand);
        let dump = self.cheapest(lead, &duty, weight);
        let mut list = PlayList::default();
        self.winners(trick, &mut list);
        let mut best = (self.follow_value(trick, &odds, dump), dump);
        for &play in list.as_slice() {
            if duty.allows(play) {
                let value = self.follow_value(trick, &odds, play);
                if value > best.0 {
                    best = (value, play);
                }
            }
        }
        best.1
    }

    /// Every play worth a thought on the open trick, the heuristic's own first.
    pub(crate) fn follow_candidates(&self, list: &mut PlayList) {
        let Some(trick) = self.trick else {
            return;
        };
        let lead = trick.lead();
        let duty = self.tables.judge().duty(lead, self.hand);
        list.add(self.follow());
        let mut winners = PlayList::default();
        self.winners(trick, &mut winners);
        for &play in winners.as_slice() {
            if duty.allows(play) {
                list.add(play);
            }
        }
        // Keep the points, give the points, and what lies between.
        for weight in [1.0, -0.3, 0.3, 0.0] {
            list.add(self.cheapest(lead, &duty, weight));
        }
        if lead.len() == 1 && duty.draw() == 1 {
            for slot in self.distinct(duty.pool()) {
                list.add(one(slot));
            }
        } else if duty.count() <= 24 {
            for play in duty.plays() {
                list.add(play);
            }
        }
    }

    /// One slot for each kind of card: neighbours that no unseen card separates are the same to play.
    fn distinct(&self, pool: RankedCards) -> impl Iterator<Item = u32> {
        let tables = self.tables;
        let mut last: Option<u32> = None;
        bits(pool.any()).filter(move |&slot| {
            let same = last.is_some_and(|before| {
                tables.group(before) == tables.group(slot)
                    && tables.points_at(before) == tables.points_at(slot)
                    && self.hand.pair() >> before & 1 == self.hand.pair() >> slot & 1
                    && self.unseen.any() & tables.above(before) & !tables.above(slot) == 0
            });
            last = Some(slot);
            !same
        })
    }

    fn odds(&self, trick: &Trick) -> Odds {
        let played = trick.played();
        let lead = trick.lead();
        let best = trick.best();
        let leader = self.seat.after(4 - played);
        let ours = leader.after(trick.winner()) == self.seat.partner();
        let weights = self.tables.weights();
        #[allow(clippy::cast_precision_loss, reason = "three at most")]
        let to_come = weights.to_come * (3 - played) as f32;
        let without = match (played, ours) {
            (3, true) => 1.0,
            (2, true) => 1.0 - self.beats(self.seat.next(), lead, best),
            (1, _) => {
                let next = self.beats(self.seat.next(), lead, best);
                self.beats(self.seat.partner(), lead, best) * (1.0 - weights.between * next)
            }
            _ => 0.0,
        };
        Odds { without, to_come }
    }

    /// What it costs to put a point into a trick that the team wins with this chance; below zero it pays.
    #[inline]
    fn price(&self, chance: f32) -> f32 {
        let weights = self.tables.weights();
        if chance < weights.feed {
            weights.lost * (weights.feed - chance) / weights.feed
        } else {
            weights.fed * (weights.feed - chance) / (1.0 - weights.feed)
        }
    }

    /// The chance that the team wins once `play` has taken over.
    fn hold(&self, trick: &Trick, play: RankedCards) -> f32 {
        let lead = trick.lead();
        match trick.played() {
            3 => 1.0,
            2 => 1.0 - self.beats(self.seat.next(), lead, play),
            _ => {
                let next = self.beats(self.seat.next(), lead, play);
                let help = self.beats(self.seat.partner(), lead, play);
                1.0 - next * (1.0 - self.tables.weights().rescue * help)
            }
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "200 points at most")]
    fn follow_value(&self, trick: &Trick, odds: &Odds, play: RankedCards) -> f32 {
        let weights = self.tables.weights();
        let takes = trick.would_win(self.tables.judge(), play);
        let (chance, tempo) = if takes {
            let chance = self.hold(trick, play);
            (chance, chance * weights.tempo_follow)
        } else {
            (odds.without, 0.0)
        };
        let pot = self.pot as f32 + odds.to_come;
        chance * pot - self.price(chance) * self.points(play) + tempo - self.keep_all(play)
    }

    fn follow_single(&self, trick: &Trick, odds: &Odds, weight: f32) -> RankedCards {
        let tables = self.tables;
        let group = trick.lead().group();
        let own = self.hand.any() & tables.mask(group);
        let pool = if own == 0 { self.hand.any() } else { own };
        let mut dump = (f32::INFINITY, 0);
        for slot in bits(pool) {
            let key = self.keep(slot) + weight * f32::from(tables.points_at(slot));
            if key < dump.0 {
                dump = (key, slot);
            }
        }
        let dump = one(dump.1);
        let best = trick.best().any();
        let trumped = best & tables.trumps() != 0;
        let top = (best | 1).ilog2();
        let winners = match (own != 0, trumped && !group.is_trump()) {
            (true, true) => 0,
            (true, false) => own & tables.above(top),
            (false, true) => self.hand.any() & tables.above(top),
            (false, false) if group.is_trump() => 0,
            (false, false) => self.hand.any() & tables.trumps(),
        };
        if winners == 0 {
            return dump;
        }
        let mut best = (self.follow_value(trick, odds, dump), dump);
        let mut consider = |slot: u32| {
            let value = self.follow_value(trick, odds, one(slot));
            if value > best.0 {
                best = (value, one(slot));
            }
        };
        if trick.played() == 3 {
            bits(winners).for_each(consider);
        } else {
            let mut cheap = (f32::INFINITY, 0);
            let mut boss = None;
            for slot in bits(winners) {
                let keep = self.keep(slot);
                if keep < cheap.0 {
                    cheap = (keep, slot);
                }
                if boss.is_none() && self.is_boss(slot) {
                    boss = Some(slot);
                }
            }
            consider(cheap.1);
            consider(winners.ilog2());
            if let Some(slot) = boss {
                consider(slot);
            }
            let pointed = winners & tables.pointed();
            if pointed != 0 {
                consider(pointed.ilog2());
            }
        }
        best.1
    }

    /// Plays that may take over the trick: a cheap one, a strong one, and some between.
    pub(crate) fn winners(&self, trick: &Trick, list: &mut PlayList) {
        let tables = self.tables;
        let lead = trick.lead();
        let group = lead.group();
        let own = tables.judge().of_group(self.hand, group);
        let trumps = tables.judge().of_group(self.hand, Group::Trump);
        let source = if own.is_empty() { trumps } else { own };
        if source.len() < lead.len() {
            return;
        }
        let judge = tables.judge();
        let top = (trick.best().any() | 1).ilog2();
        let beaten_by = match judge.group(trick.best()) {
            Some(best) if judge.group(source) == Some(best) => tables.above(top),
            Some(Group::Trump) => 0,
            _ => u64::MAX,
        };
        match (lead.is_throw(), lead.len()) {
            (true, _) if own.is_empty() => self.ruff(trick, trumps, list),
            (true, _) => {}
            (false, 1) => bits(source.any() & beaten_by).for_each(|slot| list.add(one(slot))),
            (false, 2) => bits(source.pair() & beaten_by).for_each(|slot| list.add(both(slot))),
            (false, len) => {
                for tractor in judge.tractors(source) {
                    if tractor.len() == len && trick.would_win(judge, tractor) {
                        list.add(tractor);
                    }
                }
            }
        }
    }

    /// Second step of the answer to a throw: trumps in the shape of the lead, cheap first, then strong.
    fn ruff(&self, trick: &Trick, trumps: RankedCards, list: &mut PlayList) {
        let judge = self.tables.judge();
        for strong in [false, true] {
            if let Some(play) = self.in_shape(trick.lead(), trumps, strong)
                && trick.would_win(judge, play)
            {
                list.add(play);
            }
        }
    }

    /// Trumps that match the components of a throw; the decisive one strong or cheap, the rest cheap.
    fn in_shape(&self, lead: &Lead, trumps: RankedCards, strong: bool) -> Option<RankedCards> {
        let judge = self.tables.judge();
        let shape = lead.shape();
        let mut rest = trumps;
        let mut play = RankedCards::EMPTY;
        let mut first = strong;
        for &size in shape.tractor_sizes() {
            let fits = |tractor: &RankedCards| tractor.len() == 2 * usize::from(size);
            let mut tractors = judge.tractors(rest).filter(fits);
            let found = if first {
                tractors.max_by_key(|tractor| tractor.any())
            } else {
                tractors.next()
            }?;
            first = false;
            play = play.plus(found)?;
            rest = rest.less(found)?;
        }
        for _ in shape.tractor_pairs()..shape.pairs() {
            let slot = pick(rest.pair(), first)?;
            first = false;
            play = play.plus(both(slot))?;
            rest = rest.less(both(slot))?;
        }
        for _ in 0..shape.singles() {
            // Loose trumps before those of a pair.
            let loose = rest.any() & !rest.pair();
            let slot = pick(
                if loose == 0 || first {
                    rest.any()
                } else {
                    loose
                },
                first,
            )?;
            first = false;
            play = play.plus(one(slot))?;
            rest = rest.less(one(slot))?;
        }
        Some(play)
    }

    /// The legal play that gives away least, where each point given counts `weight`.
    pub(crate) fn cheapest(&self, lead: &Lead, duty: &Duty<'_>, weight: f32) -> RankedCards {
        let key = |slot: u32| self.keep(slot) + weight * f32::from(self.tables.points_at(slot));
        cheapest_follow(self.tables.judge(), lead, duty, key, |slot| {
            self.pair_worth(slot)
        })
    }
}

/// The highest or the lowest slot of a mask.
#[inline]
fn pick(mask: u64, highest: bool) -> Option<u32> {
    match (mask, highest) {
        (0, _) => None,
        (_, true) => Some(mask.ilog2()),
        (_, false) => Some(mask.trailing_zeros()),
    }
}
