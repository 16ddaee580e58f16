//! How an event comes about: applied, stored, told; and what follows from it.

use tokio::time::Instant;

use super::task::{Task, unix_now};
use super::{Event, State};
use crate::fields::Fields;
use crate::game::Seat;
use crate::protocol;
use crate::refusal::Refusal;
use crate::store::{Append, Phase, StoreError, Stored};

impl Task {
    /// Applies and stores an event, and only then tells of it. Between the two nobody can look: the
    /// task serves no other request. Where the storage fails, the state is forgotten.
    pub(super) async fn commit(&mut self, event: Event, now: Instant) -> Result<u64, Refusal> {
        self.commit_with(event, None, now).await
    }

    /// The same, with what is stored together with the event or not at all.
    async fn commit_with(
        &mut self,
        event: Event,
        other: Option<Append>,
        now: Instant,
    ) -> Result<u64, Refusal> {
        if self.broken {
            // Another event would leave a gap where the one before was not stored.
            return Err(Refusal::Storage);
        }
        let away = self.away(now);
        let viewers = self.audience.viewers();
        let fields = |state: &State| -> Vec<Fields> {
            let of = |viewer: &Option<Seat>| state.fields(*viewer, &away, now);
            viewers.iter().map(of).collect()
        };
        let (before, log, phase) = (
            fields(&self.state),
            self.state.game.log_len(),
            self.state.phase(),
        );
        let at = unix_now();
        if let Err(refusal) = self.state.apply(&event, at, Some(now)) {
            self.broken = true;
            return Err(refusal);
        }
        let listed = event.is_listed() || self.state.phase() != phase;
        let append = Append {
            table: self.state.id.clone(),
            stored: Stored {
                seq: self.state.seq,
                at,
                event: event.text(),
            },
            summary: listed.then(|| Box::new(self.state.summary())),
        };
        let all = [append].into_iter().chain(other).collect();
        let begun = Instant::now();
        if let Err(error) = self.context.store.append_all(all).await {
            self.broken = true;
            return Err(self.refusal_of(error));
        }
        self.context.metrics.stored(begun.elapsed());
        if listed {
            self.list();
        }
        if event.is_seating() {
            let state = &self.state;
            self.audience.reseat(|actor| state.seat_of(actor));
            self.send_views(now);
            self.update_presence();
            return Ok(self.state.seq);
        }
        let (after, state) = (fields(&self.state), &self.state);
        let change = state.log_change(log);
        self.audience.send_all(|viewer| {
            let index = viewers.iter().position(|known| *known == viewer);
            let set = index.map(|at| after[at].changed_since(&before[at]));
            let set = set.unwrap_or_default();
            protocol::event(state.seq, state.kind(&event), event.by(), &set, &change)
        });
        Ok(self.state.seq)
    }

    /// What becomes of an action that was not stored.
    fn refusal_of(&self, error: StoreError) -> Refusal {
        if error == StoreError::Taken {
            // Another node has the table. Whoever acted looks anew.
            self.context.lobby.back_off(&self.state.id);
            let now = self.state.seq;
            return Refusal::Stale { seen: now - 1, now };
        }
        error.into()
    }

    /// Lets bots think where they are to act, and opens the next table once it is agreed on.
    pub(super) async fn follow_up(&mut self) {
        if self.broken {
            return;
        }
        match self.state.phase() {
            Phase::Waiting => return,
            Phase::Playing => {}
            Phase::Over => self.permits.clear(),
        }
        self.start_bots();
        if self.state.rematch.is_none()
            && let Some(mut spec) = self.state.game.rematch(&self.state.seats)
        {
            spec.previous = Some(self.state.id.clone());
            let Some(client) = self.present_client(Instant::now()) else {
                return;
            };
            match self.context.lobby.prepare(spec, &client).await {
                Ok(prepared) => {
                    let opened = prepared.append();
                    let table = opened.table.clone();
                    let event = Event::Rematch { table };
                    // The players stay where they are if this fails; they may ask again.
                    let stored = self.commit_with(event, Some(opened), Instant::now()).await;
                    if stored.is_ok() {
                        self.context.lobby.start(prepared);
                    }
                }
                Err(refusal) => tracing::error!(%refusal, "a rematch was not opened"),
            }
        }
    }
}
