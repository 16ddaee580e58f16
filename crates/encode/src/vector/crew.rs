//! The threads of a batch, and how its games are shared out among them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::StepError;

/// Threads that step the games of a batch together.
///
/// [`Scoped`] starts them anew for every call. A program that steps small batches many thousand times a second may bring threads that
/// wait for the next call.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use convoy_encode::vector::{Crew, Scoped};
/// let calls = AtomicUsize::new(0);
/// Scoped::new(3).run(&|_| {
///     calls.fetch_add(1, Ordering::Relaxed);
/// });
/// assert_eq!(calls.into_inner(), 3);
/// ```
pub trait Crew: fmt::Debug + Send + Sync {
    /// How many threads there are, the caller's included.
    fn size(&self) -> usize;

    /// Calls `task` with 0 on the caller's thread, and with each of the numbers up to the size once at most on other threads; returns
    /// when no thread is in it any more. The task gets done by whoever comes, so there is no need to wait for those who come late.
    fn run(&self, task: &(dyn Fn(usize) + Sync));
}

/// Threads that live no longer than a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scoped {
    size: usize,
}

impl Scoped {
    /// So many; 0 for all cores.
    pub fn new(size: usize) -> Self {
        Self {
            size: match size {
                0 => thread::available_parallelism().map_or(1, usize::from),
                given => given,
            },
        }
    }
}

impl Crew for Scoped {
    fn size(&self) -> usize {
        self.size
    }

    fn run(&self, task: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            for number in 1..self.size {
                scope.spawn(move || task(number));
            }
            task(0);
        });
    }
}

/// The fewest games of a part: stepping them takes longer than taking the part.
const FEWEST: usize = 4;

/// How the games of a batch are cut into parts. Every thread has a run of parts of its own, the same in every call, so that games stay in
/// the cache of one core; whoever is done with them helps the others. The parts of a run become smaller and smaller, so that there are few
/// of them and yet little to wait for at the end.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The games of each part.
    sizes: Vec<usize>,
    /// The first part of each thread, and the end.
    runs: Vec<usize>,
}

impl Plan {
    pub(super) fn new(games: usize, crew: &dyn Crew) -> Self {
        let threads = crew.size().max(1);
        let (mut sizes, mut runs) = (Vec::new(), vec![0]);
        for thread in 0..threads {
            let mut left = (thread + 1) * games / threads - thread * games / threads;
            while left > 0 {
                // With one thread nobody helps.
                let size = match left.div_ceil(2) {
                    half if threads > 1 && half >= FEWEST => half,
                    _ => left,
                };
                sizes.push(size);
                left -= size;
            }
            runs.push(sizes.len());
        }
        Self { sizes, runs }
    }

    /// The number of the first game and how many there are, for each part.
    pub(super) fn parts(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let mut next = 0;
        self.sizes.iter().map(move |size| {
            next += size;
            (next - size, *size)
        })
    }
}

/// Which parts have been taken.
struct Turns<'a> {
    next: Vec<Line>,
    plan: &'a Plan,
}

/// On a cache line of its own, since threads count at the same time.
#[repr(align(128))]
struct Line(AtomicUsize);

impl<'a> Turns<'a> {
    fn new(plan: &'a Plan) -> Self {
        let firsts = plan.runs.iter().skip(1).zip(&plan.runs);
        Self {
            next: firsts
                .map(|(_, first)| Line(AtomicUsize::new(*first)))
                .collect(),
            plan,
        }
    }

    /// Takes parts for a thread until none is left.
    fn each(&self, thread: usize, mut run: impl FnMut(usize)) {
        let threads = self.next.len();
        for owner in (thread..threads).chain(0..thread.min(threads)) {
            let (next, end) = (&self.next[owner].0, self.plan.runs[owner + 1]);
            // A look comes first: the count would pass from core to core otherwise.
            while next.load(Ordering::Relaxed) < end {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= end {
                    break;
                }
                run(part);
            }
        }
    }
}

/// How far the checks have come. All threads wait here until every part is checked.
struct Checks<'a> {
    turns: Turns<'a>,
    left: AtomicUsize,
    failed: AtomicBool,
    first: Mutex<Option<StepError>>,
}

/// Counts a part as checked, and as refused if the check did not come back.
struct Checked<'a>(&'a Checks<'a>);

impl Drop for Checked<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
        self.0.left.fetch_sub(1, Ordering::Release);
    }
}

impl Checks<'_> {
    /// Notes why a part is refused; the first game of all is the one that is told of.
    fn refuse(&self, why: StepError) {
        self.failed.store(true, Ordering::Relaxed);
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none_or(|other| why.game() < other.game()) {
            *first = Some(why);
        }
    }

    /// Waits for the other threads; whether all parts are as they should be.
    fn passed(&self) -> bool {
        let mut looks = 0;
        while self.left.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks % 64 == 0 {
                thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        !self.failed.load(Ordering::Relaxed)
    }
}

/// Checks the jobs of all parts and, if none is refused, runs them all.
pub(super) fn check_and_run<J: Send>(
    crew: &dyn Crew,
    plan: &Plan,
    jobs: &[Mutex<Option<J>>],
    check: impl Fn(&J) -> Result<(), StepError> + Sync,
    run: impl Fn(J) + Sync,
) -> Result<(), StepError> {
    let checks = Checks {
        turns: Turns::new(plan),
        left: AtomicUsize::new(jobs.len()),
        failed: AtomicBool::new(false),
        first: Mutex::new(None),
    };
    let turns = Turns::new(plan);
    crew.run(&|thread| {
        checks.turns.each(thread, |part| {
            let _checked = Checked(&checks);
            let job = jobs[part].lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(Err(why)) = job.as_ref().map(&check) {
                checks.refuse(why);
            }
        });
        if checks.passed() {
            turns.each(thread, |part| take(&jobs[part], &run));
        }
    });
    let first = checks.first.into_inner();
    first
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

/// Runs the jobs of all parts.
pub(super) fn run_all<J: Send>(
    crew: &dyn Crew,
    plan: &Plan,
    jobs: &[Mutex<Option<J>>],
    run: impl Fn(J) + Sync,
) {
    let turns = Turns::new(plan);
    crew.run(&|thread| turns.each(thread, |part| take(&jobs[part], &run)));
}

/// Runs a job. Only one thread comes for it, so the lock is never waited for.
fn take<J>(job: &Mutex<Option<J>>, run: impl Fn(J)) {
    let job = job.lock().unwrap_or_else(PoisonError::into_inner).take();
    job.into_iter().for_each(run);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls the task on this thread only, as if all others came too late.
    #[derive(Debug)]
    struct Alone(usize);

    impl Crew for Alone {
        fn size(&self) -> usize {
            self.0
        }

        fn run(&self, task: &(dyn Fn(usize) + Sync)) {
            task(0);
        }
    }

    fn crews() -> [Box<dyn Crew>; 4] {
        [
            Box::new(Scoped::new(1)),
            Box::new(Scoped::new(3)),
            Box::new(Alone(1)),
            Box::new(Alone(5)),
        ]
    }

    fn count(game: usize) -> StepError {
        let reason = crate::IllegalAction {
            action: 0,
            legal: 0,
        };
        StepError::Illegal { game, reason }
    }

    fn jobs(plan: &Plan) -> Vec<Mutex<Option<(usize, usize)>>> {
        plan.parts().map(|part| Mutex::new(Some(part))).collect()
    }

    #[test]
    fn every_game_is_run_once_by_whoever_comes() {
        for crew in crews() {
            for games in [0, 1, 2, 3, 7, 100] {
                let plan = Plan::new(games, &*crew);
                let runs: Vec<AtomicUsize> = (0..games).map(|_| AtomicUsize::new(0)).collect();
                let run = |(first, len)| {
                    for runs in &runs[first..][..len] {
                        runs.fetch_add(1, Ordering::Relaxed);
                    }
                };
                run_all(&*crew, &plan, &jobs(&plan), run);
                check_and_run(&*crew, &plan, &jobs(&plan), |_| Ok(()), run).expect("no objection");
                assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 2));
            }
        }
    }

    #[test]
    fn one_refusal_stops_all_and_the_first_is_told() {
        for crew in crews() {
            let (plan, runs) = (Plan::new(100, &*crew), AtomicUsize::new(0));
            let refused = check_and_run(
                &*crew,
                &plan,
                &jobs(&plan),
                |(first, len)| {
                    let mut games = *first..first + len;
                    games
                        .find(|game| game % 40 == 39)
                        .map_or(Ok(()), |game| Err(count(game)))
                },
                |_| {
                    runs.fetch_add(1, Ordering::Relaxed);
                },
            );
            assert_eq!((refused, runs.into_inner()), (Err(count(39)), 0));
        }
    }

    #[test]
    fn the_parts_of_a_thread_become_smaller() {
        let plan = Plan::new(70, &Scoped::new(2));
        assert_eq!(plan.sizes, [18, 9, 4, 4, 18, 9, 4, 4]);
        assert_eq!(plan.runs, [0, 4, 8]);
        assert_eq!(Plan::new(70, &Scoped::new(1)).sizes, [70]);
        assert_eq!(Plan::new(3, &Scoped::new(2)).sizes, [1, 2]);
    }
}
