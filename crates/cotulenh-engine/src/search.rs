//! One thread's search: iterative deepening over principal variation search.
//!
//! A node of [`node`] is a position between turns. Its actions are walked by [`steps`]: an action
//! that leaves a deploy open is gone on from at once, with the same side to move and the same
//! depth, and only finished turns are searched further and evaluated.

mod node;
mod quiescence;
mod root;
mod steps;

pub(crate) use root::{Iteration, RootLine};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cotulenh::{Color, Move, MoveList, Position, Role, VictoryRules};

use crate::eval::{Evaluator, scale_by_clock};
use crate::feature::{Feature, Features};
use crate::level::Weakness;
use crate::net::Accumulators;
use crate::order::History;
use crate::table::TranspositionTable;
use crate::time::Deadline;

/// The most turns that a search looks ahead.
pub(crate) const MAX_PLY: usize = 120;
/// The most nested actions: turns and the steps of their deploys.
const MAX_HEIGHT: usize = MAX_PLY * 4 + 8;

/// What all threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: &'a AtomicBool,
    /// Set when the search is over for all threads.
    pub(crate) done: AtomicBool,
    /// Nodes of all threads, brought up to date now and then.
    pub(crate) nodes: AtomicU64,
    pub(crate) deadline: Deadline,
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
    /// One for each height; a node takes its own while it works, so that none is made anew.
    move_buffers: Vec<Option<Box<MoveBuffers>>>,
    seen: SeenResults,
    /// Evaluations of positions by their keys.
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

/// The actions of one node, kept to be used again.
#[derive(Debug, Default)]
struct MoveBuffers {
    list: MoveList,
    moves: Vec<(i32, Move)>,
    quiets: Vec<Move>,
}

/// Results of turns that the nodes under way have searched already. A slot may be overwritten:
/// then a result is searched twice, which costs time and changes nothing.
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

    /// Whether the visit meets the result for the first time.
    #[allow(clippy::cast_possible_truncation, reason = "reduced to the length")]
    fn is_new(&mut self, visit: u64, key: u64) -> bool {
        let slot = &mut self.slots[(key as usize).wrapping_add(visit as usize * 97) % Self::LEN];
        let new = *slot != (visit, key);
        *slot = (visit, key);
        new
    }
}

/// What a node of the path leaves for those below it.
#[derive(Debug, Clone, Copy, Default)]
struct Ply {
    killers: [Option<Move>; 2],
    /// The last action that led away from here, `None` for a null move.
    mv: Option<Move>,
    eval: i32,
    /// The action that a search for a rival leaves out.
    excluded: Option<Move>,
}

/// One thread at work.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    evaluator: Arc<Evaluator>,
    features: Features,
    /// The services whose loss loses the game, by colour; zero where there is none.
    services: [[u16; 3]; 2],
    weakness: Weakness,
    contempt: i32,
    state: &'a mut ThreadState,
    plies: Vec<Ply>,
    /// Keys of the positions between turns: those of the game, then those of the path.
    keys: Vec<u64>,
    /// How many of the keys belong to the game; the root is the last of them.
    game_keys: usize,
    pub(crate) nodes: u64,
    reported: u64,
    stopped: bool,
    seldepth: usize,
    /// Best lines by ply, as flat lists of actions.
    pv: Vec<Vec<Move>>,
    /// Results that earlier lines of a search for several lines have taken.
    excluded_results: Vec<u64>,
    /// The score of the best turn that the search of the root has finished.
    root_best: i32,
    /// Tells apart the entries of games under other victory rules.
    salt: u64,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// How a worker searches.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) evaluator: Arc<Evaluator>,
    pub(crate) features: Features,
    pub(crate) rules: VictoryRules,
    pub(crate) weakness: Weakness,
    pub(crate) contempt: i32,
}

impl Settings {
    /// Tells apart the keys of games under other victory rules.
    pub(crate) fn salt(&self) -> u64 {
        let rules = self.rules;
        let bits = u64::from(rules.marine) | u64::from(rules.air) << 1 | u64::from(rules.land) << 2;
        bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl<'a> Worker<'a> {
    /// A worker for a position with the keys of the game so far, its own included at the end.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        settings: &Settings,
        state: &'a mut ThreadState,
        root: &Position,
        keys: Vec<u64>,
    ) -> Self {
        let game_keys = keys.len();
        Self {
            shared,
            evaluator: Arc::clone(&settings.evaluator),
            features: settings.features,
            services: services(settings.rules, root),
            weakness: settings.weakness,
            contempt: settings.contempt,
            state,
            plies: vec![Ply::default(); MAX_PLY + 2],
            keys,
            game_keys,
            nodes: 0,
            reported: 0,
            stopped: false,
            seldepth: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
            excluded_results: Vec::new(),
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

    /// Counts a node, and looks up now and then whether time is up.
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

    /// The worth of a position between turns for the side to move.
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
                self.evaluator.material(position)
            };
            *slot = (key, value);
        }
        let value = scale_by_clock(slot.1, position) + self.weakness.eval_noise(key);
        value.clamp(-20_000, 20_000)
    }

    /// The score of a draw: less than even for the side that thinks if it is to play on.
    fn draw(&self, ply: usize) -> i32 {
        if !self.has(Feature::Contempt) {
            0
        } else if ply.is_multiple_of(2) {
            -self.contempt
        } else {
            self.contempt
        }
    }

    /// Rule 9.6: whether the last position of the path has been there before: once since the
    /// root, or twice in all.
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

/// The sets of roles whose loss loses a game under the optional rules, for each side. What a side
/// does not have at the root it cannot lose.
fn services(rules: VictoryRules, root: &Position) -> [[u16; 3]; 2] {
    let land = Role::Artillery.mask() | Role::Tank.mask() | Role::Infantry.mask();
    let all = [
        (rules.marine, Role::Navy.mask()),
        (rules.air, Role::AirForce.mask()),
        (rules.land, land),
    ];
    Color::ALL.map(|color| {
        let present = roles_of(root, color);
        all.map(|(on, mask)| if on && present & mask != 0 { mask } else { 0 })
    })
}

/// Every role that a side still has.
fn roles_of(position: &Position, color: Color) -> u16 {
    let stacks = position
        .stacks()
        .filter(|(_, stack)| stack.color() == color);
    stacks.fold(0, |all, (_, stack)| all | stack.roles())
}

#[cfg(test)]
mod tests;
