//! Every legal lead, throws included.

use crate::judge::Judge;
use crate::planes::Planes;
use crate::ranked_cards::RankedCards;
use crate::rules::ThrowMode;
use crate::run;
use crate::shape::Kind;
use crate::throw::Knowledge;
use crate::trump::Group;

impl Judge {
    /// Every single, pair and tractor in `hand`, each once: the straight leads.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// let leads = judge.straight_leads(judge.ranked("7H 7H 8H 8H 3C".parse()?));
    /// let leads: Vec<_> = leads.map(|cards| judge.faces(cards).to_string()).collect();
    /// assert_eq!(leads, ["3C", "7H", "8H", "7H 7H", "8H 8H", "7H 7H 8H 8H"]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn straight_leads(&self, hand: RankedCards) -> impl Iterator<Item = RankedCards> {
        let singles = bits(hand.any()).map(|bit| RankedCards(Planes::once(bit), self.layout));
        let pairs = bits(hand.pair()).map(|bit| RankedCards(Planes::twice(bit), self.layout));
        singles.chain(pairs).chain(self.tractors(hand))
    }

    /// Every tractor in `hand`, parts of longer ones included; on the shared rung each face counts (Rule 1.6).
    pub fn tractors(&self, hand: RankedCards) -> impl Iterator<Item = RankedCards> {
        Group::ALL
            .into_iter()
            .flat_map(move |group| self.tractors_in(hand, group))
    }

    fn tractors_in(&self, hand: RankedCards, group: Group) -> impl Iterator<Item = RankedCards> {
        let local = self.local_bits(hand.pair(), group);
        let rungs = self.rungs(group, local);
        let shared = local & self.shared(group);
        // With fewer than two pairs to touch, the lengths end before they begin.
        let lengths = self.min_run()..=run::maximal(rungs).map(|run| run.1).max().unwrap_or(0);
        lengths
            .flat_map(move |len| {
                bits(run::starts(rungs, len).into())
                    .map(move |first| run::window(first.trailing_zeros(), len))
            })
            .flat_map(move |window| {
                let faces = self.faces_of(group, window) & local;
                let apart = faces & !shared;
                let choice = if faces & shared == 0 { 1 } else { shared };
                bits(choice.into()).map(move |bit| {
                    let face = u32::try_from(bit).expect("local bits") & shared;
                    RankedCards(Planes::twice(self.plane(apart | face, group)), self.layout)
                })
            })
    }

    /// Every legal lead of `hand`, each once: straight leads, then throws (Rule 3.2). Late in a round, and under
    /// `throw_mode = challenge`, there may be very many: [`Judge::count_leads`] tells without listing them.
    ///
    /// ```
    /// # use tractor::{Judge, Knowledge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hand = judge.ranked("AS AS KS 3D".parse()?);
    /// let known = Knowledge::at_start(&judge, hand);
    /// let leads: Vec<_> = judge.leads(hand, &known).collect();
    /// assert!(leads.contains(&judge.ranked("AS AS KS".parse()?)));
    /// assert_eq!(leads.len() as u64, judge.count_leads(hand, &known));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn leads(&self, hand: RankedCards, known: &Knowledge) -> impl Iterator<Item = RankedCards> {
        let known = *known;
        let throws = Group::ALL
            .into_iter()
            .flat_map(move |group| self.throws_in(hand, group, known));
        self.straight_leads(hand).chain(throws)
    }

    /// How many legal leads [`Judge::leads`] would list.
    pub fn count_leads(&self, hand: RankedCards, known: &Knowledge) -> u64 {
        let straight = self.straight_leads(hand).count() as u64;
        let throws = Group::ALL.into_iter().map(|group| {
            let Some(sure) = self.sure(hand, group, known) else {
                return 0;
            };
            self.pair_sets(hand, group, sure)
                .map(|pairs| {
                    let singles = sure.singles & !pairs;
                    let none = self.is_straight(pairs, 0, group);
                    let one = if pairs == 0 { singles.count_ones() } else { 0 };
                    (1 << singles.count_ones()) - u64::from(none) - u64::from(one)
                })
                .sum()
        });
        straight + throws.sum::<u64>()
    }

    fn throws_in(
        &self,
        hand: RankedCards,
        group: Group,
        known: Knowledge,
    ) -> impl Iterator<Item = RankedCards> {
        self.sure(hand, group, &known)
            .into_iter()
            .flat_map(move |sure| {
                self.pair_sets(hand, group, sure).flat_map(move |pairs| {
                    subsets(sure.singles & !pairs)
                        .filter(move |&singles| !self.is_straight(pairs, singles, group))
                        .map(move |singles| {
                            RankedCards(
                                Planes {
                                    any: pairs | singles,
                                    pair: pairs,
                                },
                                self.layout,
                            )
                        })
                })
            })
    }

    /// What may be part of a throw of `group`, or `None` if there is none to throw.
    fn sure(&self, hand: RankedCards, group: Group, known: &Knowledge) -> Option<Sure> {
        let own = self.of_group(hand, group);
        if own.len() < 2 || group.is_trump() && !self.rules().allow_trump_throw {
            return None;
        }
        let free = self.rules().throw_mode == ThrowMode::Challenge || known.all_void(group);
        if free {
            return Some(Sure {
                singles: own.any(),
                against: RankedCards::EMPTY,
            });
        }
        let out = self.rungs(group, self.local_bits(known.unseen.any(), group));
        let weaker = match run::top(out) {
            0 => 0,
            top => run::window(0, top - 1),
        };
        let weak = self.plane(self.faces_of(group, weaker), group);
        Some(Sure {
            singles: own.any() & !weak,
            against: known.unseen,
        })
    }

    /// Every set of pairs of the hand in `group` whose pairs and tractors all stand.
    fn pair_sets(&self, hand: RankedCards, group: Group, sure: Sure) -> impl Iterator<Item = u64> {
        let own = self.of_group(hand, group).pair();
        subsets(own).filter(move |&pairs| {
            let cards = RankedCards(Planes::twice(pairs), self.layout);
            pairs == 0
                || self.is_unbeatable(
                    &crate::Lead {
                        cards,
                        shape: self.shape_in(cards, group),
                        named: None,
                    },
                    sure.against,
                )
        })
    }

    /// Whether these pairs and singles are no throw: at most one component.
    fn is_straight(&self, pairs: u64, singles: u64, group: Group) -> bool {
        let cards = RankedCards(
            Planes {
                any: pairs | singles,
                pair: pairs,
            },
            self.layout,
        );
        self.shape_in(cards, group).components() < 2
    }

    /// Every single, pair and tractor of physical cards, copies told apart, as the fixtures' `identify` lists
    /// them: each single copy, each pair, each tractor and its parts.
    pub fn combos(&self, hand: RankedCards) -> impl Iterator<Item = (Kind, RankedCards)> {
        self.straight_leads(hand).map(|cards| {
            let kind = match cards.len() {
                1 => Kind::Single,
                2 => Kind::Pair,
                len => Kind::Tractor {
                    pairs: u8::try_from(len / 2).unwrap_or(u8::MAX),
                },
            };
            (kind, cards)
        })
    }
}

/// What can stand in a throw: single cards, and the cards that pairs and tractors must withstand.
#[derive(Debug, Clone, Copy)]
struct Sure {
    singles: u64,
    against: RankedCards,
}

/// The bits of a mask, lowest first.
fn bits(mask: u64) -> impl Iterator<Item = u64> {
    let count = mask.count_ones();
    (0..count).scan(mask, |rest, _| {
        let bit = *rest & rest.wrapping_neg();
        *rest &= !bit;
        Some(bit)
    })
}

/// Every subset of a mask, the empty one first.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    core::iter::successors(Some(0u64), move |&now| {
        (now != mask).then(|| now.wrapping_sub(mask) & mask)
    })
}
