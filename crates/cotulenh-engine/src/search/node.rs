//! A position between turns.

use cotulenh::{Color, Position};

use super::steps::Node;
use super::{MAX_PLY, Worker, roles_of};
use crate::feature::Feature;
use crate::score::{INFINITY, MATE_BOUND, mated_in};
use crate::table::{Bound, Entry};

impl Worker<'_> {
    /// The worth of a position between turns for the side to move, by a search of `depth` turns.
    ///
    /// `checked` says whether its commander is in danger; the key of the position is the last of
    /// the path.
    pub(super) fn search(
        &mut self,
        position: &Position,
        depth: i32,
        (mut alpha, mut beta): (i32, i32),
        ply: usize,
        checked: bool,
    ) -> i32 {
        self.pv[ply].clear();
        if self.stopped {
            return 0;
        }
        if let Some(score) = self.terminal_score(position, ply, checked) {
            return score;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(position, (alpha, beta), ply, checked);
        }
        let pv = beta - alpha > 1;
        self.seldepth = self.seldepth.max(ply);
        // No line through here can be better than mate at once, or worse than being mated now.
        if ply > 0 {
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(-mated_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.plies[ply].excluded;
        let key = self.key(position);
        let entry = self.probe(key, ply);
        if let Some(entry) = entry
            && excluded.is_none()
            && ply > 0
            && !pv
            && self.allows_cutoff(&entry, depth, alpha, beta)
        {
            return entry.score;
        }
        // A deploy that is open at the root has no worth of its own.
        let eval = match position.deploy() {
            Some(_) => 0,
            None if checked => -INFINITY,
            None => self.evaluate(position, ply),
        };
        self.plies[ply].eval = eval;
        self.plies[ply + 1].killers = [None; 2];
        let improving = !checked && (ply < 2 || eval > self.plies[ply - 2].eval);
        if !pv && !checked && excluded.is_none() {
            let estimate = match entry {
                Some(entry) if improves_on(&entry, eval) => entry.score,
                _ => eval,
            };
            if let Some(score) = self.prune(position, depth, beta, estimate, ply, improving) {
                return score;
            }
        }
        let hash = entry.and_then(|entry| entry.mv);
        let mut depth = depth;
        if self.has(Feature::InternalReduction) && hash.is_none() && depth >= 4 {
            depth -= 1;
        }
        let mut node = Node::new(depth, (alpha, beta), ply, pv, checked, eval, improving);
        node.visit = self.state.seen.begin();
        if let (Some(mv), Some(entry)) = (hash, entry) {
            node.extension = self.singular_extension(position, mv, &entry, &node);
        }
        self.search_moves(position, &mut node, hash, 0);
        if self.stopped {
            return 0;
        }
        if node.results == 0 {
            // Everything was passed over: by pruning, or by a weak player's inattention.
            if node.skipped {
                return if checked { alpha } else { eval.min(alpha) };
            }
            return if checked { mated_in(ply) } else { 0 };
        }
        if excluded.is_none() {
            self.store_result(key, ply, &node, alpha, beta);
        }
        node.best
    }

    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        if !self.has(Feature::Hash) {
            return None;
        }
        self.shared.table.probe(key, ply)
    }

    fn store_result(&mut self, key: u64, ply: usize, node: &Node, alpha: i32, beta: i32) {
        if !self.has(Feature::Hash) || ply == 0 && !self.excluded_results.is_empty() {
            return;
        }
        let bound = if node.best >= beta {
            Bound::Lower
        } else if node.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: node.best_action,
            score: node.best,
            depth: node.depth,
            bound,
        };
        self.shared.table.store(key, ply, entry);
    }

    /// Whether a stored score decides a search of that depth and window.
    pub(super) fn allows_cutoff(&self, entry: &Entry, depth: i32, alpha: i32, beta: i32) -> bool {
        let deep = if self.has(Feature::DeepHash) {
            entry.depth >= depth
        } else {
            entry.depth == depth
        };
        deep && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= beta,
            Bound::Upper => entry.score <= alpha,
            Bound::None => false,
        }
    }

    /// The score of a game that is over, or drawn as good as.
    pub(super) fn terminal_score(
        &mut self,
        position: &Position,
        ply: usize,
        checked: bool,
    ) -> Option<i32> {
        if position.commander(position.turn()).is_none() {
            return Some(mated_in(ply));
        }
        if self.services != [[0; 3]; 2] {
            let lost_service = |color: Color| {
                let roles = roles_of(position, color);
                let gone = |mask: &u16| *mask != 0 && roles & mask == 0;
                self.services[color.index()].iter().any(gone)
            };
            // Rule 9.6.5: a mate comes before a service.
            let turn = position.turn();
            if lost_service(turn) || checked && lost_service(!turn) && position.has_no_legal_move()
            {
                return Some(mated_in(ply));
            }
            if lost_service(!turn) {
                return Some(-mated_in(ply));
            }
        }
        if ply == 0 {
            return None;
        }
        if position.halfmove_clock() >= 100 {
            let mated = checked && position.has_no_legal_move();
            return Some(if mated { mated_in(ply) } else { self.draw(ply) });
        }
        self.repeats(position).then(|| self.draw(ply))
    }

    /// Leaves a node that is good enough already, if a look at it confirms that.
    fn prune(
        &mut self,
        position: &Position,
        depth: i32,
        beta: i32,
        eval: i32,
        ply: usize,
        improving: bool,
    ) -> Option<i32> {
        if beta.abs() >= MATE_BOUND || ply == 0 {
            return None;
        }
        let margin = 110 * depth - if improving { 70 } else { 0 };
        if self.has(Feature::ReverseFutility) && depth <= 6 && eval - margin >= beta {
            return Some(i32::midpoint(eval, beta));
        }
        let passed = ply > 0 && self.plies[ply - 1].mv.is_none();
        let tries = self.has(Feature::NullMove) && depth >= 2 && eval >= beta && !passed;
        if !tries || position.occupied_by(position.turn()).len() < 4 {
            return None;
        }
        let reduction = 3 + depth / 4 + ((eval - beta) / 250).min(3);
        let mut next = position.clone();
        next.pass_unchecked();
        self.count_node();
        self.plies[ply].mv = None;
        self.keys.push(self.key(&next));
        let score = -self.search(&next, depth - reduction, (-beta, 1 - beta), ply + 1, false);
        self.keys.pop();
        if self.stopped {
            return Some(0);
        }
        (score >= beta).then_some(if score >= MATE_BOUND { beta } else { score })
    }
}

/// Whether a stored score is a better estimate than the evaluation.
fn improves_on(entry: &Entry, eval: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
        Bound::None => false,
    }
}
