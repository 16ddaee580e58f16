//! Whole turns.

use std::ops::Deref;

use cotulenh::{Move, Position};

/// The moves of one turn in order: one, or the steps of a deploy and perhaps its commit.
///
/// ```
/// use cotulenh::Position;
/// use cotulenh_engine::Turn;
/// let start = Position::start();
/// let turn = Turn::first_of(&start).expect("the game has begun");
/// assert_eq!(turn.play_from(&start).map(|next| next.turn()), Some(!start.turn()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Turn(Vec<Move>);

impl Turn {
    /// The moves as one turn.
    pub fn new(moves: Vec<Move>) -> Self {
        Self(moves)
    }

    /// The first turn that the rules offer, or `None` if the game is over.
    pub fn first_of(position: &Position) -> Option<Self> {
        let mut turn = Vec::new();
        let mut at = position.clone();
        while at.turn() == position.turn() {
            let moves = at.legal_moves();
            // A commit comes last, and where it is allowed it is the shortest way.
            let mv = *moves.last().filter(|mv| mv.is_commit()).or(moves.first())?;
            at.play_unchecked(mv);
            turn.push(mv);
        }
        Some(Self(turn))
    }

    /// The position after the turn, or `None` if it is not one whole legal turn there.
    pub fn play_from(&self, position: &Position) -> Option<Position> {
        let mut at = position.clone();
        for mv in &self.0 {
            if at.turn() != position.turn() {
                return None;
            }
            at = at.play(*mv).ok()?;
        }
        (at.turn() != position.turn()).then_some(at)
    }
}

impl Deref for Turn {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}
