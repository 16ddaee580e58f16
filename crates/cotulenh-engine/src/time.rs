//! When to stop thinking.

use std::time::{Duration, Instant};

/// A side's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What every turn adds.
    pub increment: Duration,
    /// Turns until more time comes, if that is known.
    pub turns_to_go: Option<u32>,
}

/// When to stop thinking; `None` sets no limit.
///
/// ```
/// use cotulenh_engine::Limits;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// In turns ahead.
    pub depth: Option<u32>,
    /// In positions visited.
    pub nodes: Option<u64>,
    /// For this turn.
    pub time: Option<Duration>,
    /// The own clock, of which the engine takes a share.
    pub clock: Option<Clock>,
}

/// What is kept back for the way to the clock, if nothing else is asked for.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(15);

/// The times of one search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    pub(crate) begun: Instant,
    /// Not beyond this, come what may.
    hard: Option<Duration>,
    /// No new iteration beyond this.
    soft: Option<Duration>,
}

impl Deadline {
    pub(crate) fn new(limits: &Limits, overhead: Duration) -> Self {
        let mut deadline = Self {
            begun: Instant::now(),
            hard: limits.time,
            soft: None,
        };
        if let Some(clock) = limits.clock {
            let (soft, hard) = share(&clock, overhead);
            deadline.soft = Some(soft);
            deadline.hard = Some(limits.time.map_or(hard, |time| time.min(hard)));
        }
        deadline
    }

    pub(crate) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.begun.elapsed() >= hard)
    }

    /// Whether time saved now is worth something later.
    pub(crate) const fn is_clocked(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether another iteration is likely to be broken off; `doubt` above 1 where the last ones
    /// disagreed, below where they agreed.
    pub(crate) fn is_enough(&self, doubt: f64) -> bool {
        self.soft
            .is_some_and(|soft| self.begun.elapsed() >= soft.mul_f64(doubt))
    }
}

/// The share of the clock for one turn: to begin no further iteration, and to break one off.
fn share(clock: &Clock, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.left.saturating_sub(overhead);
    let turns = clock.turns_to_go.map_or(30, |turns| turns.clamp(1, 30));
    let even = usable / turns + clock.increment.mul_f64(0.8);
    let most = usable.mul_f64(if turns == 1 { 0.9 } else { 0.35 });
    let hard = (even * 3).min(most).max(Duration::from_millis(1));
    (even.mul_f64(0.6).min(hard), hard)
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
                    let (soft, hard) = share(&clock, OVERHEAD);
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
        let (soft, _) = share(&clock, OVERHEAD);
        assert!(soft > Duration::from_secs(1));
    }
}
