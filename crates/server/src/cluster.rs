//! Several nodes: which of them are there, which of them owns a table, and messages that only
//! another node can have written.
//!
//! What is stored never depends on nodes agreeing: of two that believe they own a table, the storage
//! takes each number from one. Membership only decides where requests go.

mod edge;
mod owner;
mod seal;
mod wire;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::app::{self, App};
use crate::asset::hex;
use crate::client::Client;
use crate::id::{self, TableId};
use crate::nats::{Nats, NatsError};
use crate::room::Listing;
use crate::session::Key;
use crate::store::Summary;

pub(crate) use edge::Counted;
use owner::Attached;
use seal::Seal;

/// How often a node tells that it is there.
const BEAT: Duration = Duration::from_secs(1);
/// A node that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(3);
/// A node that hears nothing for so long, itself included, may be taken for gone by others, who drop it
/// then if it cannot be asked.
const DOUBT: Duration = Duration::from_millis(1500);
/// How often the lists are told though they have not changed: a node may be new, or have missed them.
const LISTS_REPEATED: Duration = Duration::from_secs(5);
/// The subject of what all nodes hear.
const ALL: &str = "node.all";

/// The subject of requests to one node.
fn ask_subject(node: &str) -> String {
    format!("node.ask.{node}")
}

/// The subject of frames for the sockets of one node.
fn edge_subject(node: &str) -> String {
    format!("edge.{node}")
}

/// This node among the others. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Cluster(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    id: String,
    nats: Nats,
    seal: Seal,
    members: Mutex<Members>,
    /// Counts the changes of the membership.
    changes: watch::Sender<u64>,
    last_listener: AtomicU64,
    /// The sockets of this node at tables of others.
    sinks: Mutex<HashMap<u64, edge::Sink>>,
    /// The sockets of other nodes at tables of this one.
    attached: Mutex<HashMap<(String, u64), Attached>>,
    /// Answers that one message has no room for: since when, and what is left of them.
    begun: Mutex<HashMap<String, (Instant, VecDeque<String>)>>,
}

#[derive(Debug)]
struct Members {
    /// When each other node was last heard, and what it lists.
    others: HashMap<String, Member>,
    /// The number of this node's last beat, and when it was sent.
    beat: (u64, Instant),
    /// When the last beat was sent that came back to this node over NATS. The others have heard it no
    /// sooner, so they wait at least from then on before they take this node for gone.
    echo: Instant,
    /// How often it has heard nothing for so long that others may have taken tables over.
    absences: u64,
    is_leaving: bool,
}

#[derive(Debug)]
struct Member {
    heard: Instant,
    listed: Vec<Listing>,
    sockets: u64,
}

/// What a node tells all the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum News {
    /// It is there.
    Here { node: String, beat: u64 },
    /// It leaves.
    Leaves { node: String },
    /// The tables that its lobby shows, and how many sockets it has.
    Lists {
        node: String,
        listed: Vec<(Client, Summary)>,
        sockets: u64,
    },
    /// A session has ended.
    SessionEnded { session: String },
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}

impl Cluster {
    /// A node that is not heard yet.
    pub(crate) fn new(nats: Nats, key: Key) -> Self {
        Self(Arc::new(Inner {
            id: hex(&id::random::<8>()),
            nats,
            seal: Seal::new(key),
            members: Mutex::new(Members {
                others: HashMap::new(),
                beat: (0, Instant::now()),
                echo: Instant::now(),
                absences: 0,
                is_leaving: false,
            }),
            changes: watch::Sender::new(0),
            last_listener: AtomicU64::new(0),
            sinks: Mutex::default(),
            attached: Mutex::default(),
            begun: Mutex::default(),
        }))
    }

    /// The name of this node: another one after each start.
    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        lock(&self.0.members)
    }

    /// Tells when the membership changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    fn note_change(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// The node that owns a table: the one whose hash with it is the largest.
    pub(crate) fn owner(&self, table: &TableId) -> String {
        self.home(table.as_str())
    }

    /// The node that something of this name is kept at.
    pub(crate) fn home(&self, name: &str) -> String {
        let members = self.members();
        let own = (!members.is_leaving || members.others.is_empty()).then_some(&self.0.id);
        let all = members.others.keys().chain(own);
        let home = all.max_by_key(|node| weight(node, name)).cloned();
        home.unwrap_or_else(|| self.0.id.clone())
    }

    /// Whether this node is the one that does what need be done once.
    pub(crate) fn is_home(&self, name: &str) -> bool {
        self.home(name) == self.0.id
    }

    /// Whether this node owns a table.
    pub(crate) fn is_owner(&self, table: &TableId) -> bool {
        self.is_home(table.as_str())
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.members().others.len() + 1
    }

    fn is_member(&self, node: &str) -> bool {
        self.members().others.contains_key(node)
    }

    /// Whether nothing was heard over NATS for so long that others may take tables over.
    pub(crate) fn is_isolated(&self) -> bool {
        self.members().echo.elapsed() >= DOUBT || !self.0.nats.is_connected()
    }

    /// Whether other nodes were here when this one last heard anything.
    pub(crate) fn has_others(&self) -> bool {
        !self.members().others.is_empty()
    }

    /// How often this node was isolated and is not any more. What was read of tables before is not to be
    /// relied on.
    pub(crate) fn absences(&self) -> u64 {
        self.members().absences
    }

    /// The next beat.
    fn here(&self) -> News {
        let mut members = self.members();
        let beat = members.beat.0 + 1;
        members.beat = (beat, Instant::now());
        let node = self.0.id.clone();
        News::Here { node, beat }
    }

    /// This node hears itself.
    fn hear_echo(&self, beat: u64) {
        let mut members = self.members();
        if beat != members.beat.0 {
            // The echo of a later one is on its way.
            return;
        }
        let was_absent = members.echo.elapsed() >= DOUBT;
        members.echo = members.beat.1;
        if was_absent {
            members.absences += 1;
            drop(members);
            tracing::warn!("nothing was heard over NATS for a while; tables are read anew");
            self.note_change();
        }
    }

    /// Another node is there. It learns at once of this one if it is new.
    fn hear_member(&self, node: String) {
        let (mut members, now) = (self.members(), Instant::now());
        if let Some(known) = members.others.get_mut(&node) {
            known.heard = now;
            return;
        }
        tracing::info!(node, "a node is here");
        let (listed, sockets) = (Vec::new(), 0);
        let member = Member {
            heard: now,
            listed,
            sockets,
        };
        members.others.insert(node, member);
        let is_leaving = members.is_leaving;
        drop(members);
        self.note_change();
        if !is_leaving {
            let cluster = self.clone();
            tokio::spawn(async move { cluster.tell_all(&cluster.here()).await });
        }
    }

    /// What the lobbies of the other nodes show.
    pub(crate) fn lists(&self) -> Vec<Listing> {
        let members = self.members();
        let others = members.others.values();
        others.flat_map(|member| member.listed.clone()).collect()
    }

    /// How many sockets the other nodes have.
    pub(crate) fn sockets(&self) -> u64 {
        let members = self.members();
        members.others.values().map(|member| member.sockets).sum()
    }

    /// A node that cannot be asked and has missed a beat is gone: its silence need not last longer.
    fn drop_silent(&self, node: &str) {
        let mut members = self.members();
        let heard = members.others.get(node).map(|member| member.heard);
        if heard.is_some_and(|heard| heard.elapsed() > DOUBT) {
            members.others.remove(node);
            drop(members);
            tracing::warn!(node, "a node is gone");
            self.note_change();
        }
    }

    async fn tell_all(&self, news: &News) {
        let payload = self.0.seal.seal(ALL, &json!(news).to_string()).into();
        // Without a connection nobody hears anything; the next beat comes soon.
        if let Err(error) = self.0.nats.client().publish(ALL, payload).await {
            tracing::warn!(%error, "the other nodes were not told");
        }
    }

    /// Tells the other nodes that a session has ended.
    pub(crate) fn end_session(&self, session: &str) {
        let news = News::SessionEnded {
            session: session.to_owned(),
        };
        let cluster = self.clone();
        tokio::spawn(async move { cluster.tell_all(&news).await });
    }

    /// Whether this node leaves.
    pub(crate) fn is_leaving(&self) -> bool {
        self.members().is_leaving
    }

    /// Leaves: from now on the others own everything.
    pub(crate) async fn leave(&self) {
        self.members().is_leaving = true;
        self.note_change();
        let node = self.0.id.clone();
        self.tell_all(&News::Leaves { node }).await;
        drop(self.0.nats.client().flush().await);
    }

    /// Joins the others: hears them, is heard, and serves their requests.
    pub(crate) async fn join(&self, app: &App) -> Result<(), NatsError> {
        let client = self.0.nats.client();
        let failed = |error| NatsError::new(&format!("subscribing failed: {error}"));
        let mut news = client.subscribe(ALL).await.map_err(failed)?;
        let asked = client.subscribe(ask_subject(&self.0.id)).await;
        let asked = asked.map_err(failed)?;
        let frames = client.subscribe(edge_subject(&self.0.id)).await;
        let mut frames = frames.map_err(failed)?;
        tokio::spawn(owner::serve(self.clone(), app.downgrade(), asked));
        let cluster = self.clone();
        tokio::spawn(async move {
            while let Some(message) = frames.next().await {
                cluster.deliver(&message.payload);
            }
        });
        tokio::spawn(tell_lists(self.clone(), app.downgrade()));
        tokio::spawn(update_lobby(self.changes(), app.downgrade()));
        let (cluster, app) = (self.clone(), app.downgrade());
        tokio::spawn(async move {
            while let Some(message) = news.next().await {
                let Some(app) = app.upgrade().map(App::from) else {
                    return;
                };
                cluster.hear(&app, &message.payload);
            }
        });
        tokio::spawn(beat(Arc::downgrade(&self.0)));
        // Everybody answers the first beat of a new node, and beats once a second: from then on this
        // one knows who else is there.
        tokio::time::sleep(BEAT + BEAT / 4).await;
        Ok(())
    }

    fn hear(&self, app: &App, payload: &[u8]) {
        let Some(news) = self.0.seal.open_once(ALL, payload) else {
            return;
        };
        match news {
            News::Here { node, beat } if node == self.0.id => self.hear_echo(beat),
            News::Here { node, .. } => self.hear_member(node),
            News::Leaves { node } => {
                if self.members().others.remove(&node).is_some() {
                    tracing::info!(node, "a node leaves");
                    self.note_change();
                }
            }
            News::Lists {
                node,
                listed,
                sockets,
            } => {
                let listing = |(client, summary)| Listing {
                    client,
                    summary: Arc::new(summary),
                };
                if let Some(member) = self.members().others.get_mut(&node) {
                    member.listed = listed.into_iter().map(listing).collect();
                    member.sockets = sockets;
                }
                app.lobby().note_change();
            }
            News::SessionEnded { session } => app.sockets().end_here(&session),
        }
    }

    /// Drops who was silent for too long, unless it is this node that hears nobody.
    fn expire(&self) {
        let mut members = self.members();
        if members.echo.elapsed() >= DOUBT {
            // Frozen: once NATS is back, everybody has the whole time again.
            for member in members.others.values_mut() {
                member.heard = Instant::now();
            }
            return;
        }
        let before = members.others.len();
        members.others.retain(|node, member| {
            let is_here = member.heard.elapsed() < SILENCE;
            if !is_here {
                tracing::warn!(node, "a node is gone");
            }
            is_here
        });
        if members.others.len() != before {
            drop(members);
            self.note_change();
        }
    }

    fn next_listener(&self) -> u64 {
        self.0.last_listener.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Tells the other nodes what this one's lobby shows, when it changes and now and then.
async fn tell_lists(cluster: Cluster, app: Weak<app::Inner>) {
    let mut tick = interval(BEAT);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut last, mut told) = (String::new(), Instant::now());
    loop {
        tick.tick().await;
        let Some(app) = app.upgrade().map(App::from) else {
            return;
        };
        let listed = app.lobby().own_listings().into_iter();
        let listed = listed.map(|listing| (listing.client, Summary::clone(&listing.summary)));
        let news = News::Lists {
            node: cluster.id().to_owned(),
            listed: listed.collect(),
            sockets: app.metrics().sockets.get(),
        };
        let text = json!(news).to_string();
        if text != last || told.elapsed() > LISTS_REPEATED {
            cluster.tell_all(&news).await;
            (last, told) = (text, Instant::now());
        }
    }
}

/// Takes the tables of nodes that are gone off this one's lists.
async fn update_lobby(mut changes: watch::Receiver<u64>, app: Weak<app::Inner>) {
    while changes.changed().await.is_ok() {
        let Some(app) = app.upgrade().map(App::from) else {
            return;
        };
        app.lobby().note_change();
    }
}

/// Rendezvous hashing: every node comes to the same owner, and a node that comes or goes moves only
/// the tables that it gains or loses.
fn weight(node: &str, name: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(node.as_bytes());
    hash.update([0]);
    hash.update(name.as_bytes());
    hash.finalize().into()
}

/// Tells that this node is there, as long as it is.
async fn beat(inner: Weak<Inner>) {
    let mut tick = interval(BEAT);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let Some(cluster) = inner.upgrade().map(Cluster) else {
            return;
        };
        if cluster.members().is_leaving {
            return;
        }
        cluster.tell_all(&cluster.here()).await;
        cluster.expire();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_comes_takes_only_what_it_owns() {
        let tables: Vec<TableId> = (0..300).map(|_| TableId::random()).collect();
        let owner = |nodes: &[&str], table: &TableId| {
            let all = nodes.iter().max_by_key(|node| weight(node, table.as_str()));
            (*all.unwrap()).to_owned()
        };
        let mut moved = 0;
        for table in &tables {
            let (two, three) = (owner(&["a", "b"], table), owner(&["a", "b", "c"], table));
            assert!(two == three || three == "c");
            moved += usize::from(two != three);
        }
        // A third of them, give or take much more than chance does.
        assert!((50..150).contains(&moved), "{moved}");
    }
}
