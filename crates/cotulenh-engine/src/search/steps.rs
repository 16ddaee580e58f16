//! The moves of a node: ordering, pruning, reductions, and the steps of deploys.

use cotulenh::{Move, Position, SquareSet};

use super::{MAX_HEIGHT, MoveBuffers, Worker};
use crate::feature::Feature;
use crate::order::{self, Hints};
use crate::params::{
    CHECK_EXTENSION_MAX_PLY, FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MAX_ALPHA, FUTILITY_MAX_DEPTH,
    HISTORY_BONUS, HISTORY_BONUS_MAX, LATE_MOVE_MAX_DEPTH, LATE_MOVES, LATE_MOVES_IMPROVING,
    ORDER_CAPTURE_SPAN, ORDER_LOSING, PV_PRUNING_MAX_DEPTH, REDUCTION_BASE, REDUCTION_DIVISOR,
    REDUCTION_HISTORY, REDUCTION_HISTORY_MAX, REDUCTION_MIN_DEPTH, REDUCTION_MIN_TURNS,
    SEE_PRUNING_MAX_DEPTH, SINGULAR_ENTRY_DEPTH, SINGULAR_MARGIN, SINGULAR_MIN_DEPTH,
};
use crate::score::{INFINITY, MATE_BOUND};
use crate::table::{Bound, Entry};

/// A node while its moves are searched: its window, and the best score so far.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the node"
)]
pub(super) struct Node {
    pub(super) depth: i32,
    alpha: i32,
    pub(super) beta: i32,
    pub(super) ply: usize,
    pv: bool,
    pub(super) checked: bool,
    pub(super) eval: i32,
    pub(super) improving: bool,
    /// Distinguishes the results of this node from those of others in [`super::SeenResults`].
    pub(super) visit: u64,
    /// The extension of the hash move.
    pub(super) extension: i32,
    pub(super) best: i32,
    /// The first move of the best turn, if it raised alpha.
    pub(super) best_action: Option<Move>,
    /// How many turns were searched.
    pub(super) results: i32,
    /// Whether any turn was left out.
    pub(super) skipped: bool,
    quiets: i32,
    /// The moves of the turn being searched.
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
            path: [None; 4],
        }
    }
}

impl Worker<'_> {
    /// Searches the moves of a position, which is that of the node or, `step` steps later, one
    /// inside a deploy. Answers whether there was a beta cutoff.
    pub(super) fn search_moves(
        &mut self,
        position: &Position,
        node: &mut Node,
        hash: Option<Move>,
        step: usize,
    ) -> bool {
        let height = (node.ply * 4 + step).min(MAX_HEIGHT - 1);
        let mut buffers = self.state.move_buffers[height].take().unwrap_or_default();
        self.score_moves(&mut buffers, position, node, hash, step);
        buffers.quiets.clear();
        let mut cutoff = false;
        for index in 0..buffers.moves.len() {
            let (score, mv) = order::pick_best(&mut buffers.moves, index);
            let excluded = step == 0 && self.plies[node.ply].excluded == Some(mv);
            if excluded || self.is_pruned(position, node, mv, score) {
                node.skipped = true;
                continue;
            }
            node.path[step.min(3)] = Some(mv);
            let alpha = node.alpha;
            cutoff = self.search_move(position, node, mv, step, score);
            if self.stopped {
                break;
            }
            if cutoff {
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
        cutoff
    }

    /// Generates the legal moves with their ordering scores.
    fn score_moves(
        &self,
        buffers: &mut MoveBuffers,
        position: &Position,
        node: &Node,
        hash: Option<Move>,
        step: usize,
    ) {
        buffers.list.clear();
        position.legal_moves_into(&mut buffers.list);
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
            previous: self.previous_move(node.ply),
            attacked,
        };
        buffers.moves.clear();
        let (evaluator, features) = (&self.evaluator, self.features);
        let history = &self.state.history;
        for mv in &buffers.list {
            let score = order::score(evaluator, features, history, position, &hints, *mv);
            buffers.moves.push((score, *mv));
        }
    }

    /// The move of the other side that led to a node.
    fn previous_move(&self, ply: usize) -> Option<Move> {
        self.plies[ply.checked_sub(1)?].mv
    }

    /// Plays a move and searches the finished turn, or the next steps of the deploy.
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
        let cutoff = self.search_moves(&next, node, hash, step + 1);
        for later in &mut node.path[step + 1..] {
            *later = None;
        }
        cutoff
    }

    /// Late move pruning, futility pruning and SEE pruning near the leaves, and the moves that a
    /// weak level overlooks.
    fn is_pruned(&mut self, position: &Position, node: &mut Node, mv: Move, score: i32) -> bool {
        // A side in check sees every evasion.
        if !node.checked && self.weakness.overlooks(position.key(), mv) {
            return true;
        }
        if node.ply == 0 || node.checked || node.results == 0 || node.best <= -MATE_BOUND {
            return false;
        }
        if mv.is_commit() {
            return false;
        }
        let depth = node.depth;
        if mv.is_capture() {
            let losing = score <= ORDER_LOSING + ORDER_CAPTURE_SPAN;
            let shallow = depth <= SEE_PRUNING_MAX_DEPTH;
            return self.has(Feature::Exchange) && !node.pv && losing && shallow;
        }
        node.quiets += 1;
        if node.pv && depth > PV_PRUNING_MAX_DEPTH {
            return false;
        }
        let (base, factor) = if node.improving {
            LATE_MOVES_IMPROVING
        } else {
            LATE_MOVES
        };
        let late = self.has(Feature::LateMoves)
            && depth <= LATE_MOVE_MAX_DEPTH
            && node.quiets > base + factor * depth * depth;
        let futile = self.has(Feature::Futility)
            && node.alpha.abs() < FUTILITY_MAX_ALPHA
            && depth <= FUTILITY_MAX_DEPTH
            && node.eval + FUTILITY_BASE + FUTILITY_DEPTH * depth <= node.alpha;
        (late || futile) && !order::may_check(&self.evaluator, position, mv)
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
        if node.ply == 0 && self.is_left_out_at_root(key) {
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

    /// Whether the result belongs to a better line of `MultiPV` or to no turn asked for.
    fn is_left_out_at_root(&self, result: u64) -> bool {
        let asked = &self.root_results;
        self.excluded_results.contains(&result) || !asked.is_empty() && !asked.contains(&result)
    }

    /// Principal variation search of a finished turn: reduced with a null window, then at full
    /// depth, then with the full window, as long as the score is above alpha.
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
        if checks && self.has(Feature::CheckExtension) && ply < CHECK_EXTENSION_MAX_PLY {
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

    /// Late move reductions: by how many turns a late quiet turn is searched less deeply.
    fn reduction(&self, node: &Node, mv: Move, score: i32, checks: bool) -> i32 {
        let quiet = !mv.is_capture() || score < 0;
        let late = node.depth >= REDUCTION_MIN_DEPTH && node.results >= REDUCTION_MIN_TURNS;
        if !self.has(Feature::Reductions) || !late || !quiet || checks {
            return 0;
        }
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "small"
        )]
        let mut reduction = {
            let (depth, results) = (node.depth as f32, node.results as f32);
            (REDUCTION_BASE + depth.ln() * results.ln() / REDUCTION_DIVISOR) as i32
        };
        if node.pv {
            reduction -= 1;
        }
        if !node.improving {
            reduction += 1;
        }
        if score.abs() < REDUCTION_HISTORY_MAX {
            reduction -= (score / REDUCTION_HISTORY).clamp(-1, 2);
        }
        if node.checked {
            reduction -= 1;
        }
        reduction.clamp(0, node.depth - 1)
    }

    /// The principal variation of the node: the turn being searched and the variation after it.
    fn update_pv(&mut self, node: &Node) {
        let (above, below) = self.pv.split_at_mut(node.ply + 1);
        let line = &mut above[node.ply];
        line.clear();
        line.extend(node.path.iter().flatten());
        line.extend_from_slice(&below[0]);
    }

    /// Stores the best step inside a deploy; its position has no score of its own.
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

    /// Updates history and killers after a beta cutoff.
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
        let previous = self.previous_move(node.ply);
        let bonus = (HISTORY_BONUS * node.depth).min(HISTORY_BONUS_MAX);
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

    /// Singular extension: one turn deeper for the hash move if all others fall well short of it.
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
            && node.depth >= SINGULAR_MIN_DEPTH
            && self.plies[ply].excluded.is_none()
            && entry.depth >= node.depth - SINGULAR_ENTRY_DEPTH
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.score.abs() < MATE_BOUND;
        if !tries {
            return 0;
        }
        let beta = entry.score - SINGULAR_MARGIN * node.depth;
        self.plies[ply].excluded = Some(mv);
        let score = self.search(
            position,
            (node.depth - 1) / 2,
            (beta - 1, beta),
            ply,
            node.checked,
        );
        self.plies[ply].excluded = None;
        self.pv[ply].clear();
        i32::from(!self.stopped && score < beta)
    }
}
