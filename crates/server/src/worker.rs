//! Workers: processes that think for nodes, found over NATS.
//!
//! A node publishes a request to the queue group of its game, `engine.{game}`, and one worker takes
//! it. The worker answers to the request's reply subject: that it is alive, again and again; what it
//! finds on the way; and at last what it came up with, or that it has no room. A worker is not
//! trusted: it is sent what one seat may know and no name of anybody, and what it answers is judged
//! like what a person sends.

mod ask;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_nats::{Client as Connection, Message, Subject};
use futures_util::stream::{StreamExt as _, select_all};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use crate::asset::hex;
use crate::client::Client;
use crate::game::{self, Action, EngineTask, Progress, Stop};
use crate::id;
use crate::nats::{Nats, NatsError};
use crate::pool::{Class, Job, Pool, Size};

pub(crate) use ask::Workers;

/// The queue group of all workers.
const GROUP: &str = "workers";
/// How often a worker tells that it is alive.
const ALIVE: Duration = Duration::from_millis(200);
/// How many lines may wait to be sent; what comes later is lost, never the last word.
const TOLD: usize = 32;
/// How long requests under way may take once the worker is told to stop.
const LONGEST_GOODBYE: Duration = Duration::from_secs(5);

/// The subject of a game's queue group.
fn queue_subject(game: &str) -> String {
    format!("engine.{game}")
}

/// The subject of one worker, for whoever it has thought for before.
fn own_subject(worker: &str) -> String {
    format!("engine.worker.{worker}")
}

/// The subject over which one worker is told that something is no longer wanted.
fn stop_subject(worker: &str) -> String {
    format!("engine.stop.{worker}")
}

/// What a worker is asked.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    /// Names it among all requests.
    id: String,
    game: String,
    /// Whom it counts for; a pseudonym.
    client: Client,
    class: Class,
    /// Names the engine that thought for this seat before; nothing can be learnt from it.
    key: String,
    /// For how long it thinks at most, in milliseconds.
    budget: u64,
    task: Value,
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    /// It waits for its turn or thinks; the worker has this name.
    Alive(String),
    /// Something that was found on the way.
    Told(Value),
    /// The end.
    Done(Option<Action>),
    /// There is no room for it, or it makes no sense.
    Refused,
}

fn bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("messages are plain data")
}

/// How much a worker does at once.
///
/// ```
/// use convoy_server::WorkerSize;
///
/// let size = WorkerSize { slots: 4, engines: 8 };
/// assert!(size.engines >= size.slots);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerSize {
    /// Searches at once; as many more may wait.
    pub slots: usize,
    /// Engines whose transposition tables are kept between moves.
    pub engines: usize,
}

/// Thinks for nodes until `stop` is done; then lets what goes on come to its end.
///
/// ```no_run
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// use convoy_server::{Nats, WorkerSize, work};
///
/// let nats = Nats::connect(&"nats://worker:secret@127.0.0.1".parse()?).await?;
/// let size = WorkerSize { slots: 2, engines: 4 };
/// work(&nats, size, std::future::ready(())).await?;
/// # Ok(())
/// # }
/// ```
pub async fn work(
    nats: &Nats,
    size: WorkerSize,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), NatsError> {
    let worker = Worker::new(nats, size);
    let connection = nats.client();
    let failed = |error| NatsError::new(&format!("subscribing failed: {error}"));
    let mut subscribed = Vec::new();
    for game in game::hosted_games() {
        let group = connection.queue_subscribe(queue_subject(game.name), GROUP.to_owned());
        subscribed.push(group.await.map_err(failed)?);
    }
    for subject in [own_subject(&worker.0.id), stop_subject(&worker.0.id)] {
        subscribed.push(connection.subscribe(subject).await.map_err(failed)?);
    }
    let mut messages = select_all(subscribed);
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            message = messages.next() => match message {
                Some(message) => worker.take(message),
                None => return Err(NatsError::new("the connection to NATS has ended")),
            },
            why = nats.not_heard() => return Err(why),
            () = &mut stop => break,
        }
    }
    drop(messages);
    worker.finish().await;
    Ok(())
}

#[derive(Debug, Clone)]
struct Worker(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    id: String,
    connection: Connection,
    pool: Pool,
    /// What goes on, by the names of the requests.
    running: Mutex<HashMap<String, Stop>>,
}

impl Worker {
    fn new(nats: &Nats, size: WorkerSize) -> Self {
        let pool = Size {
            threads: size.slots,
            // What takes milliseconds stays at the server.
            has_short_thread: false,
            queue: size.slots,
            cached: size.engines,
        };
        Self(Arc::new(Inner {
            id: hex(&id::random::<8>()),
            connection: nats.client().clone(),
            pool: Pool::new("thinking", pool, Arc::default()),
            running: Mutex::default(),
        }))
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Stop>> {
        let running = self.0.running.lock();
        running.expect("no holder of this lock panics")
    }

    /// Serves one message.
    fn take(&self, message: Message) {
        if message.subject.as_str() == stop_subject(&self.0.id) {
            let id = String::from_utf8_lossy(&message.payload);
            if let Some(stop) = self.running().get(&*id) {
                stop.stop();
            }
            self.0.pool.sweep();
            return;
        }
        let Some(reply) = message.reply else {
            return;
        };
        let worker = self.clone();
        match read(&message.payload) {
            Ok((request, task)) => drop(tokio::spawn(worker.think(request, task, reply))),
            Err(why) => {
                tracing::warn!(%why, "a request makes no sense");
                tokio::spawn(async move { worker.answer(&reply, &Answer::Refused).await });
            }
        }
    }

    async fn answer(&self, reply: &Subject, answer: &Answer) {
        let sent = self
            .0
            .connection
            .publish(reply.clone(), bytes(answer).into());
        if let Err(error) = sent.await {
            tracing::warn!(%error, "an answer was not sent");
        }
    }

    /// Thinks about one request, and tells how it goes.
    async fn think(self, request: Request, task: Box<dyn EngineTask>, reply: Subject) {
        let stop = Stop::default();
        self.running().insert(request.id.clone(), stop.clone());
        let budget = Duration::from_millis(request.budget);
        let latest = Instant::now() + 2 * budget;
        let id = request.id.clone();
        let (tell, mut told) = mpsc::channel(TOLD);
        let mut done = self.submit(request, task, stop.clone(), tell);
        let mut alive = interval(ALIVE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let last = loop {
            tokio::select! {
                // What was found on the way goes out before the last word.
                biased;
                Some(found) = told.recv() => self.answer(&reply, &Answer::Told(found)).await,
                answer = &mut done => break answer.map_or(Answer::Refused, Answer::Done),
                _ = alive.tick() => {
                    let name = self.0.id.clone();
                    self.answer(&reply, &Answer::Alive(name)).await;
                }
                () = sleep_until(latest) => stop.stop(),
            }
        };
        while let Ok(found) = told.try_recv() {
            self.answer(&reply, &Answer::Told(found)).await;
        }
        self.answer(&reply, &last).await;
        self.running().remove(&id);
    }

    fn submit(
        &self,
        request: Request,
        mut task: Box<dyn EngineTask>,
        stop: Stop,
        tell: mpsc::Sender<Value>,
    ) -> oneshot::Receiver<Option<Action>> {
        let (reply, answer) = oneshot::channel();
        let mut reply = Some(reply);
        self.0.pool.submit(Job {
            client: request.client,
            class: request.class,
            stop,
            key: request.key,
            work: Box::new(move |slice| {
                let mut tell = |found| drop(tell.try_send(found));
                let Progress::Done(action) = task.run(slice, &mut tell) else {
                    return Progress::Paused;
                };
                if let Some(reply) = reply.take() {
                    // Nobody may be waiting any more.
                    let _ = reply.send(action);
                }
                Progress::Done(())
            }),
        });
        answer
    }

    /// Lets what goes on come to its end, for a while.
    async fn finish(&self) {
        let latest = Instant::now() + LONGEST_GOODBYE;
        while !self.running().is_empty() && Instant::now() < latest {
            sleep(Duration::from_millis(20)).await;
        }
        if let Err(error) = self.0.connection.flush().await {
            tracing::warn!(%error, "the last answers may be lost");
        }
    }
}

/// Reads a request and what there is to think about.
fn read(payload: &[u8]) -> Result<(Request, Box<dyn EngineTask>), String> {
    let request: Request = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
    let game = game::hosted(&request.game).ok_or("no such game")?;
    let task = (game.read_task)(&request.task).map_err(|refusal| refusal.code().to_owned())?;
    Ok((request, task))
}
