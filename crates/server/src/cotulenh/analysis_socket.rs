//! The socket of an analysis: engine lines as they come, until they are no longer wanted.

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::analysis::Analysis;
use super::fair_play;
use crate::app::App;
use crate::asset::hex;
use crate::engines::{Engines, JobOptions};
use crate::game::{BotJob, NoFields, Stop, read_fields};
use crate::id;
use crate::pool::Class;
use crate::protocol::{self, FromClient};
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::shared_limit::SharedPermit;
use crate::socket::{Incoming, QUEUE, Socket, Upgrade};

/// `GET /ws/analysis`
pub(crate) async fn analysis(
    State(app): State<App>,
    visitor: Visitor,
    upgrade: Upgrade,
) -> Response {
    let from = app.clone();
    upgrade.serve(&from, async move |socket| {
        attend(socket, app, visitor).await;
    })
}

async fn attend(mut socket: Socket, app: App, visitor: Visitor) {
    let (sink, mut frames) = mpsc::channel::<(u64, Utf8Bytes)>(QUEUE);
    let mut current = Current::new(app.engines().clone());
    loop {
        let incoming = tokio::select! {
            frame = frames.recv() => match frame {
                Some((number, frame)) if number == current.number => socket.send(frame).await,
                // What an analysis says after it was replaced is no longer of interest.
                _ => Incoming::Nothing,
            },
            incoming = socket.receive() => match incoming {
                Incoming::Text(text) => {
                    let asked = (&app, &visitor, &sink);
                    answer(&mut socket, asked, &mut current, &text).await
                }
                other => other,
            },
        };
        if let Incoming::End = incoming {
            return;
        }
    }
}

/// The analysis that goes on; it stops when it is dropped.
#[derive(Debug)]
struct Current {
    number: u64,
    stop: Stop,
    task: Option<AbortHandle>,
    engines: Engines,
    /// What the pool keeps the engine of this socket under.
    key: String,
}

impl Current {
    fn new(engines: Engines) -> Self {
        Self {
            number: 0,
            stop: Stop::default(),
            task: None,
            engines,
            key: format!("analysis {}", hex(&id::random::<16>())),
        }
    }

    fn end(&mut self) {
        self.stop.stop();
        // One that still waits for a thread leaves the queue.
        self.engines.sweep();
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    fn replace(&mut self) {
        self.end();
        self.number += 1;
        self.stop = Stop::default();
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        self.end();
        self.engines.forget(&self.key);
    }
}

type Sink = mpsc::Sender<(u64, Utf8Bytes)>;

async fn answer(
    socket: &mut Socket,
    (app, visitor, sink): (&App, &Visitor, &Sink),
    current: &mut Current,
    text: &str,
) -> Incoming {
    let frame = match FromClient::read(text) {
        Ok(frame) => frame,
        Err(refusal) => return socket.send(protocol::refused(&Value::Null, &refusal)).await,
    };
    match frame.kind() {
        "ping" => socket.send(protocol::plain("pong", frame.data())).await,
        "stop" => match read_fields(frame.data()) {
            Ok(NoFields {}) => {
                current.replace();
                Incoming::Nothing
            }
            Err(refusal) => socket.send(protocol::refused(&frame.id, &refusal)).await,
        },
        "analyse" => {
            // A long line of moves takes a while to be read.
            let asked = frame.data().clone();
            let analysis = app.answer(visitor.client(), move || Analysis::read(&asked));
            let analysis = analysis.await.flatten();
            // The old one gives its permits back before the new one takes some.
            current.replace();
            let analysis = match analysis {
                Ok(analysis) => fair(app, visitor, analysis).await,
                refused => refused,
            };
            let admitted = match analysis {
                Ok(analysis) => {
                    let permits = app.admit_analysis(visitor).await;
                    permits.map(|permits| (analysis, permits))
                }
                Err(refusal) => Err(refusal),
            };
            match admitted {
                Ok((analysis, permits)) => {
                    app.metrics().analyses.inc();
                    let work = (analysis, permits);
                    let task = start(current, visitor, work, frame.id, sink.clone());
                    current.task = Some(task);
                    Incoming::Nothing
                }
                Err(refusal) => socket.send(protocol::refused(&frame.id, &refusal)).await,
            }
        }
        other => {
            let refusal = Refusal::UnknownAction(other.to_owned());
            socket.send(protocol::refused(&frame.id, &refusal)).await
        }
    }
}

/// Refuses what would help in a running game of one's own against a person.
async fn fair(app: &App, visitor: &Visitor, analysis: Analysis) -> Result<Analysis, Refusal> {
    let fen = analysis.position().to_string();
    fair_play::check(app, visitor, &fen).await?;
    Ok(analysis)
}

/// Queues an analysis, and tells its last word: done, or refused.
fn start(
    current: &Current,
    visitor: &Visitor,
    (analysis, permits): (Analysis, Vec<SharedPermit>),
    id: Value,
    sink: Sink,
) -> AbortHandle {
    let (number, lines, re) = (current.number, sink.clone(), id.clone());
    let options = JobOptions {
        client: visitor.client(),
        class: Class::Analysis,
        key: current.key.clone(),
        stop: current.stop.clone(),
        only_here: false,
    };
    let tell = Box::new(move |mut d: Value| {
        // Held by the work itself, which may outlive whoever waits for it by a moment.
        let _held = &permits;
        d["re"].clone_from(&re);
        // A client that reads slowly misses lines, never the last word.
        drop(lines.try_send((number, protocol::plain("line", &d))));
    });
    let done = current
        .engines
        .think(BotJob::engine(analysis), options, tell);
    let task = tokio::spawn(async move {
        let last = match done.await {
            Ok(_) => protocol::plain("done", &json!({ "re": id })),
            Err(_) => protocol::refused(&id, &Refusal::Busy),
        };
        drop(sink.send((number, last)).await);
    });
    task.abort_handle()
}
