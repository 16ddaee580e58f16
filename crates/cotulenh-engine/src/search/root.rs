//! The root: iterative deepening, aspiration windows, `MultiPV`.

use cotulenh::{Move, Position};

use super::{MAX_PLY, Settings, Worker};
use crate::engine::Search;
use crate::feature::Feature;
use crate::params::{ASPIRATION_DELTA, ASPIRATION_GROWTH, ASPIRATION_MAX, ASPIRATION_MIN_DEPTH};
use crate::score::{INFINITY, MATE_BOUND};
use crate::turn::Turn;

/// No iteration is deeper.
const MAX_DEPTH: u32 = 100;

/// The position to search, as the worker needs it.
#[derive(Debug)]
pub(crate) struct Root<'a> {
    pub(super) position: &'a Position,
    /// The keys of the game so far, the position's own at the end.
    pub(super) keys: Vec<u64>,
    /// The turns to search with the keys of their results, or `None` for all turns.
    turns: Option<Vec<(Turn, u64)>>,
}

impl<'a> Root<'a> {
    pub(crate) fn new(search: &'a Search<'_>, settings: &Settings) -> Self {
        let (position, salt) = (search.position, settings.salt());
        let own = position.turn_start().key();
        let keys = search.history.iter().chain([&own]);
        let result = |turn: &Turn| Some((turn.clone(), turn.play_from(position)?.key() ^ salt));
        Self {
            position,
            keys: keys.map(|key| key ^ salt).collect(),
            turns: (!search.root_turns.is_empty())
                .then(|| search.root_turns.iter().filter_map(result).collect()),
        }
    }

    /// Whether none of the turns asked for is legal.
    pub(crate) fn has_no_turn(&self) -> bool {
        self.turns.as_ref().is_some_and(Vec::is_empty)
    }

    /// Any legal turn among those asked for.
    pub(crate) fn any_turn(&self) -> Option<Turn> {
        match &self.turns {
            None => Turn::first_of(self.position),
            Some(turns) => turns.first().map(|(turn, _)| turn.clone()),
        }
    }

    pub(super) fn results(&self) -> Vec<u64> {
        let turns = self.turns.iter().flatten();
        turns.map(|(_, result)| *result).collect()
    }

    /// The turn asked for that has the same result: its steps may come in another order.
    pub(crate) fn as_asked(&self, turn: &mut Turn) {
        let result = turn.play_from(self.position);
        let same = |(asked, _): &&(Turn, u64)| asked.play_from(self.position) == result;
        if let Some((asked, _)) = self.turns.iter().flatten().find(same) {
            turn.clone_from(asked);
        }
    }
}

/// One line at the root: its score for the side to move, and all moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootLine {
    pub(crate) score: i32,
    pub(crate) moves: Vec<Move>,
}

/// The lines of one iteration, best first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) seldepth: usize,
    pub(crate) lines: Vec<RootLine>,
}

impl Iteration {
    fn sort(&mut self) {
        self.lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    }

    /// An unfinished iteration: the lines it found, then those of the last one that begin with
    /// other turns.
    fn complete_from(&mut self, last: &Self, root: &Position, lines: usize) {
        let is_new = |old: &&RootLine| {
            let first = first_turn(root, old);
            self.lines.iter().all(|new| first_turn(root, new) != first)
        };
        let rest: Vec<_> = last.lines.iter().filter(is_new).cloned().collect();
        self.lines.extend(rest);
        self.sort();
        self.lines.truncate(lines);
    }
}

impl Worker<'_> {
    /// Iterative deepening. `report` is called after every iteration and answers whether to go
    /// on. The last iteration, perhaps an unfinished one, is returned.
    pub(crate) fn deepen(
        &mut self,
        root: &Position,
        max_depth: Option<u32>,
        lines: usize,
        skip: u32,
        mut report: impl FnMut(&Iteration, u64) -> bool,
    ) -> Iteration {
        let mut last = Iteration::default();
        let most = max_depth.unwrap_or(u32::MAX).min(MAX_DEPTH);
        for depth in 1..=most {
            // Helper threads skip some depths, each of them others, so that they spread out.
            if skip > 0 && depth > 2 && (depth + skip).is_multiple_of(3) && depth != most {
                continue;
            }
            let mut found = self.search_lines(root, depth, lines.max(1), &last);
            if self.stopped {
                if !found.lines.is_empty() {
                    found.complete_from(&last, root, lines.max(1));
                    last = found;
                }
                break;
            }
            last = found;
            let go_on = report(&last, self.nodes);
            if !go_on || last.lines.is_empty() || self.shared.stopped() {
                break;
            }
        }
        last
    }

    /// One iteration: the best lines, each among those whose first turns have other results.
    fn search_lines(
        &mut self,
        root: &Position,
        depth: u32,
        lines: usize,
        last: &Iteration,
    ) -> Iteration {
        self.seldepth = 0;
        let mut found = Iteration {
            depth,
            ..Iteration::default()
        };
        self.excluded_results.clear();
        for rank in 0..lines {
            let guess = last.lines.get(rank).map(|line| line.score);
            let Some(line) = self.search_line(root, depth, guess) else {
                break;
            };
            if let Some(key) = self.result_key(root, &line.moves) {
                self.excluded_results.push(key);
            }
            found.lines.push(line);
            if self.stopped {
                break;
            }
        }
        self.excluded_results.clear();
        found.seldepth = self.seldepth;
        found.sort();
        found
    }

    /// The key of the position after the first turn of a line.
    fn result_key(&self, root: &Position, moves: &[Move]) -> Option<u64> {
        let mut at = root.clone();
        for mv in moves {
            at.play_unchecked(*mv);
            if at.turn() != root.turn() {
                return Some(self.key(&at));
            }
        }
        None
    }

    /// The best line among those not excluded, in an aspiration window around the guess that is
    /// widened until the score lies within. A search that was stopped returns what it has.
    fn search_line(&mut self, root: &Position, depth: u32, guess: Option<i32>) -> Option<RootLine> {
        let mut delta = ASPIRATION_DELTA;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        if let Some(guess) = guess
            && self.has(Feature::Aspiration)
            && depth >= ASPIRATION_MIN_DEPTH
            && guess.abs() < MATE_BOUND
        {
            alpha = guess - delta;
            beta = guess + delta;
        }
        let checked = root.deploy().is_none() && root.in_danger(root.turn());
        let mut best: Option<RootLine> = None;
        loop {
            let depth = i32::try_from(depth).unwrap_or(1).min(MAX_PLY as i32 - 1);
            let score = self.search(root, depth, (alpha, beta), 0, checked);
            let failed_low = |score: i32| score <= alpha && alpha > -INFINITY;
            let moves = self.pv[0].clone();
            if !moves.is_empty() {
                // A stopped search leaves the best turn it had finished, with its score.
                let score = if self.stopped { self.root_best } else { score };
                if best.is_none() || !failed_low(score) {
                    best = Some(RootLine { score, moves });
                }
            }
            if self.stopped {
                return best;
            }
            delta *= ASPIRATION_GROWTH;
            let wide = delta > ASPIRATION_MAX;
            if failed_low(score) {
                alpha = if wide {
                    -INFINITY
                } else {
                    score.max(delta - INFINITY) - delta
                };
            } else if score >= beta && beta < INFINITY {
                beta = if wide {
                    INFINITY
                } else {
                    score.min(INFINITY - delta) + delta
                };
            } else {
                return best;
            }
        }
    }
}

fn first_turn<'l>(root: &Position, line: &'l RootLine) -> &'l [Move] {
    let mut at = root.clone();
    for (index, mv) in line.moves.iter().enumerate() {
        at.play_unchecked(*mv);
        if at.turn() != root.turn() {
            return &line.moves[..=index];
        }
    }
    &line.moves
}
