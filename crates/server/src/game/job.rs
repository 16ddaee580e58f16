//! Work that bots and hints do off the async threads.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::Action;
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

type Run = Box<dyn FnMut(&TimeSlice<'_>) -> Progress<Option<Action>> + Send>;

/// A bot's work for one action: it runs off the async threads and holds what its seat may know.
///
/// ```
/// use convoy_server::{Action, BotJob};
///
/// let job = BotJob::short(|_| Some(Action::new("pass", serde_json::Value::Null)));
/// assert!(job.is_short());
/// ```
pub struct BotJob {
    is_short: bool,
    run: Run,
}

impl fmt::Debug for BotJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotJob")
            .field("is_short", &self.is_short)
            .finish_non_exhaustive()
    }
}

impl BotJob {
    /// Work of a few milliseconds.
    pub fn short(work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        Self::whole(true, work)
    }

    /// Work of up to a second that cannot be interrupted.
    pub fn long(work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        Self::whole(false, work)
    }

    /// Work that pauses when it is asked to.
    pub fn sliced(
        work: impl FnMut(&TimeSlice<'_>) -> Progress<Option<Action>> + Send + 'static,
    ) -> Self {
        Self {
            is_short: false,
            run: Box::new(work),
        }
    }

    fn whole(is_short: bool, work: impl FnOnce(&Stop) -> Option<Action> + Send + 'static) -> Self {
        let mut work = Some(work);
        let run = move |slice: &TimeSlice<'_>| {
            let work = work.take();
            Progress::Done(work.and_then(|work| work(slice.stop())))
        };
        Self {
            is_short,
            run: Box::new(run),
        }
    }

    /// Whether it takes a few milliseconds at most.
    pub const fn is_short(&self) -> bool {
        self.is_short
    }

    /// Runs one slice.
    pub fn run(&mut self, slice: &TimeSlice<'_>) -> Progress<Option<Action>> {
        (self.run)(slice)
    }
}

/// The answer to a question: ready, or to be thought out off the async threads.
pub enum Reply {
    /// Ready.
    Now(Value),
    /// To be thought out; it holds what the asking seat may know.
    Later(Box<dyn FnOnce(&Stop) -> Value + Send>),
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Now(_) => "Now(..)",
            Self::Later(_) => "Later(..)",
        })
    }
}
