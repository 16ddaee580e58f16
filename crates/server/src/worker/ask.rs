//! The node's side: asking a worker, and noticing that it has died.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_nats::{Message, StatusCode};
use futures_util::StreamExt as _;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::{Answer, Request, bytes, own_subject, queue_subject, stop_subject};
use crate::asset::hex;
use crate::engines::{JobOptions, Teller};
use crate::game::{Action, BotJob, EngineTask};
use crate::id;
use crate::metric::Codes;
use crate::nats::Nats;
use crate::session::Key;

/// How many workers are asked before the node thinks itself.
const TRIES: usize = 3;
/// Nothing shorter is worth a worker.
const SHORTEST: Duration = Duration::from_secs(1);
/// A worker that is silent for half the budget, or for this long, counts as dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether the answer is still wanted.
const TICK: Duration = Duration::from_millis(50);
/// No answer is longer.
const LONGEST_ANSWER: usize = 64 * 1024;
/// How many seats are remembered with the worker that thought for them.
const REMEMBERED: usize = 10_000;

/// The way to all workers. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Workers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    nats: Nats,
    /// Makes pseudonyms.
    key: Key,
    /// What became of requests.
    outcomes: Arc<Codes>,
    /// Who thought for a seat last: that worker still has its tables.
    last: Mutex<HashMap<String, String>>,
}

/// What became of a request.
enum Outcome {
    Done(Option<Action>),
    /// There is no worker.
    Nobody,
    /// This one has no room.
    Refused,
    /// It has died, or cannot be heard.
    Silent,
    /// The answer is no longer wanted.
    Stopped,
}

impl Outcome {
    const fn code(&self) -> &'static str {
        match self {
            Self::Done(_) => "done",
            Self::Nobody => "nobody",
            Self::Refused => "refused",
            Self::Silent => "silent",
            Self::Stopped => "stopped",
        }
    }
}

impl Workers {
    pub(crate) fn new(nats: Nats, key: Key, outcomes: Arc<Codes>) -> Self {
        Self(Arc::new(Inner {
            nats,
            key,
            outcomes,
            last: Mutex::default(),
        }))
    }

    fn last(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.last.lock().expect("no holder of this lock panics")
    }

    /// Whether a worker can be asked, and there is time for it.
    pub(crate) fn are_worth(&self, task: &dyn EngineTask) -> bool {
        self.0.nats.is_connected() && task.budget() >= SHORTEST
    }

    /// Forgets who thought under this name.
    pub(crate) fn forget(&self, key: &str) {
        self.last().remove(key);
    }

    /// Asks workers, the one that thought under this name before first. `None` where none answers,
    /// or where the answer is no longer wanted.
    pub(crate) async fn ask(
        &self,
        job: &mut BotJob,
        options: &JobOptions,
        tell: &mut Teller,
    ) -> Option<Option<Action>> {
        let known = self.last().get(&options.key).map(|id| own_subject(id));
        let mut known = known.filter(|_| !options.key.is_empty());
        for _ in 0..TRIES {
            let was_known = known.is_some();
            let asked = self.ask_one(known.take(), job, options, tell).await;
            self.0.outcomes.inc(asked.code());
            match asked {
                Outcome::Done(action) => return Some(action),
                Outcome::Refused => {}
                Outcome::Nobody if was_known => {}
                Outcome::Nobody | Outcome::Silent | Outcome::Stopped => break,
            }
        }
        None
    }

    fn request(&self, task: &dyn EngineTask, options: &JobOptions) -> Request {
        let key = &self.0.key;
        let budget = task.budget().as_millis();
        Request {
            id: hex(&id::random::<16>()),
            game: task.game().to_owned(),
            client: options.client.pseudonym(key),
            class: options.class,
            key: key.sign("engine", &options.key),
            budget: u64::try_from(budget).unwrap_or(u64::MAX),
            task: task.request(),
        }
    }

    /// Asks one worker: this one, or any.
    async fn ask_one(
        &self,
        subject: Option<String>,
        job: &mut BotJob,
        options: &JobOptions,
        tell: &mut Teller,
    ) -> Outcome {
        let connection = self.0.nats.client();
        let Some(task) = job.engine_task() else {
            return Outcome::Nobody;
        };
        let (request, budget) = (self.request(task, options), task.budget());
        let subject = subject.unwrap_or_else(|| queue_subject(&request.game));
        let inbox = connection.new_inbox();
        let Ok(mut answers) = connection.subscribe(inbox.clone()).await else {
            return Outcome::Nobody;
        };
        let payload = bytes(&request).into();
        let sent = connection.publish_with_reply(subject, inbox, payload).await;
        if sent.is_err() {
            return Outcome::Nobody;
        }
        let mut hearing = Hearing::new(budget);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let outcome = loop {
            let message = tokio::select! {
                message = answers.next() => message,
                _ = tick.tick() => {
                    if options.stop.is_stopped() {
                        break Outcome::Stopped;
                    }
                    continue;
                }
                () = sleep_until(hearing.until()) => break Outcome::Silent,
            };
            let Some(answer) = message.as_ref().map(read) else {
                break Outcome::Silent;
            };
            match answer {
                Ok(Answer::Alive(worker)) => {
                    hearing.note(&worker);
                    self.remember(&options.key, worker);
                }
                Ok(Answer::Told(found)) => {
                    let task = job.engine_task();
                    if task.is_some_and(|task| task.may_tell(&found)) && !options.stop.is_stopped()
                    {
                        tell(found);
                    }
                }
                Ok(Answer::Done(action)) => break Outcome::Done(action),
                Ok(Answer::Refused) => break Outcome::Refused,
                Err(outcome) => break outcome,
            }
        };
        self.call_off(&outcome, &hearing, &request.id).await;
        outcome
    }

    fn remember(&self, key: &str, worker: String) {
        let mut last = self.last();
        if last.len() >= REMEMBERED {
            last.clear();
        }
        last.insert(key.to_owned(), worker);
    }

    /// Tells a worker whose answer is not waited for any more.
    async fn call_off(&self, outcome: &Outcome, hearing: &Hearing, id: &str) {
        let unwanted = matches!(outcome, Outcome::Silent | Outcome::Stopped);
        if let Some(worker) = hearing.worker.as_ref().filter(|_| unwanted) {
            let told = id.to_owned().into();
            // It stops by itself when its time is over.
            drop(
                self.0
                    .nats
                    .client()
                    .publish(stop_subject(worker), told)
                    .await,
            );
        }
    }
}

/// Until when a worker is listened to.
struct Hearing {
    worker: Option<String>,
    last: Instant,
    silence: Duration,
    latest: Instant,
}

impl Hearing {
    fn new(budget: Duration) -> Self {
        let now = Instant::now();
        Self {
            worker: None,
            last: now,
            silence: (budget / 2).min(LONGEST_SILENCE),
            latest: now + 2 * budget,
        }
    }

    fn note(&mut self, worker: &str) {
        self.last = Instant::now();
        self.worker = Some(worker.to_owned());
    }

    fn until(&self) -> Instant {
        self.latest.min(self.last + self.silence)
    }
}

/// Reads an answer, or what it means that it cannot be read.
fn read(message: &Message) -> Result<Answer, Outcome> {
    if message.status == Some(StatusCode::NO_RESPONDERS) {
        return Err(Outcome::Nobody);
    }
    if message.payload.len() > LONGEST_ANSWER {
        return Err(Outcome::Refused);
    }
    serde_json::from_slice(&message.payload).map_err(|_| Outcome::Refused)
}
