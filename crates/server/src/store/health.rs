//! Whether the storage works, told without asking it.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::StoreError;

/// How long a read that failed is told of.
const REMEMBERED: Duration = Duration::from_mins(1);
/// A write that takes longer than this is told of.
const SLOW: Duration = Duration::from_secs(10);

/// How a storage does.
///
/// ```
/// # async fn doc() -> Result<(), convoy_server::StoreError> {
/// use convoy_server::{SqliteStore, Store};
///
/// let store = SqliteStore::in_memory().await?;
/// assert_eq!(store.health().fault, None);
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// Why nothing can be written, if that is so.
    pub fault: Option<String>,
    /// What could not be read of late, if there was something.
    pub damage: Option<String>,
    /// How many events wait to be written.
    pub waiting: usize,
}

/// What is known of a storage's health. Noting and asking cost no input or output.
#[derive(Debug, Default)]
pub(super) struct Record(Mutex<Notes>);

#[derive(Debug, Default)]
struct Notes {
    fault: Option<String>,
    damage: Option<(String, Instant)>,
    writing: Option<Instant>,
}

impl Record {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().expect("no holder of this lock panics")
    }

    pub(super) fn health(&self) -> Health {
        let notes = self.notes();
        let stuck = notes.writing.filter(|since| since.elapsed() > SLOW);
        let stuck = stuck.map(|since| {
            let seconds = since.elapsed().as_secs();
            format!("a write has been under way for {seconds} s")
        });
        let recent = |(_, at): &&(String, Instant)| at.elapsed() < REMEMBERED;
        Health {
            waiting: 0,
            fault: notes.fault.clone().or(stuck),
            damage: notes
                .damage
                .as_ref()
                .filter(recent)
                .map(|(why, _)| why.clone()),
        }
    }

    /// Why writing is refused at present.
    pub(super) fn fault(&self) -> Option<String> {
        self.notes().fault.clone()
    }

    /// Writing has failed. The log is told once, and again when the reason is another.
    pub(super) fn note_fault(&self, error: &StoreError) {
        let why = error.to_string();
        let before = self.notes().fault.replace(why.clone());
        if before.as_ref() != Some(&why) {
            tracing::error!(%why, "the storage fails: changes are refused until it works again");
        }
    }

    /// Writing works.
    pub(super) fn note_mended(&self) {
        if self.notes().fault.take().is_some() {
            tracing::info!("the storage works again");
        }
    }

    /// Something could not be read.
    pub(super) fn note_damage(&self, why: &str) {
        let before = self
            .notes()
            .damage
            .replace((why.to_owned(), Instant::now()));
        let known = before.is_some_and(|(known, at)| known == why && at.elapsed() < REMEMBERED);
        if !known {
            tracing::error!(%why, "the storage could not be read");
        }
    }

    /// Whether something could not be read since this moment.
    pub(super) fn was_damaged_since(&self, then: Instant) -> bool {
        let notes = self.notes();
        notes.damage.as_ref().is_some_and(|(_, at)| *at >= then)
    }

    /// A write begins, or none is under way.
    pub(super) fn note_writing(&self, since: Option<Instant>) {
        self.notes().writing = since;
    }
}
