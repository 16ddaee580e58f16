//! Random legal play, without allocation: for play-outs.

use crate::card_set::Faces;
use crate::follow::{Duty, Need};
use crate::judge::Judge;
use crate::lead::Lead;
use crate::planes::Planes;
use crate::ranked_cards::RankedCards;
use crate::rules::ThrowMode;
use crate::run;
use crate::seat::Seat;
use crate::subset::{self, Subsets};
use crate::throw::Knowledge;
use crate::trick::Trick;
use crate::trump::Group;

/// What a play-out came to. [`Judge::play_out`] makes one.
///
/// ```
/// # use tractor::{Judge, Rules, Seat};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let hands = ["KS", "5S", "AS", "2H"].map(|hand| judge.ranked(hand.parse().expect("a card")));
/// let outcome = judge.play_out(hands, Seat::ALL[0], &mut |_| 0);
/// assert_eq!((outcome.last, outcome.points), (Seat::ALL[3], [0, 15]));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Points in the tricks of teams A and B, without the kitty.
    pub points: [u32; 2],
    /// Who won the last trick.
    pub last: Seat,
    /// What was led to the last trick.
    pub lead: Lead,
    /// How many tricks there were.
    pub tricks: u32,
}

impl Duty<'_> {
    /// One legal play, each with the same chance. `below(n)` draws a number below `n`.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// let lead = judge.lead(judge.ranked("3H 3H".parse()?))?;
    /// let duty = judge.duty(&lead, judge.ranked("7H 7H 8H 8H 9C".parse()?));
    /// let play = duty.random(&mut |n| n - 1);
    /// assert!(duty.allows(play));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn random(&self, below: &mut impl FnMut(u32) -> u32) -> RankedCards {
        let (fixed, pool, draw) = (self.fixed, self.pool, self.draw);
        if draw == 0 {
            return RankedCards(fixed, self.judge.layout);
        }
        let shown = if draw < 2 || pool.pair == 0 {
            0
        } else {
            self.random_pairs(below)
        };
        let singles = some(pool.any & !shown, draw - 2 * shown.count_ones(), below);
        RankedCards(
            Planes {
                any: fixed.any | shown | singles,
                pair: fixed.pair | shown,
            },
            self.judge.layout,
        )
    }

    /// The pairs of a random play, weighed by the plays that show them.
    fn random_pairs(&self, below: &mut impl FnMut(u32) -> u32) -> u64 {
        let total = self.count();
        let mut left = u64::from(below(u32::try_from(total).unwrap_or(u32::MAX)));
        let (faces, held) = (self.pool.any.count_ones(), self.pool.pair.count_ones());
        for number in self.least..=held.min(self.draw / 2) {
            let each = subset::choose(faces - number, self.draw - 2 * number);
            if self.need == Need::Nothing {
                let all = subset::choose(held, number) * each;
                if left < all {
                    return some(self.pool.pair, number, below);
                }
                left -= all;
                continue;
            }
            for shown in Subsets::new(self.candidates(), number).filter(|&pairs| self.met(pairs)) {
                if left < each {
                    return shown;
                }
                left -= each;
            }
        }
        unreachable!("the draw is below the number of plays")
    }
}

impl Judge {
    /// A single, pair or tractor of `hand`, each with the same chance; `None` from an empty hand.
    #[inline]
    pub fn random_straight(
        &self,
        hand: RankedCards,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<RankedCards> {
        if hand.is_empty() {
            return None;
        }
        let (singles, pairs) = (hand.any().count_ones(), hand.pair().count_ones());
        // Only touching bits, or several pairs of trump, can make a tractor.
        let trumps = hand.pair() & self.mask(Group::Trump);
        let touching = hand.pair() & hand.pair() >> 1 != 0 || trumps & trumps.wrapping_sub(1) != 0;
        let tractors = if touching {
            self.tractors(hand).count()
        } else {
            0
        };
        let at = below(singles + pairs + u32::try_from(tractors).unwrap_or(0));
        Some(if at < singles {
            RankedCards(Planes::once(subset::nth(hand.any(), at)), self.layout)
        } else if at < singles + pairs {
            RankedCards(
                Planes::twice(subset::nth(hand.pair(), at - singles)),
                self.layout,
            )
        } else {
            let tractor = self.tractors(hand).nth((at - singles - pairs) as usize);
            tractor.unwrap_or(RankedCards::EMPTY)
        })
    }

    /// A random throw of `group` that is sure to stand, if the draw makes one.
    fn random_throw(
        &self,
        hand: RankedCards,
        group: Group,
        known: &Knowledge,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<Lead> {
        if group.is_trump() && !self.rules().allow_trump_throw {
            return None;
        }
        let own = self.local(hand, group);
        let (mut singles, mut pairs) = (own.any, own.pair);
        if self.rules().throw_mode == ThrowMode::Certain && !known.all_void(group) {
            let out = self.local(known.unseen, group);
            singles &= self.at_least(group, out.any);
            pairs &= self.at_least(group, out.pair);
        }
        if singles.count_ones() + pairs.count_ones() < 2 {
            return None;
        }
        let pairs = self.plane(pairs & below(1 << 18), group);
        let singles = self.plane(singles & below(1 << 18), group);
        let cards = RankedCards(
            Planes {
                any: pairs | singles,
                pair: pairs,
            },
            self.layout,
        );
        let lead = self.lead(cards).ok().filter(Lead::is_throw)?;
        self.allow(lead, known).ok()
    }

    /// The local bits that nothing of `others` beats.
    #[inline]
    fn at_least(&self, group: Group, others: u32) -> u32 {
        let top = run::top(self.rungs(group, others)).saturating_sub(1);
        self.faces_of(group, !run::window(0, top))
    }

    /// A random legal lead: mostly straight, sometimes a throw.
    #[inline]
    pub fn random_lead(
        &self,
        hand: RankedCards,
        known: &Knowledge,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Option<Lead> {
        let straight = self.lead(self.random_straight(hand, below)?).ok()?;
        if below(4) == 0
            && let Some(lead) = self.random_throw(hand, straight.group(), known, below)
        {
            return Some(lead);
        }
        Some(straight)
    }

    /// Plays four hands of equal size out at random from `leader` on.
    ///
    /// ```
    /// # use tractor::{Judge, Rules, Seat};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hands = ["5S 7S", "KS 3H", "9S TD", "AS 4C"].map(|hand| judge.ranked(hand.parse().expect("cards")));
    /// let mut rng = fastrand::Rng::with_seed(7);
    /// let outcome = judge.play_out(hands, Seat::ALL[0], &mut |n| rng.u32(..n));
    /// assert_eq!(outcome.points.iter().sum::<u32>(), 25);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the hands are empty or differ in size.
    pub fn play_out(
        &self,
        mut hands: [RankedCards; 4],
        leader: Seat,
        below: &mut impl FnMut(u32) -> u32,
    ) -> Outcome {
        let mut hidden = self.ranked(Faces::FULL);
        let mut voids = [0_u8; 4];
        let (mut points, mut last, mut tricks) = ([0; 2], leader, 0);
        loop {
            let own = hands[last.index()];
            let known = Knowledge {
                unseen: hidden.less_unchecked(own),
                voids: [1, 2, 3].map(|steps| voids[last.after(steps).index()]),
            };
            let mut lead = self
                .random_lead(own, &known, below)
                .expect("the leader has a card");
            if self.rules().throw_mode == ThrowMode::Challenge && lead.is_throw() {
                let others = [1, 2, 3].map(|steps| hands[last.after(steps).index()]);
                lead = self.challenge(lead, others).lead;
            }
            hands[last.index()] = own.less_unchecked(lead.cards());
            hidden = hidden.less_unchecked(lead.cards());
            let mut trick = Trick::new(lead, self);
            let mut worth = self.points(lead.cards());
            for steps in 1..4 {
                let seat = last.after(steps).index();
                let play = self.duty(&lead, hands[seat]).random(below);
                assert_eq!(play.len(), lead.len(), "hands of equal size");
                if play.any() & !self.mask(lead.group()) != 0 {
                    voids[seat] |= 1 << lead.group().index();
                }
                hands[seat] = hands[seat].less_unchecked(play);
                hidden = hidden.less_unchecked(play);
                worth += self.points(play);
                trick.play(self, play);
            }
            last = last.after(trick.winner());
            points[last.team().index()] += worth;
            tricks += 1;
            if hands[last.index()].is_empty() {
                return Outcome {
                    points,
                    last,
                    lead,
                    tricks,
                };
            }
        }
    }
}

/// `count` bits of a mask that has as many, each choice with the same chance.
#[inline]
fn some(mask: u64, count: u32, below: &mut impl FnMut(u32) -> u32) -> u64 {
    let mut left = mask;
    for held in ((mask.count_ones() - count + 1)..=mask.count_ones()).rev() {
        left &= !subset::nth(left, below(held));
    }
    mask & !left
}
