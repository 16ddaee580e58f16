//! What jobs keep from one slice to the next, such as an engine with its tables.

use std::any::Any;
use std::sync::{Mutex, MutexGuard};

type Entry = (String, Box<dyn Any + Send>);

/// A few things by name; the one that was used longest ago is given up first.
#[derive(Debug)]
pub(crate) struct Cache {
    most: usize,
    /// The last one is the one that was used last.
    entries: Mutex<Vec<Entry>>,
}

impl Cache {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            entries: Mutex::default(),
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().expect("no holder of this lock panics")
    }

    /// Takes what is kept under a name, if it is of this type.
    pub(crate) fn take<T: Any>(&self, key: &str) -> Option<T> {
        let mut entries = self.entries();
        let at = entries.iter().position(|(name, _)| name == key)?;
        let (_, value) = entries.remove(at);
        value.downcast().ok().map(|value| *value)
    }

    /// Keeps something under a name.
    pub(crate) fn put(&self, key: &str, value: impl Any + Send) {
        let mut entries = self.entries();
        entries.retain(|(name, _)| name != key);
        entries.push((key.to_owned(), Box::new(value)));
        let surplus = entries.len().saturating_sub(self.most);
        entries.drain(..surplus);
    }

    /// Gives up what is kept under a name.
    pub(crate) fn forget(&self, key: &str) {
        self.entries().retain(|(name, _)| name != key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_is_given_up_first() {
        let cache = Cache::new(2);
        cache.put("a", 1);
        cache.put("b", 2);
        assert_eq!(cache.take("a"), Some(1));
        cache.put("a", 3);
        cache.put("c", 4);
        assert_eq!(cache.take::<i32>("b"), None);
        assert_eq!((cache.take("a"), cache.take("c")), (Some(3), Some(4)));
        cache.put("d", 5);
        cache.forget("d");
        assert_eq!(cache.take::<i32>("d"), None);
    }
}
