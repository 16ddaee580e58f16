//! Iterative deepening.

use cotulenh::{Move, Position};

use super::{MAX_PLY, Worker};
use crate::feature::Feature;
use crate::score::{INFINITY, MATE_BOUND};

/// One line at the root: its score for the side to move, and all actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootLine {
    pub(crate) score: i32,
    pub(crate) actions: Vec<Move>,
}

/// What an iteration found, best line first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) seldepth: usize,
    pub(crate) lines: Vec<RootLine>,
}

impl Worker<'_> {
    /// Searches deeper and deeper until something says stop; `report` is told of every iteration
    /// and answers whether to go on. The last, perhaps unfinished one is returned.
    pub(crate) fn deepen(
        &mut self,
        root: &Position,
        max_depth: Option<u32>,
        lines: usize,
        skip: u32,
        mut report: impl FnMut(&Iteration, u64) -> bool,
    ) -> Iteration {
        let mut last = Iteration::default();
        let most = max_depth.unwrap_or(u32::MAX).min(100);
        for depth in 1..=most {
            // Helpers skip some depths, each others, so that threads spread out.
            if skip > 0 && depth > 2 && (depth + skip).is_multiple_of(3) && depth != most {
                continue;
            }
            self.seldepth = 0;
            let mut found = Iteration {
                depth,
                seldepth: 0,
                lines: Vec::new(),
            };
            self.excluded_results.clear();
            for rank in 0..lines.max(1) {
                let guess = last.lines.get(rank).map(|line| line.score);
                let Some(line) = self.search_line(root, depth, guess) else {
                    break;
                };
                if let Some(key) = self.result_key(root, &line.actions) {
                    self.excluded_results.push(key);
                }
                found.lines.push(line);
                if self.stopped {
                    break;
                }
            }
            self.excluded_results.clear();
            found.seldepth = self.seldepth;
            found
                .lines
                .sort_by_key(|line| std::cmp::Reverse(line.score));
            if self.stopped {
                // What an unfinished iteration found replaces the last one's where it got so far.
                let rest = last.lines.iter().filter(|old| {
                    !found
                        .lines
                        .iter()
                        .any(|new| first_turn(root, old) == first_turn(root, new))
                });
                let rest: Vec<_> = rest.cloned().collect();
                if !found.lines.is_empty() {
                    found.lines.extend(rest);
                    found
                        .lines
                        .sort_by_key(|line| std::cmp::Reverse(line.score));
                    found.lines.truncate(lines.max(1));
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

    /// The key of the position after the first turn of a line.
    fn result_key(&self, root: &Position, actions: &[Move]) -> Option<u64> {
        let mut at = root.clone();
        for mv in actions {
            at.play_unchecked(*mv);
            if at.turn() != root.turn() {
                return Some(self.key(&at));
            }
        }
        None
    }

    /// The best line among those not taken yet, in a window around the guess that is widened
    /// until the score lies within. A search that was stopped answers with what it has.
    fn search_line(&mut self, root: &Position, depth: u32, guess: Option<i32>) -> Option<RootLine> {
        let mut delta = 30;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        if let Some(guess) = guess
            && self.has(Feature::Aspiration)
            && depth >= 4
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
            let actions = self.pv[0].clone();
            if !actions.is_empty() {
                // A broken-off search leaves the best turn it had finished, with its score.
                let score = if self.stopped { self.root_best } else { score };
                let failed_low = score <= alpha && alpha > -INFINITY;
                if best.is_none() || !failed_low {
                    best = Some(RootLine { score, actions });
                }
            }
            if self.stopped {
                return best;
            }
            delta *= 3;
            if score <= alpha && alpha > -INFINITY {
                alpha = if delta > 1_000 {
                    -INFINITY
                } else {
                    score.max(-INFINITY + delta) - delta
                };
            } else if score >= beta && beta < INFINITY {
                beta = if delta > 1_000 {
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
    for (index, mv) in line.actions.iter().enumerate() {
        at.play_unchecked(*mv);
        if at.turn() != root.turn() {
            return &line.actions[..=index];
        }
    }
    &line.actions
}
