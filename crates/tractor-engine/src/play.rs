//! One decision of the heuristic player, and whole play-outs of them.

use tractor::RankedCards;

use crate::seat_state::SeatState;
use crate::trump_tables::TrumpTables;
use crate::world::World;

impl SeatState<'_> {
    /// What the heuristic player plays: always legal.
    #[inline]
    pub fn choose(&self) -> RankedCards {
        if !self.tables.weights().memory {
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

impl World {
    /// Plays the rest of the round, every seat by the heuristic; the attackers' points at its end.
    pub fn play_out(&mut self, tables: &TrumpTables) -> i32 {
        while !self.is_over() {
            let cards = self.state(tables).choose();
            self.play(tables, cards);
        }
        self.attackers
    }
}
