//! Limits, clocks and time management.

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::params::{
    TIME_HARD_FACTOR, TIME_HARD_SHARE, TIME_INCREMENT, TIME_LAST_TURN_SHARE, TIME_SOFT_FACTOR,
    TIME_TURNS,
};

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The increment for every turn.
    pub increment: Duration,
    /// Turns until the next time control, if that is known.
    pub turns_to_go: Option<u32>,
}

/// When a search ends; `None` sets no limit. The first limit that is reached counts.
///
/// ```
/// use cotulenh_engine::Limits;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// assert_eq!(limits.nodes, None);
/// assert_eq!(Limits::nodes(500).nodes, Some(500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Depth in whole turns.
    pub depth: Option<u32>,
    /// Nodes: positions visited.
    pub nodes: Option<u64>,
    /// Time for this turn.
    pub time: Option<Duration>,
    /// The clock of the side to move: the engine decides how much of it this turn is worth.
    pub clock: Option<Clock>,
}

impl Limits {
    /// A number of nodes and nothing else: on one thread the same search every time.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            depth: None,
            nodes: Some(nodes),
            time: None,
            clock: None,
        }
    }

    /// A depth and nothing else.
    pub const fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            nodes: None,
            time: None,
            clock: None,
        }
    }

    /// A time for this turn and nothing else.
    pub const fn time(time: Duration) -> Self {
        Self {
            depth: None,
            nodes: None,
            time: Some(time),
            clock: None,
        }
    }

    /// A clock and nothing else.
    pub const fn clock(clock: Clock) -> Self {
        Self {
            depth: None,
            nodes: None,
            time: None,
            clock: Some(clock),
        }
    }

    /// Whether nothing is limited: such a search ends when it is stopped.
    pub const fn is_infinite(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.time.is_none() && self.clock.is_none()
    }
}

/// Where an engine reads the time. [`SystemTimer`] serves wherever the standard library has a
/// clock; elsewhere, as on `wasm32-unknown-unknown`, the host lends its own.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
/// use cotulenh::Position;
/// use cotulenh_engine::{Engine, Limits, Options, Search, Timer};
///
/// /// A clock that is one millisecond later whenever it is read.
/// #[derive(Debug, Default)]
/// struct Ticking(AtomicU64);
///
/// impl Timer for Ticking {
///     fn now(&self) -> Duration {
///         Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
///     }
/// }
///
/// let mut engine = Engine::new(Options::default());
/// engine.set_timer(Arc::new(Ticking::default()));
/// let start = Position::start();
/// let search = Search::new(&start).limits(Limits::time(Duration::from_millis(20)));
/// assert!(engine.analyse(&search, |_| {}).nodes < 20 * 256 + 1);
/// ```
pub trait Timer: fmt::Debug + Send + Sync {
    /// The time since a moment that stays the same; it never goes back.
    fn now(&self) -> Duration;
}

/// The monotonic clock of the standard library.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemTimer;

impl Timer for SystemTimer {
    fn now(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// What is kept back of a clock for the way to it, unless the options say otherwise.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(15);

/// The time limits of one search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline<'a> {
    timer: &'a dyn Timer,
    start: Duration,
    /// The search is stopped here.
    hard: Option<Duration>,
    /// No new iteration begins after this.
    soft: Option<Duration>,
}

impl<'a> Deadline<'a> {
    pub(crate) fn new(timer: &'a dyn Timer, limits: &Limits, overhead: Duration) -> Self {
        let mut deadline = Self {
            timer,
            start: timer.now(),
            hard: limits.time,
            soft: None,
        };
        if let Some(clock) = limits.clock {
            let (soft, hard) = allocate(&clock, overhead);
            deadline.soft = Some(soft);
            deadline.hard = Some(limits.time.map_or(hard, |time| time.min(hard)));
        }
        deadline
    }

    /// The time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.timer.now().saturating_sub(self.start)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether time saved now can be used later.
    pub(crate) const fn is_clocked(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether the soft limit, scaled, has passed: another iteration would hardly be finished.
    pub(crate) fn is_soft_over(&self, scale: f64) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed() >= soft.mul_f64(scale))
    }
}

/// The soft and the hard limit of one turn on a clock.
fn allocate(clock: &Clock, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.left.saturating_sub(overhead);
    let turns = clock
        .turns_to_go
        .map_or(TIME_TURNS, |turns| turns.clamp(1, TIME_TURNS));
    let even = usable / turns + clock.increment.mul_f64(TIME_INCREMENT);
    let most = usable.mul_f64(if turns == 1 {
        TIME_LAST_TURN_SHARE
    } else {
        TIME_HARD_SHARE
    });
    let hard = (even * TIME_HARD_FACTOR)
        .min(most)
        .max(Duration::from_millis(1));
    (even.mul_f64(TIME_SOFT_FACTOR).min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::duration_suboptimal_units, reason = "all in one unit")]
    #[test]
    fn no_clock_is_overdrawn() {
        for left in [0, 1, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 30_000] {
                for turns_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = Clock {
                        left: Duration::from_millis(left),
                        increment: Duration::from_millis(increment),
                        turns_to_go,
                    };
                    let (soft, hard) = allocate(&clock, OVERHEAD);
                    assert!(soft <= hard);
                    assert!(
                        hard <= clock.left.max(Duration::from_millis(1)),
                        "{clock:?}"
                    );
                }
            }
        }
    }

    #[allow(clippy::duration_suboptimal_units, reason = "all in one unit")]
    #[test]
    fn the_increment_is_used() {
        let clock = Clock {
            left: Duration::from_mins(1),
            increment: Duration::from_secs(2),
            turns_to_go: None,
        };
        let (soft, _) = allocate(&clock, OVERHEAD);
        assert!(soft > Duration::from_secs(1));
    }
}
