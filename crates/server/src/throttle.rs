//! Buckets that refill: how often somebody may ask for something.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Mutex;

use tokio::time::{Duration, Instant};

/// How much may come at once, and how soon it is allowed again.
///
/// ```
/// use convoy_server::Rate;
///
/// let rate = Rate { burst: 5.0, per_second: 0.1 };
/// assert!(rate.burst > rate.per_second);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// Each second from then on.
    pub per_second: f64,
}

/// One bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// A full one.
    pub(crate) fn full(rate: Rate) -> Self {
        Self {
            left: rate.burst,
            at: Instant::now(),
        }
    }

    /// Takes one, if there is one.
    pub(crate) fn take(&mut self, rate: Rate) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * rate.per_second;
        self.left = (self.left + gained).min(rate.burst);
        self.at = now;
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}

/// A bucket for each name; names are kept as keyed hashes, so none can be read from memory.
#[derive(Debug)]
pub(crate) struct Throttle {
    rate: Rate,
    hasher: RandomState,
    buckets: Mutex<HashMap<u64, Bucket>>,
}

/// More names than this are swept of those whose buckets are full again.
const MANY: usize = 10_000;

impl Throttle {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            hasher: RandomState::new(),
            buckets: Mutex::default(),
        }
    }

    /// Whether this name may ask once more.
    pub(crate) fn admits(&self, name: &str) -> bool {
        let key = self.hasher.hash_one(name);
        let mut buckets = self.buckets.lock().expect("no holder of this lock panics");
        if buckets.len() > MANY {
            let refill = Duration::from_secs_f64(self.rate.burst / self.rate.per_second);
            buckets.retain(|_, bucket| bucket.at.elapsed() < refill);
        }
        let bucket = buckets
            .entry(key)
            .or_insert_with(|| Bucket::full(self.rate));
        bucket.take(self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_refills_with_time_and_for_its_name_alone() {
        let throttle = Throttle::new(Rate {
            burst: 2.0,
            per_second: 0.5,
        });
        assert!(throttle.admits("a") && throttle.admits("a"));
        assert!(!throttle.admits("a"));
        assert!(throttle.admits("b"));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(throttle.admits("a"));
        assert!(!throttle.admits("a"));
    }
}
