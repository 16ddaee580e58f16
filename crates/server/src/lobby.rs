//! All tables: which are in memory, which are open, which are played.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{oneshot, watch};

use crate::bot::Bots;
use crate::client::{Client, PerClient};
use crate::id::TableId;
use crate::metric::Metrics;
use crate::quota::Quota;
use crate::refusal::{Refusal, TooMany};
use crate::room::{self, Context, Event, Request, Room, State};
use crate::store::{Append, Phase, Retention, Store, StoreError, Stored, Summary, Unused};
use crate::table::Opening;
use crate::throttle::Throttle;
use crate::tractor::ShuffleKey;

/// How many tables a list shows.
const LISTED: usize = 50;
/// How many are looked at to find so many that are attended.
const LOOKED_AT: u32 = 400;

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
    /// Tables that are in memory and not over, by who opened them.
    opened: PerClient<Quota>,
    hints: PerClient<Throttle>,
    /// One of them is held while a table is read from the storage, so that it is read once.
    loading: [tokio::sync::Mutex<()>; LOADING],
    changes: watch::Sender<u64>,
    /// Encrypts what must not be read from the storage while a game goes on.
    key: ShuffleKey,
}

impl Lobby {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        bots: Bots,
        metrics: Arc<Metrics>,
        opened: PerClient<Quota>,
        hints: PerClient<Throttle>,
        key: ShuffleKey,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            bots,
            metrics,
            rooms: Mutex::default(),
            opened,
            hints,
            loading: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            changes: watch::Sender::new(0),
            key,
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
        }
    }

    /// Whether somebody may have one more hint.
    pub(crate) fn admit_hint(&self, client: &Client) -> Result<(), Refusal> {
        self.0.hints.admit(client)
    }

    /// Opens a table for somebody.
    pub(crate) async fn open(&self, opening: Opening, client: &Client) -> Result<Room, Refusal> {
        let permits = self.0.opened.take(client, TooMany::Tables)?;
        let id = TableId::random();
        let at = room::unix_now();
        let event = Event::opened(opening);
        let state = State::open(id.clone(), &event, at, &self.0.key)?;
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
            game = state.game,
            seats = state.seats.len(),
            "a table was opened"
        );
        let room = room::spawn(state, self.context(), permits);
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
        let state = State::replay(id, &events, &self.0.key).inspect_err(|_| {
            self.0
                .store
                .note_damage("the events of a table cannot be replayed");
        })?;
        let state = state.ok_or(Refusal::NoSuchTable)?;
        let room = room::spawn(state, self.context(), Vec::new());
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
        }
    }

    /// The public tables that wait for players, and those that are played; somebody must be there.
    pub(crate) async fn lists(&self) -> Result<(Vec<Summary>, Vec<Summary>), StoreError> {
        let open = self.0.store.listed(Phase::Waiting, LOOKED_AT).await?;
        let live = self.0.store.listed(Phase::Playing, LOOKED_AT).await?;
        let rooms = self.rooms();
        let attended = |row: &Summary| rooms.get(&row.id).is_some_and(Room::is_attended);
        let [open, live] =
            [open, live].map(|list| list.into_iter().filter(attended).take(LISTED).collect());
        Ok((open, live))
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
