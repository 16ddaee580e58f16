//! Copies of positions.

use super::Position;
use crate::StackRules;

/// Not derived, for the sake of `clone_from`: the room of a deploy, half of the whole, is left alone where there is none.
impl<R: StackRules> Clone for Position<R> {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            deploy: self.deploy.clone(),
            ..*self
        }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.board.clone_from(&other.board);
        self.turn = other.turn;
        self.halfmove_clock = other.halfmove_clock;
        self.move_number = other.move_number;
        if self.deploy.is_some() || other.deploy.is_some() {
            self.deploy.clone_from(&other.deploy);
        }
    }
}
