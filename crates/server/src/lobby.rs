//! All tables: which are in memory, which are open, which are played.

mod list;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep};

use crate::bot::Bots;
use crate::client::{Client, PerClient};
use crate::cluster::Cluster;
use crate::game::{GameOptions, TableSpec};
use crate::id::TableId;
use crate::metric::Metrics;
use crate::refusal::{NotNow, Refusal, TooMany};
use crate::room::{self, Context, Event, Listing, Request, Room, State};
use crate::shared_limit::{Holding, SharedLimits, SharedPermit};
use crate::store::{Append, Phase, Retention, Store, StoreError, Stored, Summary, Unused};
use crate::throttle::Throttle;

use list::{list, pick};

/// What a table counts for.
const TABLES: [Holding; 2] = [Holding::TableSession, Holding::TableAddress];

/// The tables that wait for players, and those that are played.
pub(crate) type Lists = [Vec<Summary>; 2];

/// What the lobby allows and asks for.
#[derive(Debug)]
pub(crate) struct LobbyConfig {
    /// Of tables that are in memory and not over, by who opened them.
    pub(crate) shared: SharedLimits,
    pub(crate) hints: PerClient<Throttle>,
    /// Tables in each list.
    pub(crate) listed: PerClient<usize>,
    /// How long somebody without a socket is there after a request.
    pub(crate) presence: Duration,
}

/// How many tables may be read from the storage at once.
const LOADING: usize = 64;
/// How often a node that has read a table tries to have it.
const OWNING: u32 = 3;
/// How long a table is left to another node that had just written to it.
const BACK_OFF: Duration = Duration::from_secs(2);
/// How long the owner of a table is looked for, longer than it takes to notice that a node is gone,
/// and after how long again.
const FOUND_WITHIN: Duration = Duration::from_secs(8);
const RETRY: Duration = Duration::from_millis(100);
/// How many unused tables are deleted at once.
const PURGED: u32 = 500;

/// A table that is about to be stored.
#[derive(Debug)]
pub(crate) struct Prepared {
    event: String,
    state: State,
    permits: Vec<SharedPermit>,
    client: Client,
}

impl Prepared {
    /// What is to be stored.
    pub(crate) fn append(&self) -> Append {
        Append {
            table: self.state.id.clone(),
            stored: Stored {
                seq: 1,
                at: self.state.opened,
                event: self.event.clone(),
            },
            summary: Some(Box::new(self.state.summary())),
        }
    }
}

/// All tables. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Lobby(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<dyn Store>,
    bots: Bots,
    metrics: Arc<Metrics>,
    rooms: Mutex<HashMap<TableId, Room>>,
    config: LobbyConfig,
    /// The lists as they were made at some count of changes.
    lists: Mutex<(u64, Arc<Lists>)>,
    /// The frame of the lists at some count of changes and of players.
    frame: Mutex<((u64, u64), Utf8Bytes)>,
    /// One of them is held while a table is read from the storage, so that it is read once.
    loading: [tokio::sync::Mutex<()>; LOADING],
    changes: watch::Sender<u64>,
    games: Arc<GameOptions>,
    cluster: Option<Cluster>,
    /// Tables that another node had just written to, and until when they are left to it.
    left_alone: Mutex<HashMap<TableId, Instant>>,
}

impl Lobby {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        bots: Bots,
        metrics: Arc<Metrics>,
        config: LobbyConfig,
        games: Arc<GameOptions>,
        cluster: Option<Cluster>,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            bots,
            metrics,
            rooms: Mutex::default(),
            config,
            lists: Mutex::default(),
            frame: Mutex::default(),
            loading: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            // Lists that were never made are those of no change at all.
            changes: watch::Sender::new(1),
            games,
            cluster,
            left_alone: Mutex::default(),
        }))
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<TableId, Room>> {
        self.0.rooms.lock().expect("no holder of this lock panics")
    }

    fn context(&self) -> Context {
        Context {
            store: Arc::clone(&self.0.store),
            bots: self.0.bots.clone(),
            metrics: Arc::clone(&self.0.metrics),
            lobby: self.clone(),
            cluster: self.0.cluster.clone(),
            presence: self.0.config.presence,
        }
    }

    /// Whether somebody may have one more hint.
    pub(crate) fn admit_hint(&self, client: &Client) -> Result<(), Refusal> {
        self.0.config.hints.admit(client)
    }

    /// Opens a table for somebody.
    pub(crate) async fn open(&self, spec: TableSpec, client: &Client) -> Result<Room, Refusal> {
        let prepared = self.prepare(spec, client).await?;
        self.0.store.append(prepared.append()).await?;
        Ok(self.start(prepared))
    }

    /// Makes a table ready for somebody that is about to be stored.
    pub(crate) async fn prepare(
        &self,
        spec: TableSpec,
        client: &Client,
    ) -> Result<Prepared, Refusal> {
        let limits = &self.0.config.shared;
        let permits = limits.take(TABLES, client, TooMany::Tables).await?;
        let event = Event::opened(spec);
        let state = State::open(self.new_id(), &event, room::unix_now(), &self.0.games)?;
        Ok(Prepared {
            event: event.text(),
            state,
            permits,
            client: client.clone(),
        })
    }

    /// Lets a table begin that is stored.
    pub(crate) fn start(&self, prepared: Prepared) -> Room {
        let Prepared {
            state,
            permits,
            client,
            ..
        } = prepared;
        tracing::debug!(
            game = state.game_name,
            seats = state.seats.len(),
            "a table was opened"
        );
        let room = room::spawn(state, self.context(), permits, Some(client));
        self.rooms().insert(room.id.clone(), room.clone());
        self.note_change();
        room
    }

    /// Keeps a table whose game was played elsewhere and is over. Answers whether it is new: the same one is kept once.
    pub(crate) async fn keep_finished(
        &self,
        id: &TableId,
        spec: TableSpec,
        at: i64,
    ) -> Result<bool, Refusal> {
        let event = Event::opened(spec);
        let state = State::open(id.clone(), &event, at, &self.0.games)?;
        if state.phase() != Phase::Over {
            return Err(Refusal::NotNow(NotNow::NotOver));
        }
        let append = Append {
            table: id.clone(),
            stored: Stored {
                seq: 1,
                at,
                event: event.text(),
            },
            summary: Some(Box::new(state.summary())),
        };
        match self.0.store.append(append).await {
            Ok(()) => Ok(true),
            Err(StoreError::Taken) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// A name that no table has; the table is this node's.
    fn new_id(&self) -> TableId {
        loop {
            let id = TableId::random();
            let cluster = self.0.cluster.as_ref();
            // A node that leaves owns nothing: the others will take the table over.
            if cluster.is_none_or(|cluster| cluster.is_owner(&id) || cluster.is_leaving()) {
                return id;
            }
        }
    }

    /// The same as [`Lobby::room`], and waits while the table goes from one node to another.
    pub(crate) async fn room_soon(&self, id: &TableId) -> Result<Room, Refusal> {
        let until = Instant::now() + FOUND_WITHIN;
        loop {
            match self.room(id).await {
                Err(Refusal::Busy) if Instant::now() < until => sleep(RETRY).await,
                found => return found,
            }
        }
    }

    /// Leaves a table to the node that has just written to it, for a while.
    pub(crate) fn back_off(&self, id: &TableId) {
        if self.0.cluster.is_some() {
            let mut left_alone = self.left_alone();
            let now = Instant::now();
            left_alone.retain(|_, until| *until > now);
            left_alone.insert(id.clone(), now + BACK_OFF);
        }
    }

    fn left_alone(&self) -> MutexGuard<'_, HashMap<TableId, Instant>> {
        let left_alone = self.0.left_alone.lock();
        left_alone.expect("no holder of this lock panics")
    }

    /// Reads a table and, where there may be other nodes, writes down that this one has it: what
    /// another one writes without having read that is refused.
    async fn load(&self, id: &TableId) -> Result<State, Refusal> {
        for _ in 0..OWNING {
            let events = self.0.store.events(id).await?;
            let state = State::replay(id, &events, &self.0.games).inspect_err(|_| {
                self.0
                    .store
                    .note_damage("the events of a table cannot be replayed");
            })?;
            let mut state = state.ok_or(Refusal::NoSuchTable)?;
            let Some(cluster) = &self.0.cluster else {
                return Ok(state);
            };
            if state.phase() == Phase::Over || state.owner.as_deref() == Some(cluster.id()) {
                return Ok(state);
            }
            if cluster.is_isolated() && cluster.has_others() {
                // It may be another's: nobody takes anything over unheard.
                return Err(Refusal::Busy);
            }
            let node = cluster.id().to_owned();
            match self.own(&mut state, Event::Owned { node }).await {
                Err(StoreError::Taken) => {}
                owned => return owned.map(|()| state).map_err(Refusal::from),
            }
        }
        Err(Refusal::Busy)
    }

    async fn own(&self, state: &mut State, event: Event) -> Result<(), StoreError> {
        let at = room::unix_now();
        let append = Append {
            table: state.id.clone(),
            stored: Stored {
                seq: state.seq + 1,
                at,
                event: event.text(),
            },
            summary: None,
        };
        self.0.store.append(append).await?;
        let applied = state.apply(&event, at, None);
        applied.map_err(|refusal| StoreError::Database(refusal.to_string()))
    }

    /// The table of this name: the way to its owner, or read from the storage if it is not in memory.
    pub(crate) async fn room(&self, id: &TableId) -> Result<Room, Refusal> {
        if let Some(room) = self.live(id) {
            return Ok(room);
        }
        let _loading = self.loading(id).lock().await;
        if let Some(room) = self.live(id) {
            return Ok(room);
        }
        if let Some(cluster) = &self.0.cluster {
            let owner = cluster.owner(id);
            if owner != cluster.id() {
                let room = cluster.remote(id, owner, self).await?;
                self.rooms().insert(id.clone(), room.clone());
                return Ok(room);
            }
            let left_alone = self.left_alone().get(id).copied();
            if left_alone.is_some_and(|until| until > Instant::now()) {
                return Err(Refusal::Busy);
            }
        }
        let state = self.load(id).await?;
        let room = room::spawn(state, self.context(), Vec::new(), None);
        self.rooms().insert(id.clone(), room.clone());
        Ok(room)
    }

    /// What is held while a table is read: always the same for one table.
    fn loading(&self, id: &TableId) -> &tokio::sync::Mutex<()> {
        let sum = id.as_str().bytes().fold(0_usize, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(usize::from(byte))
        });
        &self.0.loading[sum % LOADING]
    }

    /// Deletes the tables that nobody needs, except those in memory, and answers how many.
    pub(crate) async fn purge(&self, retention: &Retention) -> Result<usize, StoreError> {
        let unused = Unused::at(room::unix_now(), retention);
        let mut count = 0;
        loop {
            let mut found = self.0.store.unused(unused, PURGED).await?;
            let all = found.len();
            // While they are deleted, none of them is read.
            let all_locks = self.0.loading.iter().map(tokio::sync::Mutex::lock);
            let _held = futures_util::future::join_all(all_locks).await;
            let is_own = |id: &TableId| {
                let cluster = self.0.cluster.as_ref();
                cluster.is_none_or(|cluster| cluster.is_owner(id))
            };
            found.retain(|id| is_own(id) && self.live(id).is_none());
            if !found.is_empty() {
                self.0.store.drop_tables(&found).await?;
            }
            count += found.len();
            if all < PURGED as usize || found.is_empty() {
                return Ok(count);
            }
        }
    }

    /// Ends a table and deletes it with all its events.
    pub(crate) async fn close(&self, id: &TableId) -> Result<(), Refusal> {
        let cluster = self.0.cluster.as_ref();
        if cluster.is_some_and(|cluster| !cluster.is_owner(id)) {
            // Its owner deletes it.
            return self.ask(id, |reply| Request::Close { reply }).await;
        }
        // While it is deleted, nobody reads it.
        let _loading = self.loading(id).lock().await;
        if let Some(room) = self.live(id) {
            // A task that has ended meanwhile stores nothing either.
            drop(room.ask(|reply| Request::Close { reply }).await);
        }
        if self.0.store.events(id).await?.is_empty() {
            return Err(Refusal::NoSuchTable);
        }
        self.0.store.drop_tables(std::slice::from_ref(id)).await?;
        Ok(())
    }

    fn live(&self, id: &TableId) -> Option<Room> {
        let room = self.rooms().get(id).cloned();
        room.filter(|room| !room.is_closed())
    }

    /// Asks a table; once more if it was being put away at that moment.
    pub(crate) async fn ask<T>(
        &self,
        id: &TableId,
        request: impl Fn(oneshot::Sender<T>) -> Request,
    ) -> Result<T, Refusal> {
        let until = Instant::now() + FOUND_WITHIN;
        let mut is_first = true;
        loop {
            let answer = match self.room(id).await {
                Ok(room) => {
                    // It was being put away at that moment.
                    let answer = room.ask(&request).await;
                    answer.inspect_err(|_| self.forget(&room))
                }
                Err(refusal) => Err(refusal),
            };
            let again = match &self.0.cluster {
                Some(_) => Instant::now() < until,
                None => is_first,
            };
            match answer {
                Err(Refusal::Busy) if again => is_first = false,
                answer => return answer,
            }
            if self.0.cluster.is_some() {
                sleep(RETRY).await;
            }
        }
    }

    /// Forgets a table whose task ends; the storage keeps it.
    pub(crate) fn forget(&self, room: &Room) {
        let mut rooms = self.rooms();
        if rooms.get(&room.id).is_some_and(|known| known.is_same(room)) {
            rooms.remove(&room.id);
            drop(rooms);
            self.note_change();
        }
    }

    /// The public tables where somebody is, newest first, and only so many of one client: however
    /// many tables somebody opens, those of the others stay in the lists.
    pub(crate) fn lists(&self) -> Arc<Lists> {
        let changes = *self.0.changes.borrow();
        let mut made = self.0.lists.lock().expect("no holder of this lock panics");
        if made.0 != changes {
            let mut all: Vec<Listing> = self.rooms().values().filter_map(Room::listing).collect();
            if let Some(cluster) = &self.0.cluster {
                all.extend(cluster.lists());
            }
            let lists = [Phase::Waiting, Phase::Playing];
            let lists = lists.map(|phase| list(&all, phase, &self.0.config.listed));
            *made = (changes, Arc::new(lists));
        }
        Arc::clone(&made.1)
    }

    /// The frame that tells the lists and how many players there are, made once for all sockets.
    pub(crate) fn frame(
        &self,
        players: u64,
        render: impl FnOnce(&Lists) -> Utf8Bytes,
    ) -> Utf8Bytes {
        let state = (*self.0.changes.borrow(), players);
        let mut made = self.0.frame.lock().expect("no holder of this lock panics");
        if made.0 != state {
            *made = (state, render(&self.lists()));
        }
        made.1.clone()
    }

    /// What this node's own tables add to the lists of all nodes.
    pub(crate) fn own_listings(&self) -> Vec<Listing> {
        let all: Vec<Listing> = self.rooms().values().filter_map(Room::listing).collect();
        let phases = [Phase::Waiting, Phase::Playing].into_iter();
        let picked = phases.flat_map(|phase| pick(&all, phase, &self.0.config.listed));
        picked.cloned().collect()
    }

    /// The lists have changed.
    pub(crate) fn note_change(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// Tells when the lists change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }
}
