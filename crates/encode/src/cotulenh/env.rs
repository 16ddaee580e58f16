//! One game, stepped by action indices.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use cotulenh::{Outcome, Position, Services};

use super::actions::{Indices, decode_legal};
use super::planes;
use crate::IllegalAction;

/// More positions than can follow each other without a capture before the game is drawn (Rule 9.6.2).
const QUIET: usize = 128;

/// The start of every game, read once: reading a FEN costs more than a move.
static START: LazyLock<Position> = LazyLock::new(Position::start);

/// A game from the usual start to its end, with its legal actions always at hand.
///
/// ```
/// use convoy_encode::cotulenh::Env;
/// let mut env = Env::new();
/// while env.outcome().is_none() {
///     let first = env.legal()[0];
///     env.step(first)?;
/// }
/// assert!(env.legal().is_empty());
/// # Ok::<_, convoy_encode::IllegalAction>(())
/// ```
#[derive(Debug, Clone)]
pub struct Env {
    position: Position,
    /// The keys of the positions between turns since the last capture, the present one last.
    keys: ArrayVec<u64, QUIET>,
    /// How often the last of them has occurred before.
    repetitions: usize,
    legal: Indices,
    outcome: Option<Outcome>,
}

impl Env {
    /// A game before its first move.
    pub fn new() -> Self {
        Self::from_position(START.clone())
    }

    /// A game from any position.
    ///
    /// ```
    /// use convoy_encode::cotulenh::Env;
    /// let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1".parse()?;
    /// assert!(Env::from_position(mate).outcome().is_some());
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn from_position(position: Position) -> Self {
        let mut env = Self {
            position,
            keys: ArrayVec::new(),
            repetitions: 0,
            legal: Indices::new(),
            outcome: None,
        };
        env.keys.push(env.position.turn_start().key());
        env.legal.list(&env.position);
        env.judge();
        env
    }

    /// A game that goes on from a position, with the [`keys`](Self::keys) that it had there.
    ///
    /// ```
    /// use convoy_encode::cotulenh::Env;
    /// let mut env = Env::new();
    /// env.step(env.legal()[0])?;
    /// let again = Env::resumed(env.position().clone(), env.keys());
    /// assert_eq!((again.keys(), again.legal()), (env.keys(), env.legal()));
    /// # Ok::<_, convoy_encode::IllegalAction>(())
    /// ```
    pub fn resumed(position: Position, keys: &[u64]) -> Self {
        let mut env = Self::from_position(position);
        let Some((now, before)) = keys.split_last() else {
            return env;
        };
        env.keys = before.iter().take(QUIET - 1).copied().collect();
        env.repetitions = env.keys.iter().filter(|key| *key == now).count();
        env.keys.push(*now);
        env.outcome = None;
        env.judge();
        env
    }

    /// Keys of the positions between turns since the last capture, the present one last: by them repetitions are told.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Starts anew.
    pub fn reset(&mut self) {
        self.position.clone_from(&START);
        self.keys.clear();
        self.keys.push(self.position.key());
        self.repetitions = 0;
        self.outcome = None;
        self.legal.list(&self.position);
    }

    /// The position now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How the game ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The legal actions, in the order of Rule 3.9; none once the game is over.
    pub fn legal(&self) -> &[i32] {
        self.legal.as_slice()
    }

    /// How often the position at the start of the turn has occurred before.
    pub const fn repetitions(&self) -> usize {
        self.repetitions
    }

    /// Writes what the side to move sees, see [`observe`](super::observe).
    pub fn observe(&self, out: &mut [u8]) {
        planes::observe(&self.position, self.repetitions, out);
    }

    /// Whether an action is legal now.
    #[inline]
    pub fn is_legal(&self, action: i32) -> bool {
        self.legal().contains(&action)
    }

    /// Carries out an action; tells the outcome if it ended the game. An illegal one changes nothing.
    pub fn step(&mut self, action: i32) -> Result<Option<Outcome>, IllegalAction> {
        self.check(action)?;
        Ok(self.step_unchecked(action))
    }

    /// Refuses an action that is not legal.
    pub(crate) fn check(&self, action: i32) -> Result<(), IllegalAction> {
        let legal = self.legal().len();
        let known = self.is_legal(action).then_some(());
        known.ok_or(IllegalAction { action, legal })
    }

    /// Carries out an action that is known to be legal.
    pub(crate) fn step_unchecked(&mut self, action: i32) -> Option<Outcome> {
        let number = usize::try_from(action).ok()?;
        let mv = decode_legal(&self.position, number)?;
        self.position.play_unchecked(mv);
        if self.position.deploy().is_none() {
            self.remember();
        }
        self.legal.list(&self.position);
        self.judge();
        self.outcome
    }

    /// Remembers the position between two turns.
    fn remember(&mut self) {
        if self.position.halfmove_clock() == 0 || self.keys.is_full() {
            self.keys.clear();
        }
        let now = self.position.key();
        self.repetitions = self.keys.iter().filter(|key| **key == now).count();
        self.keys.push(now);
    }

    /// Judges the game, with the legal moves at hand: as long as there is one and both commanders stand, only repetition and clock can
    /// end it.
    fn judge(&mut self) {
        let repetitions = self.repetitions;
        let between = self.position.deploy().is_none();
        let stands = self.position.commander(!self.position.turn()).is_some();
        let drawn = between && (repetitions >= 2 || self.position.halfmove_clock() >= 100);
        if stands && !self.legal().is_empty() && !drawn {
            return;
        }
        let all = || 1 + repetitions;
        self.outcome = self.position.outcome_with(&Services::default(), all);
        if self.outcome.is_some() {
            self.legal.clear();
        }
    }
}

impl Default for Env {
    fn default() -> Self {
        Self::new()
    }
}
