//! A pool of threads that shares itself fairly among clients: bots, hints, analyses, passwords, questions about the
//! rules, pictures.
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

use tokio::sync::oneshot;

use crate::client::Client;
use crate::game::{Progress, Stop, TimeSlice};
use crate::metric::PoolMetrics;
use crate::refusal::Refusal;

pub(crate) use cache::Cache;
pub(crate) use schedule::Class;
use schedule::{Push, Schedule, Takes};

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
    /// Whether one more thread does what is short, so that it waits for no long job that cannot be interrupted.
    pub(crate) has_short_thread: bool,
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
        let run = |takes: Takes| {
            let shared = Arc::clone(&shared);
            start(name, move || work(&shared, takes));
        };
        for _ in 0..size.threads.max(1) {
            run(Takes::All);
        }
        if size.has_short_thread {
            run(Takes::Short);
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
        // Not every thread takes every job.
        shared.work_came.notify_all();
        // What a job holds may need the pool when it is dropped.
        drop(refused);
    }

    /// Runs some short work in its turn and answers what comes of it; refused where there is no room for it. Whoever no
    /// longer waits gives up the place in the queue.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        class: Class,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        let mut work = Some((work, reply));
        let waiting = Waiting(Stop::default());
        self.submit(Job {
            client,
            class,
            stop: waiting.0.clone(),
            key: String::new(),
            work: Box::new(move |_| {
                if let Some((work, reply)) = work.take() {
                    // Whoever asked may have gone.
                    let _ = reply.send(work());
                }
                Progress::Done(())
            }),
        });
        answer.await.map_err(|_| Refusal::Busy)
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

/// Somebody who waits for what comes of a job.
struct Waiting(Stop);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.stop();
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
fn work(shared: &Shared, takes: Takes) {
    // Without the right to it, thinking is as urgent as everything else.
    let _ = rustix::process::setpriority_process(None, NICE);
    let mut state = shared.state();
    while !state.is_closed {
        let Some((ticket, waited, mut job)) = state.schedule.pick(takes, Instant::now()) else {
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

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::mpsc;

    use super::*;
    use crate::id::PlayerId;

    fn client(host: u8) -> Client {
        Client {
            session: PlayerId::random(),
            network: Some(IpAddr::from([192, 0, 2, host]).into()),
        }
    }

    fn pool(queue: usize) -> Pool {
        let size = Size {
            threads: 1,
            has_short_thread: false,
            queue,
            cached: 0,
        };
        Pool::new("test", size, Arc::default())
    }

    /// A job that runs until it is let go.
    struct Held {
        begun: mpsc::Receiver<()>,
        gate: mpsc::Sender<()>,
        done: tokio::task::JoinHandle<Result<u8, Refusal>>,
    }

    fn hold(pool: &Pool, of: Client) -> Held {
        hold_as(pool, of, Class::Short)
    }

    fn hold_as(pool: &Pool, of: Client, class: Class) -> Held {
        let (tell, begun) = mpsc::channel();
        let (gate, closed) = mpsc::channel::<()>();
        let pool = pool.clone();
        let work = move || {
            tell.send(()).unwrap();
            closed.recv().unwrap();
            0
        };
        let done = tokio::spawn(async move { pool.run(of, class, work).await });
        Held { begun, gate, done }
    }

    async fn until_waiting(pool: &Pool, count: u64) {
        while pool.0.0.metrics.of(Class::Short).waiting.get() != count {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_question_waits_for_no_flood_of_questions() {
        let pool = pool(3);
        let (flood, ann) = (client(1), client(2));
        let held = hold(&pool, flood.clone());
        held.begun.recv().unwrap();
        let (tell, order) = mpsc::channel();
        let ask = |of: &Client, number: u8| {
            let (pool, of, tell) = (pool.clone(), of.clone(), tell.clone());
            let work = move || tell.send(number).map(|()| number);
            tokio::spawn(async move { pool.run(of, Class::Short, work).await })
        };
        let mut asked = Vec::new();
        for number in 1..=3 {
            asked.push(ask(&flood, number));
            until_waiting(&pool, u64::from(number)).await;
        }
        // There is no room for more of the flood, and some for somebody else.
        assert_eq!(ask(&flood, 4).await.unwrap(), Err(Refusal::Busy));
        let own = ask(&ann, 9);
        assert_eq!(asked.pop().unwrap().await.unwrap(), Err(Refusal::Busy));
        held.gate.send(()).unwrap();
        assert_eq!(held.done.await.unwrap(), Ok(0));
        assert_eq!(own.await.unwrap(), Ok(Ok(9)));
        for (number, asked) in (1..).zip(asked) {
            assert_eq!(asked.await.unwrap(), Ok(Ok(number)));
        }
        assert_eq!(order.try_iter().collect::<Vec<u8>>(), [9, 1, 2]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_short_waits_for_nothing_that_cannot_be_interrupted() {
        let size = Size {
            threads: 1,
            has_short_thread: true,
            queue: 3,
            cached: 0,
        };
        let pool = Pool::new("test", size, Arc::default());
        let long = hold_as(&pool, client(1), Class::Move);
        long.begun.recv().unwrap();
        let next = hold_as(&pool, client(2), Class::Move);
        assert_eq!(pool.run(client(3), Class::Short, || 7).await, Ok(7));
        // The thread that did it takes nothing else.
        assert!(next.begun.try_recv().is_err());
        long.gate.send(()).unwrap();
        next.begun.recv().unwrap();
        next.gate.send(()).unwrap();
        assert_eq!(next.done.await.unwrap(), Ok(0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_no_longer_waits_gives_up_the_place() {
        let pool = pool(1);
        let held = hold(&pool, client(1));
        held.begun.recv().unwrap();
        let gone = hold(&pool, client(2));
        until_waiting(&pool, 1).await;
        gone.done.abort();
        assert!(gone.done.await.is_err());
        let next = hold(&pool, client(3));
        held.gate.send(()).unwrap();
        next.begun.recv().unwrap();
        next.gate.send(()).unwrap();
        assert_eq!(next.done.await.unwrap(), Ok(0));
        assert!(gone.begun.recv().is_err(), "it never ran");
    }

    #[tokio::test]
    async fn work_that_panics_is_a_refusal_and_the_pool_goes_on() {
        let pool = pool(1);
        let panics = || panic!("on purpose");
        let run = pool.run(client(1), Class::Short, panics);
        assert_eq!(run.await, Err::<(), _>(Refusal::Busy));
        assert_eq!(pool.run(client(1), Class::Short, || 7).await, Ok(7));
    }
}
