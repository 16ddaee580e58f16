//! What people do at a table: sit down, act, fill seats, hand them over.

use serde::Deserialize;
use tokio::time::Instant;

use super::task::Task;
use super::{Actor, Event, State};
use crate::game::{Action, NoFields, Player, Presence, Seat};
use crate::id::PlayerId;
use crate::refusal::{NotNow, Refusal};
use crate::store::Phase;

/// Where somebody sits down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sit {
    /// The seat; any that is free if there is none.
    seat: Option<Seat>,
}

impl Task {
    pub(super) async fn act(
        &mut self,
        actor: &Actor,
        (seq, id): (Option<u64>, Option<String>),
        action: &Action,
        at: Instant,
    ) -> Result<u64, Refusal> {
        if let Some(known) = id.as_deref().and_then(|id| self.state.seq_of(id)) {
            return Ok(known);
        }
        if action.t == "sit" {
            return self.sit(actor, action, id).await;
        }
        let seat = self.state.seat_of(actor).ok_or(Refusal::NotSeated)?;
        let now = self.state.seq;
        if action.t == "fill" {
            let NoFields {} = action.fields()?;
            return self.fill(id).await;
        }
        let timeless = self.state.game.ignores_seq(&action.t);
        match seq {
            _ if timeless => {}
            Some(seen) if seen == now => {}
            Some(seen) => return Err(Refusal::Stale { seen, now }),
            None => return Err(Refusal::Malformed("the frame has no seq".to_owned())),
        }
        if self.state.phase() == Phase::Waiting && action.t != "abort" {
            return Err(Refusal::NotBegun);
        }
        self.perform((seat, id), action, at).await
    }

    pub(super) async fn perform(
        &mut self,
        (seat, id): (Seat, Option<String>),
        action: &Action,
        at: Instant,
    ) -> Result<u64, Refusal> {
        // A flag that fell before the action arrived was first.
        self.expire(at).await;
        let away = self.away(at);
        let State { game, seats, .. } = &mut self.state;
        let presence = Presence {
            seats,
            away: &away,
            now: at,
        };
        let d = game.decide(seat, action, &presence)?;
        let by = Some(seat);
        self.commit(Event::Game { by, d, id }, at).await
    }

    async fn sit(
        &mut self,
        actor: &Actor,
        action: &Action,
        id: Option<String>,
    ) -> Result<u64, Refusal> {
        let Sit { seat: wanted } = action.fields()?;
        let seat = self.state.seat_for(actor, wanted)?;
        let player = actor.player();
        let event = Event::Seated {
            seat,
            player: player.id,
            name: player.name,
            id,
        };
        self.commit(event, Instant::now()).await
    }

    /// Gives the seats of one player to another.
    pub(super) async fn transfer(
        &mut self,
        from: &PlayerId,
        successor: Option<&Player>,
    ) -> Result<(), Refusal> {
        while let Some(seat) = self.state.seat_held_by(from) {
            // Nobody holds two seats: whoever played against themselves keeps the one they have.
            let free =
                successor.filter(|successor| self.state.seat_held_by(&successor.id).is_none());
            let Player { id: player, name } = free.cloned().unwrap_or_else(Player::anonymous);
            let event = Event::Transferred { seat, player, name };
            self.commit(event, Instant::now()).await?;
        }
        Ok(())
    }

    /// Bots take the open seats.
    async fn fill(&mut self, id: Option<String>) -> Result<u64, Refusal> {
        let level = self.state.game.fill_level();
        let level = level.ok_or(Refusal::NotNow(NotNow::NoBots))?;
        if self.state.phase() != Phase::Waiting {
            return Err(Refusal::NotNow(NotNow::NoOpenSeat));
        }
        let event = Event::Filled { level, id };
        self.commit(event, Instant::now()).await
    }
}
