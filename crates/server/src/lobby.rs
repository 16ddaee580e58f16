//! All tables: which are in memory, which are open, which are played.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use crate::bot::Bots;
use crate::client::{Client, Network, PerClient};
use crate::game::{GameOptions, TableSpec};
use crate::id::{PlayerId, TableId};
use crate::metric::Metrics;
use crate::quota::Quota;
use crate::refusal::{Refusal, TooMany};
use crate::room::{self, Context, Event, Listing, Request, Room, State};
use crate::store::{Append, Phase, Retention, Store, StoreError, Stored, Summary, Unused};
use crate::throttle::Throttle;

/// How many tables a list shows.
const LISTED: usize = 50;

/// The tables that wait for players, and those that are played.
pub(crate) type Lists = [Vec<Summary>; 2];

/// What the lobby allows and asks for.
#[derive(Debug)]
pub(crate) struct LobbyConfig {
    /// Tables that are in memory and not over, by who opened them.
    pub(crate) opened: PerClient<Quota>,
    pub(crate) hints: PerClient<Throttle>,
    /// Tables in each list.
    pub(crate) listed: PerClient<usize>,
    /// How long somebody without a socket is there after a request.
    pub(crate) presence: Duration,
}

/// How many tables may be read from the storage at once.
const LOADING: usize = 64;
/// How many unused tables are deleted at once.
const PURGED: u32 = 500;

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
    /// One of them is held while a table is read from the storage, so that it is read once.
    loading: [tokio::sync::Mutex<()>; LOADING],
    changes: watch::Sender<u64>,
    games: Arc<GameOptions>,
}

impl Lobby {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        bots: Bots,
        metrics: Arc<Metrics>,
        config: LobbyConfig,
        games: Arc<GameOptions>,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            bots,
            metrics,
            rooms: Mutex::default(),
            config,
            lists: Mutex::default(),
            loading: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            // Lists that were never made are those of no change at all.
            changes: watch::Sender::new(1),
            games,
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
            presence: self.0.config.presence,
        }
    }

    /// Whether somebody may have one more hint.
    pub(crate) fn admit_hint(&self, client: &Client) -> Result<(), Refusal> {
        self.0.config.hints.admit(client)
    }

    /// Opens a table for somebody.
    pub(crate) async fn open(&self, spec: TableSpec, client: &Client) -> Result<Room, Refusal> {
        let permits = self.0.config.opened.take(client, TooMany::Tables)?;
        let id = TableId::random();
        let at = room::unix_now();
        let event = Event::opened(spec);
        let state = State::open(id.clone(), &event, at, &self.0.games)?;
        let append = Append {
            table: id.clone(),
            stored: Stored {
                seq: 1,
                at,
                event: event.text(),
            },
            summary: Some(Box::new(state.summary())),
        };
        self.0.store.append(append).await?;
        tracing::debug!(
            game = state.game_name,
            seats = state.seats.len(),
            "a table was opened"
        );
        let room = room::spawn(state, self.context(), permits, Some(client.clone()));
        self.rooms().insert(id, room.clone());
        self.note_change();
        Ok(room)
    }

    /// The table of this name, read from the storage if it is not in memory.
    pub(crate) async fn room(&self, id: &TableId) -> Result<Room, Refusal> {
        if let Some(room) = self.live(id) {
            return Ok(room);
        }
        let _loading = self.loading(id).lock().await;
        if let Some(room) = self.live(id) {
            return Ok(room);
        }
        let events = self.0.store.events(id).await?;
        let state = State::replay(id, &events, &self.0.games).inspect_err(|_| {
            self.0
                .store
                .note_damage("the events of a table cannot be replayed");
        })?;
        let state = state.ok_or(Refusal::NoSuchTable)?;
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
            found.retain(|id| self.live(id).is_none());
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
        let room = self.room(id).await?;
        match room.ask(&request).await {
            Err(Refusal::Busy) => {
                self.forget(&room);
                self.room(id).await?.ask(request).await
            }
            answer => answer,
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
            let all: Vec<Listing> = self.rooms().values().filter_map(Room::listing).collect();
            let lists = [Phase::Waiting, Phase::Playing];
            let lists = lists.map(|phase| list(&all, phase, &self.0.config.listed));
            *made = (changes, Arc::new(lists));
        }
        Arc::clone(&made.1)
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

/// The tables of one phase, newest first.
fn list(all: &[Listing], phase: Phase, most: &PerClient<usize>) -> Vec<Summary> {
    let mut all: Vec<&Listing> = all.iter().collect();
    all.retain(|listing| listing.summary.phase == phase);
    all.sort_by_key(|listing| std::cmp::Reverse(listing.summary.changed));
    let mut sessions: HashMap<&PlayerId, usize> = HashMap::new();
    let mut networks: HashMap<Network, usize> = HashMap::new();
    let own = all.into_iter().filter(|listing| {
        let session = sessions.entry(&listing.client.session).or_default();
        *session += 1;
        let network = listing.client.network.map_or(0, |network| {
            let count = networks.entry(network).or_default();
            *count += usize::from(*session <= most.session);
            *count
        });
        *session <= most.session && network <= most.address
    });
    own.take(LISTED)
        .map(|listing| Summary::clone(&listing.summary))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TableId;

    fn listing(session: &PlayerId, host: u8, changed: i64) -> Listing {
        let summary = Summary {
            id: TableId::random(),
            game: "cotulenh".to_owned(),
            phase: Phase::Waiting,
            public: true,
            seats: Vec::new(),
            clock: String::new(),
            result: serde_json::Value::Null,
            turns: 0,
            opened: 0,
            changed,
        };
        let ip = std::net::IpAddr::from([192, 0, 2, host]);
        Listing {
            client: Client {
                session: session.clone(),
                network: Some(ip.into()),
            },
            summary: Arc::new(summary),
        }
    }

    #[test]
    fn m2_one_client_cannot_fill_the_lists() {
        let most = PerClient {
            session: 2,
            address: 5,
        };
        let mut all = Vec::new();
        for session in 0..10 {
            let player = PlayerId::random();
            all.extend((0..40).map(|at| listing(&player, 1, 1000 + 40 * session + at)));
        }
        let ann = PlayerId::random();
        all.push(listing(&ann, 2, 1));
        let listed = list(&all, Phase::Waiting, &most);
        let changed: Vec<i64> = listed.iter().map(|row| row.changed).collect();
        assert_eq!(changed, [1399, 1398, 1359, 1358, 1319, 1]);
        assert!(list(&all, Phase::Playing, &most).is_empty());
    }
}
