//! The task of a table.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use super::audience::Audience;
use super::{Actor, Event, Request, Room, State};
use crate::bot::Bots;
use crate::client::Client;
use crate::cluster::Cluster;
use crate::engines::JobOptions;
use crate::game::{Action, Reply, Seat, Stop};
use crate::lobby::Lobby;
use crate::metric::Metrics;
use crate::pool::Class;
use crate::refusal::Refusal;
use crate::shared_limit::SharedPermit;
use crate::store::{Phase, Store};

/// A table that nobody looks at and that waits for nothing is put away after this long.
const IDLE: Duration = Duration::from_mins(5);
/// A table that is over is put away sooner, since few come back to it; and so is one that was only read again: whoever looks
/// at thousands of old tables counts for none of them.
const IDLE_SOON: Duration = Duration::from_secs(30);

/// What the task of a table needs of the server.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bots: Bots,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) lobby: Lobby,
    /// The other nodes, if there may be some.
    pub(crate) cluster: Option<Cluster>,
    /// How long somebody without a socket is there after a request.
    pub(crate) presence: Duration,
}

/// Starts the task of a table.
pub(crate) fn spawn(
    state: State,
    context: Context,
    permits: Vec<SharedPermit>,
    opener: Option<Client>,
) -> Room {
    let (room, queue) = Room::new(state.id.clone());
    let now = Instant::now();
    let told_away = vec![None; state.seats.len()];
    let task = Task {
        audience: Audience::new(state.seats.len(), now),
        state,
        room: room.clone(),
        thinking: Vec::new(),
        bot_faults: (0, 0),
        last_request: opener.map(|client| (now, client)),
        retry: None,
        idle_since: now,
        unload_when_idle: false,
        was_complete: false,
        absences: context.cluster.as_ref().map_or(0, Cluster::absences),
        next_presence: None,
        told_away,
        broken: false,
        permits,
        context,
    };
    tokio::spawn(task.run(queue));
    room
}

/// A bot at work.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) seat: Seat,
    pub(super) seq: u64,
    pub(super) stop: Stop,
}

#[derive(Debug)]
pub(super) struct Task {
    pub(super) state: State,
    pub(super) audience: Audience,
    pub(super) context: Context,
    pub(super) room: Room,
    pub(super) thinking: Vec<Thinking>,
    /// How often bots came back with nothing at which event.
    pub(super) bot_faults: (u64, u8),
    /// When somebody who holds a seat last asked for something, and who.
    pub(super) last_request: Option<(Instant, Client)>,
    /// When bots try again that there was no room for in the pool.
    pub(super) retry: Option<Instant>,
    idle_since: Instant,
    /// Loaded only to transfer seats: put away as soon as it is idle.
    unload_when_idle: bool,
    pub(super) was_complete: bool,
    /// The absences of this node after which the state was compared with the storage.
    absences: u64,
    pub(super) next_presence: Option<Instant>,
    /// For how long each seat had been empty when that was last told.
    pub(super) told_away: Vec<Option<Duration>>,
    /// The storage refused an event: the state is ahead of it and must be forgotten.
    pub(super) broken: bool,
    /// What the table counts for among those of whoever opened it, until it is over.
    pub(super) permits: Vec<SharedPermit>,
}

/// Milliseconds of Unix time.
pub(crate) fn unix_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| {
        i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
    })
}

/// Waits for a change of the membership.
async fn changed(members: &mut Option<watch::Receiver<u64>>) {
    match members {
        // The sender lives as long as the application.
        Some(members) => drop(members.changed().await),
        None => std::future::pending().await,
    }
}

/// How long a table that nobody needs is kept in memory, which counts for somebody or for nobody.
const fn idle(phase: Phase, is_counted: bool) -> Duration {
    match phase {
        Phase::Waiting | Phase::Playing if is_counted => IDLE,
        Phase::Waiting | Phase::Playing | Phase::Over => IDLE_SOON,
    }
}

impl Task {
    async fn run(mut self, mut queue: mpsc::Receiver<Request>) {
        self.context.metrics.tables.inc();
        self.follow_up().await;
        let mut members = self.context.cluster.as_ref().map(Cluster::changes);
        if let Some(members) = &mut members {
            // The table may have become another's while it was read.
            members.mark_changed();
        }
        loop {
            let wake = self.wake_time();
            tokio::select! {
                request = queue.recv() => match request {
                    Some(request) => self.admit(request).await,
                    None => break,
                },
                () = sleep_until(wake) => {}
                () = changed(&mut members) => {
                    if !self.is_owned_here() || !self.is_present().await {
                        break;
                    }
                }
            }
            let now = Instant::now();
            self.expire(now).await;
            if self.audience.leaves_at().is_some_and(|at| at <= now) {
                self.update_presence();
            }
            if self.next_presence.is_some_and(|at| at <= now) {
                self.next_presence = None;
                self.tell_presence(now);
            }
            self.follow_up().await;
            if self.broken {
                break;
            }
            if self.is_idle() {
                if self.unload_when_idle || self.idle_since.elapsed() >= self.idle() {
                    break;
                }
            } else {
                self.unload_when_idle = false;
                self.idle_since = now;
            }
        }
        self.stop_thinking();
        for seat in 0..self.state.seats.len() {
            self.context.bots.forget(&self.engine_key(seat));
        }
        self.context.lobby.forget(&self.room);
        self.context.metrics.tables.dec();
    }

    fn is_idle(&self) -> bool {
        let is_alone = self.audience.is_empty() && self.audience.leaves_at().is_none();
        is_alone && self.state.game.deadline().is_none() && self.thinking.is_empty()
    }

    fn idle(&self) -> Duration {
        idle(self.state.phase(), !self.permits.is_empty())
    }

    fn wake_time(&self) -> Instant {
        let idle = self.idle_since + self.idle();
        let stand_in = self.stand_in_time();
        let leaves = self.audience.leaves_at();
        [
            self.state.game.deadline(),
            self.next_presence,
            stand_in,
            leaves,
            self.retry,
            self.presence_end(),
        ]
        .into_iter()
        .flatten()
        .fold(idle, Instant::min)
        .max(Instant::now() + Duration::from_millis(1))
    }

    pub(super) fn away(&self, now: Instant) -> Vec<Option<Duration>> {
        self.audience.away(&self.state.seats, now)
    }

    /// Ends the table: nothing is stored any more.
    fn close(&mut self, reply: oneshot::Sender<()>) {
        self.broken = true;
        let _ = reply.send(());
    }

    /// Whether this node owns the table.
    fn is_owned_here(&self) -> bool {
        let cluster = self.context.cluster.as_ref();
        cluster.is_none_or(|cluster| cluster.is_owner(&self.state.id))
    }

    /// Whether what this node knows of the table may be shown: it has heard the other nodes all the
    /// time, or nothing that it does not know is stored.
    async fn is_present(&mut self) -> bool {
        let Some(cluster) = &self.context.cluster else {
            return true;
        };
        let absences = cluster.absences();
        if absences == self.absences && !cluster.is_isolated() {
            return true;
        }
        let stored = self.context.store.last_seq(&self.state.id).await;
        self.absences = absences;
        stored == Ok(self.state.seq)
    }

    /// Serves a request, unless its answer may rest on a table that is not the present one.
    async fn admit(&mut self, request: Request) {
        let is_silent = matches!(
            request,
            Request::Leave { .. } | Request::Seen { .. } | Request::Close { .. }
        );
        if is_silent || self.is_present().await {
            self.serve(request).await;
        } else {
            // Whoever asked comes again, to whoever owns the table now.
            self.broken = true;
        }
    }

    async fn serve(&mut self, request: Request) {
        if let Some(actor) = request.asked_by() {
            self.note_request(actor);
        }
        match request {
            Request::Join {
                actor,
                seq,
                sink,
                heartbeat,
                reply,
            } => drop(reply.send(self.join(actor, seq, (sink, heartbeat)))),
            Request::Leave { listener } => self.leave(listener),
            Request::Action {
                actor,
                seq,
                id,
                action,
                at,
                reply,
            } => {
                let answer = self.act(&actor, (seq, id), &action, at).await;
                self.count_refusal(&answer);
                drop(reply.send(answer));
            }
            Request::Seen { actor } => self.note_seen(&actor),
            Request::Close { reply } => self.close(reply),
            Request::Transfer {
                from,
                successor,
                reply,
            } => {
                let done = self.transfer(&from, successor.as_ref()).await;
                self.unload_when_idle = self.permits.is_empty();
                drop(reply.send(done));
            }
            Request::Bot { seat, seq, answer } => self.apply_bot_action(seat, seq, answer).await,
            Request::Ask {
                actor,
                what,
                d,
                reply,
            } => self.question(&actor, &what, &d, reply),
            Request::View { actor, reply } => drop(reply.send(self.snapshot(&actor))),
            Request::Export {
                ending,
                ply,
                flip,
                reply,
            } => {
                let State { game, seats, .. } = &self.state;
                drop(reply.send(game.export(&ending, ply, flip, seats)));
            }
            Request::FireDeadline { reply } => {
                self.fire_deadline().await;
                let _ = reply.send(());
            }
        }
    }

    fn count_refusal(&self, answer: &Result<u64, Refusal>) {
        if let Err(refusal) = answer {
            self.context.metrics.refusals.inc(refusal.code());
            tracing::debug!(table = %self.state.id, code = refusal.code(), "refused");
        }
    }

    async fn fire_deadline(&mut self) {
        let seq = self.state.seq;
        // Lag that is noted at that moment puts it off, once.
        for _ in 0..2 {
            if let Some(due) = self.state.game.deadline()
                && self.state.seq == seq
            {
                self.expire(due).await;
            }
        }
    }

    /// Answers a question, at once or when it is thought out.
    fn question(
        &self,
        actor: &Actor,
        what: &str,
        d: &Value,
        reply: oneshot::Sender<Result<Value, Refusal>>,
    ) {
        let viewer = self.state.seat_of(actor);
        match self.state.game.ask(viewer, what, d) {
            Ok(Reply::Now(value)) => drop(reply.send(Ok(value))),
            Ok(Reply::Later(job)) => {
                if let Err(refusal) = self.context.lobby.admit_hint(&actor.client()) {
                    return drop(reply.send(Err(refusal)));
                }
                let options = JobOptions {
                    client: actor.client(),
                    class: Class::Hint,
                    key: String::new(),
                    stop: Stop::default(),
                    only_here: false,
                };
                let done = async move |answer: Result<Option<Action>, Refusal>| {
                    let action = answer.and_then(|action| action.ok_or(Refusal::Busy));
                    drop(reply.send(action.map(|action| action.d)));
                };
                self.context.bots.think(job, options, done);
            }
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    /// What time has brought by `due`.
    pub(super) async fn expire(&mut self, due: Instant) {
        self.note_lag(due);
        if let Some(d) = self.state.game.expire(due) {
            let (by, id) = (None, None);
            let event = Event::Game { by, d, id };
            if let Err(refusal) = self.commit(event, Instant::now()).await {
                tracing::error!(table = %self.state.id, %refusal, "time ran out unheard");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_for_nobody_is_not_kept_for_long() {
        assert_eq!(idle(Phase::Waiting, true), IDLE);
        assert_eq!(idle(Phase::Playing, true), IDLE);
        for (phase, is_counted) in [
            (Phase::Waiting, false),
            (Phase::Playing, false),
            (Phase::Over, true),
            (Phase::Over, false),
        ] {
            assert_eq!(idle(phase, is_counted), IDLE_SOON, "{phase:?}");
        }
    }
}
