//! One task owns one table: its rules state, its clocks, its event log, its listeners.
//!
//! Requests come in over a bounded channel and are served one after the other. An event is
//! applied, then stored, and only then told. Where storing fails, the task ends and its state is
//! forgotten: the next one begins with what is stored.

mod action;
mod audience;
mod bots;
mod commit;
mod presence;
mod state;
mod task;

use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::client::{Client, Network};
use crate::game::{Action, Export, Player, Seat};
use crate::id::{PlayerId, TableId};
use crate::refusal::Refusal;
use crate::socket::Heartbeat;
use crate::store::Summary;

pub(crate) use state::{Event, State};
pub(crate) use task::{Context, spawn, unix_now};

/// How many requests may wait for one table.
const WAITING: usize = 64;

/// Whoever looks at a table or acts at it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Actor {
    /// The player.
    pub(crate) player: PlayerId,
    /// What the others would call them.
    pub(crate) name: String,
    /// Where they come from, unless no limit per address applies.
    pub(crate) network: Option<Network>,
}

impl Actor {
    /// Whom limits count.
    pub(crate) fn client(&self) -> Client {
        Client {
            session: self.player.clone(),
            network: self.network,
        }
    }

    /// As whoever sits down.
    pub(crate) fn player(&self) -> Player {
        Player {
            id: self.player.clone(),
            name: self.name.clone(),
        }
    }
}

/// What is asked of a table.
#[derive(Debug)]
pub(crate) enum Request {
    /// To be told of everything from now on.
    Join {
        actor: Actor,
        /// The last event that the listener knows.
        seq: Option<u64>,
        sink: mpsc::Sender<Utf8Bytes>,
        /// The measure of its lag.
        heartbeat: Heartbeat,
        reply: oneshot::Sender<u64>,
    },
    /// To be told no more.
    Leave { listener: u64 },
    /// To do something.
    Action {
        actor: Actor,
        seq: Option<u64>,
        /// What tells that it comes for a second time.
        id: Option<String>,
        action: Action,
        at: Instant,
        reply: oneshot::Sender<Result<u64, Refusal>>,
    },
    /// Somebody who need not be connected did something here.
    Seen { actor: Actor },
    /// To end at once: the table is about to be deleted.
    Close { reply: oneshot::Sender<()> },
    /// To give the seats of one player to another, or to nobody in particular.
    Transfer {
        from: PlayerId,
        successor: Option<Player>,
        reply: oneshot::Sender<Result<(), Refusal>>,
    },
    /// What a bot came up with: an action, nothing, or that there was no room for its job.
    Bot {
        seat: Seat,
        seq: u64,
        answer: Result<Option<Action>, Refusal>,
    },
    /// A question that changes nothing.
    Ask {
        actor: Actor,
        what: String,
        d: serde_json::Value,
        reply: oneshot::Sender<Result<serde_json::Value, Refusal>>,
    },
    /// The view as JSON, and whether the viewer may sit down.
    View {
        actor: Actor,
        reply: oneshot::Sender<Snapshot>,
    },
    /// A file.
    Export {
        ending: String,
        ply: Option<usize>,
        flip: bool,
        reply: oneshot::Sender<Option<Export>>,
    },
    /// Makes what the table waits for happen now.
    FireDeadline { reply: oneshot::Sender<()> },
}

impl Request {
    /// Who wants something of the table now.
    fn asked_by(&self) -> Option<&Actor> {
        match self {
            Self::Action { actor, .. } | Self::Ask { actor, .. } | Self::View { actor, .. } => {
                Some(actor)
            }
            _ => None,
        }
    }
}

/// One look at a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// The number of the last event.
    pub(crate) seq: u64,
    /// The view as JSON.
    pub(crate) json: String,
    /// Its game.
    pub(crate) game: String,
    /// Whether the viewer may sit down.
    pub(crate) can_sit: bool,
    /// The seat of the viewer.
    pub(crate) seat: Option<Seat>,
    /// When the table was opened, in milliseconds of Unix time.
    pub(crate) opened: i64,
}

/// The way to a table's task.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub(crate) id: TableId,
    requests: mpsc::Sender<Request>,
    listing: Arc<Mutex<Option<Listing>>>,
}

/// What the lobby tells of a table where somebody who plays is connected.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    /// Who is connected.
    pub(crate) client: Client,
    pub(crate) summary: Arc<Summary>,
}

impl Room {
    /// The way to a task that is about to begin, and what that reads.
    pub(crate) fn new(id: TableId) -> (Self, mpsc::Receiver<Request>) {
        let (requests, queue) = mpsc::channel(WAITING);
        let room = Self {
            id,
            requests,
            listing: Arc::default(),
        };
        (room, queue)
    }

    fn slot(&self) -> MutexGuard<'_, Option<Listing>> {
        self.listing.lock().expect("no holder of this lock panics")
    }

    /// What the lobby tells of the table, if somebody who plays is connected.
    pub(crate) fn listing(&self) -> Option<Listing> {
        self.slot().clone()
    }

    /// Whether the task has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    /// Whether this is the way to that very task.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.requests.same_channel(&other.requests)
    }

    /// Asks, and waits for the answer.
    pub(crate) async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> Request,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        let sent = self.requests.send(request(reply)).await;
        sent.map_err(|_| Refusal::Busy)?;
        answer.await.map_err(|_| Refusal::Busy)
    }

    /// Tells, without waiting for anything but room in the queue.
    pub(crate) async fn tell(&self, request: Request) {
        // A table that has ended has nothing left to hear.
        drop(self.requests.send(request).await);
    }
}
