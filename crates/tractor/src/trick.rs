//! Who wins a trick.

use crate::judge::Judge;
use crate::lead::Lead;
use crate::ranked_cards::RankedCards;
use crate::rules::{ResponseMapping, ThrowEval};
use crate::run;
use crate::shape::Shape;
use crate::trump::Group;

/// A trick as it is played: the lead, and who is winning (Rule 3.4).
///
/// ```
/// # use tractor::{Judge, Rules, Trick};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let mut trick = Trick::new(judge.lead(judge.ranked("KS QS".parse()?))?, &judge);
/// for play in ["3H 4H", "AH AH", "5C 6C"] {
///     trick.play(&judge, judge.ranked(play.parse()?));
/// }
/// assert_eq!(trick.winner(), 2);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trick {
    lead: Lead,
    best: RankedCards,
    strength: u32,
    winner: u8,
    played: u8,
}

/// Set in the strength of a trump play.
const TRUMP: u32 = 1 << 16;

impl Trick {
    /// A trick with its lead.
    #[inline]
    pub fn new(lead: Lead, judge: &Judge) -> Self {
        Self {
            lead,
            best: lead.cards,
            strength: judge.strength(&lead.shape, lead.cards, lead.group()),
            winner: 0,
            played: 1,
        }
    }

    /// The lead.
    #[inline]
    pub const fn lead(&self) -> &Lead {
        &self.lead
    }

    /// Who wins so far: how many plays after the lead.
    #[inline]
    pub const fn winner(&self) -> usize {
        self.winner as usize
    }

    /// The cards that win so far.
    #[inline]
    pub const fn best(&self) -> RankedCards {
        self.best
    }

    /// How many have played.
    #[inline]
    pub const fn played(&self) -> usize {
        self.played as usize
    }

    /// Adds the next play; whether it takes over.
    #[inline]
    pub fn play(&mut self, judge: &Judge, play: RankedCards) -> bool {
        let over = self.beaten_by(judge, play);
        if let Some(strength) = over {
            (self.best, self.strength, self.winner) = (play, strength, self.played);
        }
        self.played += 1;
        over.is_some()
    }

    /// Whether `play` would take over, were it next.
    #[inline]
    pub fn would_win(&self, judge: &Judge, play: RankedCards) -> bool {
        self.beaten_by(judge, play).is_some()
    }

    /// The strength of a play that takes over.
    #[inline]
    fn beaten_by(&self, judge: &Judge, play: RankedCards) -> Option<u32> {
        let lead = &self.lead;
        let group = judge.group(play)?;
        if !group.is_trump() && group != lead.group() || play.0.len() != u32::from(lead.shape.len) {
            return None;
        }
        if lead.is_throw() {
            return self.throw_beaten_by(judge, play, group);
        }
        // A straight lead: the same kind and size.
        if play.pair() != play.any() && lead.len() > 1 {
            return None;
        }
        let strength = judge.strength(&lead.shape, play, group);
        if strength <= self.strength {
            return None;
        }
        if lead.len() > 2 {
            let rungs = judge.rungs(group, judge.local_bits(play.any(), group));
            let len = u32::from(lead.shape.pairs);
            if rungs.count_ones() != len || !run::has(rungs, len) {
                return None;
            }
        }
        Some(strength)
    }

    /// Rule 3.4: only trumps of a matching structure beat a throw.
    fn throw_beaten_by(&self, judge: &Judge, play: RankedCards, group: Group) -> Option<u32> {
        if !group.is_trump() {
            return None;
        }
        let lead = &self.lead.shape;
        let rules = judge.rules();
        if !judge.matches_required_structure(play, lead) {
            return None;
        }
        let strength = judge.strength(lead, play, group);
        let ahead = match rules.throw_eval {
            ThrowEval::Seed | ThrowEval::LeadShape => strength > self.strength,
            ThrowEval::All | ThrowEval::Highest | ThrowEval::UnitLength => {
                let new = judge.tops(lead, play, group)?;
                self.strength < TRUMP
                    || judge
                        .tops(lead, self.best, group)
                        .is_none_or(|old| new.beats(&old, rules.throw_eval, lead))
            }
        };
        ahead.then_some(strength)
    }
}

/// The top rung of the part that each component of a throw was given: tractors by size, then pairs, then singles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tops {
    rungs: [u8; 36],
    len: usize,
}

impl Tops {
    pub(crate) fn beats(&self, old: &Self, eval: ThrowEval, lead: &Shape) -> bool {
        let (new, old) = (&self.rungs[..self.len], &old.rungs[..self.len]);
        match eval {
            ThrowEval::All => new.iter().zip(old).all(|(new, old)| new > old),
            ThrowEval::Highest => new.iter().max() > old.iter().max(),
            _ => {
                // Singles are looked at only where there is nothing larger.
                let larger = self.len - lead.singles();
                let counted = if larger == 0 { self.len } else { larger };
                new[..counted] > old[..counted]
            }
        }
    }
}

impl Judge {
    /// What a play is worth in a trick with this lead: trump or not, the type of component that decides, its
    /// top rung.
    #[inline]
    pub(crate) fn strength(&self, lead: &Shape, play: RankedCards, group: Group) -> u32 {
        let base = if group.is_trump() { TRUMP } else { 0 };
        let any = self.local_bits(play.any(), group);
        if lead.pairs == 0 && (lead.len == 1 || self.rules().throw_eval != ThrowEval::Seed) {
            return base | run::top(self.rungs(group, any));
        }
        if lead.kind().is_some() {
            return base | run::top(self.rungs(group, any));
        }
        let pairs = self.rungs(group, self.local_bits(play.pair(), group));
        let tractors = run::covered(pairs, self.min_run());
        let own = u32::from(pairs != 0) + u32::from(tractors != 0);
        let kind = match self.rules().throw_eval {
            ThrowEval::Seed => own,
            _ => u32::from(lead.pairs > 0) + u32::from(lead.tractors > 0),
        };
        let decisive = match kind {
            2 => tractors,
            1 => pairs,
            _ => self.rungs(group, any),
        };
        base | kind << 8 | run::top(decisive)
    }

    /// Gives each component of a throw its own part of `play`, as `response_mapping` says; `None` if that cannot be.
    pub(crate) fn tops(&self, lead: &Shape, play: RankedCards, group: Group) -> Option<Tops> {
        let local = self.local(play, group);
        let mut parts = Mapping {
            pairs: [0; 16],
            cards: [0; 16],
            lowest: self.rules().response_mapping == ResponseMapping::LowestFirst,
            tops: Tops {
                rungs: [0; 36],
                len: 0,
            },
        };
        for bit in 0..18 {
            let rung = self.rungs(group, 1 << bit).trailing_zeros() as usize;
            let pair = (local.pair >> bit & 1) as u8;
            if local.any >> bit & 1 == 1 {
                parts.pairs[rung] += pair;
                parts.cards[rung] += 1 + pair;
            }
        }
        if play.0.len() != u32::from(lead.len) || !parts.tractors(lead.tractor_sizes()) {
            return None;
        }
        for _ in lead.tractor_pairs..lead.pairs {
            let rung = parts.choose(|parts, rung| parts.pairs[rung] > 0)?;
            parts.pairs[rung] -= 1;
            parts.cards[rung] -= 2;
            parts.push(rung);
        }
        while let Some(rung) = parts.choose(|parts, rung| parts.cards[rung] > 0) {
            parts.cards[rung] -= 1;
            parts.push(rung);
        }
        Some(parts.tops)
    }
}

/// The pairs and cards of a play that no component has been given yet, by rung.
struct Mapping {
    pairs: [u8; 16],
    cards: [u8; 16],
    lowest: bool,
    tops: Tops,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a ladder has sixteen rungs"
)]
impl Mapping {
    fn push(&mut self, rung: usize) {
        self.tops.rungs[self.tops.len] = rung as u8;
        self.tops.len += 1;
    }

    /// The first rung that will do, from below or from above.
    fn choose(&self, good: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let mut rungs = 0..16;
        if self.lowest {
            rungs.find(|&rung| good(self, rung))
        } else {
            rungs.rfind(|&rung| good(self, rung))
        }
    }

    /// Places tractors of these lengths, the first one first; tries further rungs where the rest then fails.
    fn tractors(&mut self, sizes: &[u8]) -> bool {
        let Some((&size, rest)) = sizes.split_first() else {
            return true;
        };
        let size = usize::from(size);
        for at in 0..=16 - size {
            let first = if self.lowest { at } else { 16 - size - at };
            let window = first..first + size;
            if !self.pairs[window.clone()].iter().all(|&pairs| pairs > 0) {
                continue;
            }
            for rung in window.clone() {
                self.pairs[rung] -= 1;
                self.cards[rung] -= 2;
            }
            self.push(first + size - 1);
            if self.tractors(rest) {
                return true;
            }
            self.tops.len -= 1;
            for rung in window {
                self.pairs[rung] += 1;
                self.cards[rung] += 2;
            }
        }
        false
    }
}
