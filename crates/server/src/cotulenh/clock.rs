//! Two clocks of one game, on monotonic time.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::game::Seat;

/// How much time each side has.
///
/// ```
/// use std::time::Duration;
/// use convoy_server::TimeControl;
///
/// let control = TimeControl { initial: 300_000, increment: 3_000 };
/// assert_eq!(control.to_string(), "5+3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Milliseconds at the start.
    pub initial: u64,
    /// Milliseconds that a turn adds.
    pub increment: u64,
}

impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (minutes, seconds) = (self.initial / 60_000, self.initial / 1000 % 60);
        match seconds {
            0 => write!(f, "{minutes}")?,
            _ => write!(f, "{minutes}:{seconds:02}")?,
        }
        write!(f, "+{}", self.increment / 1000)
    }
}

/// How much lag is credited in a turn, and in a game. A longer hole runs on one's own clock, and a
/// client that only pretends to lag gains no more than this.
const CREDIT_PER_TURN: Duration = Duration::from_secs(1);
const CREDIT_PER_GAME: Duration = Duration::from_secs(5);

/// The clocks of a game.
///
/// A side's clock runs from its second turn on, so that nobody loses while reading the rules. A
/// clock that is rebuilt from the storage is paused until the table is told to resume.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    control: TimeControl,
    left: [Duration; 2],
    turn: Option<Seat>,
    since: Option<Instant>,
    /// The longest lag of the side to move in this turn.
    lag: Duration,
    /// What each side may still be credited in this game.
    credit_left: [Duration; 2],
}

impl Clock {
    pub(crate) fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: [Duration::from_millis(control.initial); 2],
            turn: None,
            since: None,
            lag: Duration::ZERO,
            credit_left: [CREDIT_PER_GAME; 2],
        }
    }

    pub(crate) const fn control(&self) -> TimeControl {
        self.control
    }

    /// What `seat` has left at `now`.
    pub(crate) fn left(&self, seat: Seat, now: Instant) -> Duration {
        let left = self.left[usize::from(seat & 1)];
        match (self.turn, self.since) {
            (Some(turn), Some(since)) if turn == seat => {
                let spent = now.saturating_duration_since(since);
                left.saturating_sub(spent.saturating_sub(self.most_credit(seat)))
            }
            _ => left,
        }
    }

    /// What `seat` is credited of the turn at most, as far as its lag is known.
    fn most_credit(&self, seat: Seat) -> Duration {
        let left = self.credit_left[usize::from(seat & 1)];
        self.lag.min(CREDIT_PER_TURN).min(left)
    }

    /// The lag that `seat` is credited for the turn at `now`, in milliseconds: no more than the turn
    /// has taken.
    pub(crate) fn credit(&self, seat: Seat, now: Instant) -> u64 {
        match (self.turn, self.since) {
            (Some(turn), Some(since)) if turn == seat => {
                let spent = now.saturating_duration_since(since);
                milliseconds(self.most_credit(seat).min(spent))
            }
            _ => 0,
        }
    }

    /// Notes the lag of the side whose time runs.
    pub(crate) fn note_lag(&mut self, lag: Duration) {
        if self.since.is_some() {
            self.lag = self.lag.max(lag);
        }
    }

    /// Takes what was credited to `seat` off what it may still be credited.
    pub(crate) fn use_credit(&mut self, seat: Seat, lag: u64) {
        let left = &mut self.credit_left[usize::from(seat & 1)];
        *left = left.saturating_sub(Duration::from_millis(lag));
    }

    /// What both may still be credited in this game, in milliseconds.
    pub(crate) fn credit_left(&self) -> [u64; 2] {
        self.credit_left.map(milliseconds)
    }

    /// What both have left at `now`, in milliseconds.
    pub(crate) fn both(&self, now: Instant) -> [u64; 2] {
        [0, 1].map(|seat| milliseconds(self.left(seat, now)))
    }

    /// What both would have once `seat` has moved at `now`; `timed` if its clock was running.
    pub(crate) fn after_turn(&self, seat: Seat, timed: bool, now: Instant) -> [u64; 2] {
        let mut left = self.both(now);
        if timed {
            left[usize::from(seat & 1)] += self.control.increment;
        }
        left
    }

    /// Sets what is left, and whose time runs from `now` on; without a time it stands.
    pub(crate) fn set(&mut self, left: [u64; 2], turn: Option<Seat>, now: Option<Instant>) {
        self.left = left.map(Duration::from_millis);
        self.turn = turn;
        self.since = now.filter(|_| turn.is_some());
        self.lag = Duration::ZERO;
    }

    /// Lets a clock that stands run.
    pub(crate) fn resume(&mut self, now: Instant) {
        if self.turn.is_some() && self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Nobody's time runs any more.
    pub(crate) fn stop(&mut self) {
        (self.turn, self.since) = (None, None);
    }

    /// Whose time runs, or would if it were not paused.
    pub(crate) const fn running(&self) -> Option<Seat> {
        self.turn
    }

    /// Whether it waits for players to come back.
    pub(crate) const fn is_paused(&self) -> bool {
        self.turn.is_some() && self.since.is_none()
    }

    /// When the flag falls.
    pub(crate) fn falls(&self) -> Option<Instant> {
        let (turn, since) = (self.turn?, self.since?);
        Some(since + self.left[usize::from(turn & 1)] + self.most_credit(turn))
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: TimeControl = TimeControl {
        initial: 10_000,
        increment: 2_000,
    };

    #[tokio::test(start_paused = true)]
    async fn time_runs_for_one_side_and_a_turn_adds() {
        let mut clock = Clock::new(CONTROL);
        let start = Instant::now();
        clock.set([10_000, 10_000], Some(1), Some(start));
        assert_eq!(clock.falls(), Some(start + Duration::from_secs(10)));
        let later = start + Duration::from_secs(3);
        assert_eq!(clock.both(later), [10_000, 7_000]);
        let left = clock.after_turn(1, true, later);
        assert_eq!(left, [10_000, 9_000]);
        clock.set(left, Some(0), Some(later));
        assert_eq!(clock.both(later + Duration::from_mins(1)), [0, 9_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn lag_is_credited_up_to_a_second_a_turn_and_five_a_game() {
        let (start, ms) = (Instant::now(), Duration::from_millis);
        let mut clock = Clock::new(CONTROL);
        clock.set([10_000, 10_000], Some(0), Some(start));
        // Nobody gains: what a turn has not taken is not credited.
        clock.note_lag(ms(400));
        assert_eq!(clock.credit(0, start + ms(100)), 100);
        assert_eq!(clock.both(start + ms(100)), [10_000, 10_000]);
        assert_eq!(clock.both(start + ms(2_400)), [8_000, 10_000]);
        // The longest lag of the turn counts, and the flag falls later by it.
        clock.note_lag(ms(100));
        assert_eq!(clock.falls(), Some(start + ms(10_400)));
        // A long hole is one's own, but for a second.
        clock.note_lag(ms(20_000));
        assert_eq!(clock.falls(), Some(start + ms(11_000)));
        assert_eq!(clock.credit(0, start + ms(4_000)), 1_000);
        assert_eq!(
            clock.after_turn(0, true, start + ms(4_000)),
            [9_000, 10_000]
        );
        assert_eq!(
            clock.credit(1, start + ms(4_000)),
            0,
            "it is not blue's turn"
        );
        // Another turn begins without lag, and after five seconds no more is given.
        for used in 1..=6 {
            clock.use_credit(0, clock.credit(0, start + ms(4_000)));
            clock.set([10_000, 10_000], Some(0), Some(start));
            assert_eq!(clock.credit(0, start + ms(4_000)), 0);
            let left = 5_u64.saturating_sub(used) * 1_000;
            assert_eq!(clock.credit_left(), [left, 5_000]);
            clock.note_lag(ms(3_000));
        }
        assert_eq!(clock.falls(), Some(start + ms(10_000)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_rebuilt_clock_stands_until_it_is_resumed() {
        let mut clock = Clock::new(CONTROL);
        clock.set([4_000, 5_000], Some(0), None);
        let now = Instant::now() + Duration::from_secs(100);
        assert!(clock.is_paused());
        assert_eq!((clock.both(now), clock.falls()), ([4_000, 5_000], None));
        clock.resume(now);
        clock.resume(now + Duration::from_secs(1));
        assert_eq!(clock.both(now + Duration::from_secs(1)), [3_000, 5_000]);
    }
}
