//! Whole turns (Rule 6.10): what a position may become when the turn passes.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::notation::{Ended, Namer};
use crate::{Move, Position, Square, StackRules, Standard, TurnMoves};

/// A whole turn with everything there is to know about it: a plain move, or a deploy from its first step to its end.
///
/// See [`Position::turns`] for an example.
#[derive(Debug, Clone)]
pub struct VerboseTurn<R: StackRules = Standard> {
    /// The moves that play it; the last is a commit unless the deploy ends by itself.
    pub moves: TurnMoves,
    /// Its SAN.
    pub san: String,
    /// Its LAN.
    pub lan: String,
    /// The position after it.
    pub after: Position<R>,
}

impl<R: StackRules> Position<R> {
    /// Every complete turn, each distinct result once, under the shortest and then alphabetically
    /// first LAN. Inside a deploy these are the ways to end it.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/11/2(NT)8/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse()?;
    /// let turns = position.turns();
    /// assert!(turns.iter().any(|turn| turn.lan == "c3:T:N>c6"));
    /// // The whole stack moves: no deploy with the same result is listed.
    /// assert!(turns.iter().any(|turn| turn.lan == "(NT)c3c6"));
    /// assert!(turns.iter().all(|turn| turn.lan != "c3::(NT)>c6"));
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn turns(&self) -> Vec<VerboseTurn<R>> {
        self.turns_from(None)
    }

    /// The same for the stack on one square.
    pub fn turns_from(&self, square: Option<Square>) -> Vec<VerboseTurn<R>> {
        let moves = self.legal_moves();
        let mut found = Found {
            start: self,
            namer: Namer::new(self, &moves),
            turns: Vec::new(),
            by_key: BTreeMap::new(),
        };
        for mv in moves
            .iter()
            .filter(|mv| square.is_none_or(|square| square == mv.from()))
        {
            let _ = follow(self, *mv, None, &mut |moves, after| {
                found.add(moves, after);
                ControlFlow::<()>::Continue(())
            });
        }
        found.turns
    }

    /// Calls `visit` with every sequence of moves that completes the turn and the position after it, until it breaks.
    /// Several sequences may have the same result; [`Position::turns`] lists each result once.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use cotulenh::{Color, Position};
    /// let start = Position::start();
    /// let check = start.try_for_each_turn(|moves, after| {
    ///     if after.in_check() { ControlFlow::Break(moves) } else { ControlFlow::Continue(()) }
    /// });
    /// assert!(check.is_continue(), "no first turn gives check");
    /// ```
    pub fn try_for_each_turn<B>(
        &self,
        mut visit: impl FnMut(TurnMoves, Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let moves = self.legal_moves();
        moves
            .iter()
            .try_for_each(|mv| follow(self, *mv, None, &mut visit))
    }
}

/// Plays a move and whatever completes the turn after it.
fn follow<R: StackRules, B>(
    position: &Position<R>,
    mv: Move,
    so_far: Option<TurnMoves>,
    visit: &mut impl FnMut(TurnMoves, Position<R>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let moves = match so_far {
        None => TurnMoves::one(mv),
        Some(moves) => moves.and(mv).expect("three steps and a commit at most"),
    };
    let mut next = position.clone();
    next.play_unchecked(mv);
    if next.deploy().is_none() {
        return visit(moves, next);
    }
    next.legal_moves()
        .iter()
        .try_for_each(|further| follow(&next, *further, Some(moves), visit))
}

/// How many sequences of legal moves complete `depth` whole turns.
///
/// ```
/// use cotulenh::{Position, perft_turns};
/// assert_eq!(perft_turns(&Position::start(), 1), 116);
/// ```
pub fn perft_turns<R: StackRules>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    let _ = position.try_for_each_turn(|_, after| {
        count += perft_turns(&after, depth - 1);
        ControlFlow::<()>::Continue(())
    });
    count
}

struct Found<'a, R: StackRules> {
    start: &'a Position<R>,
    namer: Namer<'a, R>,
    turns: Vec<VerboseTurn<R>>,
    by_key: BTreeMap<u64, usize>,
}

impl<R: StackRules> Found<'_, R> {
    fn add(&mut self, moves: TurnMoves, after: Position<R>) {
        let ended = Ended::of(self.start, &moves);
        let mut lan = String::new();
        match &ended {
            Some(ended) => ended.lan(&mut lan),
            None => self.namer.lan(moves[0], &mut lan),
        }
        let slot = match self.by_key.entry(after.key()) {
            Entry::Occupied(entry) => {
                let known = &mut self.turns[*entry.get()];
                if (lan.len(), &lan) >= (known.lan.len(), &known.lan) {
                    return;
                }
                Some(known)
            }
            Entry::Vacant(entry) => {
                entry.insert(self.turns.len());
                None
            }
        };
        let mut san = String::new();
        match &ended {
            Some(ended) => self.namer.deploy_san(ended, &mut san),
            None => self.namer.san(moves[0], &mut san),
        }
        let turn = VerboseTurn {
            moves,
            san,
            lan,
            after,
        };
        match slot {
            Some(known) => *known = turn,
            None => self.turns.push(turn),
        }
    }
}
