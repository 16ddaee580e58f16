//! The actions of a turn, and what their results are worth.

use cotulenh::{Move, Position, SquareSet};

use super::{MAX_HEIGHT, Worker};
use crate::feature::Feature;
use crate::order::{self, Hints};
use crate::score::{INFINITY, MATE_BOUND};
use crate::table::{Bound, Entry};

/// Where a side is ahead by so much, only a mate counts any more, and no move is hopeless.
const FUTILITY_LIMIT: i32 = 1_000;

/// A node at work: its window, and what its turns have come to so far.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the node"
)]
pub(super) struct Node {
    pub(super) depth: i32,
    alpha: i32,
    beta: i32,
    pub(super) ply: usize,
    pv: bool,
    checked: bool,
    eval: i32,
    improving: bool,
    /// Tells the results of this node from those of others in [`super::SeenResults`].
    pub(super) visit: u64,
    /// How much deeper the hash move is searched.
    pub(super) extension: i32,
    pub(super) best: i32,
    /// The first action of the best turn, if it lifted alpha.
    pub(super) best_action: Option<Move>,
    /// How many turns were searched.
    pub(super) results: i32,
    /// Whether any turn was passed over.
    pub(super) skipped: bool,
    quiets: i32,
    /// Whether so many quiet moves were tried that no more will be.
    late: bool,
    /// The actions of the turn under way.
    path: [Option<Move>; 4],
}

impl Node {
    pub(super) fn new(
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        pv: bool,
        checked: bool,
        eval: i32,
        improving: bool,
    ) -> Self {
        Self {
            depth,
            alpha,
            beta,
            ply,
            pv,
            checked,
            eval,
            improving,
            visit: 0,
            extension: 0,
            best: -INFINITY,
            best_action: None,
            results: 0,
            skipped: false,
            quiets: 0,
            late: false,
            path: [None; 4],
        }
    }
}

impl Worker<'_> {
    /// Tries the actions of a position, which is that of the node or, `step` steps later, one
    /// inside a deploy. Answers whether the node is settled.
    pub(super) fn search_moves(
        &mut self,
        position: &Position,
        node: &mut Node,
        hash: Option<Move>,
        step: usize,
    ) -> bool {
        let height = (node.ply * 4 + step).min(MAX_HEIGHT - 1);
        let mut buffers = self.state.move_buffers[height].take().unwrap_or_default();
        buffers.list.clear();
        position.legal_moves_into(&mut buffers.list);
        let previous = if node.ply > 0 {
            self.plies[node.ply - 1].mv
        } else {
            None
        };
        let killers = if step == 0 {
            self.plies[node.ply].killers
        } else {
            [None; 2]
        };
        let attacked = if self.has(Feature::Threats) {
            order::attacked(&self.evaluator, position)
        } else {
            SquareSet::EMPTY
        };
        let hints = Hints {
            hash,
            killers,
            previous,
            attacked,
        };
        buffers.moves.clear();
        for mv in &buffers.list {
            let score = order::score(
                &self.evaluator,
                self.features,
                &self.state.history,
                position,
                &hints,
                *mv,
            );
            buffers.moves.push((score, *mv));
        }
        buffers.quiets.clear();
        let mut settled = false;
        for index in 0..buffers.moves.len() {
            // Once quiet moves are passed over, only checks and bad captures are left to come.
            let (score, mv) = if node.late && index < 3 {
                buffers.moves[index]
            } else {
                order::pick_best(&mut buffers.moves, index)
            };
            if step == 0 && self.plies[node.ply].excluded == Some(mv) {
                node.skipped = true;
                continue;
            }
            if self.is_pruned(position, node, mv, score) {
                node.skipped = true;
                continue;
            }
            node.path[step.min(3)] = Some(mv);
            let alpha = node.alpha;
            settled = self.search_move(position, node, mv, step, score);
            if self.stopped {
                break;
            }
            if settled {
                self.update_history(position, node, mv, &buffers.quiets, step);
                break;
            }
            if node.alpha > alpha && step > 0 {
                self.store_step(position, mv);
            }
            if !mv.is_capture() && !mv.is_commit() {
                buffers.quiets.push(mv);
            }
        }
        self.state.move_buffers[height] = Some(buffers);
        settled
    }

    /// Carries out an action and searches what comes of it.
    fn search_move(
        &mut self,
        position: &Position,
        node: &mut Node,
        mv: Move,
        step: usize,
        score: i32,
    ) -> bool {
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.count_node();
        if next.deploy().is_none() {
            return self.search_turn(&next, node, mv, step, score);
        }
        if step + 1 >= 4 {
            return false;
        }
        let hash = if self.has(Feature::Hash) {
            self.shared
                .table
                .probe(self.key(&next), node.ply)
                .and_then(|entry| entry.mv)
        } else {
            None
        };
        for later in &mut node.path[step + 1..] {
            *later = None;
        }
        let settled = self.search_moves(&next, node, hash, step + 1);
        for later in &mut node.path[step + 1..] {
            *later = None;
        }
        settled
    }

    /// Whether a quiet action near the leaves is not worth a look.
    fn is_pruned(&mut self, position: &Position, node: &mut Node, mv: Move, score: i32) -> bool {
        // Who is in danger looks at every way out.
        if !node.checked && self.weakness.overlooks(position.key(), mv) {
            return true;
        }
        if node.ply == 0 || node.checked || node.results == 0 || node.best <= -MATE_BOUND {
            return false;
        }
        if mv.is_commit() {
            return false;
        }
        if mv.is_capture() {
            let losing = score <= order::LOSING + 900_000;
            return self.has(Feature::Exchange) && !node.pv && losing && node.depth <= 4;
        }
        node.quiets += 1;
        if node.pv && node.depth > 2 {
            return false;
        }
        let depth = node.depth;
        let most = if node.improving {
            6 + 4 * depth * depth
        } else {
            4 + 2 * depth * depth
        };
        let late = self.has(Feature::LateMoves) && depth <= 5 && node.quiets > most;
        let hopeless = self.has(Feature::Futility)
            && node.alpha.abs() < FUTILITY_LIMIT
            && depth <= 5
            && node.eval + 90 + 110 * depth <= node.alpha;
        (late || hopeless) && !order::may_check(&self.evaluator, position, mv)
    }

    /// Searches a finished turn.
    fn search_turn(
        &mut self,
        next: &Position,
        node: &mut Node,
        mv: Move,
        step: usize,
        score: i32,
    ) -> bool {
        let key = self.key(next);
        let by_steps = step > 0 || mv.is_step();
        if self.has(Feature::Distinct)
            && (by_steps || next.stack_at(mv.to()).is_some_and(|stack| stack.len() > 1))
            && !self.state.seen.is_new(node.visit, key)
        {
            return false;
        }
        if node.ply == 0 && self.excluded_results.contains(&key) {
            node.skipped = true;
            return false;
        }
        let first = node.path[0].unwrap_or(mv);
        self.plies[node.ply].mv = Some(first);
        let checks = next.in_check();
        self.keys.push(key);
        let value = self.search_child(next, node, mv, score, checks);
        self.keys.pop();
        if self.stopped {
            return false;
        }
        node.results += 1;
        if value <= node.best {
            return false;
        }
        node.best = value;
        if node.ply == 0 {
            self.root_best = value;
        }
        if node.ply == 0 && node.results == 1 || value > node.alpha {
            node.best_action = Some(first);
            if node.pv {
                self.update_pv(node);
            }
        }
        node.alpha = node.alpha.max(value);
        node.alpha >= node.beta
    }

    /// The worth of a result for the side that moved: reduced, then in full, then with the open
    /// window, as long as it looks better than what is known.
    fn search_child(
        &mut self,
        next: &Position,
        node: &Node,
        mv: Move,
        score: i32,
        checks: bool,
    ) -> i32 {
        let (ply, alpha, beta) = (node.ply + 1, node.alpha, node.beta);
        let mut depth = node.depth - 1;
        if checks && self.has(Feature::CheckExtension) && ply < 40 {
            depth += 1;
        } else if node.results == 0 {
            depth += node.extension;
        }
        if node.results == 0 {
            return -self.search(next, depth, (-beta, -alpha), ply, checks);
        }
        let reduction = self.reduction(node, mv, score, checks);
        let mut value = -self.search(next, depth - reduction, (-alpha - 1, -alpha), ply, checks);
        if value > alpha && reduction > 0 {
            value = -self.search(next, depth, (-alpha - 1, -alpha), ply, checks);
        }
        if value > alpha && value < beta {
            value = -self.search(next, depth, (-beta, -alpha), ply, checks);
        }
        value
    }

    /// By how many turns a late result is searched less deeply.
    fn reduction(&self, node: &Node, mv: Move, score: i32, checks: bool) -> i32 {
        let quiet = !mv.is_capture() || score < 0;
        if !self.has(Feature::Reductions) || node.depth < 2 || node.results < 2 || !quiet || checks
        {
            return 0;
        }
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "small"
        )]
        let mut reduction = {
            let (depth, results) = (node.depth as f32, node.results as f32);
            (0.4 + depth.ln() * results.ln() / 1.9) as i32
        };
        if node.pv {
            reduction -= 1;
        }
        if !node.improving {
            reduction += 1;
        }
        if score > -100_000 && score < 100_000 {
            reduction -= (score / 8_000).clamp(-1, 2);
        }
        if node.checked {
            reduction -= 1;
        }
        reduction.clamp(0, node.depth - 1)
    }

    /// The best line from the node: the turn under way and the best line from its result.
    fn update_pv(&mut self, node: &Node) {
        let (above, below) = self.pv.split_at_mut(node.ply + 1);
        let line = &mut above[node.ply];
        line.clear();
        line.extend(node.path.iter().flatten());
        line.extend_from_slice(&below[0]);
    }

    /// Remembers the good step inside a deploy: its position has no score of its own.
    fn store_step(&self, position: &Position, mv: Move) {
        if self.has(Feature::Hash) {
            let entry = Entry {
                mv: Some(mv),
                score: 0,
                depth: 0,
                bound: Bound::None,
            };
            self.shared.table.store(self.key(position), 0, entry);
        }
    }

    /// Learns from an action that settled the node.
    fn update_history(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        tried: &[Move],
        step: usize,
    ) {
        if step > 0 {
            self.store_step(position, mv);
        }
        if mv.is_capture() || mv.is_commit() {
            return;
        }
        let previous = if node.ply > 0 {
            self.plies[node.ply - 1].mv
        } else {
            None
        };
        let bonus = (120 * node.depth).min(1_600);
        let turn = position.turn();
        self.state.history.update(turn, mv, previous, bonus);
        for other in tried {
            self.state.history.update(turn, *other, previous, -bonus);
        }
        let killers = &mut self.plies[node.ply].killers;
        if step == 0 && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// One turn deeper for a hash move without a rival: all others fall well short of it.
    pub(super) fn singular_extension(
        &mut self,
        position: &Position,
        mv: Move,
        entry: &Entry,
        node: &Node,
    ) -> i32 {
        let ply = node.ply;
        let tries = self.has(Feature::Singular)
            && ply > 0
            && node.depth >= 6
            && self.plies[ply].excluded.is_none()
            && entry.depth >= node.depth - 3
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.score.abs() < MATE_BOUND;
        if !tries {
            return 0;
        }
        let bar = entry.score - 2 * node.depth;
        self.plies[ply].excluded = Some(mv);
        let score = self.search(
            position,
            (node.depth - 1) / 2,
            (bar - 1, bar),
            ply,
            node.checked,
        );
        self.plies[ply].excluded = None;
        self.pv[ply].clear();
        i32::from(!self.stopped && score < bar)
    }
}
