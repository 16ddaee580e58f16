//! The socket of an analysis: engine lines as they come, until they are no longer wanted.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Heard, QUEUE, Upgrade, Wire};
use crate::app::App;
use crate::cotulenh::Study;
use crate::protocol::{self, FromClient};
use crate::refusal::Refusal;
use crate::table::Stop;

/// `GET /ws/analysis`
pub(crate) async fn analysis(State(app): State<App>, upgrade: Upgrade) -> Response {
    let from = app.clone();
    upgrade.serve(&from, async move |wire| attend(wire, app).await)
}

async fn attend(mut wire: Wire, app: App) {
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
                Heard::Text(text) => answer(&mut wire, &app, &mut current, &sink, &text).await,
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
}

impl Current {
    fn replace(&mut self) -> (u64, Stop) {
        self.stop.stop();
        self.number += 1;
        self.stop = Stop::default();
        (self.number, self.stop.clone())
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

async fn answer(
    wire: &mut Wire,
    app: &App,
    current: &mut Current,
    sink: &mpsc::Sender<(u64, Utf8Bytes)>,
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
        "analyse" => match Study::read(frame.data()) {
            Ok(study) => {
                let (number, stop) = current.replace();
                start(app, study, frame.id, number, stop, sink.clone());
                Heard::Nothing
            }
            Err(refusal) => wire.send(protocol::refused(&frame.id, &refusal)).await,
        },
        other => {
            let refusal = Refusal::UnknownAction(other.to_owned());
            wire.send(protocol::refused(&frame.id, &refusal)).await
        }
    }
}

/// Runs an analysis off the async threads, as soon as there is a place for it.
fn start(
    app: &App,
    study: Study,
    id: Value,
    number: u64,
    stop: Stop,
    sink: mpsc::Sender<(u64, Utf8Bytes)>,
) {
    let app = app.clone();
    tokio::spawn(async move {
        let Ok(_place) = app.studies().acquire().await else {
            return;
        };
        app.metrics().analyses.up();
        let (flag, lines, re) = (stop.clone(), sink.clone(), id.clone());
        let limit = study.limit();
        let mut job = tokio::task::spawn_blocking(move || {
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
}
