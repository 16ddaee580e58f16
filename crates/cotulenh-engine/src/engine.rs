//! The engine as others see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use cotulenh::{Position, VictoryRules};

use crate::eval::Evaluator;
use crate::feature::Features;
use crate::level::{Handicap, Level, Weakness};
use crate::net::Net;
use crate::score::Score;
use crate::search::{Iteration, RootLine, Settings, Shared, ThreadState, Worker};
use crate::table::TranspositionTable;
use crate::time::{Deadline, Limits, OVERHEAD};
use crate::turn::Turn;

/// How an engine works.
///
/// ```
/// use cotulenh_engine::{Engine, Options};
/// let engine = Engine::new(Options { hash_mib: 4, threads: 2, ..Options::default() });
/// assert_eq!(engine.options().threads, 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table.
    pub hash_mib: usize,
    /// How many threads search.
    pub threads: usize,
    /// How many lines are told.
    pub lines: usize,
    /// How well it plays.
    pub level: Level,
    /// A strength of one's own in place of the level's.
    pub handicap: Option<Handicap>,
    /// How much less than even a draw is worth to the side that thinks, in hundredths of an
    /// infantry. An opponent is given [`Options::CONTEMPT`]; analysis takes no side.
    pub contempt: i32,
    /// What is kept back of a clock for the way to it.
    pub overhead: Duration,
    /// The ways to win beside the commander's.
    pub rules: VictoryRules,
    /// The parts of the search in use.
    pub features: Features,
    /// Sets the errors of weak levels apart from game to game.
    pub seed: u64,
}

impl Options {
    /// The contempt of a player who wants to win.
    pub const CONTEMPT: i32 = 12;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            lines: 1,
            level: Level::MAX,
            handicap: None,
            contempt: 0,
            overhead: OVERHEAD,
            rules: VictoryRules::default(),
            features: Features::ALL,
            seed: 0,
        }
    }
}

/// One line of play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is worth for the side to move at its beginning.
    pub score: Score,
    /// The turns; the last may be unfinished where the search's knowledge ends.
    pub turns: Vec<Turn>,
}

/// What is known so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How many turns were searched in full.
    pub depth: u32,
    /// How many turns the longest line looked at was.
    pub seldepth: usize,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: usize,
    /// The best lines, best first.
    pub lines: Vec<Line>,
}

impl Report {
    /// The best turn, or `None` where there is none: the game is over.
    pub fn best(&self) -> Option<&Turn> {
        self.lines.first()?.turns.first()
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// The player.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use cotulenh::Position;
/// use cotulenh_engine::{Engine, Limits, Options, Score};
/// let mut engine = Engine::new(Options::default());
/// // Whoever takes the commander wins: mate in one turn.
/// let position: Position = "6c4/11/5I1I3/6T4/11/11/11/11/11/11/9II/5C5 r - - 0 1".parse()?;
/// let limits = Limits { nodes: Some(2_000), ..Limits::default() };
/// let report = engine.analyse(&position, &[], &limits, &AtomicBool::new(false), |_| {});
/// assert!(report.best().is_some());
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    evaluator: Arc<Evaluator>,
    table: TranspositionTable,
    threads: Vec<ThreadState>,
}

/// Room for the deepest recursion.
const STACK: usize = 32 << 20;

impl Engine {
    /// An engine with the network that it is known for.
    pub fn new(options: Options) -> Self {
        Self::with_net(options, Net::standard())
    }

    /// An engine that judges by another network.
    pub fn with_net(options: Options, net: Arc<Net>) -> Self {
        let threads = (0..options.threads.max(1))
            .map(|_| ThreadState::new())
            .collect();
        Self {
            options,
            evaluator: Arc::new(Evaluator::new(net)),
            table: TranspositionTable::new(options.hash_mib),
            threads,
        }
    }

    /// How it works.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Works otherwise from now on. A new size of the table empties it.
    pub fn set_options(&mut self, options: Options) {
        if options.hash_mib != self.options.hash_mib {
            self.table = TranspositionTable::new(options.hash_mib);
        }
        self.threads
            .resize_with(options.threads.max(1), ThreadState::new);
        self.options = options;
    }

    /// Judges positions by another network from now on.
    pub fn set_net(&mut self, net: Arc<Net>) {
        self.evaluator = Arc::new(Evaluator::new(net));
        self.clear();
    }

    /// Forgets all games: the next search is the same as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        for state in &mut self.threads {
            state.clear();
        }
    }

    /// Thinks about a position until a limit is reached or `stop` is set, within milliseconds
    /// of which it answers. `history` holds the keys of the positions between turns that came
    /// before it in the game, for threefold repetition; `report` is told whenever more is known.
    ///
    /// Without a limit it thinks until it is stopped. Where the game is over there is no line.
    pub fn analyse(
        &mut self,
        position: &Position,
        history: &[u64],
        limits: &Limits,
        stop: &AtomicBool,
        report: impl FnMut(&Report) + Send,
    ) -> Report {
        self.think(position, history, limits, stop, report, false)
    }

    /// The same on the calling thread alone, whose stack must have room for 32 MiB: for
    /// many small searches, where starting a thread for each would cost more than they do.
    pub fn analyse_here(
        &mut self,
        position: &Position,
        history: &[u64],
        limits: &Limits,
    ) -> Report {
        let stop = AtomicBool::new(false);
        self.think(position, history, limits, &stop, |_| {}, true)
    }

    fn think(
        &mut self,
        position: &Position,
        history: &[u64],
        limits: &Limits,
        stop: &AtomicBool,
        mut report: impl FnMut(&Report) + Send,
        here: bool,
    ) -> Report {
        let deadline = Deadline::new(limits, self.options.overhead);
        let handicap = self.options.handicap;
        let handicap = handicap.unwrap_or_else(|| self.options.level.handicap());
        let node_limit = match (limits.nodes, handicap.nodes) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.table.new_generation();
        let shared = Shared {
            table: &self.table,
            stop,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            deadline,
            node_limit,
        };
        let settings = Settings {
            evaluator: Arc::clone(&self.evaluator),
            features: self.options.features,
            rules: self.options.rules,
            weakness: Weakness::new(handicap, self.options.seed),
            contempt: self.options.contempt,
        };
        let salt = settings.salt();
        let mut keys: Vec<u64> = history.iter().map(|key| key ^ salt).collect();
        keys.push(position.turn_start().key() ^ salt);
        let over = position.outcome().is_some();
        let lines = self.options.lines.max(1);
        let depth = limits.depth;
        let told = |iteration: &Iteration, nodes: u64| Report {
            depth: iteration.depth,
            seldepth: iteration.seldepth,
            nodes,
            time: deadline.begun.elapsed(),
            hashfull: shared.table.hashfull(),
            lines: iteration
                .lines
                .iter()
                .map(|line| line_of(position, line))
                .collect(),
        };
        if over {
            return told(&Iteration::default(), 0);
        }
        let (first, helpers) = self.threads.split_at_mut(1);
        thread::scope(|scope| {
            let (shared, settings, keys) = (&shared, &settings, &keys);
            for (index, state) in helpers.iter_mut().enumerate() {
                let skip = u32::try_from(index).unwrap_or(0) + 1;
                let work = move || {
                    let mut worker = Worker::new(shared, settings, state, position, keys.clone());
                    worker.deepen(position, depth, 1, skip, |_, _| true);
                };
                spawn(scope, work);
            }
            let told = &told;
            let report = &mut report;
            let state = &mut first[0];
            let mut lead = move || {
                let mut worker = Worker::new(shared, settings, state, position, keys.clone());
                let mut stability = Stability::default();
                let last = worker.deepen(position, depth, lines, 0, |iteration, nodes| {
                    let nodes = nodes.max(shared.nodes.load(Ordering::Relaxed));
                    report(&told(iteration, nodes));
                    let enough = shared.deadline.is_enough(stability.time_scale(iteration));
                    let settled = shared.deadline.is_clocked() && is_settled(position, iteration);
                    !enough && !settled
                });
                shared.done.store(true, Ordering::Relaxed);
                (last, worker.nodes)
            };
            let found = if here {
                Some(Ok(lead()))
            } else {
                spawn(scope, lead).map(thread::ScopedJoinHandle::join)
            };
            let Some(Ok((last, nodes))) = found else {
                shared.done.store(true, Ordering::Relaxed);
                return told(&Iteration::default(), 0);
            };
            let nodes = nodes.max(shared.nodes.load(Ordering::Relaxed));
            let mut answer = told(&last, nodes);
            if answer.best().is_none()
                && let Some(turn) = Turn::first_of(position)
            {
                // Stopped before anything was known: any legal turn will do.
                let score = Score::Centi(0);
                answer.lines = vec![Line {
                    score,
                    turns: vec![turn],
                }];
            }
            answer
        })
    }

    /// The worth of a position at rest for the side to move.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluator.evaluate(position)
    }
}

/// A thread with room for deep recursion, or `None` where the system grants none.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<thread::ScopedJoinHandle<'scope, T>> {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn_scoped(scope, work)
        .ok()
}

/// Splits the actions of a line into turns.
fn line_of(position: &Position, line: &RootLine) -> Line {
    let mut turns = Vec::new();
    let mut at = position.clone();
    let (mut turn, mut actions) = (at.turn(), Vec::new());
    for mv in &line.actions {
        actions.push(*mv);
        at.play_unchecked(*mv);
        if at.turn() != turn {
            turn = at.turn();
            turns.push(Turn::new(std::mem::take(&mut actions)));
        }
    }
    Line {
        score: Score::of(line.score),
        turns,
    }
}

/// Whether more time would change nothing: a mate was looked at to its end, or there is no choice.
fn is_settled(position: &Position, iteration: &Iteration) -> bool {
    let Some(line) = iteration.lines.first() else {
        return true;
    };
    let mated = matches!(Score::of(line.score), Score::Mate(turns)
        if 2 * turns.unsigned_abs() <= iteration.depth);
    mated || iteration.depth == 1 && matches!(position.legal_moves()[..], [mv] if !mv.is_step())
}

/// How far the iterations agree with each other.
#[derive(Debug, Default)]
struct Stability {
    best: Option<u32>,
    since: i32,
    score: i32,
}

impl Stability {
    /// Above 1 where the best turn or its score has just changed, below where it stands.
    fn time_scale(&mut self, iteration: &Iteration) -> f64 {
        let Some(line) = iteration.lines.first() else {
            return 1.0;
        };
        let best = line.actions.first().map(|mv| mv.bits());
        self.since = if best == self.best { self.since + 1 } else { 0 };
        let fallen = (self.score - line.score).clamp(0, 200);
        self.best = best;
        self.score = line.score;
        1.5 - 0.15 * f64::from(self.since.min(5)) + f64::from(fallen) / 200.0
    }
}
