//! How many of something one client may hold at once.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Arc, Mutex, MutexGuard};

type Held = HashMap<u64, usize>;

/// A count for each name, such as a session or a network; names are kept as keyed hashes, so none can be read from memory.
#[derive(Debug)]
pub(crate) struct Quota {
    most: usize,
    hasher: RandomState,
    held: Arc<Mutex<Held>>,
}

fn lock(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().expect("no holder of this lock panics")
}

impl Quota {
    /// Nobody may hold more than `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            hasher: RandomState::new(),
            held: Arc::default(),
        }
    }

    /// One more for this name, if there is one left; it is given back when it is dropped.
    pub(crate) fn take(&self, name: &(impl Hash + ?Sized)) -> Option<Permit> {
        let key = self.hasher.hash_one(name);
        let mut held = lock(&self.held);
        let count = held.entry(key).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Permit {
            key,
            held: Arc::clone(&self.held),
        })
    }
}

/// One of what a name holds, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    key: u64,
    held: Arc<Mutex<Held>>,
}

impl Drop for Permit {
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
        let quota = Quota::new(2);
        let first = quota.take("a").unwrap();
        let _second = quota.take("a").unwrap();
        assert!(quota.take("a").is_none());
        let other = quota.take("b").unwrap();
        drop(first);
        assert!(quota.take("a").is_some());
        drop(other);
        assert_eq!(lock(&quota.held).len(), 1);
        assert!(Quota::new(0).take("a").is_none());
    }
}
