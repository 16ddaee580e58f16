//! The turns of a game that is being looked back on.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Move, Position, Square, Stack, StackRules, Standard};

/// A completed turn of a game.
///
/// ```
/// use cotulenh::{Game, Position};
/// let fen = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1";
/// let mut game = Game::new(fen.parse::<Position>()?);
/// game.play_text("Txe6")?;
/// let turn = game.last_turn().expect("a turn was played");
/// let taken: Vec<String> = turn.captured().map(|(_, stack)| stack.to_string()).collect();
/// assert_eq!((turn.lan().as_str(), taken), ("Te5xe6", vec!["i".to_owned()]));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedTurn<'a, R: StackRules = Standard> {
    /// The position it was played in.
    pub before: Position<R>,
    /// Its moves.
    pub moves: &'a [Move],
    /// The position after it.
    pub after: Position<R>,
}

impl<'a, R: StackRules> PlayedTurn<'a, R> {
    pub(super) fn new(before: Position<R>, moves: &'a [Move]) -> Self {
        let mut after = before.clone();
        for mv in moves {
            after.play_unchecked(*mv);
        }
        Self {
            before,
            moves,
            after,
        }
    }

    /// Its SAN.
    pub fn san(&self) -> String {
        self.before.turn_san(self.moves)
    }

    /// Its LAN.
    pub fn lan(&self) -> String {
        self.before.turn_lan(self.moves)
    }

    /// What it took off the board, in the order of its steps.
    pub fn captured(&self) -> impl Iterator<Item = (Square, Stack)> {
        self.before.turn_captures(self.moves).into_iter()
    }
}

impl<R: StackRules> Position<R> {
    /// What the moves of a turn from this position take off the board, in the order of its steps.
    ///
    /// ```
    /// use cotulenh::{Batch, Position, Role};
    /// let fen = "6c4/9ii/11/11/11/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse()?;
    /// let batch = Batch {
    ///     from: "e4".parse()?,
    ///     moves: &[(Role::Tank, "e6".parse()?)],
    ///     stay: &[Role::AirForce, Role::Infantry],
    /// };
    /// let captures = position.turn_captures(&position.read_batch(&batch)?);
    /// assert_eq!(captures, [("e6".parse()?, "i".parse()?)]);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn turn_captures(&self, turn: &[Move]) -> Vec<(Square, Stack)> {
        let mut position = self.clone();
        let mut captures = Vec::new();
        for mv in turn {
            let taken = position.captured(*mv);
            captures.extend(taken.map(|stack| (mv.to(), stack)));
            position.play_unchecked(*mv);
        }
        captures
    }
}
