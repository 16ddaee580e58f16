//! A game: a position with its history, its end, and what was written about it.

pub(crate) mod notes;
mod turn;

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::{
    Batch, BatchError, Color, IllegalMoveError, Move, MoveList, Outcome, Position, ReadError,
    Services, StackRules, Standard, TurnMoves, VictoryRules,
};

pub use notes::NoteError;
use notes::Notes;
pub use turn::PlayedTurn;

/// A game in progress or finished: every move since its start, so that steps and turns can be
/// undone and redone, repetitions are counted, and the whole can be written as PGN.
///
/// A refused move changes nothing. The history takes 16 bytes for a turn of one move and 4 for each further
/// move of a deploy; earlier positions are played again when somebody asks for them.
///
/// ```
/// use cotulenh::Game;
/// let mut game = Game::default();
/// game.play_text("Ic6")?;
/// game.play_text("Mg7")?;
/// assert!(game.play_text("Ic9").is_err());
/// assert_eq!(game.sans(), ["Ic6", "Mg7"]);
/// assert!(game.undo());
/// assert_eq!(game.lans(), ["Ic5c6"]);
/// assert!(game.redo());
/// assert_eq!(game.sans(), ["Ic6", "Mg7"]);
/// # Ok::<_, cotulenh::ReadError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game<R: StackRules = Standard> {
    start: Position<R>,
    position: Position<R>,
    /// Every move since the start.
    moves: Vec<Move>,
    /// For each turn that has begun: the index of its first move, and the key of the position before it.
    firsts: Vec<u32>,
    keys: Vec<u64>,
    /// The keys of the positions before those turns that were dropped, as far as they can be repeated.
    dropped_keys: VecDeque<u64>,
    /// Undone moves, the next to be redone last.
    undone: Vec<Move>,
    /// The most completed turns that are kept.
    limit: Option<usize>,
    services: Services,
    rules: VictoryRules,
    outcome: Option<Outcome>,
    pub(crate) notes: Notes,
}

/// Why a move was refused; the game stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The move is not legal.
    Illegal(IllegalMoveError),
}

impl Default for Game {
    /// A game from the usual start.
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl<R: StackRules> Game<R> {
    /// A game from any position. If a deploy is open in it, its steps can be undone too.
    ///
    /// ```
    /// use cotulenh::{Game, Position};
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(TI):F>e8...";
    /// let mut game = Game::new(fen.parse::<Position>()?);
    /// assert!(game.undo_step());
    /// assert!(game.position().deploy().is_none());
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a game takes its position over"
    )]
    pub fn new(position: Position<R>) -> Self {
        let start = position.turn_start();
        let mut game = Self {
            position: start.clone(),
            moves: Vec::new(),
            firsts: Vec::new(),
            keys: Vec::new(),
            dropped_keys: VecDeque::new(),
            undone: Vec::new(),
            limit: None,
            services: Services::default(),
            rules: VictoryRules::default(),
            outcome: None,
            notes: Notes::default(),
            start,
        };
        if let Some(deploy) = position.deploy() {
            for mv in game.start.replayed(deploy).iter() {
                game.push(*mv);
            }
        }
        game.judge();
        game
    }

    /// The same game with further ways to win (Rule 9.7).
    #[must_use]
    pub fn with_rules(mut self, rules: VictoryRules) -> Self {
        self.rules = rules;
        self.services = rules.services(&self.start);
        self.judge();
        self
    }

    /// The same game, which keeps at most so many completed turns: older ones are dropped, and the game
    /// then begins after them. Rules that look back, repetition and Rule 9.7, go on as before.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default().with_history_limit(1);
    /// for text in ["Ic6", "Mg7", "Ik6"] {
    ///     game.play_text(text)?;
    /// }
    /// assert_eq!(game.sans(), ["Ik6"]);
    /// assert_eq!(game.start().move_number(), 2);
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    #[must_use]
    pub fn with_history_limit(mut self, turns: usize) -> Self {
        self.limit = Some(turns);
        self.drop_old();
        self
    }

    /// The bytes that the history takes on the heap.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// game.play_text("Ic6")?;
    /// assert_eq!(game.history_bytes(), 16);
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn history_bytes(&self) -> usize {
        size_of_val(&self.moves[..])
            + size_of_val(&self.firsts[..])
            + size_of_val(&self.keys[..])
            + size_of::<u64>() * self.dropped_keys.len()
    }

    /// The ways to win beside the commander's.
    pub fn rules(&self) -> VictoryRules {
        self.rules
    }

    /// The position now.
    pub fn position(&self) -> &Position<R> {
        &self.position
    }

    /// The position the game began with, or that after the last turn dropped.
    pub fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Every legal move; none once the game is over.
    ///
    /// ```
    /// use cotulenh::Game;
    /// assert_eq!(Game::default().legal_moves().len(), 116);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        match self.outcome {
            None => self.position.legal_moves(),
            Some(_) => MoveList::new(),
        }
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Plays a legal move.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// let mv = game.legal_moves()[0];
    /// game.play(mv)?;
    /// assert!(game.play(mv).is_err());
    /// # Ok::<_, cotulenh::PlayError>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        if let Err(why) = self.position.play(mv) {
            return Err(PlayError::Illegal(why));
        }
        self.push_all(&[mv]);
        Ok(())
    }

    /// Reads and plays a move, steps or a whole turn; all of it or nothing.
    pub fn play_text(&mut self, text: &str) -> Result<TurnMoves, ReadError> {
        if let Some(outcome) = self.outcome {
            return Err(ReadError::Over(outcome));
        }
        let moves = self.position.read(text)?;
        self.push_all(&moves);
        Ok(moves)
    }

    /// Plays a batch deploy, whole or not at all (Rule 6.9).
    pub fn deploy(&mut self, batch: &Batch<'_>) -> Result<TurnMoves, BatchError> {
        if let Some(outcome) = self.outcome {
            return Err(BatchError::Over(outcome));
        }
        let moves = self.position.read_batch(batch)?;
        self.push_all(&moves);
        Ok(moves)
    }

    fn push_all(&mut self, moves: &[Move]) {
        self.play_unchecked(moves);
        self.judge();
    }

    /// Plays moves that are known to be legal, such as those of a stored game, and neither checks them nor
    /// looks whether they end the game: call [`Game::judge`] after the last.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// for text in ["Ic6", "Mg7"] {
    ///     let moves = game.position().read(text)?;
    ///     game.play_unchecked(&moves);
    /// }
    /// game.judge();
    /// assert_eq!((game.sans().join(" ").as_str(), game.outcome()), ("Ic6 Mg7", None));
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn play_unchecked(&mut self, moves: &[Move]) {
        // What was undone cannot be redone any more.
        self.notes.forget_after(self.turn_count());
        self.undone.clear();
        for mv in moves {
            self.push(*mv);
        }
        self.drop_old();
    }

    fn push(&mut self, mv: Move) {
        if self.position.deploy().is_none() {
            let first = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
            self.firsts.push(first);
            self.keys.push(self.position.key());
        }
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }

    /// Drops the oldest turns where more are kept than the limit allows.
    fn drop_old(&mut self) {
        let Some(limit) = self.limit else {
            return;
        };
        let dropped = self.turn_count().saturating_sub(limit);
        if dropped == 0 {
            return;
        }
        self.start = self.position_after(dropped);
        let first = self.turn_range(dropped).start;
        self.moves.drain(..first);
        self.firsts.drain(..dropped);
        for later in &mut self.firsts {
            *later -= u32::try_from(first).unwrap_or(u32::MAX);
        }
        self.dropped_keys.extend(self.keys.drain(..dropped));
        // After a hundred quiet turns the game is over, so nothing older is repeated.
        let useless = self.dropped_keys.len().saturating_sub(100);
        self.dropped_keys.drain(..useless);
        self.notes.drop_first(dropped);
    }

    /// Undoes the last move: one step of a deploy, or the last move of the turn before.
    /// Answers whether there was one.
    pub fn undo_step(&mut self) -> bool {
        let Some(mv) = self.moves.pop() else {
            return false;
        };
        self.undone.push(mv);
        let begun = self.firsts.last().map(|first| *first as usize);
        if begun == Some(self.moves.len()) {
            self.firsts.pop();
            self.keys.pop();
        }
        let mut position = self.start.clone();
        for mv in &self.moves {
            position.play_unchecked(*mv);
        }
        self.position = position;
        self.judge();
        true
    }

    /// Undoes the open deploy, or else the last turn. Answers whether there was one.
    pub fn undo(&mut self) -> bool {
        let undone = self.undo_step();
        while self.position.deploy().is_some() && self.undo_step() {}
        undone
    }

    /// Plays the last move undone again. Answers whether there was one.
    pub fn redo_step(&mut self) -> bool {
        let Some(mv) = self.undone.pop() else {
            return false;
        };
        self.push(mv);
        self.judge();
        true
    }

    /// Plays the last turn undone again, as far as it went. Answers whether there was one.
    pub fn redo(&mut self) -> bool {
        let redone = self.redo_step();
        while self.position.deploy().is_some() && self.redo_step() {}
        redone
    }

    /// The indices of the moves of a turn that has begun; past the end, an empty range there.
    fn turn_range(&self, turn: usize) -> core::ops::Range<usize> {
        let at = |turn: usize| {
            let first = self.firsts.get(turn).map(|first| *first as usize);
            first.unwrap_or(self.moves.len())
        };
        at(turn)..at(turn + 1)
    }

    /// Every completed turn, from the first.
    pub fn turns(&self) -> impl Iterator<Item = PlayedTurn<'_, R>> {
        let mut before = self.start.clone();
        (0..self.turn_count()).map(move |turn| {
            let moves = &self.moves[self.turn_range(turn)];
            let turn = PlayedTurn::new(before.clone(), moves);
            before.clone_from(&turn.after);
            turn
        })
    }

    /// The last completed turn.
    pub fn last_turn(&self) -> Option<PlayedTurn<'_, R>> {
        let last = self.turn_count().checked_sub(1)?;
        let moves = &self.moves[self.turn_range(last)];
        Some(PlayedTurn::new(self.position_after(last), moves))
    }

    /// The position after so many completed turns, or at the start of the present one.
    pub fn position_after(&self, turns: usize) -> Position<R> {
        let mut position = self.start.clone();
        let end = self.turn_range(turns.min(self.turn_count())).start;
        for mv in &self.moves[..end] {
            position.play_unchecked(*mv);
        }
        position
    }

    /// The keys of the positions between turns, from the start to the one before the present.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.keys.iter().copied().take(self.turn_count())
    }

    /// How many turns have been completed.
    pub fn turn_count(&self) -> usize {
        self.firsts.len() - usize::from(self.position.deploy().is_some())
    }

    /// The SAN of every completed turn.
    pub fn sans(&self) -> Vec<String> {
        self.turns().map(|turn| turn.san()).collect()
    }

    /// The LAN of every completed turn.
    pub fn lans(&self) -> Vec<String> {
        self.turns().map(|turn| turn.lan()).collect()
    }

    /// The moves of the open deploy.
    pub fn open_moves(&self) -> &[Move] {
        &self.moves[self.turn_range(self.turn_count())]
    }

    /// How often the position between turns has occurred, this time included (Rule 9.6.3).
    pub fn repetitions(&self) -> usize {
        let now = self.position.turn_start();
        let key = now.key();
        // No position comes back once something was captured.
        let quiet = now.halfmove_clock() as usize;
        let kept = quiet.min(self.turn_count());
        let since = self.turn_count() - kept;
        let older = self.dropped_keys.iter().rev().take(quiet - kept);
        let older = older.filter(|other| **other == key).count();
        let same = |other: &Position<R>| other.key() == key && other.stacks().eq(now.stacks());
        let met = self
            .keys()
            .skip(since)
            .filter(|other| *other == key)
            .count();
        // Keys may collide: the boards decide.
        let kept = match met {
            0 => 0,
            _ => self
                .turns()
                .skip(since)
                .filter(|turn| same(&turn.before))
                .count(),
        };
        1 + kept + older
    }

    /// Looks whether the game is over, after [`Game::play_unchecked`]; all other methods do so themselves.
    pub fn judge(&mut self) {
        self.outcome = self
            .position
            .outcome_with(&self.services, || self.repetitions());
    }

    /// The moves of the last completed turn; none before it.
    pub(crate) fn last_moves(&self) -> &[Move] {
        let last = self.turn_count().checked_sub(1);
        last.map_or(&[], |last| &self.moves[self.turn_range(last)])
    }
}

/// Two games are equal if they began alike and were played alike, under the same rules and with the same
/// notes; what was undone plays no part.
impl<R: StackRules> PartialEq for Game<R> {
    fn eq(&self, other: &Self) -> bool {
        let turns = self.turn_count();
        self.start == other.start
            && self.moves == other.moves
            && self.rules == other.rules
            && self.notes.until(turns) == other.notes.until(turns)
    }
}

impl<R: StackRules> Eq for Game<R> {}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(why) => why.fmt(f),
        }
    }
}

impl Error for PlayError {}
