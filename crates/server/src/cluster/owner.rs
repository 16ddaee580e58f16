//! The owner's side: requests of other nodes, and frames for their sockets.

use std::sync::Weak;
use std::time::Duration;

use async_nats::{Message, Subscriber};
use axum::extract::ws::Utf8Bytes;
use futures_util::StreamExt as _;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::wire::{Answer, Ask, Call, Content, Frame, Refused, parts};
use super::{Cluster, ask_subject, edge_subject, lock};
use crate::app::{self, App};
use crate::asset::hex;
use crate::id::{self, TableId};
use crate::refusal::Refusal;
use crate::room::{Request, Room};
use crate::socket::{Heartbeat, QUEUE};

/// How often an edge is told how many frames were sent to a socket.
pub(super) const COUNTED: Duration = Duration::from_secs(2);

/// Whoever has not asked for the rest of an answer by then has given it up.
const ANSWERED: Duration = Duration::from_secs(10);
/// What a message says beside its text: when and by whom it was written, for whom, its number.
const BESIDE: usize = 1024;

/// A socket of another node at a table of this one.
#[derive(Debug)]
pub(super) struct Attached {
    room: Room,
    listener: u64,
    heartbeat: Heartbeat,
}

/// Serves the requests of other nodes.
pub(super) async fn serve(cluster: Cluster, app: Weak<app::Inner>, mut asked: Subscriber) {
    while let Some(message) = asked.next().await {
        let Some(app) = app.upgrade().map(App::from) else {
            return;
        };
        tokio::spawn(answer(cluster.clone(), app, message));
    }
}

async fn answer(cluster: Cluster, app: App, message: Message) {
    let subject = ask_subject(cluster.id());
    let Some(call) = cluster.0.seal.open_once::<Call>(&subject, &message.payload) else {
        return;
    };
    let answer = match perform(&cluster, &app, call).await {
        Ok(answer) => answer,
        Err(Refusal::Busy) => Answer::Elsewhere,
        Err(refusal) => Answer::Refused(Refused::from(&refusal)),
    };
    let Some(reply) = message.reply else {
        return;
    };
    let text = cluster.fit(json!(answer).to_string());
    let payload = cluster.0.seal.seal(reply.as_str(), &text);
    // Whoever asked will notice that nothing comes.
    drop(cluster.0.nats.client().publish(reply, payload.into()).await);
}

fn done(value: impl Serialize) -> Answer {
    Answer::Done(json!(value))
}

/// What a table answered, which may be a refusal.
fn answered(answer: Result<impl Serialize, Refusal>) -> Answer {
    match answer {
        Ok(value) => done(value),
        Err(refusal) => Answer::Refused(Refused::from(&refusal)),
    }
}

async fn perform(cluster: &Cluster, app: &App, call: Call) -> Result<Answer, Refusal> {
    match call {
        Call::Table { table, ask } => perform_at_table(cluster, app, &table, ask).await,
        Call::Next(name) => Ok(cluster.next_part(&name)),
        Call::Detach { edge, listener } => {
            cluster.detach(edge, listener).await;
            Ok(done(()))
        }
        Call::Lags { edge, lags } => {
            cluster.note_lags(&edge, &lags);
            Ok(done(()))
        }
        Call::Count(count) => Ok(done(app.limits().count(count))),
    }
}

async fn perform_at_table(
    cluster: &Cluster,
    app: &App,
    table: &TableId,
    ask: Ask,
) -> Result<Answer, Refusal> {
    if !cluster.is_owner(table) {
        return Ok(Answer::Elsewhere);
    }
    if let Ask::Close = ask {
        app.lobby().close(table).await?;
        return Ok(done(()));
    }
    let room = app.lobby().room(table).await?;
    Ok(match ask {
        Ask::Load => done(()),
        Ask::Join {
            actor,
            seq,
            edge,
            listener,
        } => {
            let (sink, frames) = mpsc::channel(QUEUE);
            let heartbeat = Heartbeat::default();
            let join = |reply| Request::Join {
                actor,
                seq,
                sink,
                heartbeat: heartbeat.clone(),
                reply,
            };
            let attached = Attached {
                listener: room.ask(join).await?,
                heartbeat: heartbeat.clone(),
                room,
            };
            cluster.attach((edge, listener), attached, frames);
            done(())
        }
        Ask::Action {
            actor,
            seq,
            id,
            action,
        } => {
            let at = Instant::now();
            let action = |reply| Request::Action {
                actor,
                seq,
                id,
                action,
                at,
                reply,
            };
            answered(room.ask(action).await?)
        }
        Ask::Seen { actor } => {
            room.tell(Request::Seen { actor }).await;
            done(())
        }
        Ask::View { actor } => done(room.ask(|reply| Request::View { actor, reply }).await?),
        other => perform_rest(&room, other).await?,
    })
}

/// What needs nothing but an answer.
async fn perform_rest(room: &Room, ask: Ask) -> Result<Answer, Refusal> {
    Ok(match ask {
        Ask::Question { actor, what, d } => {
            let question = |reply| Request::Ask {
                actor,
                what,
                d,
                reply,
            };
            answered(room.ask(question).await?)
        }
        Ask::Transfer { from, successor } => {
            let transfer = |reply| Request::Transfer {
                from,
                successor,
                reply,
            };
            answered(room.ask(transfer).await?)
        }
        Ask::Export { ending, ply, flip } => {
            let export = |reply| Request::Export {
                ending,
                ply,
                flip,
                reply,
            };
            let file = room.ask(export).await?;
            let file = file.map(|file| (file.content_type, file.text));
            done(file)
        }
        Ask::FireDeadline => done(room.ask(|reply| Request::FireDeadline { reply }).await?),
        _ => Answer::Done(Value::Null),
    })
}

impl Cluster {
    /// Sends what a table tells a socket of another node.
    fn attach(&self, socket: (String, u64), attached: Attached, frames: mpsc::Receiver<Utf8Bytes>) {
        let (room, listener) = (attached.room.clone(), attached.listener);
        lock(&self.0.attached).insert(socket.clone(), attached);
        let cluster = self.clone();
        tokio::spawn(async move {
            let is_gone = cluster.forward(&socket, frames).await;
            lock(&cluster.0.attached).remove(&socket);
            if is_gone {
                room.tell(Request::Leave { listener }).await;
            }
        });
    }

    async fn detach(&self, edge: String, listener: u64) {
        let attached = lock(&self.0.attached).remove(&(edge, listener));
        if let Some(Attached { room, listener, .. }) = attached {
            room.tell(Request::Leave { listener }).await;
        }
    }

    fn note_lags(&self, edge: &str, lags: &[(u64, u64)]) {
        let attached = lock(&self.0.attached);
        for (listener, lag) in lags {
            if let Some(attached) = attached.get(&(edge.to_owned(), *listener)) {
                attached.heartbeat.note(Duration::from_millis(*lag));
            }
        }
    }

    /// Forwards frames until the table has no more of them, or the other node is gone, which is the
    /// answer.
    async fn forward(
        &self,
        (edge, listener): &(String, u64),
        mut frames: mpsc::Receiver<Utf8Bytes>,
    ) -> bool {
        let mut changes = self.changes();
        let mut tick = interval_at(Instant::now() + COUNTED, COUNTED);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut number = 0;
        loop {
            let text = tokio::select! {
                biased;
                text = frames.recv() => {
                    if text.is_none() {
                        self.send(edge, *listener, number, Content::End).await;
                        return false;
                    }
                    text
                }
                _ = tick.tick() => None,
                _ = changes.changed() => None,
            };
            let Some(text) = text else {
                if !self.is_member(edge) {
                    return true;
                }
                let count = Content::Count(self.id());
                self.send(edge, *listener, number, count).await;
                continue;
            };
            let mut parts = parts(&text, self.room_in_message());
            let last = parts.pop().unwrap_or_default();
            let parts = parts.into_iter().map(Content::Part);
            for content in parts.chain([Content::Text(last)]) {
                number += 1;
                self.send(edge, *listener, number, content).await;
            }
        }
    }

    /// How many bytes of text one message has room for, beside what else it says.
    fn room_in_message(&self) -> usize {
        let most = self.0.nats.client().server_info().max_payload;
        most.saturating_sub(BESIDE).max(BESIDE)
    }

    /// An answer, or its first part where one message has no room for it.
    fn fit(&self, answer: String) -> String {
        let most = self.room_in_message();
        if answer.len() <= most {
            return answer;
        }
        // In a part, every quotation mark takes two bytes.
        let parts = parts(&answer, most / 2).into_iter().map(str::to_owned);
        let (name, now) = (hex(&id::random::<8>()), Instant::now());
        let mut begun = lock(&self.0.begun);
        begun.retain(|_, (since, _)| since.elapsed() < ANSWERED);
        begun.insert(name.clone(), (now, parts.collect()));
        drop(begun);
        json!(self.next_part(&name)).to_string()
    }

    /// The next part of an answer that was begun.
    fn next_part(&self, name: &str) -> Answer {
        let mut begun = lock(&self.0.begun);
        let Some((_, parts)) = begun.get_mut(name) else {
            return Answer::Elsewhere;
        };
        let text = parts.pop_front().unwrap_or_default();
        let next = (!parts.is_empty()).then(|| name.to_owned());
        if next.is_none() {
            begun.remove(name);
        }
        Answer::Part { text, next }
    }

    async fn send(&self, edge: &str, listener: u64, number: u64, content: Content<'_>) {
        let frame = Frame {
            listener,
            number,
            content,
        };
        let subject = edge_subject(edge);
        let payload = self.0.seal.seal(&subject, &frame.text()).into();
        // A frame that is lost is missed by its number.
        if let Err(error) = self.0.nats.client().publish(subject, payload).await {
            tracing::warn!(%error, "a frame was not sent");
        }
    }
}
