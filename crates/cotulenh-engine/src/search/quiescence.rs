//! Quiescence search: captures are searched before a position is evaluated.

use cotulenh::{Move, Position};

use super::{MAX_HEIGHT, MAX_PLY, Worker};
use crate::feature::Feature;
use crate::order;
use crate::params::DELTA_MARGIN;
use crate::score::{INFINITY, mated_in};
use crate::see;
use crate::table::{Bound, Entry};

/// A node of the quiescence search: its window, and the best score so far.
struct QuiescenceNode {
    alpha: i32,
    beta: i32,
    ply: usize,
    best: i32,
    /// The static evaluation, `-INFINITY` in check.
    stand_pat: i32,
    visit: u64,
    results: u32,
}

impl Worker<'_> {
    /// The score of a position between turns after all captures that pay; in check, every evasion
    /// is searched.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        (alpha, beta): (i32, i32),
        ply: usize,
        checked: bool,
    ) -> i32 {
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if ply >= MAX_PLY || !self.has(Feature::Quiescence) {
            let mated = !position.has_legal_move();
            return match (mated, checked) {
                (true, true) => mated_in(ply),
                (true, false) => 0,
                _ => self.evaluate(position, ply),
            };
        }
        let key = self.key(position);
        let hashed = self.has(Feature::LeafHash) && position.deploy().is_none();
        let pv = beta - alpha > 1;
        if hashed
            && !pv
            && let Some(entry) = self.probe(key, ply)
            && self.allows_cutoff(&entry, 0, alpha, beta)
        {
            return entry.score;
        }
        let mut node = QuiescenceNode {
            alpha,
            beta,
            ply,
            best: -INFINITY,
            stand_pat: -INFINITY,
            visit: 0,
            results: 0,
        };
        if !checked {
            node.stand_pat = self.evaluate(position, ply);
            node.best = node.stand_pat;
            if node.best >= beta {
                return node.best;
            }
            node.alpha = alpha.max(node.best);
        }
        node.visit = self.state.seen.begin();
        self.search_captures(position, &mut node, 0, checked);
        if self.stopped {
            return 0;
        }
        if checked && node.results == 0 {
            return mated_in(ply);
        }
        if hashed {
            self.store_quiescence(key, &node);
        }
        node.best
    }

    fn store_quiescence(&self, key: u64, node: &QuiescenceNode) {
        let bound = if node.best >= node.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: None,
            score: node.best,
            depth: 0,
            bound,
        };
        self.shared.table.store(key, node.ply, entry);
    }

    /// Searches the captures of a position (all moves if `every`), which is that of the node or one
    /// inside a deploy that began there. Answers whether there was a beta cutoff.
    fn search_captures(
        &mut self,
        position: &Position,
        node: &mut QuiescenceNode,
        step: usize,
        every: bool,
    ) -> bool {
        let height = (node.ply * 4 + step).min(MAX_HEIGHT - 1);
        let mut buffers = self.state.move_buffers[height].take().unwrap_or_default();
        buffers.list.clear();
        // A position inside a deploy has no evaluation: the deploy is committed or continued by
        // captures, by any step if it cannot be committed yet.
        let every = every || step > 0 && !position.can_commit();
        if every || step > 0 {
            position.legal_moves_into(&mut buffers.list);
        } else {
            position.legal_captures_into(&mut buffers.list);
        }
        buffers.moves.clear();
        for mv in &buffers.list {
            if every || mv.is_capture() || mv.is_commit() {
                let score = self.quiescence_order(position, *mv);
                buffers.moves.push((score, *mv));
            }
        }
        let mut cutoff = false;
        for index in 0..buffers.moves.len() {
            let (score, mv) = order::pick_best(&mut buffers.moves, index);
            if !every && mv.is_capture() && self.is_delta_pruned(position, node, mv, score) {
                continue;
            }
            cutoff = self.search_capture(position, node, mv, step);
            if cutoff || self.stopped {
                break;
            }
        }
        self.state.move_buffers[height] = Some(buffers);
        cutoff
    }

    fn quiescence_order(&self, position: &Position, mv: Move) -> i32 {
        if mv.is_commit() {
            i32::MAX
        } else if mv.is_capture() {
            order::capture_score(self.features, position, mv)
        } else {
            self.state
                .history
                .score(self.features, position.turn(), mv, None)
        }
    }

    /// SEE pruning and delta pruning: whether a capture loses material, or wins too little to raise
    /// alpha.
    fn is_delta_pruned(
        &self,
        position: &Position,
        node: &QuiescenceNode,
        mv: Move,
        score: i32,
    ) -> bool {
        if self.has(Feature::Exchange) && self.has(Feature::Delta) && score < 0 {
            return true;
        }
        let taken = position.captured(mv).map_or(0, see::stack_value);
        // A deploy may take more than once.
        self.has(Feature::Delta)
            && !mv.is_step()
            && node.stand_pat + taken + DELTA_MARGIN <= node.alpha
    }

    fn search_capture(
        &mut self,
        position: &Position,
        node: &mut QuiescenceNode,
        mv: Move,
        step: usize,
    ) -> bool {
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.count_node();
        if self.stopped {
            return true;
        }
        if next.deploy().is_some() {
            return step < 3
                && self.search_captures(&next, node, step + 1, node.stand_pat == -INFINITY);
        }
        let key = self.key(&next);
        if (step > 0 || mv.is_step())
            && self.has(Feature::Distinct)
            && !self.state.seen.is_new(node.visit, key)
        {
            return false;
        }
        let checks = next.in_check();
        self.keys.push(key);
        let over = self.terminal_score(&next, node.ply + 1, checks);
        let value = over.unwrap_or_else(|| {
            self.quiescence(&next, (-node.beta, -node.alpha), node.ply + 1, checks)
        });
        self.keys.pop();
        if self.stopped {
            return true;
        }
        node.results += 1;
        node.best = node.best.max(-value);
        node.alpha = node.alpha.max(node.best);
        node.alpha >= node.beta
    }
}
