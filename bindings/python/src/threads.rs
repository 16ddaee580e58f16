//! Threads that wait for the next step of a batch.
//!
//! Starting a thread takes as long as stepping dozens of games. These stay awake for a moment after a step, since the next one mostly
//! comes soon, then sleep, and end with their batch. The threads of a process are not copied by a fork: the child starts its own.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use convoy_encode::vector::Crew;

/// How long a thread stays awake after a step: longer than Python takes to ask for the next one, and too short to be noticed otherwise.
const AWAKE: Duration = Duration::from_micros(100);

/// What is to be done. The lifetime is not the true one: see [`Shared::run`].
type Task = &'static (dyn Fn(usize) + Sync);

/// The threads of a batch, the caller's included.
pub(crate) struct Threads {
    size: usize,
    /// Those that have been started.
    started: Mutex<Option<Started>>,
}

struct Started {
    /// The process that they are in.
    process: u32,
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

/// What the threads look at.
#[derive(Default)]
struct Shared {
    slot: Mutex<Slot>,
    wake: Condvar,
    /// [`Slot::number`], to be looked at without the lock.
    number: AtomicU64,
    /// How many of the threads are in the task.
    inside: AtomicUsize,
}

#[derive(Default)]
struct Slot {
    /// The task, while it may be entered.
    task: Option<Task>,
    /// How many tasks there have been.
    number: u64,
    asleep: usize,
    stop: bool,
    /// What a thread panicked with.
    panic: Option<Box<dyn Any + Send>>,
}

impl Threads {
    /// So many; 0 for all cores. They are started when they are needed first.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size: match size {
                0 => thread::available_parallelism().map_or(1, usize::from),
                given => given,
            },
            started: Mutex::new(None),
        }
    }

    /// Ends the threads; the next step starts them again.
    pub(crate) fn rest(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Started>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threads({})", self.size)
    }
}

impl Crew for Threads {
    fn size(&self) -> usize {
        self.size
    }

    fn run(&self, task: &(dyn Fn(usize) + Sync)) {
        if self.size <= 1 {
            return task(0);
        }
        let mut started = self.lock();
        if started
            .as_ref()
            .is_none_or(|threads| threads.process != process::id())
        {
            *started = Some(Started::new(self.size));
        }
        if let Some(threads) = &*started {
            threads.shared.run(task);
        }
    }
}

impl Started {
    fn new(size: usize) -> Self {
        let shared = Arc::new(Shared::default());
        // Where the system gives no more threads, there are fewer: the caller does what they would have done.
        let handles = (1..size).map_while(|number| {
            let shared = Arc::clone(&shared);
            let name = format!("convoy-{number}");
            let thread = thread::Builder::new().name(name);
            thread.spawn(move || shared.serve(number)).ok()
        });
        Self {
            process: process::id(),
            handles: handles.collect(),
            shared,
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let handles = std::mem::take(&mut self.handles);
        if self.process != process::id() {
            // They were left behind in the parent, one perhaps with the lock in its hands.
            std::mem::forget(handles);
            return;
        }
        self.shared.lock().stop = true;
        self.shared.number.fetch_add(1, Ordering::Release);
        self.shared.wake.notify_all();
        for handle in handles {
            // A panic has been told of by the step in which it was.
            let _ = handle.join();
        }
    }
}

/// Closes a task when the caller leaves it, be it by a panic, and waits for the others to leave it too.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().task = None;
        let mut looks = 0_u32;
        while self.0.inside.load(Ordering::Acquire) > 0 {
            looks += 1;
            pause(looks);
        }
    }
}

/// Passes a moment, and now and then the core to whoever needs it.
fn pause(looks: u32) {
    if looks.is_multiple_of(64) {
        thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, task: &(dyn Fn(usize) + Sync)) {
        // SAFETY: the task outlives its use. Threads take it from the slot under the lock and count themselves as inside before they let
        // go of the lock; `Closing` takes it out of the slot and then waits until none is inside, also when the task panics here.
        #[expect(
            unsafe_code,
            reason = "threads that outlive a call cannot borrow from it otherwise"
        )]
        let lasting = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Task>(task) };
        let closing = Closing(self);
        let mut slot = self.lock();
        slot.task = Some(lasting);
        slot.panic = None;
        slot.number += 1;
        self.number.store(slot.number, Ordering::Release);
        if slot.asleep > 0 {
            self.wake.notify_all();
        }
        drop(slot);
        task(0);
        drop(closing);
        let panic = self.lock().panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// What a thread does until it is told to stop.
    fn serve(&self, thread: usize) {
        let mut last = 0;
        while let Some(task) = self.next(&mut last) {
            let done = task.map_or(Ok(()), |task| {
                catch_unwind(AssertUnwindSafe(|| task(thread)))
            });
            if let Err(panic) = done {
                self.lock().panic = Some(panic);
            }
            if task.is_some() {
                self.inside.fetch_sub(1, Ordering::Release);
            }
        }
    }

    /// Waits for another task than the last one and enters it, unless it is closed already; `None` if the thread shall stop.
    #[allow(
        clippy::option_option,
        reason = "to stop is not the same as to have come late"
    )]
    fn next(&self, last: &mut u64) -> Option<Option<Task>> {
        let (begun, mut looks) = (Instant::now(), 0_u32);
        while self.number.load(Ordering::Acquire) == *last
            && (!looks.is_multiple_of(64) || begun.elapsed() < AWAKE)
        {
            looks += 1;
            pause(looks);
        }
        let mut slot = self.lock();
        while slot.number == *last && !slot.stop {
            slot.asleep += 1;
            slot = self.wake.wait(slot).unwrap_or_else(PoisonError::into_inner);
            slot.asleep -= 1;
        }
        if slot.stop {
            return None;
        }
        *last = slot.number;
        if slot.task.is_some() {
            self.inside.fetch_add(1, Ordering::Relaxed);
        }
        Some(slot.task)
    }
}
