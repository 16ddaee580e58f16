//! Who is at a table, and what they are shown when they come, go or look.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::task::Task;
use super::{Actor, Listing, Snapshot};
use crate::protocol;
use crate::socket::Heartbeat;
use crate::store::Phase;

/// Presence is told again after this long, so that pages know when a claim is due.
const PATIENCE: Duration = Duration::from_secs(61);

impl Task {
    /// Notes that somebody who need not be connected did something here.
    pub(super) fn note_seen(&mut self, actor: &Actor) {
        if let Some(seat) = self.state.seat_of(actor) {
            self.audience.acted(seat, Instant::now());
            self.update_presence();
        }
    }

    pub(super) fn snapshot(&self, actor: &Actor) -> Snapshot {
        let now = Instant::now();
        let seat = self.state.seat_of(actor);
        Snapshot {
            seq: self.state.seq,
            json: self.state.view(seat, &self.away(now), now),
            game: self.state.game_name.clone(),
            can_sit: self.state.seat_for(actor, None).is_ok(),
            seat,
            opened: self.state.opened,
        }
    }

    pub(super) fn join(
        &mut self,
        actor: Actor,
        seq: Option<u64>,
        (sink, heartbeat): (mpsc::Sender<Utf8Bytes>, Heartbeat),
    ) -> u64 {
        let now = Instant::now();
        // How long the seat was cut off is known only until its new connection counts.
        self.note_lag(now);
        let viewer = self.state.seat_of(&actor);
        let listener = self.audience.join(actor, viewer, sink, heartbeat);
        self.audience.update(now);
        let away = self.away(now);
        // Whoever has seen all events needs no log, only what changes without one.
        let frame = if seq == Some(self.state.seq) {
            protocol::resumed(self.state.seq, &self.state.fields(viewer, &away, now))
        } else {
            protocol::view_frame(self.state.seq, &self.state.view(viewer, &away, now))
        };
        self.audience.send(listener, frame);
        self.update_presence();
        listener
    }

    pub(super) fn leave(&mut self, listener: u64) {
        // How long its last ping has had no answer is known only until it is gone.
        self.note_lag(Instant::now());
        self.audience.leave(listener);
        self.update_presence();
    }

    /// Tells the game the lag of the player whose clock runs: of their connection, or since they have had
    /// none.
    pub(super) fn note_lag(&mut self, now: Instant) {
        if let Some(seat) = self.state.game.timed_seat() {
            let gone = || self.away(now).get(usize::from(seat)).copied().flatten();
            let lag = self.audience.lag(seat, now).or_else(gone);
            self.state.game.note_lag(lag.unwrap_or_default());
        }
    }

    /// Notes who is here, tells the others, and lets clocks run that waited for somebody.
    pub(super) fn update_presence(&mut self) {
        let now = Instant::now();
        self.audience.update(now);
        self.tell_presence(now);
        self.next_presence = Some(now + PATIENCE);
        self.list();
        let here = self.audience.here(&self.state.seats);
        self.state.game.set_present(&here, now);
        let complete = self.audience.is_complete(&self.state.seats);
        if complete && !self.was_complete && self.state.phase() == Phase::Playing {
            self.was_complete = true;
            self.state.game.resume(now);
            self.send_views(now);
        }
    }

    /// Tells who is here, and what has changed with that, such as that a game may be claimed.
    pub(super) fn tell_presence(&mut self, now: Instant) {
        self.audience.tell_presence(&self.state.seats, now);
        let away = self.away(now);
        let told = std::mem::replace(&mut self.told_away, away.clone());
        if self.state.phase() != Phase::Playing {
            return;
        }
        for viewer in self.audience.viewers() {
            let change = self.state.presence_change(viewer, [&told, &away], now);
            if !change.is_empty() {
                let frame = protocol::resumed(self.state.seq, &change);
                self.audience.send_to(viewer, &frame);
            }
        }
    }

    /// Brings what the lobby tells of the table up to date.
    pub(super) fn list(&self) {
        let summary = self.state.summary();
        let client = self.audience.player().map(Actor::client);
        let listing = client
            .filter(|_| summary.public && summary.phase != Phase::Over)
            .map(|client| Listing {
                client,
                summary: Arc::new(summary),
            });
        let mut slot = self.room.slot();
        let of = |listing: &Option<Listing>| {
            let listing = listing.as_ref();
            listing.map(|listing| (listing.client.clone(), Arc::clone(&listing.summary)))
        };
        if of(&slot) != of(&listing) {
            *slot = listing;
            drop(slot);
            self.context.lobby.note_change();
        }
    }

    pub(super) fn send_views(&mut self, now: Instant) {
        let away = self.away(now);
        let state = &self.state;
        self.audience
            .send_all(|viewer| protocol::view_frame(state.seq, &state.view(viewer, &away, now)));
    }
}
