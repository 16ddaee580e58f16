//! The socket of one table.

use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Heard, QUEUE, Upgrade, Wire};
use crate::app::App;
use crate::extract::{Path, Query};
use crate::id::TableId;
use crate::protocol::{self, FromClient};
use crate::refusal::{NotNow, Refusal};
use crate::room::{Request, Room, Who};
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
    let who = visitor.who();
    Ok(upgrade.serve(&app, async move |wire| {
        attend(wire, room, who, resume.seq).await;
    }))
}

async fn attend(mut wire: Wire, room: Room, who: Who, seq: Option<u64>) {
    let (sink, mut frames) = mpsc::channel::<Utf8Bytes>(QUEUE);
    let join = |reply| Request::Join {
        who: who.clone(),
        seq,
        sink,
        reply,
    };
    let Ok(listener) = room.ask(join).await else {
        // The table was being put away: the client comes again and finds it read anew.
        return wire.send_away().await;
    };
    let mut questions = JoinSet::new();
    loop {
        let ended = tokio::select! {
            Some(answer) = questions.join_next() => match answer {
                Ok(frame) => wire.send(frame).await,
                Err(_) => Heard::Nothing,
            },
            frame = frames.recv() => if let Some(frame) = frame {
                wire.send(frame).await
            } else {
                wire.send_away().await;
                Heard::End
            },
            heard = wire.hear() => match heard {
                Heard::Text(text) => answer(&mut wire, &room, &who, &mut questions, &text).await,
                other => other,
            },
        };
        if let Heard::End = ended {
            break;
        }
    }
    room.tell(Request::Leave { listener }).await;
}

/// Serves one frame of the client.
async fn answer(
    wire: &mut Wire,
    room: &Room,
    who: &Who,
    questions: &mut JoinSet<Utf8Bytes>,
    text: &str,
) -> Heard {
    let at = Instant::now();
    let frame = match FromClient::read(text) {
        Ok(frame) => frame,
        Err(refusal) => {
            return wire
                .send(protocol::refused(&serde_json::Value::Null, &refusal))
                .await;
        }
    };
    match frame.kind() {
        "ping" => return wire.send(protocol::plain("pong", frame.data())).await,
        "sync" => return resync(wire, room, who).await,
        "ask" if questions.len() >= QUESTIONS => {
            let refusal = Refusal::NotNow(NotNow::Answering);
            return wire.send(protocol::refused(&frame.id, &refusal)).await;
        }
        "ask" => {
            // The player may take its time over the answer; the table goes on meanwhile.
            questions.spawn(question(room.clone(), who.clone(), frame));
            return Heard::Nothing;
        }
        _ => {}
    }
    let (id, seq) = (frame.id.clone(), frame.seq);
    let act = frame.into_act();
    let asked = room.ask(|reply| Request::Act {
        who: who.clone(),
        seq,
        act,
        at,
        reply,
    });
    match asked.await.flatten() {
        Ok(_) => Heard::Nothing,
        Err(refusal) => {
            let stale = matches!(refusal, Refusal::Stale { .. });
            if let Heard::End = wire.send(protocol::refused(&id, &refusal)).await {
                return Heard::End;
            }
            if stale {
                resync(wire, room, who).await
            } else {
                Heard::Nothing
            }
        }
    }
}

/// Answers a question, to its sender alone.
async fn question(room: Room, who: Who, frame: FromClient) -> Utf8Bytes {
    let d = frame.data();
    let asked = room.ask(|reply| Request::Ask {
        who,
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

async fn resync(wire: &mut Wire, room: &Room, who: &Who) -> Heard {
    let view = |reply| Request::View {
        who: who.clone(),
        reply,
    };
    match room.ask(view).await {
        Ok(glance) => {
            wire.send(protocol::view_frame(glance.seq, &glance.json))
                .await
        }
        Err(_) => Heard::End,
    }
}
