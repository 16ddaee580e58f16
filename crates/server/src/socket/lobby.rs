//! The socket of the lobby: the lists, whenever they change.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::{Incoming, Socket, Upgrade};
use crate::app::App;
use crate::id;
use crate::page::rows;
use crate::protocol::{self, FromClient};
use crate::refusal::Refusal;

/// The lists are sent at most this often, and no later than this and the spread after a change.
const REST: Duration = Duration::from_secs(1);
const SPREAD: Duration = Duration::from_secs(1);

/// `GET /ws/lobby`
pub(crate) async fn lobby(State(app): State<App>, upgrade: Upgrade) -> Response {
    let from = app.clone();
    upgrade.serve(&from, async move |socket| attend(socket, app).await)
}

async fn attend(mut socket: Socket, app: App) {
    let mut changes = app.lobby().changes();
    let mut due = Some(Instant::now());
    let mut last = Utf8Bytes::default();
    // Thousands of sockets are not told at the same moment: nobody's moves wait for all of them.
    let [part] = id::random::<1>();
    let rest = REST + SPREAD * u32::from(part) / 256;
    loop {
        let next = due.unwrap_or_else(|| Instant::now() + 60 * REST);
        let incoming = tokio::select! {
            incoming = socket.receive() => match incoming {
                Incoming::Text(text) => pong(&mut socket, &text).await,
                other => other,
            },
            () = sleep_until(next), if due.is_some() => {
                due = None;
                changes.mark_unchanged();
                tell(&mut socket, &app, &mut last).await
            }
            news = changes.changed(), if due.is_none() => match news {
                Ok(()) => {
                    due = Some(Instant::now() + rest);
                    Incoming::Nothing
                }
                Err(_) => Incoming::End,
            },
        };
        if let Incoming::End = incoming {
            return;
        }
    }
}

/// A lobby takes no other frame than a ping.
async fn pong(socket: &mut Socket, text: &str) -> Incoming {
    let answer = match FromClient::read(text) {
        Ok(frame) if frame.kind() == "ping" => protocol::plain("pong", frame.data()),
        Ok(frame) => {
            let unknown = Refusal::UnknownAction(frame.kind().to_owned());
            protocol::refused(&frame.id, &unknown)
        }
        Err(refusal) => protocol::refused(&Value::Null, &refusal),
    };
    socket.send(answer).await
}

async fn tell(socket: &mut Socket, app: &App, last: &mut Utf8Bytes) -> Incoming {
    let players = app.players();
    let frame = app.lobby().frame(players, |lists| {
        let [open, live] = lists.each_ref().map(|list| rows(list));
        let d = json!({ "open": open, "live": live, "players": players });
        protocol::plain("lobby", &d)
    });
    if *last == frame {
        return Incoming::Nothing;
    }
    *last = frame.clone();
    socket.send(frame).await
}
