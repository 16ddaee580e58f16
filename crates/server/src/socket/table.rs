//! The socket of one table.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Incoming, QUEUE, Socket, Upgrade};
use crate::app::App;
use crate::extract::{Path, Query};
use crate::game::{NoFields, read_fields};
use crate::id::TableId;
use crate::protocol::{self, FromClient};
use crate::refusal::{NotNow, Refusal};
use crate::room::{Actor, Request, Room};
use crate::session::Visitor;

/// How many questions of one socket may wait for their answers.
const QUESTIONS: usize = 4;

#[derive(Debug, Deserialize)]
pub(crate) struct Resume {
    seq: Option<u64>,
}

/// `GET /ws/table/{id}`
pub(crate) async fn table(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(resume): Query<Resume>,
    visitor: Visitor,
    upgrade: Upgrade,
) -> Result<Response, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    let room = app.lobby().room_soon(&id).await?;
    let actor = visitor.actor();
    let from = app.clone();
    Ok(upgrade.serve(&from, async move |mut socket| {
        let (mut room, mut seq) = (room, resume.seq);
        for _ in 0..REJOINS {
            match attend(&mut socket, &app, &room, &actor, seq).await {
                End::Gone => return,
                // The table has ended here. Where there are other nodes, one of them has it now.
                End::Table if app.cluster().is_some() => {}
                End::Table => break,
            }
            tokio::time::sleep(REJOIN).await;
            match app.lobby().room_soon(&id).await {
                Ok(found) => (room, seq) = (found, None),
                Err(_) => break,
            }
        }
        // The client comes again and finds the table read anew.
        socket.close_try_again().await;
    }))
}

/// How often a socket follows its table from node to node, and after how long.
const REJOINS: u32 = 1000;
const REJOIN: Duration = Duration::from_millis(50);

/// How it came to an end.
enum End {
    /// The client is gone.
    Gone,
    /// The table tells no more.
    Table,
}

async fn attend(
    socket: &mut Socket,
    app: &App,
    room: &Room,
    actor: &Actor,
    seq: Option<u64>,
) -> End {
    let (sink, mut frames) = mpsc::channel::<Utf8Bytes>(QUEUE);
    let heartbeat = socket.measure_lag();
    let join = |reply| Request::Join {
        actor: actor.clone(),
        seq,
        sink,
        heartbeat,
        reply,
    };
    let Ok(listener) = room.ask(join).await else {
        // The table was being put away.
        return End::Table;
    };
    let mut questions = JoinSet::new();
    let end = loop {
        let ended = tokio::select! {
            Some(answer) = questions.join_next() => match answer {
                Ok(frame) => socket.send(frame).await,
                Err(_) => Incoming::Nothing,
            },
            frame = frames.recv() => match frame {
                Some(frame) => socket.send(frame).await,
                None => break End::Table,
            },
            incoming = socket.receive() => match incoming {
                Incoming::Text(text) => answer(socket, app, (room, actor), &mut questions, &text).await,
                other => other,
            },
        };
        if let Incoming::End = ended {
            break End::Gone;
        }
    };
    room.tell(Request::Leave { listener }).await;
    end
}

/// Serves one frame of the client.
async fn answer(
    socket: &mut Socket,
    app: &App,
    (room, actor): (&Room, &Actor),
    questions: &mut JoinSet<Utf8Bytes>,
    text: &str,
) -> Incoming {
    let at = Instant::now();
    let frame = match FromClient::read(text) {
        Ok(frame) => frame,
        Err(refusal) => {
            return socket.send(protocol::refused(&Value::Null, &refusal)).await;
        }
    };
    match frame.kind() {
        "ping" => return socket.send(protocol::plain("pong", frame.data())).await,
        "sync" => match read_fields(frame.data()) {
            Ok(NoFields {}) => return resync(socket, app, room, actor).await,
            Err(refusal) => return socket.send(protocol::refused(&frame.id, &refusal)).await,
        },
        "ask" if questions.len() >= QUESTIONS => {
            let refusal = Refusal::NotNow(NotNow::Answering);
            return socket.send(protocol::refused(&frame.id, &refusal)).await;
        }
        "ask" => {
            // The player may take its time over the answer; the table goes on meanwhile.
            questions.spawn(question(room.clone(), actor.clone(), frame));
            return Incoming::Nothing;
        }
        _ => {}
    }
    let (id, seq) = (frame.id.clone(), frame.seq);
    let action_id = frame.action_id(&actor.player);
    let action = frame.into_action();
    let asked = room.ask(|reply| Request::Action {
        actor: actor.clone(),
        seq,
        id: action_id,
        action,
        at,
        reply,
    });
    match asked.await.flatten() {
        Ok(_) => Incoming::Nothing,
        Err(refusal) => {
            let refusal = moved_on(app, refusal, seq);
            let stale = matches!(refusal, Refusal::Stale { .. });
            if let Incoming::End = socket.send(protocol::refused(&id, &refusal)).await {
                return Incoming::End;
            }
            if stale {
                resync(socket, app, room, actor).await
            } else {
                Incoming::Nothing
            }
        }
    }
}

/// The data of `ask`.
#[derive(Debug, Deserialize)]
struct Question {
    what: String,
    /// What belongs to the question.
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// Answers a question, to its sender alone.
async fn question(room: Room, actor: Actor, frame: FromClient) -> Utf8Bytes {
    let asked = async {
        let Question { what, fields } = read_fields(frame.data())?;
        let asked = room.ask(|reply| Request::Ask {
            actor,
            what,
            d: fields.into(),
            reply,
        });
        asked.await.flatten()
    };
    match asked.await {
        Ok(mut answer) => {
            answer["re"] = frame.id.clone();
            protocol::plain("answer", &answer)
        }
        Err(refusal) => protocol::refused(&frame.id, &refusal),
    }
}

/// The table went to another node before it heard of an action: the client acts again once it has
/// looked.
fn moved_on(app: &App, refusal: Refusal, seq: Option<u64>) -> Refusal {
    let seen = seq.unwrap_or_default();
    match refusal {
        Refusal::Busy if app.cluster().is_some() => Refusal::Stale {
            seen,
            now: seen + 1,
        },
        other => other,
    }
}

async fn resync(socket: &mut Socket, app: &App, room: &Room, actor: &Actor) -> Incoming {
    let view = |reply| Request::View {
        actor: actor.clone(),
        reply,
    };
    match room.ask(view).await {
        Ok(snapshot) => {
            socket
                .send(protocol::view_frame(snapshot.seq, &snapshot.json))
                .await
        }
        // The table tells no more; the next one sends a view.
        Err(_) if app.cluster().is_some() => Incoming::Nothing,
        Err(_) => Incoming::End,
    }
}
