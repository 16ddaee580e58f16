//! How long a frame takes to a client and back, as the server measures it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

#[derive(Debug, Default)]
struct Beat {
    /// The number of the last ping.
    number: u64,
    /// When it was sent, while its answer has not come.
    asked: Option<Instant>,
    round_trip: Duration,
}

/// The pings of one socket and their answers, shared with the table that the socket attends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heartbeat(Arc<Mutex<Beat>>);

impl Heartbeat {
    /// The data of a ping that is sent now. While one has no answer, it is the same again: its time
    /// goes on.
    pub(super) fn ask(&self, now: Instant) -> [u8; 8] {
        let mut beat = self.0.lock().expect("no holder of this lock panics");
        if beat.asked.is_none() {
            beat.number += 1;
            beat.asked = Some(now);
        }
        beat.number.to_be_bytes()
    }

    /// Takes the answer to the last ping; any other means nothing.
    pub(super) fn answered(&self, data: &[u8], now: Instant) {
        let mut beat = self.0.lock().expect("no holder of this lock panics");
        if let Some(asked) = beat.asked
            && data == beat.number.to_be_bytes()
        {
            beat.round_trip = now.saturating_duration_since(asked);
            beat.asked = None;
        }
    }

    /// Takes what the node of the socket has measured, where that is another one.
    pub(crate) fn note(&self, lag: Duration) {
        let mut beat = self.0.lock().expect("no holder of this lock panics");
        beat.round_trip = lag;
    }

    /// How long the last ping took, or how long the present one has taken, whichever is longer.
    pub(crate) fn lag(&self, now: Instant) -> Duration {
        let beat = self.0.lock().expect("no holder of this lock panics");
        let waits = beat.asked.map(|asked| now.saturating_duration_since(asked));
        beat.round_trip.max(waits.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn lag_is_the_time_of_a_ping_answered_or_not() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let heartbeat = Heartbeat::default();
        assert_eq!(heartbeat.lag(start + second), Duration::ZERO);
        let ping = heartbeat.ask(start);
        heartbeat.answered(b"another", start + second);
        assert_eq!(heartbeat.lag(start + second), second);
        // A second ping does not hide that the first has no answer.
        assert_eq!(heartbeat.ask(start + 2 * second), ping);
        heartbeat.answered(&ping, start + 3 * second);
        assert_eq!(heartbeat.lag(start + 9 * second), 3 * second);
        // An answer that nobody asked for changes nothing.
        heartbeat.answered(&ping, start + 4 * second);
        assert_eq!(heartbeat.lag(start + 9 * second), 3 * second);
        let ping = heartbeat.ask(start + 10 * second);
        heartbeat.answered(&ping, start + 10 * second);
        assert_eq!(heartbeat.lag(start + 10 * second), Duration::ZERO);
    }
}
