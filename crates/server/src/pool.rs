//! A pool of threads that shares itself fairly among clients: bots, hints, analyses, passwords.
//!
//! Threads are the pool's own and few, so that memory stays bounded. A long job runs in slices: when
//! another client's turn has come it is asked to pause, keeps what it knows, and goes on later.

mod cache;
mod schedule;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::game::{Progress, Stop, TimeSlice};
use crate::metric::PoolMetrics;

pub(crate) use cache::Cache;
pub(crate) use schedule::Class;
use schedule::{Push, Schedule};

/// How often it is looked whether a running job must make way.
const TICK: Duration = Duration::from_millis(20);
/// Thinking gives way to sockets and storage where there are fewer cores than threads.
const NICE: i32 = 5;

/// One slice of some work.
pub(crate) type Work = Box<dyn FnMut(&TimeSlice<'_>) -> Progress<()> + Send>;

/// Something to be done, and for whom.
pub(crate) struct Job {
    pub(crate) client: Client,
    pub(crate) class: Class,
    /// Ends the job early; one that still waits is dropped.
    pub(crate) stop: Stop,
    /// Names what the job keeps for its next slice, and for jobs of the same name after it.
    pub(crate) key: String,
    /// One slice of the work. A job that is dropped before it is done was refused.
    pub(crate) work: Work,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("class", &self.class)
            .finish_non_exhaustive()
    }
}

/// How large a pool is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) threads: usize,
    /// Jobs that may wait.
    pub(crate) queue: usize,
    /// Things that are kept for later slices.
    pub(crate) cached: usize,
}

/// A pool. Clones share it; its threads end with the last of them.
#[derive(Debug, Clone)]
pub(crate) struct Pool(Arc<Owner>);

#[derive(Debug)]
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_closed = true;
        for (_, stop) in &state.running {
            stop.stop();
        }
        drop(state.schedule.drain(|_| true));
        self.0.work_came.notify_all();
    }
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    work_came: Condvar,
    cache: Cache,
    metrics: Arc<PoolMetrics>,
}

#[derive(Debug)]
struct State {
    schedule: Schedule<Job>,
    running: Vec<(u64, Stop)>,
    is_closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

impl Pool {
    /// Starts the threads of a pool.
    pub(crate) fn new(name: &str, size: Size, metrics: Arc<PoolMetrics>) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                schedule: Schedule::new(size.queue.max(1)),
                running: Vec::new(),
                is_closed: false,
            }),
            work_came: Condvar::new(),
            cache: Cache::new(size.cached),
            metrics,
        });
        for _ in 0..size.threads.max(1) {
            let shared = Arc::clone(&shared);
            start(name, move || work(&shared));
        }
        let watched = Arc::downgrade(&shared);
        start(name, move || watch(&watched));
        Self(Arc::new(Owner(shared)))
    }

    /// Queues a job. One that there is no room for is dropped, and so may be a job of whoever has
    /// most waiting.
    pub(crate) fn submit(&self, job: Job) {
        let shared = &self.0.0;
        let mut state = shared.state();
        let now = Instant::now();
        let (client, class) = (job.client.clone(), job.class);
        let mut refused = state.schedule.drain(|job| job.stop.is_stopped());
        let displaced = match state.schedule.push(job, &client, class, now) {
            Push::Queued => None,
            Push::Displaced(job) | Push::Full(job) => Some(job),
        };
        if let Some(job) = displaced {
            shared.metrics.of(job.class).refused.inc();
            refused.push(job);
        }
        shared.count_waiting(&state);
        pause_overtaken(&mut state, now);
        drop(state);
        shared.work_came.notify_one();
        // What a job holds may need the pool when it is dropped.
        drop(refused);
    }

    /// Drops waiting jobs that were stopped.
    pub(crate) fn sweep(&self) {
        let mut state = self.0.0.state();
        let unwanted = state.schedule.drain(|job| job.stop.is_stopped());
        self.0.0.count_waiting(&state);
        drop(state);
        drop(unwanted);
    }

    /// Gives up what is kept under this name.
    pub(crate) fn forget(&self, key: &str) {
        self.0.0.cache.forget(key);
    }
}

impl Shared {
    fn count_waiting(&self, state: &State) {
        for class in Class::ALL {
            let waiting = state.schedule.waiting(class);
            self.metrics.of(class).waiting.set(waiting as u64);
        }
    }
}

fn start(name: &str, run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(name.to_owned());
    if let Err(error) = thread.spawn(run) {
        tracing::error!(%error, "a thread of the pool {name} was not started");
    }
}

/// Asks the running job that must make way to pause, if there is one.
fn pause_overtaken(state: &mut State, now: Instant) {
    let overtaken = state.schedule.overtaken(now);
    let running = state.running.iter().find(|(id, _)| Some(*id) == overtaken);
    if let Some((_, stop)) = running {
        stop.pause();
    }
}

/// Looks now and then whether somebody's turn has come while another's job runs on.
fn watch(shared: &Weak<Shared>) {
    loop {
        thread::sleep(TICK);
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut state = shared.state();
        if state.is_closed {
            return;
        }
        if !state.schedule.is_empty() {
            pause_overtaken(&mut state, Instant::now());
        }
    }
}

/// What one thread of the pool does.
fn work(shared: &Shared) {
    // Without the right to it, thinking is as urgent as everything else.
    let _ = rustix::process::setpriority_process(None, NICE);
    let mut state = shared.state();
    while !state.is_closed {
        let Some((ticket, waited, mut job)) = state.schedule.pick(Instant::now()) else {
            state = shared
                .work_came
                .wait(state)
                .expect("no holder of this lock panics");
            continue;
        };
        let is_first = ticket.spent.is_zero();
        state.running.push((ticket.id, job.stop.clone()));
        shared.count_waiting(&state);
        drop(state);
        if is_first {
            shared.metrics.of(job.class).waits.add(waited);
        }
        job.stop.resume();
        let step = if job.stop.is_stopped() && is_first {
            Ok(Progress::Done(()))
        } else {
            let slice = TimeSlice::new(&job.stop, &shared.cache, &job.key);
            // A job that panics was refused; the pool goes on.
            catch_unwind(AssertUnwindSafe(|| (job.work)(&slice)))
        };
        let class = job.class;
        let (again, done) = match step {
            Ok(Progress::Paused) => (Some(job), None),
            Ok(Progress::Done(())) | Err(_) => (None, Some(job)),
        };
        let is_done = done.is_some();
        drop(done);
        state = shared.state();
        state.running.retain(|(id, _)| *id != ticket.id);
        let ended = state.schedule.finish(ticket.id, again, Instant::now());
        if let Some(ended) = ended.filter(|_| is_done) {
            shared.metrics.of(class).times.add(ended.spent);
        }
        shared.count_waiting(&state);
    }
}
