//! One thread's search: iterative deepening over principal variation search.
//!
//! A node of [`node`] is a position between turns. [`steps`] searches its moves: a move that opens
//! or continues a deploy is followed at once by the moves after it, with the same side to move and
//! the same depth. Only finished turns cost depth and are evaluated.

mod node;
mod quiescence;
mod root;
mod steps;

pub(crate) use root::{Iteration, Root, RootLine};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cotulenh::{Move, MoveList, Position, Services, VictoryRules};

use crate::eval::{Evaluator, material, scale_by_clock};
use crate::feature::{Feature, Features};
use crate::level::Weakness;
use crate::net::Accumulators;
use crate::order::History;
use crate::params::EVAL_MAX;
use crate::table::TranspositionTable;
use crate::time::Deadline;

/// The greatest ply of a search, in turns from the root.
pub(crate) const MAX_PLY: usize = 120;
/// The deepest recursion: turns and the steps of their deploys.
const MAX_HEIGHT: usize = MAX_PLY * 4 + 8;

/// What the threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: &'a AtomicBool,
    /// Set when the search is over for all threads.
    pub(crate) done: AtomicBool,
    /// Nodes of all threads, updated every 256 nodes of each.
    pub(crate) nodes: AtomicU64,
    pub(crate) deadline: Deadline<'a>,
    pub(crate) node_limit: Option<u64>,
}

impl Shared<'_> {
    pub(crate) fn stopped(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }
}

/// What a thread keeps between searches.
#[derive(Debug)]
pub(crate) struct ThreadState {
    history: History,
    /// Move lists by recursion depth; a node takes its own, so that none is allocated anew.
    move_buffers: Vec<Option<Box<MoveBuffers>>>,
    seen: SeenResults,
    /// Evaluation cache: key and value.
    eval_cache: Vec<(u64, i32)>,
    accumulators: Accumulators,
}

impl ThreadState {
    pub(crate) fn new() -> Self {
        let move_buffers = (0..MAX_HEIGHT).map(|_| Some(Box::default())).collect();
        Self {
            history: History::new(),
            move_buffers,
            seen: SeenResults::new(),
            eval_cache: vec![(0, 0); 1 << 15],
            accumulators: Accumulators::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.eval_cache.fill((0, 0));
        self.accumulators.clear();
    }
}

/// The move lists of a node.
#[derive(Debug, Default)]
struct MoveBuffers {
    list: MoveList,
    moves: Vec<(i32, Move)>,
    quiets: Vec<Move>,
}

/// Results of turns that the nodes of the current path have searched already: different steps can
/// lead to the same position. A slot may be overwritten; then a result is searched twice, which
/// costs time and changes no score.
#[derive(Debug)]
struct SeenResults {
    slots: Vec<(u64, u64)>,
    visits: u64,
}

impl SeenResults {
    const LEN: usize = 1 << 14;

    fn new() -> Self {
        Self {
            slots: vec![(0, 0); Self::LEN],
            visits: 0,
        }
    }

    fn begin(&mut self) -> u64 {
        self.visits += 1;
        self.visits
    }

    /// Whether the node sees the result for the first time.
    #[allow(clippy::cast_possible_truncation, reason = "reduced to the length")]
    fn is_new(&mut self, visit: u64, key: u64) -> bool {
        let slot = &mut self.slots[(key as usize).wrapping_add(visit as usize * 97) % Self::LEN];
        let new = *slot != (visit, key);
        *slot = (visit, key);
        new
    }
}

/// The search stack: what a node of the current path leaves for those below it.
#[derive(Debug, Clone, Copy, Default)]
struct Ply {
    killers: [Option<Move>; 2],
    /// The first move of the turn being searched, `None` for a null move.
    mv: Option<Move>,
    eval: i32,
    /// The move excluded by a singular search.
    excluded: Option<Move>,
}

/// The search of one thread.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    evaluator: Arc<Evaluator>,
    features: Features,
    /// The services whose loss loses the game (Rule 9.7).
    services: Services,
    weakness: Weakness,
    contempt: i32,
    state: &'a mut ThreadState,
    plies: Vec<Ply>,
    /// Keys of the positions between turns: those of the game, then those of the path.
    keys: Vec<u64>,
    /// How many of the keys belong to the game; the last of them is the root.
    game_keys: usize,
    pub(crate) nodes: u64,
    reported: u64,
    stopped: bool,
    seldepth: usize,
    /// Principal variations by ply, as flat lists of moves.
    pv: Vec<Vec<Move>>,
    /// `MultiPV`: results of the first turns of better lines.
    excluded_results: Vec<u64>,
    /// If not empty, the only results of turns that are searched at the root.
    root_results: Vec<u64>,
    /// The score of the best turn that the search of the root has finished.
    root_best: i32,
    /// Distinguishes table entries of games under other victory rules.
    salt: u64,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// The options of a search.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) evaluator: Arc<Evaluator>,
    pub(crate) features: Features,
    pub(crate) rules: VictoryRules,
    pub(crate) weakness: Weakness,
    /// The limit of the level.
    pub(crate) node_limit: Option<u64>,
    pub(crate) contempt: i32,
}

impl Settings {
    /// Distinguishes the keys of games under other victory rules.
    pub(crate) fn salt(&self) -> u64 {
        let rules = self.rules;
        let bits = u64::from(rules.marine) | u64::from(rules.air) << 1 | u64::from(rules.land) << 2;
        bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        settings: &Settings,
        state: &'a mut ThreadState,
        root: &Root<'_>,
    ) -> Self {
        Self {
            shared,
            evaluator: Arc::clone(&settings.evaluator),
            features: settings.features,
            services: settings.rules.services(root.position),
            weakness: settings.weakness,
            contempt: settings.contempt,
            state,
            plies: vec![Ply::default(); MAX_PLY + 2],
            keys: root.keys.clone(),
            game_keys: root.keys.len(),
            nodes: 0,
            reported: 0,
            stopped: false,
            seldepth: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
            excluded_results: Vec::new(),
            root_results: root.results(),
            root_best: 0,
            salt: settings.salt(),
        }
    }

    #[inline]
    fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.salt
    }

    /// Counts a node and checks the limits: that of nodes always, the others every 256 nodes.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) {
            self.check_limits();
        } else if let Some(limit) = self.shared.node_limit
            && self.nodes >= limit
        {
            self.stopped = true;
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        let fresh = self.nodes - self.reported;
        let total = self.shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
        self.reported = self.nodes;
        let spent = self.shared.node_limit.is_some_and(|limit| total >= limit);
        if spent || self.shared.deadline.is_over() {
            self.shared.done.store(true, Ordering::Relaxed);
        }
        self.stopped |= self.shared.stopped();
    }

    /// The static evaluation of a position between turns for the side to move.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "reduced to the length of the cache"
    )]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let key = position.key();
        let len = self.state.eval_cache.len();
        let slot = &mut self.state.eval_cache[key as usize % len];
        if slot.0 != key {
            let value = if self.features.has(Feature::Knowledge) {
                self.evaluator
                    .value(position, &mut self.state.accumulators, ply)
            } else {
                material(position)
            };
            *slot = (key, value);
        }
        let value = scale_by_clock(slot.1, position) + self.weakness.eval_noise(key);
        value.clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// The score of a draw, with contempt for the side to move at the root.
    fn draw(&self, ply: usize) -> i32 {
        if !self.has(Feature::Contempt) {
            0
        } else if ply.is_multiple_of(2) {
            -self.contempt
        } else {
            self.contempt
        }
    }

    /// Rule 9.6: whether the current position has occurred before: once since the root, or twice
    /// in all.
    fn repeats(&self, position: &Position) -> bool {
        let Some((key, before)) = self.keys.split_last() else {
            return false;
        };
        let reversible = position.halfmove_clock() as usize;
        let root = self.game_keys - 1;
        let mut met = 0;
        for (back, other) in before
            .iter()
            .rev()
            .take(reversible)
            .enumerate()
            .skip(1)
            .step_by(2)
        {
            if other == key {
                met += 1;
                if met == 2 || before.len() - 1 - back > root {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
