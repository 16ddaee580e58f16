//! The leaves: captures are played out before a position is judged.

use cotulenh::{Move, Position};

use super::{MAX_HEIGHT, MAX_PLY, Worker};
use crate::feature::Feature;
use crate::order;
use crate::score::{INFINITY, mated_in};
use crate::see;
use crate::table::{Bound, Entry};

/// The window of a node, and the best so far.
struct QuiescenceNode {
    alpha: i32,
    beta: i32,
    ply: usize,
    best: i32,
    /// What the position is worth as it stands; very low in danger.
    stand_pat: i32,
    visit: u64,
    results: u32,
}

impl Worker<'_> {
    /// The worth of a position between turns once nobody gains by a capture; in danger, every
    /// way out is tried.
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
            let mated = position.has_no_legal_move();
            return match (mated, checked) {
                (true, true) => mated_in(ply),
                (true, false) => 0,
                _ => self.evaluate(position, ply),
            };
        }
        let key = self.key(position);
        let leaf_hash = self.has(Feature::LeafHash) && position.deploy().is_none();
        let pv = beta - alpha > 1;
        if leaf_hash
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
        if leaf_hash {
            let bound = if node.best >= beta {
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
            self.shared.table.store(key, ply, entry);
        }
        node.best
    }

    /// Tries the captures of a position (all actions if `every`), which is the node or one inside
    /// a deploy that began there. Answers whether the node is settled.
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
        // Inside a deploy there is nothing to judge: it is ended, or taken further by captures;
        // by any step where it cannot be ended yet.
        let every = every || step > 0 && !position.can_commit();
        if every || step > 0 {
            position.legal_moves_into(&mut buffers.list);
        } else {
            position.legal_captures_into(&mut buffers.list);
        }
        buffers.moves.clear();
        for mv in &buffers.list {
            if every || mv.is_capture() || mv.is_commit() {
                let score = self.leaf_score(position, *mv);
                buffers.moves.push((score, *mv));
            }
        }
        let mut settled = false;
        for index in 0..buffers.moves.len() {
            let (score, mv) = order::pick_best(&mut buffers.moves, index);
            if !every && mv.is_capture() && self.is_delta_pruned(position, node, mv, score) {
                continue;
            }
            settled = self.search_capture(position, node, mv, step);
            if settled || self.stopped {
                break;
            }
        }
        self.state.move_buffers[height] = Some(buffers);
        settled
    }

    fn leaf_score(&self, position: &Position, mv: Move) -> i32 {
        if mv.is_commit() {
            i32::MAX
        } else if mv.is_capture() {
            order::capture_score(&self.evaluator, self.features, position, mv)
        } else {
            self.state
                .history
                .score(self.features, position.turn(), mv, None)
        }
    }

    /// Whether a capture loses material, or wins too little to matter.
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
        let taken = position
            .captured(mv)
            .map_or(0, |stack| see::worth(&self.evaluator, stack));
        // A deploy may take more than once.
        self.has(Feature::Delta) && !mv.is_step() && node.stand_pat + taken + 200 <= node.alpha
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
