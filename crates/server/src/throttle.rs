//! Buckets that refill: how often somebody may ask for something.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::Mutex;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tokio::time::{Duration, Instant};

/// How much may come at once, and how soon it is allowed again.
///
/// ```
/// use convoy_server::Rate;
///
/// let rate = Rate { burst: 5.0, per_second: 0.1 };
/// assert!(rate.burst > rate.per_second);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rate {
    /// At once.
    #[serde(deserialize_with = "at_least_one")]
    pub burst: f64,
    /// Each second from then on.
    #[serde(deserialize_with = "positive")]
    pub per_second: f64,
}

impl Rate {
    /// The part of one of several nodes: one at once in any case.
    fn part(self, nodes: usize) -> Self {
        let nodes = u32::try_from(nodes).map_or(1.0, f64::from);
        Self {
            burst: (self.burst / nodes).max(1.0),
            per_second: self.per_second / nodes,
        }
    }
}

fn at_least_one<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(from)?;
    let fits = number.is_finite() && number >= 1.0;
    fits.then_some(number)
        .ok_or_else(|| D::Error::custom(format!("{number} is not at least 1")))
}

fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(from)?;
    let fits = number.is_finite() && number > 0.0;
    fits.then_some(number)
        .ok_or_else(|| D::Error::custom(format!("{number} is not greater than 0")))
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
    buckets: Mutex<Buckets>,
}

#[derive(Debug)]
struct Buckets {
    by_name: HashMap<u64, Bucket>,
    /// With more names than this, those whose buckets are full again are forgotten. It doubles with
    /// what is left, so that a flood of names is not searched again and again.
    sweep_at: usize,
}

/// The fewest names that are worth a sweep.
const MANY: usize = 10_000;

impl Throttle {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            hasher: RandomState::new(),
            buckets: Mutex::new(Buckets {
                by_name: HashMap::new(),
                sweep_at: MANY,
            }),
        }
    }

    /// Whether this name may ask once more.
    pub(crate) fn admits(&self, name: &(impl Hash + ?Sized)) -> bool {
        self.admits_part(name, 1)
    }

    /// The same where so many nodes each allow their part.
    pub(crate) fn admits_part(&self, name: &(impl Hash + ?Sized), nodes: usize) -> bool {
        let key = self.hasher.hash_one(name);
        let mut buckets = self.buckets.lock().expect("no holder of this lock panics");
        if buckets.by_name.len() > buckets.sweep_at {
            // One that takes longer than can be told is never full again.
            let refill = Duration::try_from_secs_f64(self.rate.burst / self.rate.per_second);
            let refill = refill.unwrap_or(Duration::MAX);
            buckets
                .by_name
                .retain(|_, bucket| bucket.at.elapsed() < refill);
            buckets.sweep_at = MANY.max(2 * buckets.by_name.len());
        }
        let bucket = buckets.by_name.entry(key);
        let rate = self.rate.part(nodes);
        bucket.or_insert_with(|| Bucket::full(rate)).take(rate)
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

    #[tokio::test(start_paused = true)]
    async fn names_that_may_ask_in_full_again_are_forgotten() {
        let throttle = Throttle::new(Rate {
            burst: 2.0,
            per_second: 1.0,
        });
        for name in 0..=MANY {
            assert!(throttle.admits(&name));
        }
        tokio::time::advance(Duration::from_secs(3)).await;
        assert!(throttle.admits("one more"));
        assert_eq!(throttle.buckets.lock().unwrap().by_name.len(), 1);
        // However slowly: nothing is forgotten then.
        let throttle = Throttle::new(Rate {
            burst: 2.0,
            per_second: 1e-300,
        });
        for name in 0..=MANY + 1 {
            assert!(throttle.admits(&name));
        }
    }
}
