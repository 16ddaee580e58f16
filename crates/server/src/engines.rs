//! Where thinking is done: by a worker if there is one, in this process otherwise.

use tokio::sync::oneshot;
use tokio::time::Instant;

use serde_json::Value;

use crate::client::Client;
use crate::game::{Action, BotJob, Progress, Stop};
use crate::pool::{Class, Job, Pool, Work};
use crate::worker::Workers;

/// The pool of this process, and the way to workers. Clones share both.
#[derive(Debug, Clone)]
pub(crate) struct Engines {
    pool: Pool,
    workers: Option<Workers>,
}

/// For whom there is something to think about, and what the work is called.
#[derive(Debug, Clone)]
pub(crate) struct JobOptions {
    pub(crate) client: Client,
    pub(crate) class: Class,
    /// Names what is kept for the next job of the same name, such as an engine.
    pub(crate) key: String,
    pub(crate) stop: Stop,
    /// No worker is asked.
    pub(crate) only_here: bool,
}

/// Hears what is found on the way. It is dropped with the work.
pub(crate) type Teller = Box<dyn FnMut(Value) + Send>;

/// Whoever waits for the answer.
type Reply = oneshot::Sender<Option<Action>>;

impl Engines {
    pub(crate) fn new(pool: Pool, workers: Option<Workers>) -> Self {
        Self { pool, workers }
    }

    /// Lets a job be done when its turn comes. The answer fails where there was no room for the job.
    pub(crate) fn think(
        &self,
        mut job: BotJob,
        options: JobOptions,
        mut tell: Teller,
    ) -> oneshot::Receiver<Option<Action>> {
        let (reply, answer) = oneshot::channel();
        let workers = self.workers.clone().filter(|workers| {
            let task = job.engine_task();
            !options.only_here && task.is_some_and(|task| workers.are_worth(task))
        });
        let Some(workers) = workers else {
            self.think_here(job, options, tell, reply);
            return answer;
        };
        let engines = self.clone();
        tokio::spawn(async move {
            let begun = Instant::now();
            if let Some(action) = workers.ask(&mut job, &options, &mut tell).await {
                // Nobody may be waiting any more.
                let _ = reply.send(action);
            } else if !options.stop.is_stopped() {
                if let Some(task) = job.engine_task() {
                    task.lose(begun.elapsed());
                }
                engines.think_here(job, options, tell, reply);
            }
        });
        answer
    }

    fn think_here(&self, mut job: BotJob, options: JobOptions, mut tell: Teller, reply: Reply) {
        let mut reply = Some(reply);
        self.pool.submit(Job {
            client: options.client,
            class: options.class,
            stop: options.stop,
            key: options.key,
            work: Box::new(move |slice| match job.run(slice, &mut tell) {
                Progress::Paused => Progress::Paused,
                Progress::Done(action) => {
                    if let Some(reply) = reply.take() {
                        // Nobody may be waiting any more.
                        let _ = reply.send(action);
                    }
                    Progress::Done(())
                }
            }),
        });
    }

    /// Lets something that no worker can do be done when its turn comes. It is dropped where there is no room for it.
    pub(crate) fn run_here(&self, options: JobOptions, work: Work) {
        self.pool.submit(Job {
            client: options.client,
            class: options.class,
            stop: options.stop,
            key: options.key,
            work,
        });
    }

    /// Gives up waiting jobs that were stopped.
    pub(crate) fn sweep(&self) {
        self.pool.sweep();
    }

    /// Gives up what is kept under this name.
    pub(crate) fn forget(&self, key: &str) {
        self.pool.forget(key);
        if let Some(workers) = &self.workers {
            workers.forget(key);
        }
    }
}
