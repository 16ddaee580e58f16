//! A game: a position with its history, its end, and what was written about it.

pub(crate) mod notes;

use std::error::Error;
use std::fmt;

use crate::notation::Ended;
use crate::{
    Batch, BatchError, Color, IllegalMoveError, Move, Outcome, Position, ReadError, Reason, Role,
    TurnMoves, VictoryRules,
};

pub use notes::NoteError;
use notes::Notes;

/// A game in progress or finished: every move since its start, so that steps and turns can be
/// taken back, repetitions are counted, and the whole can be written as PGN.
///
/// A refused move changes nothing.
///
/// ```
/// use cotulenh::Game;
/// let mut game = Game::default();
/// game.play_text("Ic6")?;
/// game.play_text("Mg7")?;
/// assert!(game.play_text("Ic9").is_err());
/// assert_eq!(game.sans(), ["Ic6", "Mg7"]);
/// assert!(game.undo_turn());
/// assert_eq!(game.lans(), ["Ic5c6"]);
/// # Ok::<_, cotulenh::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    start: Position,
    line: Vec<Played>,
    position: Position,
    rules: VictoryRules,
    outcome: Option<Outcome>,
    pub(crate) notes: Notes,
}

/// A move and the position it was played in.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Played {
    before: Position,
    mv: Move,
}

/// Why a move was refused; the game stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The move is not legal.
    Illegal(IllegalMoveError),
}

/// A completed turn of a game.
#[derive(Debug, Clone, Copy)]
pub struct PlayedTurn<'a> {
    /// The position it was played in.
    pub before: &'a Position,
    /// Its moves.
    moves: &'a [Played],
    /// The position after it.
    pub after: &'a Position,
}

impl PlayedTurn<'_> {
    /// Its moves.
    pub fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|played| played.mv).collect()
    }

    /// Its SAN.
    pub fn san(&self) -> String {
        self.before.turn_san(&self.moves())
    }

    /// Its LAN.
    pub fn lan(&self) -> String {
        self.before.turn_lan(&self.moves())
    }
}

impl Default for Game {
    /// A game from the usual start.
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl Game {
    /// A game from any position. If a deploy is open in it, its steps can be taken back too.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(TI):F>e8...";
    /// let mut game = Game::new(fen.parse()?);
    /// assert!(game.undo_step());
    /// assert!(game.position().deploy().is_none());
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn new(position: Position) -> Self {
        let deploy = position.deploy().cloned();
        let start = match &deploy {
            None => position,
            Some(_) => position.turn_start(),
        };
        let mut game = Self {
            start: start.clone(),
            line: Vec::new(),
            position: start,
            rules: VictoryRules::default(),
            outcome: None,
            notes: Notes::default(),
        };
        if let Some(deploy) = deploy {
            for mv in game.start.replayed(&deploy).iter() {
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
        self.judge();
        self
    }

    /// The ways to win beside the commander's.
    pub fn rules(&self) -> VictoryRules {
        self.rules
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays a legal move.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// let mv = game.position().legal_moves()[0];
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
        self.push(mv);
        self.judge();
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
        for mv in moves {
            self.push(*mv);
        }
        self.judge();
    }

    fn push(&mut self, mv: Move) {
        let before = self.position.clone();
        self.position.play_unchecked(mv);
        self.line.push(Played { before, mv });
    }

    /// Takes back the last move: one step of a deploy, or the last move of the turn before.
    /// Answers whether there was one.
    pub fn undo_step(&mut self) -> bool {
        let Some(played) = self.line.pop() else {
            return false;
        };
        self.position = played.before;
        self.notes.forget_after(self.turn_count());
        self.judge();
        true
    }

    /// Takes back the open deploy, or else the last turn. Answers whether there was one.
    pub fn undo_turn(&mut self) -> bool {
        let undone = self.undo_step();
        while self.position.deploy().is_some() && self.undo_step() {}
        undone
    }

    /// Every completed turn, from the first.
    pub fn turns(&self) -> impl Iterator<Item = PlayedTurn<'_>> {
        let starts = |played: &Played| played.before.deploy().is_none();
        let closed = self.position.deploy().is_none();
        let mut rest = &self.line[..];
        std::iter::from_fn(move || {
            let next = rest.iter().skip(1).position(starts).map(|index| index + 1);
            let length = match next {
                Some(length) => length,
                None if closed && !rest.is_empty() => rest.len(),
                None => return None,
            };
            let (moves, later) = rest.split_at(length);
            rest = later;
            Some(PlayedTurn {
                before: &moves[0].before,
                moves,
                after: later
                    .first()
                    .map_or(&self.position, |played| &played.before),
            })
        })
    }

    /// How many turns have been completed.
    pub fn turn_count(&self) -> usize {
        let begun = self
            .line
            .iter()
            .filter(|played| played.before.deploy().is_none())
            .count();
        begun - usize::from(self.position.deploy().is_some())
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
    pub fn open_moves(&self) -> Vec<Move> {
        if self.position.deploy().is_none() {
            return Vec::new();
        }
        let within = |played: &&Played| played.before.deploy().is_some();
        let steps = 1 + self.line.iter().rev().take_while(within).count();
        let open = &self.line[self.line.len() - steps..];
        open.iter().map(|played| played.mv).collect()
    }

    /// How often the position between turns has occurred, this time included (Rule 9.6.3).
    pub fn repetitions(&self) -> usize {
        let now = self.position.turn_start();
        let before = self.line.iter().rev().map(|played| &played.before);
        let between = std::iter::once(&self.position)
            .chain(before)
            .filter(|position| position.deploy().is_none());
        // No position comes back once something was captured.
        let quiet = now.halfmove_clock() as usize;
        between
            .take(quiet + 1)
            .filter(|position| position.key() == now.key() && position.stacks().eq(now.stacks()))
            .count()
    }

    fn judge(&mut self) {
        self.outcome = self.judged();
    }

    /// Rule 9.6.5: which end comes first.
    fn judged(&self) -> Option<Outcome> {
        if self.position.deploy().is_some() {
            return None;
        }
        let plain = self.position.outcome();
        let first = plain.filter(|end| matches!(end.reason, Reason::Commander | Reason::Checkmate));
        let stalemate = plain.filter(|end| end.reason == Reason::Stalemate);
        let threefold = || Outcome {
            winner: None,
            reason: Reason::Threefold,
        };
        first
            .or_else(|| self.service_victory())
            .or(stalemate)
            .or_else(|| (self.repetitions() >= 3).then(threefold))
            .or(plain)
    }

    /// Rule 9.7: the side that has just moved wins if both lose a service at once.
    fn service_victory(&self) -> Option<Outcome> {
        let land = Role::Artillery.mask() | Role::Tank.mask() | Role::Infantry.mask();
        let services = [
            (self.rules.marine, Role::Navy.mask(), Reason::Marine),
            (self.rules.air, Role::AirForce.mask(), Reason::Air),
            (self.rules.land, land, Reason::Land),
        ];
        let roles_of = |position: &Position, color: Color| {
            let own = position
                .stacks()
                .filter(|(_, stack)| stack.color() == color);
            own.fold(0, |roles, (_, stack)| roles | stack.roles())
        };
        let loser = self.position.turn();
        [loser, !loser].into_iter().find_map(|loser| {
            let (had, left) = (
                roles_of(&self.start, loser),
                roles_of(&self.position, loser),
            );
            let lost = services
                .iter()
                .find(|(on, roles, _)| *on && had & roles != 0 && left & roles == 0)?;
            Some(Outcome {
                winner: Some(!loser),
                reason: lost.2,
            })
        })
    }

    /// The steps of the open deploy as text.
    pub(crate) fn open_text(&self) -> Option<String> {
        let moves = self.open_moves();
        let start = self.position.turn_start();
        let ended = Ended::of(&start, &moves)?;
        let moves = start.legal_moves();
        let mut text = String::new();
        crate::Namer::new(&start, &moves).turn_steps(&ended, &mut text);
        Some(text)
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(why) => why.fmt(f),
        }
    }
}

impl Error for PlayError {}
