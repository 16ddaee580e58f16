//! Every legal play, one after another.

use super::Duty;
use crate::planes::Planes;
use crate::ranked_cards::RankedCards;
use crate::subset::Subsets;

impl<'a> Duty<'a> {
    /// Every legal play, each once. There may be very many: [`Duty::count`] tells without listing them.
    #[inline]
    pub fn plays(&self) -> Plays<'a> {
        Plays {
            duty: *self,
            number: self.least,
            pairs: Subsets::new(self.candidates(), self.least),
            singles: Subsets::NONE,
            shown: 0,
        }
    }
}

/// Every legal play of a [`Duty`], each once, those with fewer pairs first.
///
/// ```
/// # use tractor::{Judge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let lead = judge.lead(judge.ranked("AH KH".parse()?))?;
/// let plays = judge.duty(&lead, judge.ranked("7H 7H 8H".parse()?)).plays();
/// let plays: Vec<_> = plays.map(|play| judge.faces(play).to_string()).collect();
/// assert_eq!(plays, ["7H 8H", "7H 7H"]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plays<'a> {
    duty: Duty<'a>,
    /// How many pairs are shown now, the ways to choose them, and the present choice.
    number: u32,
    pairs: Subsets,
    shown: u64,
    singles: Subsets,
}

impl Iterator for Plays<'_> {
    type Item = RankedCards;

    #[inline]
    fn next(&mut self) -> Option<RankedCards> {
        loop {
            if let Some(singles) = self.singles.next() {
                let fixed = &self.duty.fixed;
                return Some(RankedCards(
                    Planes {
                        any: fixed.any | self.shown | singles,
                        pair: fixed.pair | self.shown,
                    },
                    self.duty.judge.layout,
                ));
            }
            if !self.show_other_pairs() {
                return None;
            }
        }
    }
}

impl Plays<'_> {
    /// Goes on to the next choice of pairs, if there is one. It stands apart from `next` so that a caller's loop has
    /// room for the singles, of which there are many for each.
    fn show_other_pairs(&mut self) -> bool {
        let duty = &self.duty;
        loop {
            if let Some(shown) = self.pairs.next() {
                if !duty.met(shown) {
                    continue;
                }
                let free = duty.pool.any & !shown;
                self.singles = Subsets::new(free, duty.draw - 2 * self.number);
                self.shown = shown;
                return true;
            }
            self.number += 1;
            if 2 * self.number > duty.draw || self.number > duty.pool.pair.count_ones() {
                return false;
            }
            self.pairs = Subsets::new(duty.candidates(), self.number);
        }
    }
}
