//! How many of something somebody may hold at once.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard};

type Held = HashMap<u64, usize>;

/// A count for each name; names are kept as keyed hashes, so none can be read from memory.
#[derive(Debug)]
pub(crate) struct Tally {
    most: usize,
    hasher: RandomState,
    held: Arc<Mutex<Held>>,
}

fn lock(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().expect("no holder of this lock panics")
}

impl Tally {
    /// Nobody may hold more than `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            hasher: RandomState::new(),
            held: Arc::default(),
        }
    }

    /// One more for this name, if there is one left; it is given back when it is dropped.
    pub(crate) fn take(&self, name: &str) -> Option<Place> {
        let key = self.hasher.hash_one(name);
        let mut held = lock(&self.held);
        let count = held.entry(key).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place {
            key,
            held: Arc::clone(&self.held),
        })
    }
}

/// One of what a name holds.
#[derive(Debug)]
pub(crate) struct Place {
    key: u64,
    held: Arc<Mutex<Held>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        if let Some(count) = held.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let tally = Tally::new(2);
        let first = tally.take("a").unwrap();
        let _second = tally.take("a").unwrap();
        assert!(tally.take("a").is_none());
        let other = tally.take("b").unwrap();
        drop(first);
        assert!(tally.take("a").is_some());
        drop(other);
        assert_eq!(lock(&tally.held).len(), 1);
        assert!(Tally::new(0).take("a").is_none());
    }
}
