//! The socket of an analysis: engine lines as they come, until they are no longer wanted.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::{Heard, QUEUE, Upgrade, Wire};
use crate::app::App;
use crate::cotulenh::Study;
use crate::protocol::{self, FromClient};
use crate::quota::Permit;
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::table::Stop;

/// `GET /ws/analysis`
pub(crate) async fn analysis(
    State(app): State<App>,
    visitor: Visitor,
    upgrade: Upgrade,
) -> Response {
    let from = app.clone();
    upgrade.serve(&from, async move |wire| attend(wire, app, visitor).await)
}

async fn attend(mut wire: Wire, app: App, visitor: Visitor) {
    let (sink, mut frames) = mpsc::channel::<(u64, Utf8Bytes)>(QUEUE);
    let mut current = Current::default();
    loop {
        let heard = tokio::select! {
            frame = frames.recv() => match frame {
                Some((number, frame)) if number == current.number => wire.send(frame).await,
                // What an analysis says after it was replaced is no longer of interest.
                _ => Heard::Nothing,
            },
            heard = wire.hear() => match heard {
                Heard::Text(text) => {
                    let asked = (&app, &visitor, &sink);
                    answer(&mut wire, asked, &mut current, &text).await
                }
                other => other,
            },
        };
        if let Heard::End = heard {
            return;
        }
    }
}

/// The analysis that goes on; it stops when it is dropped.
#[derive(Debug, Default)]
struct Current {
    number: u64,
    stop: Stop,
    task: Option<AbortHandle>,
}

impl Current {
    fn end(&mut self) {
        self.stop.stop();
        // One that still waits for a place leaves the queue.
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    fn replace(&mut self) -> (u64, Stop) {
        self.end();
        self.number += 1;
        self.stop = Stop::default();
        (self.number, self.stop.clone())
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        self.end();
    }
}

type Sink = mpsc::Sender<(u64, Utf8Bytes)>;

async fn answer(
    wire: &mut Wire,
    (app, visitor, sink): (&App, &Visitor, &Sink),
    current: &mut Current,
    text: &str,
) -> Heard {
    let frame = match FromClient::read(text) {
        Ok(frame) => frame,
        Err(refusal) => return wire.send(protocol::refused(&Value::Null, &refusal)).await,
    };
    match frame.kind() {
        "ping" => wire.send(protocol::plain("pong", frame.data())).await,
        "stop" => {
            current.replace();
            Heard::Nothing
        }
        "analyse" => {
            // A long line of moves takes a while to be read.
            let asked = frame.data().clone();
            let study = tokio::task::spawn_blocking(move || Study::read(&asked)).await;
            let study = study.unwrap_or(Err(Refusal::Busy));
            // The old one gives its place back before the new one takes one.
            let (number, stop) = current.replace();
            match study.and_then(|study| Ok((study, app.admit_analysis(visitor)?))) {
                Ok((study, place)) => {
                    let work = (study, stop, place);
                    let task = start(app, work, frame.id, number, sink.clone());
                    current.task = Some(task);
                    Heard::Nothing
                }
                Err(refusal) => wire.send(protocol::refused(&frame.id, &refusal)).await,
            }
        }
        other => {
            let refusal = Refusal::UnknownAction(other.to_owned());
            wire.send(protocol::refused(&frame.id, &refusal)).await
        }
    }
}

/// Runs an analysis off the async threads, as soon as there is a place for it.
fn start(
    app: &App,
    (study, stop, place): (Study, Stop, Vec<Permit>),
    id: Value,
    number: u64,
    sink: Sink,
) -> AbortHandle {
    let app = app.clone();
    let task = tokio::spawn(async move {
        let Ok(permit) = app.studies().acquire_owned().await else {
            return;
        };
        app.metrics().analyses.up();
        let (flag, lines, re) = (stop.clone(), sink.clone(), id.clone());
        let limit = study.limit();
        let mut job = tokio::task::spawn_blocking(move || {
            // Held by the work itself, which may outlive whoever waits for it by a moment.
            let _held = (permit, place);
            study.run(&flag, &mut |mut d: Value| {
                d["re"].clone_from(&re);
                // A client that reads slowly misses lines, never the last word.
                drop(lines.try_send((number, protocol::plain("line", &d))));
            });
        });
        tokio::select! {
            _ = &mut job => {}
            () = tokio::time::sleep(limit + Duration::from_secs(1)) => {
                stop.stop();
                drop(job.await);
            }
        }
        let done = protocol::plain("done", &json!({ "re": id }));
        drop(sink.send((number, done)).await);
    });
    task.abort_handle()
}
