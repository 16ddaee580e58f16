//! The turns of a game, kept small: a thousand games are in memory at once, so a turn is its names,
//! its actions, its key and its times. The boards, which are long, are played again when somebody
//! asks; nothing is judged again then, so that a long game is shown without holding up other tables.

use cotulenh::{Game, Move, Outcome, Position, Reason};
use serde_json::json;

use super::refusal_code;
use crate::refusal::Refusal;

/// One turn of the past.
#[derive(Debug, Clone)]
struct Played {
    lan: Box<str>,
    san: Box<str>,
    actions: Box<[Move]>,
    /// The key of the position after it.
    key: u64,
    left: Option<[u32; 2]>,
}

/// The turns of a game and the position they lead to.
#[derive(Debug, Clone)]
pub(super) struct Line {
    start: Position,
    position: Position,
    played: Vec<Played>,
    outcome: Option<Outcome>,
    /// What the log says of the last turn.
    last: String,
}

impl Played {
    /// The turn as a page reads it, with the position that it leads to.
    fn entry(&self, after: &Position) -> String {
        let (san, lan, left) = (&self.san, &self.lan, self.left);
        json!({ "san": san, "lan": lan, "fen": after.to_string(), "left": left }).to_string()
    }

    /// Plays the turn in the position in which it was judged.
    fn replay(&self, position: &mut Position) {
        for action in &self.actions {
            position.play_unchecked(*action);
        }
    }
}

fn small(left: [u64; 2]) -> [u32; 2] {
    left.map(|left| u32::try_from(left).unwrap_or(u32::MAX))
}

impl Line {
    pub(super) fn new(start: Position) -> Self {
        Self {
            outcome: start.outcome(),
            position: start.clone(),
            start,
            played: Vec::new(),
            last: String::new(),
        }
    }

    pub(super) const fn start(&self) -> &Position {
        &self.start
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    pub(super) const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(super) fn len(&self) -> usize {
        self.played.len()
    }

    /// The entry of the last turn.
    pub(super) fn last_entry(&self) -> Option<&str> {
        (!self.played.is_empty()).then_some(&*self.last)
    }

    /// What was left after a number of turns.
    pub(super) fn left_after(&self, turns: usize) -> Option<[u64; 2]> {
        let left = self.played.get(turns.checked_sub(1)?)?.left?;
        Some(left.map(u64::from))
    }

    /// The keys of the positions before the present one.
    pub(super) fn history(&self) -> Vec<u64> {
        let all = std::iter::once(self.start.key()).chain(self.played.iter().map(|turn| turn.key));
        all.take(self.played.len()).collect()
    }

    /// Plays a turn.
    pub(super) fn push(&mut self, lan: &str, left: Option<[u64; 2]>) -> Result<(), Refusal> {
        let actions = self.position.read(lan);
        let actions = actions.map_err(|error| refusal_code::unread(lan, &error))?;
        let mut after = self.position.clone();
        for action in actions.iter() {
            let next = after.play(*action);
            after = next.map_err(|error| refusal_code::illegal(lan, error))?;
        }
        let turn = Played {
            lan: lan.into(),
            san: self.position.turn_san(&actions).into(),
            actions: actions.iter().copied().collect(),
            key: after.key(),
            left: left.map(small),
        };
        self.last = turn.entry(&after);
        self.position = after;
        self.played.push(turn);
        self.judge();
        Ok(())
    }

    /// Goes back to so many turns.
    pub(super) fn cut(&mut self, turns: usize) {
        if turns >= self.played.len() {
            return;
        }
        self.position = self.position_after(turns);
        self.played.truncate(turns);
        let last = self.played.last();
        self.last = last.map_or_else(String::new, |turn| turn.entry(&self.position));
        self.judge();
    }

    fn judge(&mut self) {
        self.outcome = self.position.outcome();
        if self.outcome.is_none() && self.may_repeat() {
            self.outcome = self
                .game()
                .outcome()
                .filter(|end| end.reason == Reason::Threefold);
        }
    }

    /// Whether the keys say that this position was there twice before; the game itself decides.
    fn may_repeat(&self) -> bool {
        let key = self.position.key();
        let start = usize::from(self.start.key() == key);
        let same = self.played.iter().filter(|turn| turn.key == key).count();
        start + same >= 3
    }

    /// The game, played again from its start.
    pub(super) fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for (index, turn) in self.played.iter().enumerate() {
            // A turn after a draw that the players did not see is no part of the game.
            if !turn.actions.iter().all(|action| game.play(*action).is_ok()) {
                break;
            }
            if let Some(left) = turn.left {
                let own = left[usize::from(game.position().turn() == cotulenh::Color::Red)];
                let time = std::time::Duration::from_millis(u64::from(own));
                let _ = game.set_clock(index + 1, Some(time));
            }
        }
        game
    }

    /// The position after a number of turns, or at the end.
    pub(super) fn position_after(&self, turns: usize) -> Position {
        if turns >= self.played.len() {
            return self.position.clone();
        }
        let mut position = self.start.clone();
        for turn in &self.played[..turns] {
            turn.replay(&mut position);
        }
        position
    }

    /// The entries of all turns.
    pub(super) fn entries(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let mut entries = Vec::with_capacity(self.played.len());
        for turn in &self.played {
            turn.replay(&mut position);
            entries.push(turn.entry(&position));
        }
        entries
    }
}
