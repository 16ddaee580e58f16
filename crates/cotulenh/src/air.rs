//! Air cover, and what becomes of aircraft that fly into it.

use crate::board::Board;
use crate::{Color, Square, SquareSet, StackRules};

/// Rule 7.2: the board's squares within a disc of radius 0 to 3 around a square.
static ZONES: [[SquareSet; Square::INDEX_LEN]; 4] = {
    let mut table = [[SquareSet::EMPTY; Square::INDEX_LEN]; 4];
    let mut level = 1;
    while level < table.len() {
        let mut index = 0;
        while index < Square::INDEX_LEN {
            if let Some(square) = Square::from_index(index) {
                table[level][index] = disc(square, level * level);
            }
            index += 1;
        }
        level += 1;
    }
    table
};

/// The squares whose distance, squared, is at most that.
const fn disc(centre: Square, squared: usize) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let mut index = 0;
    while index < Square::INDEX_LEN {
        if let Some(square) = Square::from_index(index) {
            let dx = square.file().abs_diff(centre.file()) as usize;
            let dy = square.rank().abs_diff(centre.rank()) as usize;
            if dx * dx + dy * dy <= squared {
                set = set.with(square);
            }
        }
        index += 1;
    }
    set
}

/// The squares that a provider of the given level covers.
#[inline]
pub(crate) fn zone(level: u8, square: Square) -> SquareSet {
    ZONES[level as usize & 3][square.index()]
}

/// What an aircraft may do on the square it has reached (Rule 7.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlightState {
    /// Land, capture, fly on.
    Safe,
    /// Strike once, and be lost; board a friend.
    Doomed,
    /// Nothing: it does not get here.
    Destroyed,
}

/// The flight of a plain aircraft along one ray.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight {
    met: Option<Square>,
    over: bool,
}

impl Flight {
    /// At the start; whatever covers the square of departure does not count.
    pub(crate) const START: Self = Self {
        met: None,
        over: false,
    };

    /// Enters the next square of the ray against the air defence of `enemy`.
    pub(crate) fn enter<R: StackRules>(
        &mut self,
        board: &Board<R>,
        square: Square,
        enemy: Color,
    ) -> FlightState {
        if board.cover(enemy).contains(square) {
            for provider in board.providers_at(square, enemy) {
                self.over |= self.met.is_some_and(|met| met != provider);
                self.met = Some(provider);
            }
        } else if self.met.is_some() {
            self.over = true;
        }
        match (self.met, self.over) {
            (_, true) => FlightState::Destroyed,
            (Some(_), false) => FlightState::Doomed,
            (None, false) => FlightState::Safe,
        }
    }
}
