//! Bots: they think when their turn comes, and take at least long enough for people to follow.

use std::time::Duration;

use tokio::time::sleep;

use crate::engines::{Engines, JobOptions};
use crate::game::{Action, BotJob};
use crate::refusal::Refusal;

/// The bots of all tables. Clones share the engines.
#[derive(Debug, Clone)]
pub(crate) struct Bots {
    engines: Engines,
    pause: Duration,
}

impl Bots {
    /// Bots that think with these engines; every action takes at least `pause`.
    pub(crate) fn new(engines: Engines, pause: Duration) -> Self {
        Self { engines, pause }
    }

    /// Lets a bot think when its turn comes, and hands on what it came up with: an action, nothing,
    /// or `busy` where there was no room for the job.
    pub(crate) fn think<F>(
        &self,
        job: BotJob,
        options: JobOptions,
        done: impl FnOnce(Result<Option<Action>, Refusal>) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send,
    {
        let pause = sleep(self.pause);
        let answer = self.engines.think(job, options, Box::new(|_| {}));
        tokio::spawn(async move {
            let answer = answer.await.map_err(|_| Refusal::Busy);
            if answer.is_ok() {
                pause.await;
            }
            done(answer).await;
        });
    }

    /// Gives up the engine of a table's seat, and jobs that were stopped.
    pub(crate) fn forget(&self, key: &str) {
        self.engines.sweep();
        self.engines.forget(key);
    }
}
