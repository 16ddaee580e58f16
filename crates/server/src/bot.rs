//! Players of ours, off the async threads and never more than the machine bears.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::table::{Act, Stop, Thought};

/// A bounded pool for players that think.
#[derive(Debug, Clone)]
pub(crate) struct Bots {
    places: Arc<Semaphore>,
    pause: Duration,
}

/// A player that takes longer than this is told to come to an end.
const LONGEST: Duration = Duration::from_secs(20);

impl Bots {
    /// A pool with so many places; every action takes at least `pause`, so that people can follow.
    pub(crate) fn new(places: usize, pause: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places.max(1))),
            pause,
        }
    }

    /// Lets a player think as soon as there is a place, and hands on what it came up with.
    pub(crate) fn think<F>(
        &self,
        thought: Thought,
        stop: Stop,
        done: impl FnOnce(Option<Act>) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send,
    {
        let (places, pause) = (Arc::clone(&self.places), self.pause);
        tokio::spawn(async move {
            let wait = sleep(pause);
            let Ok(place) = places.acquire_owned().await else {
                return;
            };
            let act = if stop.is_stopped() {
                None
            } else {
                work(thought, stop).await
            };
            drop(place);
            wait.await;
            done(act).await;
        });
    }
}

async fn work(thought: Thought, stop: Stop) -> Option<Act> {
    let flag = stop.clone();
    let mut job = tokio::task::spawn_blocking(move || thought(&flag));
    let answer = if let Ok(answer) = timeout(LONGEST, &mut job).await {
        answer
    } else {
        stop.stop();
        job.await
    };
    // A player that panics has come up with nothing; the table goes on.
    answer.unwrap_or_default()
}
