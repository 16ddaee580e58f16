//! Bots: they think in the pool, and take at least long enough for people to follow.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::client::Client;
use crate::game::{Action, BotJob, Progress, Stop};
use crate::pool::{Class, Job, Pool};
use crate::refusal::Refusal;

/// The bots of all tables. Clones share the pool.
#[derive(Debug, Clone)]
pub(crate) struct Bots {
    pool: Pool,
    pause: Duration,
}

/// For whom a bot thinks, and what its work is called.
#[derive(Debug, Clone)]
pub(crate) struct JobOptions {
    pub(crate) client: Client,
    pub(crate) class: Class,
    pub(crate) key: String,
    pub(crate) stop: Stop,
}

impl Bots {
    /// Bots that think in `pool`; every action takes at least `pause`.
    pub(crate) fn new(pool: Pool, pause: Duration) -> Self {
        Self { pool, pause }
    }

    /// Lets a bot think when its turn comes, and hands on what it came up with: an action, nothing,
    /// or `busy` where there was no room for the job.
    pub(crate) fn think<F>(
        &self,
        mut job: BotJob,
        options: JobOptions,
        done: impl FnOnce(Result<Option<Action>, Refusal>) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send,
    {
        let (reply, answer) = oneshot::channel();
        let mut reply = Some(reply);
        let pause = sleep(self.pause);
        self.pool.submit(Job {
            client: options.client,
            class: options.class,
            stop: options.stop,
            key: options.key,
            work: Box::new(move |slice| match job.run(slice) {
                Progress::Paused => Progress::Paused,
                Progress::Done(action) => {
                    if let Some(reply) = reply.take() {
                        // The table may be gone.
                        let _ = reply.send(action);
                    }
                    Progress::Done(())
                }
            }),
        });
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
        self.pool.sweep();
        self.pool.forget(key);
    }
}
