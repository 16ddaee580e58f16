//! The main search: principal variation search of positions between turns.

use cotulenh::{Color, Position};

use super::steps::Node;
use super::{MAX_PLY, Worker};
use crate::feature::Feature;
use crate::params::{
    IIR_MIN_DEPTH, NULL_MOVE_BASE, NULL_MOVE_DEPTH, NULL_MOVE_EVAL, NULL_MOVE_EVAL_CAP,
    NULL_MOVE_MIN_DEPTH, NULL_MOVE_MIN_STACKS, REVERSE_FUTILITY_IMPROVING, REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_MAX_DEPTH,
};
use crate::score::{INFINITY, MATE_BOUND, mated_in};
use crate::table::{Bound, Entry};

impl Worker<'_> {
    /// The score of a position between turns for the side to move, by a search of `depth` turns.
    ///
    /// `checked` says whether its commander is attacked; the key of the position is the last of
    /// [`Worker::keys`].
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
        // Mate distance pruning.
        if ply > 0 {
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(-mated_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.plies[ply].excluded;
        let entry = self.probe(self.key(position), ply);
        if let Some(entry) = entry
            && excluded.is_none()
            && ply > 0
            && !pv
            && self.allows_cutoff(&entry, depth, alpha, beta)
        {
            return entry.score;
        }
        let eval = self.node_eval(position, ply, checked);
        let improving = !checked && (ply < 2 || eval > self.plies[ply - 2].eval);
        let mut node = Node::new(depth, (alpha, beta), ply, pv, checked, eval, improving);
        if !pv
            && !checked
            && excluded.is_none()
            && let Some(score) = self.prune(position, &node, estimate(entry, eval))
        {
            return score;
        }
        // Internal iterative reduction.
        let hash = entry.and_then(|entry| entry.mv);
        if self.has(Feature::InternalReduction) && hash.is_none() && depth >= IIR_MIN_DEPTH {
            node.depth -= 1;
        }
        node.visit = self.state.seen.begin();
        if let (Some(mv), Some(entry)) = (hash, entry) {
            node.extension = self.singular_extension(position, mv, &entry, &node);
        }
        self.search_moves(position, &mut node, hash, 0);
        self.node_score(position, &node, (alpha, beta))
    }

    /// The static evaluation of a node, left on the search stack.
    fn node_eval(&mut self, position: &Position, ply: usize, checked: bool) -> i32 {
        // A deploy can be open at the root only; such a position has no evaluation.
        let eval = match position.deploy() {
            Some(_) => 0,
            None if checked => -INFINITY,
            None => self.evaluate(position, ply),
        };
        self.plies[ply].eval = eval;
        self.plies[ply + 1].killers = [None; 2];
        eval
    }

    /// The score of a node whose moves have been searched.
    fn node_score(&mut self, position: &Position, node: &Node, (alpha, beta): (i32, i32)) -> i32 {
        if self.stopped {
            return 0;
        }
        if node.results == 0 {
            // Every move was left out: by pruning, or by a weak level that overlooks moves.
            return match (node.skipped, node.checked) {
                (true, true) => alpha,
                (true, false) => node.eval.min(alpha),
                (false, true) => mated_in(node.ply),
                (false, false) => 0,
            };
        }
        if self.plies[node.ply].excluded.is_none() {
            self.store_result(self.key(position), node, (alpha, beta));
        }
        node.best
    }

    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        if !self.has(Feature::Hash) {
            return None;
        }
        self.shared.table.probe(key, ply)
    }

    fn store_result(&mut self, key: u64, node: &Node, (alpha, beta): (i32, i32)) {
        let restricted = !self.excluded_results.is_empty() || !self.root_results.is_empty();
        if !self.has(Feature::Hash) || node.ply == 0 && restricted {
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
        self.shared.table.store(key, node.ply, entry);
    }

    /// Whether a table entry gives a cutoff at that depth and window.
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

    /// The score of a game that is over: by capture, a lost service, the fifty-move rule or
    /// repetition.
    pub(super) fn terminal_score(
        &mut self,
        position: &Position,
        ply: usize,
        checked: bool,
    ) -> Option<i32> {
        if position.commander(position.turn()).is_none() {
            return Some(mated_in(ply));
        }
        if !self.services.is_empty() {
            let lost_service = |color: Color| self.services.lost(position, color).is_some();
            // Rule 9.6.5: a mate comes before a service.
            let turn = position.turn();
            if lost_service(turn) || checked && lost_service(!turn) && !position.has_legal_move() {
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
            let mated = checked && !position.has_legal_move();
            return Some(if mated { mated_in(ply) } else { self.draw(ply) });
        }
        self.repeats(position).then(|| self.draw(ply))
    }

    /// Reverse futility pruning and null-move pruning: the score of a node that need not be
    /// searched because it is good enough already.
    fn prune(&mut self, position: &Position, node: &Node, eval: i32) -> Option<i32> {
        let (depth, beta, ply) = (node.depth, node.beta, node.ply);
        if beta.abs() >= MATE_BOUND || ply == 0 {
            return None;
        }
        let improving = if node.improving {
            REVERSE_FUTILITY_IMPROVING
        } else {
            0
        };
        let margin = REVERSE_FUTILITY_MARGIN * depth - improving;
        let shallow = depth <= REVERSE_FUTILITY_MAX_DEPTH;
        if self.has(Feature::ReverseFutility) && shallow && eval - margin >= beta {
            return Some(i32::midpoint(eval, beta));
        }
        let after_null = self.plies[ply - 1].mv.is_none();
        let tries = self.has(Feature::NullMove)
            && depth >= NULL_MOVE_MIN_DEPTH
            && eval >= beta
            && !after_null;
        if !tries || position.occupied_by(position.turn()).len() < NULL_MOVE_MIN_STACKS {
            return None;
        }
        let reduction = NULL_MOVE_BASE
            + depth / NULL_MOVE_DEPTH
            + ((eval - beta) / NULL_MOVE_EVAL).min(NULL_MOVE_EVAL_CAP);
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

/// The score of a table entry if its bound makes it a better estimate than the evaluation.
fn estimate(entry: Option<Entry>, eval: i32) -> i32 {
    match entry {
        Some(entry) if improves_on(&entry, eval) => entry.score,
        _ => eval,
    }
}

fn improves_on(entry: &Entry, eval: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
        Bound::None => false,
    }
}
