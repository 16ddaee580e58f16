//! The leaves: captures are played out before a position is judged.

use cotulenh::{Move, Position};

use super::{MAX_HEIGHT, MAX_PLY, Worker};
use crate::feature::Feature;
use crate::order;
use crate::score::{INFINITY, lost};
use crate::see;
use crate::table::{Bound, Entry};

/// The window of a leaf, and the best so far.
struct Leaf {
    alpha: i32,
    beta: i32,
    ply: usize,
    best: i32,
    /// What the position is worth as it stands; very low in danger.
    stand: i32,
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
        self.lines[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if ply >= MAX_PLY || !self.has(Feature::Quiescence) {
            let mated = position.has_no_legal_move();
            return match (mated, checked) {
                (true, true) => lost(ply),
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
            && self.settles(&entry, 0, alpha, beta)
        {
            return entry.score;
        }
        let mut leaf = Leaf {
            alpha,
            beta,
            ply,
            best: -INFINITY,
            stand: -INFINITY,
            visit: 0,
            results: 0,
        };
        if !checked {
            leaf.stand = self.evaluate(position, ply);
            leaf.best = leaf.stand;
            if leaf.best >= beta {
                return leaf.best;
            }
            leaf.alpha = alpha.max(leaf.best);
        }
        leaf.visit = self.memory.seen.begin();
        self.play_out(position, &mut leaf, 0, checked);
        if self.stopped {
            return 0;
        }
        if checked && leaf.results == 0 {
            return lost(ply);
        }
        if leaf_hash {
            let bound = if leaf.best >= beta {
                Bound::Lower
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: None,
                score: leaf.best,
                depth: 0,
                bound,
            };
            self.shared.table.store(key, ply, entry);
        }
        leaf.best
    }

    /// Tries the captures of a position (all actions if `every`), which is the leaf or one inside
    /// a deploy that began there. Answers whether the leaf is settled.
    fn play_out(&mut self, position: &Position, leaf: &mut Leaf, step: usize, every: bool) -> bool {
        let height = (leaf.ply * 4 + step).min(MAX_HEIGHT - 1);
        let mut frame = self.memory.frames[height].take().unwrap_or_default();
        frame.list.clear();
        // Inside a deploy there is nothing to judge: it is ended, or taken further by captures;
        // by any step where it cannot be ended yet.
        let every = every || step > 0 && !position.can_commit();
        if every || step > 0 {
            position.legal_moves_into(&mut frame.list);
        } else {
            position.legal_captures_into(&mut frame.list);
        }
        frame.moves.clear();
        for mv in &frame.list {
            if every || mv.is_capture() || mv.is_commit() {
                let score = self.leaf_score(position, *mv);
                frame.moves.push((score, *mv));
            }
        }
        let mut settled = false;
        for index in 0..frame.moves.len() {
            let (score, mv) = order::bring_best(&mut frame.moves, index);
            if !every && mv.is_capture() && self.is_futile(position, leaf, mv, score) {
                continue;
            }
            settled = self.try_capture(position, leaf, mv, step);
            if settled || self.stopped {
                break;
            }
        }
        self.memory.frames[height] = Some(frame);
        settled
    }

    fn leaf_score(&self, position: &Position, mv: Move) -> i32 {
        if mv.is_commit() {
            i32::MAX
        } else if mv.is_capture() {
            order::capture_score(&self.evaluator, self.features, position, mv)
        } else {
            self.memory
                .history
                .score(self.features, position.turn(), mv, None)
        }
    }

    /// Whether a capture loses material, or wins too little to matter.
    fn is_futile(&self, position: &Position, leaf: &Leaf, mv: Move, score: i32) -> bool {
        if self.has(Feature::Exchange) && self.has(Feature::Delta) && score < 0 {
            return true;
        }
        let taken = position
            .captured(mv)
            .map_or(0, |stack| see::worth(&self.evaluator, stack));
        // A deploy may take more than once.
        self.has(Feature::Delta) && !mv.is_step() && leaf.stand + taken + 200 <= leaf.alpha
    }

    fn try_capture(&mut self, position: &Position, leaf: &mut Leaf, mv: Move, step: usize) -> bool {
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.count_node();
        if self.stopped {
            return true;
        }
        if next.deploy().is_some() {
            return step < 3 && self.play_out(&next, leaf, step + 1, leaf.stand == -INFINITY);
        }
        let key = self.key(&next);
        if (step > 0 || mv.is_step())
            && self.has(Feature::Distinct)
            && !self.memory.seen.is_new(leaf.visit, key)
        {
            return false;
        }
        let checks = next.in_check();
        self.keys.push(key);
        let over = self.ended(&next, leaf.ply + 1, checks);
        let value = over.unwrap_or_else(|| {
            self.quiescence(&next, (-leaf.beta, -leaf.alpha), leaf.ply + 1, checks)
        });
        self.keys.pop();
        if self.stopped {
            return true;
        }
        leaf.results += 1;
        leaf.best = leaf.best.max(-value);
        leaf.alpha = leaf.alpha.max(leaf.best);
        leaf.alpha >= leaf.beta
    }
}
