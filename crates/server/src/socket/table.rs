//! The socket of one table.

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Incoming, QUEUE, Socket, Upgrade};
use crate::app::App;
use crate::extract::{Path, Query};
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
    let room = app.lobby().room(&id).await?;
    let actor = visitor.actor();
    Ok(upgrade.serve(&app, async move |socket| {
        attend(socket, room, actor, resume.seq).await;
    }))
}

async fn attend(mut socket: Socket, room: Room, actor: Actor, seq: Option<u64>) {
    let (sink, mut frames) = mpsc::channel::<Utf8Bytes>(QUEUE);
    let heartbeat = socket.heartbeat();
    let join = |reply| Request::Join {
        actor: actor.clone(),
        seq,
        sink,
        heartbeat,
        reply,
    };
    let Ok(listener) = room.ask(join).await else {
        // The table was being put away: the client comes again and finds it read anew.
        return socket.close_try_again().await;
    };
    let mut questions = JoinSet::new();
    loop {
        let ended = tokio::select! {
            Some(answer) = questions.join_next() => match answer {
                Ok(frame) => socket.send(frame).await,
                Err(_) => Incoming::Nothing,
            },
            frame = frames.recv() => if let Some(frame) = frame {
                socket.send(frame).await
            } else {
                socket.close_try_again().await;
                Incoming::End
            },
            incoming = socket.receive() => match incoming {
                Incoming::Text(text) => answer(&mut socket, &room, &actor, &mut questions, &text).await,
                other => other,
            },
        };
        if let Incoming::End = ended {
            break;
        }
    }
    room.tell(Request::Leave { listener }).await;
}

/// Serves one frame of the client.
async fn answer(
    socket: &mut Socket,
    room: &Room,
    actor: &Actor,
    questions: &mut JoinSet<Utf8Bytes>,
    text: &str,
) -> Incoming {
    let at = Instant::now();
    let frame = match FromClient::read(text) {
        Ok(frame) => frame,
        Err(refusal) => {
            return socket
                .send(protocol::refused(&serde_json::Value::Null, &refusal))
                .await;
        }
    };
    match frame.kind() {
        "ping" => return socket.send(protocol::plain("pong", frame.data())).await,
        "sync" => return resync(socket, room, actor).await,
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
    let action = frame.into_action();
    let asked = room.ask(|reply| Request::Action {
        actor: actor.clone(),
        seq,
        action,
        at,
        reply,
    });
    match asked.await.flatten() {
        Ok(_) => Incoming::Nothing,
        Err(refusal) => {
            let stale = matches!(refusal, Refusal::Stale { .. });
            if let Incoming::End = socket.send(protocol::refused(&id, &refusal)).await {
                return Incoming::End;
            }
            if stale {
                resync(socket, room, actor).await
            } else {
                Incoming::Nothing
            }
        }
    }
}

/// Answers a question, to its sender alone.
async fn question(room: Room, actor: Actor, frame: FromClient) -> Utf8Bytes {
    let d = frame.data();
    let asked = room.ask(|reply| Request::Ask {
        actor,
        what: d["what"].as_str().unwrap_or_default().to_owned(),
        d: d.clone(),
        reply,
    });
    match asked.await.flatten() {
        Ok(mut answer) => {
            answer["re"] = frame.id.clone();
            protocol::plain("answer", &answer)
        }
        Err(refusal) => protocol::refused(&frame.id, &refusal),
    }
}

async fn resync(socket: &mut Socket, room: &Room, actor: &Actor) -> Incoming {
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
        Err(_) => Incoming::End,
    }
}
