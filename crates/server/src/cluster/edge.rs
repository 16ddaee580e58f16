//! The edge's side: a table that another node owns, as a room of this one.

use std::time::Duration;

use async_nats::{Request as NatsRequest, RequestErrorKind};
use axum::extract::ws::Utf8Bytes;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::wire::{Answer, Ask, Call, Content, Frame, constant};
use super::{Cluster, ask_subject, edge_subject, lock, owner};
use crate::game::Export;
use crate::id::TableId;
use crate::lobby::Lobby;
use crate::refusal::Refusal;
use crate::room::{Actor, Request, Room};
use crate::shared_limit::Count;
use crate::socket::Heartbeat;

/// How long the owner may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it may think about a question.
const LONG_PATIENCE: Duration = Duration::from_secs(10);
/// How long a node that has left may take for the answers that it owes.
const FAREWELL: Duration = Duration::from_millis(250);
/// The owner is told of a lag that has changed by so much.
const LAG_STEP: Duration = Duration::from_millis(20);
/// A table that nobody here looks at is forgotten after this long.
const IDLE: Duration = Duration::from_mins(1);

/// A socket of this node at a table of another.
#[derive(Debug)]
pub(super) struct Sink {
    frames: mpsc::Sender<Utf8Bytes>,
    heartbeat: Heartbeat,
    /// The lag that the owner was last told of.
    lag: Duration,
    /// How many frames came, or parts of them, and what of the next is there.
    number: u64,
    begun: String,
    heard: Instant,
}

/// Where something was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Not yet: this node keeps the count.
    Here,
    /// At another node, which has granted it or not.
    There(bool),
    /// The node that keeps the count cannot be reached.
    Nowhere,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    /// The owner did nothing.
    Undone,
    /// Nobody knows what the owner did.
    Unknown,
}

impl Cluster {
    /// Hands a frame to its socket. Where one is missing, the socket is told no more, and joins anew.
    pub(super) fn deliver(&self, payload: &[u8]) {
        let subject = edge_subject(self.id());
        let frame = self
            .0
            .seal
            .open_text(&subject, payload)
            .and_then(Frame::read);
        let Some(frame) = frame else {
            return;
        };
        let mut sinks = lock(&self.0.sinks);
        let Some(sink) = sinks.get_mut(&frame.listener) else {
            if let Content::Count(owner) = frame.content {
                // The owner has not heard that the socket is gone.
                self.detach_from(owner, frame.listener);
            }
            return;
        };
        sink.heard = Instant::now();
        let is_sound = match frame.content {
            // It came twice.
            Content::Text(_) | Content::Part(_) if frame.number <= sink.number => true,
            Content::Text(text) if frame.number == sink.number + 1 => {
                sink.number += 1;
                let begun = std::mem::take(&mut sink.begun);
                sink.frames.try_send((begun + text).into()).is_ok()
            }
            Content::Part(text) if frame.number == sink.number + 1 => {
                sink.number += 1;
                sink.begun.push_str(text);
                true
            }
            Content::Count(_) => frame.number == sink.number,
            Content::Text(_) | Content::Part(_) | Content::End => false,
        };
        if !is_sound {
            sinks.remove(&frame.listener);
        }
    }

    /// Tells the owner of some table that a socket is gone.
    fn detach_from(&self, owner: &str, listener: u64) {
        let call = Call::Detach {
            edge: self.id().to_owned(),
            listener,
        };
        let (cluster, owner) = (self.clone(), owner.to_owned());
        // If it is lost, the owner's next count tells.
        tokio::spawn(async move { drop(cluster.call::<()>(&owner, call, PATIENCE).await) });
    }

    /// A room that asks the owner of a table, once that has the table.
    pub(crate) async fn remote(
        &self,
        table: &TableId,
        owner: String,
        lobby: &Lobby,
    ) -> Result<Room, Refusal> {
        let call = Call::Table {
            table: table.clone(),
            ask: Ask::Load,
        };
        let loaded = self.call::<()>(&owner, call, PATIENCE).await;
        loaded.map_err(|_| Refusal::Busy)??;
        let (room, queue) = Room::new(table.clone());
        let remote = Remote {
            cluster: self.clone(),
            owner,
            room: room.clone(),
            lobby: lobby.clone(),
            listeners: Vec::new(),
        };
        tokio::spawn(remote.run(queue));
        Ok(room)
    }

    /// Lets the node that keeps a count count one more.
    pub(crate) async fn count_at_home(&self, key: &str, count: Count) -> Counted {
        let home = self.home(key);
        if home == self.id() {
            return Counted::Here;
        }
        match self.call(&home, Call::Count(count), PATIENCE).await {
            Ok(Ok(is_granted)) => Counted::There(is_granted),
            _ => Counted::Nowhere,
        }
    }

    /// Tells the node that keeps a count; it is no matter whether it hears.
    pub(crate) async fn tell_count(&self, home: &str, count: Count) {
        drop(self.call::<bool>(home, Call::Count(count), PATIENCE).await);
    }

    /// Asks a node.
    async fn call<T: DeserializeOwned>(
        &self,
        node: &str,
        call: Call,
        patience: Duration,
    ) -> Result<Result<T, Refusal>, Lost> {
        let mut answer = self.request(node, &call, patience).await?;
        let mut whole = String::new();
        while let Answer::Part { text, next } = answer {
            whole.push_str(&text);
            answer = match next {
                Some(next) => self.request(node, &Call::Next(next), patience).await?,
                None => serde_json::from_str(&whole).map_err(|_| Lost::Unknown)?,
            };
        }
        match answer {
            Answer::Elsewhere => Err(Lost::Undone),
            Answer::Refused(refused) => Ok(Err(refused.into())),
            Answer::Done(value) => serde_json::from_value(value)
                .map(Ok)
                .map_err(|_| Lost::Unknown),
            Answer::Part { .. } => Err(Lost::Unknown),
        }
    }

    /// Done when a node is not here any more and would have answered if it had only left.
    async fn until_gone(&self, node: &str) {
        let mut changes = self.changes();
        while self.is_member(node) && changes.changed().await.is_ok() {}
        sleep(FAREWELL).await;
    }

    async fn request(&self, node: &str, call: &Call, patience: Duration) -> Result<Answer, Lost> {
        let subject = ask_subject(node);
        let payload = self.0.seal.seal(&subject, &json!(call).to_string()).into();
        let request = NatsRequest::new().payload(payload).timeout(Some(patience));
        if !self.0.nats.is_connected() {
            return Err(Lost::Undone);
        }
        let client = self.0.nats.client();
        let answered = tokio::select! {
            answered = client.send_request(subject, request) => answered,
            // It may have done what it was asked before it was gone.
            () = self.until_gone(node) => return Err(Lost::Unknown),
        };
        let message = match answered {
            Ok(message) => message,
            Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                self.drop_silent(node);
                return Err(Lost::Undone);
            }
            Err(_) => return Err(Lost::Unknown),
        };
        let answer = self.0.seal.open(message.subject.as_str(), &message.payload);
        answer.ok_or(Lost::Unknown)
    }
}

/// A table of another node.
#[derive(Debug)]
struct Remote {
    cluster: Cluster,
    owner: String,
    room: Room,
    lobby: Lobby,
    listeners: Vec<u64>,
}

impl Remote {
    /// Passes requests on until another node owns the table. Sockets that were here find out because
    /// they are told no more.
    async fn run(mut self, mut queue: mpsc::Receiver<Request>) {
        let mut changes = self.cluster.changes();
        let (failed, mut failures) = mpsc::channel(1);
        let mut tick = interval(Duration::from_secs(1));
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut used = Instant::now();
        loop {
            tokio::select! {
                request = queue.recv() => match request {
                    Some(request) => {
                        used = Instant::now();
                        self.serve(request, failed.clone());
                    }
                    None => break,
                },
                _ = failures.recv() => break,
                _ = changes.changed() => {}
                _ = tick.tick() => {
                    self.expire();
                    self.tell_lags();
                }
            }
            let is_idle = self.listeners.is_empty() && used.elapsed() > IDLE;
            if is_idle || self.cluster.owner(&self.room.id) != self.owner {
                break;
            }
        }
        let mut sinks = lock(&self.cluster.0.sinks);
        for listener in &self.listeners {
            sinks.remove(listener);
        }
        drop(sinks);
        self.lobby.forget(&self.room);
    }

    /// Gives up sockets for which nothing was heard: the owner counts their frames all the time.
    fn expire(&mut self) {
        let mut sinks = lock(&self.cluster.0.sinks);
        self.listeners.retain(|listener| {
            let heard = sinks.get(listener).map(|sink| sink.heard);
            let is_silent = heard.is_some_and(|at| at.elapsed() > 2 * owner::COUNTED);
            if is_silent {
                sinks.remove(listener);
            }
            heard.is_some() && !is_silent
        });
    }

    /// Tells the owner where the lag of a socket has changed, for the clocks.
    fn tell_lags(&self) {
        let (mut lags, now) = (Vec::new(), Instant::now());
        let mut sinks = lock(&self.cluster.0.sinks);
        for listener in &self.listeners {
            let Some(sink) = sinks.get_mut(listener) else {
                continue;
            };
            let lag = sink.heartbeat.lag(now);
            if lag.abs_diff(sink.lag) >= LAG_STEP {
                sink.lag = lag;
                lags.push((
                    *listener,
                    u64::try_from(lag.as_millis()).unwrap_or(u64::MAX),
                ));
            }
        }
        drop(sinks);
        if !lags.is_empty() {
            let edge = self.cluster.id().to_owned();
            let call = Call::Lags { edge, lags };
            let (cluster, owner) = (self.cluster.clone(), self.owner.clone());
            // If it is lost, the next change tells.
            tokio::spawn(async move { drop(cluster.call::<()>(&owner, call, PATIENCE).await) });
        }
    }

    /// Lets a socket be told what happens at the table.
    fn join(
        &mut self,
        caller: Caller,
        (actor, seq): (Actor, Option<u64>),
        (sink, heartbeat): (mpsc::Sender<Utf8Bytes>, Heartbeat),
        reply: oneshot::Sender<u64>,
    ) {
        let listener = self.cluster.next_listener();
        let sink = Sink {
            heartbeat,
            lag: Duration::ZERO,
            frames: sink,
            number: 0,
            begun: String::new(),
            heard: Instant::now(),
        };
        // Frames may come before the answer does.
        lock(&self.cluster.0.sinks).insert(listener, sink);
        self.listeners.push(listener);
        let edge = self.cluster.id().to_owned();
        let ask = Ask::Join {
            actor,
            seq,
            edge,
            listener,
        };
        tokio::spawn(async move {
            if let Ok(Ok(())) = caller.call(ask, PATIENCE).await {
                // Whoever asked may be gone.
                let _ = reply.send(listener);
            }
        });
    }

    fn serve(&mut self, request: Request, failed: mpsc::Sender<()>) {
        let caller = Caller {
            cluster: self.cluster.clone(),
            owner: self.owner.clone(),
            table: self.room.id.clone(),
            failed,
        };
        match request {
            Request::Join {
                actor,
                seq,
                sink,
                heartbeat,
                reply,
            } => self.join(caller, (actor, seq), (sink, heartbeat), reply),
            Request::Leave { listener } => {
                lock(&self.cluster.0.sinks).remove(&listener);
                self.cluster.detach_from(&self.owner, listener);
            }
            Request::Action {
                actor,
                seq,
                id,
                action,
                reply,
                ..
            } => {
                let ask = Ask::Action {
                    actor,
                    seq,
                    id,
                    action,
                };
                tokio::spawn(async move {
                    // Whoever hears nothing asks again, if the action is known by a name, or looks
                    // what became of it.
                    if let Ok(answer) = caller.call(ask, PATIENCE).await {
                        drop(reply.send(answer));
                    }
                });
            }
            other => serve_rest(caller, other),
        }
    }
}

/// Serves what needs nothing but an answer.
fn serve_rest(caller: Caller, request: Request) {
    match request {
        Request::Seen { actor } => {
            let ask = Ask::Seen { actor };
            tokio::spawn(async move { drop(caller.call::<()>(ask, PATIENCE).await) });
        }
        Request::Ask {
            actor,
            what,
            d,
            reply,
        } => caller.answer(Ask::Question { actor, what, d }, LONG_PATIENCE, reply),
        Request::View { actor, reply } => {
            caller.answer_only(Ask::View { actor }, reply, |snapshot| snapshot);
        }
        Request::Export {
            ending,
            ply,
            flip,
            reply,
        } => {
            let file = |file: Option<(String, String)>| {
                file.map(|(content_type, text)| Export {
                    content_type: constant(&content_type),
                    text,
                })
            };
            caller.answer_only(Ask::Export { ending, ply, flip }, reply, file);
        }
        Request::Transfer {
            from,
            successor,
            reply,
        } => caller.answer(Ask::Transfer { from, successor }, PATIENCE, reply),
        Request::Close { reply } => caller.answer_only(Ask::Close, reply, |()| ()),
        Request::FireDeadline { reply } => {
            caller.answer_only(Ask::FireDeadline, reply, |()| ());
        }
        // Its own node has these.
        Request::Join { .. }
        | Request::Leave { .. }
        | Request::Action { .. }
        | Request::Bot { .. } => {}
    }
}

/// Whom to ask, and whom to tell that nobody answers.
#[derive(Debug)]
struct Caller {
    cluster: Cluster,
    owner: String,
    table: TableId,
    failed: mpsc::Sender<()>,
}

impl Caller {
    async fn call<T: DeserializeOwned>(
        &self,
        ask: Ask,
        patience: Duration,
    ) -> Result<Result<T, Refusal>, Lost> {
        let table = self.table.clone();
        let call = Call::Table { table, ask };
        let answer = self.cluster.call(&self.owner, call, patience).await;
        if answer.is_err() {
            // One failure is enough: everybody looks for the owner anew.
            let _ = self.failed.try_send(());
        }
        answer
    }

    /// Passes an answer on, or a refusal.
    fn answer<T: DeserializeOwned + Send + 'static>(
        self,
        ask: Ask,
        patience: Duration,
        reply: oneshot::Sender<Result<T, Refusal>>,
    ) {
        tokio::spawn(async move {
            if let Ok(answer) = self.call(ask, patience).await {
                drop(reply.send(answer));
            }
        });
    }

    /// Passes on an answer to what is never refused.
    fn answer_only<T: DeserializeOwned + Send + 'static, U: Send + 'static>(
        self,
        ask: Ask,
        reply: oneshot::Sender<U>,
        of: impl FnOnce(T) -> U + Send + 'static,
    ) {
        tokio::spawn(async move {
            if let Ok(Ok(answer)) = self.call(ask, PATIENCE).await {
                drop(reply.send(of(answer)));
            }
        });
    }
}
