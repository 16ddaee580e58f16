//! Work that bots and hints do off the async threads.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::{Action, EngineTask, Tell};
use crate::pool::Cache;

/// Tells a thinking player to come to an end, or to pause.
///
/// ```
/// use convoy_server::Stop;
///
/// let stop = Stop::default();
/// let shared = stop.clone();
/// shared.stop();
/// assert!(stop.is_stopped());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// What a search looks at: set for an end as well as for a pause.
    flag: Arc<AtomicBool>,
    is_final: Arc<AtomicBool>,
}

impl Stop {
    /// Asks for the end.
    pub fn stop(&self) {
        self.is_final.store(true, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Asks for a pause.
    pub fn pause(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Takes back that a pause was asked for.
    pub(crate) fn resume(&self) {
        self.flag.store(false, Ordering::SeqCst);
        // Whoever asked for the end meanwhile is not forgotten.
        if self.is_stopped() {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the end was asked for.
    pub fn is_stopped(&self) -> bool {
        self.is_final.load(Ordering::SeqCst)
    }

    /// Whether a pause was asked for, and not the end.
    pub fn is_paused(&self) -> bool {
        self.flag.load(Ordering::SeqCst) && !self.is_stopped()
    }

    /// The flag itself, for players that take one.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

/// One turn of a job in the pool.
#[derive(Debug)]
pub struct TimeSlice<'a> {
    stop: &'a Stop,
    cache: &'a Cache,
    key: &'a str,
}

impl<'a> TimeSlice<'a> {
    pub(crate) const fn new(stop: &'a Stop, cache: &'a Cache, key: &'a str) -> Self {
        Self { stop, cache, key }
    }

    /// Tells when to pause or to end.
    pub const fn stop(&self) -> &Stop {
        self.stop
    }

    /// Takes what an earlier slice has kept, or an earlier job of the same seat; it may have been
    /// given up in the meantime.
    pub fn take<T: Any>(&self) -> Option<T> {
        self.cache.take(self.key)
    }

    /// Keeps something for later slices and jobs of the same seat.
    pub fn keep(&self, value: impl Any + Send) {
        self.cache.put(self.key, value);
    }
}

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<T> {
    /// It is done.
    Done(T),
    /// It was asked to pause and wants to go on later.
    Paused,
}

type Run = Box<dyn FnMut(&TimeSlice<'_>) -> Option<Action> + Send>;

/// A bot's work for one action: it runs off the async threads and holds what its seat may know.
///
/// ```
/// use convoy_server::{Action, BotJob};
///
/// let job = BotJob::short(|_| Some(Action::new("pass", serde_json::Value::Null)));
/// assert!(job.is_short());
/// ```
pub struct BotJob(Work);

enum Work {
    /// Done in this process: sending it elsewhere would take longer.
    Short(Run),
    /// Done here or by a worker.
    Engine(Box<dyn EngineTask>),
}

impl fmt::Debug for BotJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotJob")
            .field("is_short", &self.is_short())
            .finish_non_exhaustive()
    }
}

impl BotJob {
    /// Work of a few milliseconds.
    pub fn short(work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        let mut work = Some(work);
        let run = move |slice: &TimeSlice<'_>| work.take().and_then(|work| work(slice.stop()));
        Self(Work::Short(Box::new(run)))
    }

    /// Work that takes longer.
    pub(crate) fn engine(task: impl EngineTask + 'static) -> Self {
        Self(Work::Engine(Box::new(task)))
    }

    /// Whether it takes a few milliseconds at most.
    pub const fn is_short(&self) -> bool {
        matches!(self.0, Work::Short(_))
    }

    /// What a worker can do of it.
    pub(crate) fn engine_task(&mut self) -> Option<&mut dyn EngineTask> {
        match &mut self.0 {
            Work::Short(_) => None,
            Work::Engine(task) => Some(&mut **task),
        }
    }

    /// Runs one slice, and tells what is found on the way.
    pub(crate) fn run(
        &mut self,
        slice: &TimeSlice<'_>,
        tell: Tell<'_>,
    ) -> Progress<Option<Action>> {
        match &mut self.0 {
            Work::Short(run) => Progress::Done(run(slice)),
            Work::Engine(task) => task.run(slice, tell),
        }
    }
}

/// The answer to a question: ready, or to be thought out off the async threads.
#[derive(Debug)]
pub enum Reply {
    /// Ready.
    Now(Value),
    /// To be thought out; it holds what the asking seat may know. The answer is what belongs to the
    /// action.
    Later(BotJob),
}
