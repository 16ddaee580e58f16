//! Who is connected to a table.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Actor;
use crate::game::Seat;
use crate::protocol;
use crate::seat::Occupant;
use crate::socket::Heartbeat;

/// Whoever acts without a connection counts as here for this long after each action.
const HERE_AFTER_ACTION: Duration = Duration::from_secs(90);

#[derive(Debug)]
struct Listener {
    actor: Actor,
    viewer: Option<Seat>,
    sink: mpsc::Sender<Utf8Bytes>,
    heartbeat: Heartbeat,
}

/// Who is at a table: connected to it, or acting over HTTP.
#[derive(Debug)]
pub(super) struct Audience {
    listeners: BTreeMap<u64, Listener>,
    last: u64,
    /// When each seat last acted without a connection. A connection that ends clears it: whoever
    /// closes the page has left.
    last_seen: Vec<Option<Instant>>,
    /// Since when nobody has been here for each seat.
    gone_since: Vec<Option<Instant>>,
}

impl Audience {
    /// Nobody is here yet.
    pub(super) fn new(seats: usize, now: Instant) -> Self {
        Self {
            listeners: BTreeMap::new(),
            last: 0,
            last_seen: vec![None; seats],
            gone_since: vec![Some(now); seats],
        }
    }

    pub(super) fn join(
        &mut self,
        actor: Actor,
        viewer: Option<Seat>,
        sink: mpsc::Sender<Utf8Bytes>,
        heartbeat: Heartbeat,
    ) -> u64 {
        self.last += 1;
        let listener = Listener {
            actor,
            viewer,
            sink,
            heartbeat,
        };
        self.listeners.insert(self.last, listener);
        self.last
    }

    pub(super) fn leave(&mut self, listener: u64) {
        let left = self.listeners.remove(&listener);
        let seat = left.and_then(|left| left.viewer).map(usize::from);
        if let Some(seen) = seat.and_then(|seat| self.last_seen.get_mut(seat)) {
            *seen = None;
        }
    }

    /// Notes that a seat acted over HTTP.
    pub(super) fn acted(&mut self, seat: Seat, now: Instant) {
        let index = usize::from(seat);
        if !self.is_connected(index) {
            self.last_seen[index] = Some(now);
        }
    }

    /// When the next seat that is here only by what it did will count as gone.
    pub(super) fn leaves_at(&self) -> Option<Instant> {
        let still_here = self.last_seen.iter().zip(&self.gone_since);
        still_here
            .filter(|(_, gone)| gone.is_none())
            .filter_map(|(seen, _)| Some((*seen)? + HERE_AFTER_ACTION))
            .min()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    /// Sends to one listener; one that cannot keep up is dropped and comes back in step.
    pub(super) fn send(&mut self, listener: u64, frame: Utf8Bytes) {
        let sent = self
            .listeners
            .get(&listener)
            .map(|to| to.sink.try_send(frame));
        if let Some(Err(_)) = sent {
            self.listeners.remove(&listener);
        }
    }

    /// Sends to everyone what is made for each kind of viewer, once a kind.
    pub(super) fn send_all(&mut self, mut frame: impl FnMut(Option<Seat>) -> Utf8Bytes) {
        let mut made: Vec<(Option<Seat>, Utf8Bytes)> = Vec::new();
        self.listeners.retain(|_, listener| {
            let known = made.iter().find(|(viewer, _)| *viewer == listener.viewer);
            let text = known.map(|(_, text)| text.clone());
            let text = text.unwrap_or_else(|| {
                let text = frame(listener.viewer);
                made.push((listener.viewer, text.clone()));
                text
            });
            listener.sink.try_send(text).is_ok()
        });
    }

    /// Sends to all of one kind of viewer.
    pub(super) fn send_to(&mut self, viewer: Option<Seat>, frame: &Utf8Bytes) {
        self.listeners.retain(|_, listener| {
            listener.viewer != viewer || listener.sink.try_send(frame.clone()).is_ok()
        });
    }

    /// The kinds of viewers that are here.
    pub(super) fn viewers(&self) -> Vec<Option<Seat>> {
        let mut viewers: Vec<_> = self.listeners.values().map(|l| l.viewer).collect();
        viewers.sort_unstable();
        viewers.dedup();
        viewers
    }

    /// Looks again at who holds which seat, after somebody sat down.
    pub(super) fn reseat(&mut self, seat_of: impl Fn(&Actor) -> Option<Seat>) {
        for listener in self.listeners.values_mut() {
            listener.viewer = seat_of(&listener.actor);
        }
    }

    fn is_connected(&self, seat: usize) -> bool {
        let of = |listener: &Listener| listener.viewer.map(usize::from) == Some(seat);
        self.listeners.values().any(of)
    }

    /// Notes who came and went.
    pub(super) fn update(&mut self, now: Instant) {
        for seat in 0..self.gone_since.len() {
            let connected = self.is_connected(seat);
            self.last_seen[seat] =
                self.last_seen[seat].filter(|seen| !connected && *seen + HERE_AFTER_ACTION > now);
            if connected || self.last_seen[seat].is_some() {
                self.gone_since[seat] = None;
            } else if self.gone_since[seat].is_none() {
                self.gone_since[seat] = Some(now);
            }
        }
    }

    /// For how long nobody has been here for each seat; bots are always here.
    pub(super) fn away(&self, seats: &[Occupant], now: Instant) -> Vec<Option<Duration>> {
        let away = |(since, occupant): (&Option<Instant>, &Occupant)| match occupant {
            Occupant::Human { .. } => since.map(|since| now.saturating_duration_since(since)),
            Occupant::Open | Occupant::Bot { .. } => None,
        };
        self.gone_since.iter().zip(seats).map(away).collect()
    }

    /// How long frames take to the best connection of a seat and back, if it has one.
    pub(super) fn lag(&self, seat: Seat, now: Instant) -> Option<Duration> {
        let own = self
            .listeners
            .values()
            .filter(|listener| listener.viewer == Some(seat));
        own.map(|listener| listener.heartbeat.lag(now)).min()
    }

    /// Which seats have a person here.
    pub(super) fn here(&self, seats: &[Occupant]) -> Vec<bool> {
        let here = |(since, occupant): (&Option<Instant>, &Occupant)| {
            occupant.player().is_some() && since.is_none()
        };
        self.gone_since.iter().zip(seats).map(here).collect()
    }

    /// Whether everyone who plays is here.
    pub(super) fn is_complete(&self, seats: &[Occupant]) -> bool {
        let here = |(since, occupant): (&Option<Instant>, &Occupant)| {
            occupant.is_bot() || (!occupant.is_open() && since.is_none())
        };
        self.gone_since.iter().zip(seats).all(here)
    }

    /// Somebody who plays and is connected: the one who has been so for longest. Lists show such
    /// tables alone.
    pub(super) fn player(&self) -> Option<&Actor> {
        let mut here = self.listeners.values();
        here.find(|listener| listener.viewer.is_some())
            .map(|listener| &listener.actor)
    }

    /// Tells everyone who is here.
    pub(super) fn tell_presence(&mut self, seats: &[Occupant], now: Instant) {
        let millis = |away: &Option<Duration>| away.map(|away| away.as_millis().min(1 << 50));
        let away = self.away(seats, now);
        let present =
            |(seat, away): (&Occupant, &Option<Duration>)| !seat.is_open() && away.is_none();
        let online: Vec<bool> = seats.iter().zip(&away).map(present).collect();
        let spectators = self
            .listeners
            .values()
            .filter(|l| l.viewer.is_none())
            .count();
        let away: Vec<Option<u128>> = away.iter().map(millis).collect();
        let d = json!({ "online": online, "spectators": spectators, "away": away });
        let frame = protocol::plain("presence", &d);
        self.send_all(|_| frame.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PlayerId;

    fn actor(player: &PlayerId) -> Actor {
        Actor {
            player: player.clone(),
            name: "Ann".to_owned(),
            network: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_acts_over_http_is_here_for_ninety_seconds() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let (ann, bob) = (PlayerId::random(), PlayerId::random());
        let human = |player: &PlayerId| Occupant::Human {
            player: player.clone(),
            name: String::new(),
        };
        let seats = [human(&ann), human(&bob)];
        let mut audience = Audience::new(2, start);
        audience.acted(0, start);
        audience.update(start);
        assert_eq!(audience.here(&seats), [true, false]);
        assert!(audience.player().is_none(), "nobody is connected");
        // Each action begins the time anew.
        let later = start + 60 * second;
        audience.acted(0, later);
        let end = later + HERE_AFTER_ACTION;
        assert_eq!(audience.leaves_at(), Some(end));
        audience.update(end - second);
        assert_eq!(audience.away(&seats, end - second)[0], None);
        audience.update(end);
        let away = audience.away(&seats, end + second);
        assert_eq!(away, [Some(second), Some(end + second - start)]);
        assert_eq!(audience.leaves_at(), None);
        // Whoever was connected and closes the page is gone at once.
        let (sink, _frames) = mpsc::channel(4);
        audience.acted(1, end);
        let listener = audience.join(actor(&bob), Some(1), sink, Heartbeat::default());
        audience.acted(1, end);
        audience.update(end);
        audience.leave(listener);
        audience.update(end);
        assert_eq!(audience.here(&seats), [false, false]);
    }
}
