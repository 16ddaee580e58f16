//! One decision of the heuristic player, and whole play-outs of them.

use tractor::Hand;

use crate::eyes::Eyes;
use crate::lore::Lore;
use crate::table::Table;

impl Eyes<'_> {
    /// What the heuristic player plays: always legal.
    #[inline]
    pub fn choose(&self) -> Hand {
        if !self.lore.style().memory {
            let seen = self.forget();
            return match self.trick {
                Some(_) => seen.follow(),
                None => seen.lead(),
            };
        }
        match self.trick {
            Some(_) => self.follow(),
            None => self.lead(),
        }
    }
}

impl Table {
    /// Plays the rest of the round, every seat by the heuristic; the attackers' points at its end.
    pub fn play_out(&mut self, lore: &Lore) -> i32 {
        while !self.is_over() {
            let cards = self.eyes(lore).choose();
            self.play(lore, cards);
        }
        self.attackers
    }
}
