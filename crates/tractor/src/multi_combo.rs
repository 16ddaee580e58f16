//! The helpers that founding document 003 names, for callers who know them by those names: `matchesRequiredStructure`,
//! `compareTrumpMultiCombos`, `isVoidAfterPlay`, `findUnbeatableCombos`. A multi-combo is a throw here.

use core::cmp::Ordering;

use crate::judge::Judge;
use crate::lead::Lead;
use crate::ranked_cards::RankedCards;
use crate::rules::{Eligibility, ThrowEval};
use crate::shape::{Combo, Shape};
use crate::throw::Knowledge;
use crate::trump::Group;

impl Judge {
    /// Document 003's `matchesRequiredStructure(playedCards, requiredStructure)`: whether a play of one group has the
    /// structure that a throw requires of an answer (Rule 3.4).
    ///
    /// With `eligibility = summary` the play needs as many cards, and at least as many pairs, tractors, tractor pairs
    /// and as long a tractor; with `embed` each led component needs a part of its own.
    ///
    /// ```
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let required = judge.shape(judge.ranked("KS KS QS".parse()?)).expect("one group");
    /// assert!(judge.matches_required_structure(judge.ranked("5H 5H 4H".parse()?), &required));
    /// assert!(!judge.matches_required_structure(judge.ranked("5H 4H 3H".parse()?), &required));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches_required_structure(&self, played: RankedCards, required: &Shape) -> bool {
        let Some(group) = self.group(played) else {
            return false;
        };
        match self.rules().eligibility {
            Eligibility::Summary => self.shape_in(played, group).reaches(required),
            Eligibility::Embed => self.tops(required, played, group).is_some(),
        }
    }

    /// Document 003's `compareTrumpMultiCombos(combo1, combo2, trumpInfo)`: which of two trump answers to a throw is
    /// the stronger one, by the switch `throw_eval` (Rule 3.4). `None` where one of them cannot beat the throw at all.
    ///
    /// Of two equal answers the earlier one keeps the trick. With `throw_eval = all` answers of which neither beats the
    /// other in every part are equal.
    ///
    /// ```
    /// # use std::cmp::Ordering;
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let lead = judge.lead(judge.ranked("KS QS".parse()?))?;
    /// let [pair, high] = ["3H 3H", "AH KH"].map(|cards| judge.ranked(cards.parse().expect("cards")));
    /// assert_eq!(judge.compare_trump_multi_combos(&lead, pair, high), Some(Ordering::Greater));
    /// let spades = judge.ranked("AS TS".parse()?);
    /// assert_eq!(judge.compare_trump_multi_combos(&lead, spades, high), None);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare_trump_multi_combos(
        &self,
        lead: &Lead,
        a: RankedCards,
        b: RankedCards,
    ) -> Option<Ordering> {
        let fits = |play: RankedCards| {
            self.group(play) == Some(Group::Trump)
                && self.matches_required_structure(play, &lead.shape)
        };
        if !lead.is_throw() || !fits(a) || !fits(b) {
            return None;
        }
        let eval = self.rules().throw_eval;
        match eval {
            ThrowEval::Seed | ThrowEval::LeadShape => {
                let [a, b] = [a, b].map(|play| self.strength(&lead.shape, play, Group::Trump));
                Some(a.cmp(&b))
            }
            ThrowEval::All | ThrowEval::Highest | ThrowEval::UnitLength => {
                let a = self.tops(&lead.shape, a, Group::Trump)?;
                let b = self.tops(&lead.shape, b, Group::Trump)?;
                Some(
                    match (
                        a.beats(&b, eval, &lead.shape),
                        b.beats(&a, eval, &lead.shape),
                    ) {
                        (true, _) => Ordering::Greater,
                        (_, true) => Ordering::Less,
                        _ => Ordering::Equal,
                    },
                )
            }
        }
    }

    /// Document 003's `isVoidAfterPlay(cards, hand, leadingSuit)`: whether a play takes the last cards of `group` out
    /// of the hand, so that any such play is legal (the exhaustion rule, Rule 3.3). False for cards that the hand does
    /// not hold.
    ///
    /// ```
    /// # use tractor::{Group, Judge, Rules, Suit};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let (hand, spades) = (judge.ranked("9S 8S 7S 5H".parse()?), Group::Plain(Suit::Spades));
    /// assert!(judge.is_void_after_play(hand, judge.ranked("9S 8S 7S 5H".parse()?), spades));
    /// assert!(!judge.is_void_after_play(hand, judge.ranked("9S 8S".parse()?), spades));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_void_after_play(&self, hand: RankedCards, play: RankedCards, group: Group) -> bool {
        hand.less(play)
            .is_some_and(|rest| self.of_group(rest, group).is_empty())
    }

    /// Document 003's `findUnbeatableCombos(suit, gameState)`: the components of the hand's cards of `group` that no
    /// unseen card beats, tractors first, then pairs, then singles (Rule 3.2). All of them together, or any of them,
    /// are a throw that stands; where all others are known to be void, that is everything.
    ///
    /// ```
    /// # use tractor::{Group, Judge, Kind, Knowledge, Rules, Suit};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// let hand = judge.ranked("AS AS KS QS QS 3D".parse()?);
    /// let known = Knowledge::at_start(&judge, hand);
    /// let found: Vec<_> = judge.find_unbeatable_combos(hand, Group::Plain(Suit::Spades), &known).collect();
    /// let cards: Vec<_> = found.iter().map(|combo| judge.faces(combo.cards).to_string()).collect();
    /// // Two kings are needed to beat the queens, and one of them is here.
    /// assert_eq!(cards, ["AS AS", "QS QS", "KS"]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_unbeatable_combos(
        &self,
        hand: RankedCards,
        group: Group,
        known: &Knowledge,
    ) -> impl Iterator<Item = Combo> {
        // If a component is beaten, so is each of its parts: only whole components need a look.
        let against = if known.all_void(group) {
            RankedCards::EMPTY
        } else {
            known.unseen
        };
        self.components_in(hand, group)
            .filter(move |combo| self.beaten_by(combo, group, against).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Faces, Rules, Suit, Trick};

    fn judge(eval: ThrowEval, eligibility: Eligibility) -> Judge {
        let rules = Rules {
            throw_eval: eval,
            eligibility,
            ..Rules::DEFAULT
        };
        Judge::new("2H".parse().unwrap(), rules)
    }

    /// The comparison must agree with what happens in a trick, whatever the switches.
    #[test]
    fn comparing_answers_agrees_with_the_trick() {
        let leads = ["KS QS", "KS KS QS", "KS KS QS QS 9S", "KS KS 9S 9S"];
        let pools: [&[&str]; 4] = [
            &["3H 4H", "3H 3H", "AH KH", "2S 3H", "sj bj"],
            &["3H 3H 4H", "4H 4H 3H", "AH KH QH", "5H 5H AH", "2S 2S bj"],
            &[
                "3H 3H 4H 4H 9H",
                "5H 5H 6H 6H 7H",
                "5H 5H 9H 9H AH",
                "AH AH KH KH 3H",
            ],
            &[
                "3H 3H 9H 9H",
                "4H 4H 5H 5H",
                "AH AH TH TH",
                "2C 2C 2S 2S",
                "3H 4H 5H 6H",
            ],
        ];
        for &eval in ThrowEval::ALL {
            for &eligibility in Eligibility::ALL {
                let judge = judge(eval, eligibility);
                for (lead, pool) in leads.iter().zip(pools) {
                    let lead = judge.lead(judge.ranked(lead.parse().unwrap())).unwrap();
                    let plays = pool.iter().map(|play| judge.ranked(play.parse().unwrap()));
                    let plays: Vec<RankedCards> = plays.collect();
                    for (&first, &second) in
                        plays.iter().flat_map(|a| plays.iter().map(move |b| (a, b)))
                    {
                        let mut trick = Trick::new(lead, &judge);
                        let ruffed = trick.play(&judge, first);
                        assert_eq!(
                            ruffed,
                            judge.matches_required_structure(first, lead.shape())
                        );
                        let over = trick.play(&judge, second);
                        if ruffed {
                            let order = judge.compare_trump_multi_combos(&lead, second, first);
                            assert_eq!(
                                over,
                                order == Some(Ordering::Greater),
                                "{eval:?} {eligibility:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unbeatable_combos_make_a_sure_throw() {
        let judge = Judge::new("2H".parse().unwrap(), Rules::DEFAULT);
        let hand = judge.ranked("AS AS KS KS JS TS TS 3S".parse().unwrap());
        let spades = Group::Plain(Suit::Spades);
        let known = Knowledge::at_start(&judge, hand);
        let found = judge.find_unbeatable_combos(hand, spades, &known);
        let all = found.fold(RankedCards::EMPTY, |sum, combo| {
            sum.plus(combo.cards).unwrap()
        });
        assert_eq!(judge.faces(all), "AS AS KS KS".parse::<Faces>().unwrap());
        assert!(judge.check_lead(hand, all, &known).is_ok());
        let void = Knowledge {
            voids: [1 << spades.index(); 3],
            ..known
        };
        assert_eq!(judge.find_unbeatable_combos(hand, spades, &void).count(), 4);
    }
}
