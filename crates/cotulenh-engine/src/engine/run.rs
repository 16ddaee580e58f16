//! One search: its threads, its reports, its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use cotulenh::Position;

use super::{Engine, Line, Report, Search};
use crate::level::Weakness;
use crate::params::{STABILITY_BASE, STABILITY_FALL_MAX, STABILITY_MAX, STABILITY_STEP};
use crate::score::Score;
use crate::search::{Iteration, Root, RootLine, Settings, Shared, ThreadState, Worker};
use crate::time::Deadline;
use crate::turn::Turn;

/// The stack of a search thread: room for the deepest recursion.
const STACK: usize = 32 << 20;

impl Engine {
    pub(super) fn run(
        &mut self,
        search: &Search<'_>,
        report: impl FnMut(&Report) + Send,
        spawns: bool,
    ) -> Report {
        let settings = self.settings();
        self.table.new_generation();
        let never = AtomicBool::new(false);
        let shared = Shared {
            table: &self.table,
            stop: search.stop.unwrap_or(&never),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            deadline: Deadline::new(&*self.timer, &search.limits, self.options.overhead),
            node_limit: least(search.limits.nodes, settings.node_limit),
        };
        let run = Run {
            search,
            shared: &shared,
            settings: &settings,
            root: Root::new(search, &settings),
            multi_pv: self.options.multi_pv.max(1),
        };
        if search.position.outcome().is_some() || run.root.has_no_turn() {
            return run.report(&Iteration::default(), 0);
        }
        run.on_threads(&mut self.threads, report, spawns)
    }

    fn settings(&self) -> Settings {
        let options = &self.options;
        let handicap = options.handicap.unwrap_or_else(|| options.level.handicap());
        Settings {
            evaluator: Arc::clone(&self.evaluator),
            features: options.features,
            rules: options.rules,
            weakness: Weakness::new(handicap, options.seed),
            node_limit: handicap.nodes,
            contempt: options.contempt,
        }
    }
}

/// The smaller of two limits.
fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

/// A search under way.
struct Run<'a> {
    search: &'a Search<'a>,
    shared: &'a Shared<'a>,
    settings: &'a Settings,
    root: Root<'a>,
    multi_pv: usize,
}

impl Run<'_> {
    /// Searches with all threads: the first leads and reports, the others fill the table.
    fn on_threads(
        &self,
        threads: &mut [ThreadState],
        report: impl FnMut(&Report) + Send,
        spawns: bool,
    ) -> Report {
        let (first, helpers) = threads.split_at_mut(1);
        thread::scope(|scope| {
            for (index, state) in helpers.iter_mut().enumerate() {
                let skip = u32::try_from(index).unwrap_or(0) + 1;
                spawn(scope, move || self.help(state, skip));
            }
            let lead = move || self.lead(&mut first[0], report);
            let found = if spawns {
                spawn(scope, lead).map(thread::ScopedJoinHandle::join)
            } else {
                Some(Ok(lead()))
            };
            self.shared.done.store(true, Ordering::Relaxed);
            match found {
                Some(Ok((last, nodes))) => self.result(&last, nodes),
                _ => self.report(&Iteration::default(), 0),
            }
        })
    }

    fn help(&self, state: &mut ThreadState, skip: u32) {
        let mut worker = Worker::new(self.shared, self.settings, state, &self.root);
        worker.deepen(
            self.search.position,
            self.search.limits.depth,
            1,
            skip,
            |_, _| true,
        );
    }

    /// The main thread's search; answers the last iteration and the thread's nodes.
    fn lead(&self, state: &mut ThreadState, mut report: impl FnMut(&Report)) -> (Iteration, u64) {
        let (shared, depth) = (self.shared, self.search.limits.depth);
        let mut worker = Worker::new(shared, self.settings, state, &self.root);
        let mut stability = Stability::default();
        let last = worker.deepen(
            self.search.position,
            depth,
            self.multi_pv,
            0,
            |iteration, nodes| {
                report(&self.report(iteration, nodes));
                let enough = shared
                    .deadline
                    .is_soft_over(stability.time_scale(iteration));
                let settled =
                    shared.deadline.is_clocked() && is_settled(self.search.position, iteration);
                !enough && !settled
            },
        );
        shared.done.store(true, Ordering::Relaxed);
        (last, worker.nodes)
    }

    fn report(&self, iteration: &Iteration, nodes: u64) -> Report {
        let lines = iteration.lines.iter();
        Report {
            depth: iteration.depth,
            seldepth: iteration.seldepth,
            nodes: nodes.max(self.shared.nodes.load(Ordering::Relaxed)),
            time: self.shared.deadline.elapsed(),
            hashfull: self.shared.table.hashfull(),
            lines: lines.map(|line| self.line(line)).collect(),
        }
    }

    /// The final report. A search that was stopped before it knew anything still has a turn.
    fn result(&self, last: &Iteration, nodes: u64) -> Report {
        let mut report = self.report(last, nodes);
        if report.best().is_none()
            && let Some(turn) = self.root.any_turn()
        {
            report.lines = vec![Line {
                score: Score::Centi(0),
                turns: vec![turn],
            }];
        }
        report
    }

    /// Splits the moves of a line into turns; an unfinished one at the end is left out.
    fn line(&self, line: &RootLine) -> Line {
        let mut turns = Vec::new();
        let mut at = self.search.position.clone();
        let (mut turn, mut moves) = (at.turn(), Vec::new());
        for mv in &line.moves {
            moves.push(*mv);
            at.play_unchecked(*mv);
            if at.turn() != turn {
                turn = at.turn();
                turns.push(Turn::new(std::mem::take(&mut moves)));
            }
        }
        if let Some(first) = turns.first_mut() {
            self.root.as_asked(first);
        }
        Line {
            score: Score::of(line.score),
            turns,
        }
    }
}

/// A thread with room for deep recursion, or `None` if the system grants none.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<thread::ScopedJoinHandle<'scope, T>> {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn_scoped(scope, work)
        .ok()
}

/// Whether more time would change nothing: a mate was searched to its end, or there is one move.
fn is_settled(position: &Position, iteration: &Iteration) -> bool {
    let Some(line) = iteration.lines.first() else {
        return true;
    };
    let mated = matches!(Score::of(line.score), Score::Mate(turns)
        if 2 * turns.unsigned_abs() <= iteration.depth);
    mated || iteration.depth == 1 && matches!(position.legal_moves()[..], [mv] if !mv.is_step())
}

/// How far the iterations agree on the best move.
#[derive(Debug, Default)]
struct Stability {
    best: Option<u32>,
    since: i32,
    score: i32,
}

impl Stability {
    /// The factor of the soft limit: above 1 if the best move or its score has just changed,
    /// below if it has stood for some iterations.
    fn time_scale(&mut self, iteration: &Iteration) -> f64 {
        let Some(line) = iteration.lines.first() else {
            return 1.0;
        };
        let best = line.moves.first().map(|mv| mv.bits());
        self.since = if best == self.best { self.since + 1 } else { 0 };
        let fall = (self.score - line.score).clamp(0, STABILITY_FALL_MAX);
        self.best = best;
        self.score = line.score;
        STABILITY_BASE - STABILITY_STEP * f64::from(self.since.min(STABILITY_MAX))
            + f64::from(fall) / f64::from(STABILITY_FALL_MAX)
    }
}
