//! The bots of a table: when they think, for whom, and what becomes of it.

use std::time::Duration;

use tokio::time::Instant;

use super::task::{Task, Thinking};
use super::{Actor, Request};
use crate::client::Client;
use crate::engines::JobOptions;
use crate::game::{Action, Seat, Stop};
use crate::pool::Class;
use crate::refusal::{NotNow, Refusal};
use crate::seat::Occupant;

/// How often a bot may fail at one event before it is left alone.
const BOT_TRIES: u8 = 3;
/// After how long a bot tries again that there was no room for.
const RETRY: Duration = Duration::from_millis(500);

impl Task {
    /// Notes that somebody asks for something: they are there for a while.
    pub(super) fn note_request(&mut self, actor: &Actor) {
        if self.state.seat_of(actor).is_some() {
            self.last_request = Some((Instant::now(), actor.client()));
        }
    }

    /// For whom bots think now: somebody who holds a seat and is connected, or who asked for
    /// something a short while ago.
    pub(super) fn present_client(&self, now: Instant) -> Option<Client> {
        let connected = self.audience.player().map(Actor::client);
        connected.or_else(|| {
            let (at, client) = self.last_request.as_ref()?;
            let is_recent = now.saturating_duration_since(*at) < self.context.presence;
            is_recent.then(|| client.clone())
        })
    }

    /// When nobody is there any more, if it is known now.
    pub(super) fn presence_end(&self) -> Option<Instant> {
        let (at, _) = self.last_request.as_ref()?;
        let end = *at + self.context.presence;
        (end > Instant::now() && !self.thinking.is_empty()).then_some(end)
    }

    pub(super) fn stop_thinking(&self) {
        for thinking in &self.thinking {
            thinking.stop.stop();
        }
    }

    /// What the pool keeps the engine of a seat under.
    pub(super) fn engine_key(&self, seat: usize) -> String {
        format!("table {} {seat}", self.state.id)
    }

    /// Lets bots think where they are to act and somebody is there, and ends what was overtaken.
    pub(super) fn start_bots(&mut self) {
        let (now, seq) = (Instant::now(), self.state.seq);
        for thinking in self.thinking.iter().filter(|thinking| thinking.seq != seq) {
            thinking.stop.stop();
        }
        let Some(client) = self.present_client(now) else {
            self.retry = None;
            return self.stop_thinking();
        };
        if self.retry.is_some_and(|at| at > now) {
            return;
        }
        self.retry = None;
        for seat in self.state.game.to_act() {
            if let Some(level) = self.bot_level(seat) {
                self.start_bot(seat, level, &client);
            }
        }
    }

    /// The level of the bot that acts for a seat, if one does.
    fn bot_level(&self, seat: Seat) -> Option<u8> {
        let index = usize::from(seat);
        match self.state.seats.get(index)? {
            Occupant::Bot { level } => Some(*level),
            Occupant::Open => None,
            Occupant::Human { .. } => {
                let (patience, level) = self.state.game.stand_in()?;
                let away = *self.away(Instant::now()).get(index)?;
                away.is_some_and(|away| away >= patience).then_some(level)
            }
        }
    }

    /// When a bot will next stand in for somebody who is gone.
    pub(super) fn stand_in_time(&self) -> Option<Instant> {
        let (patience, _) = self.state.game.stand_in()?;
        let now = Instant::now();
        let away = self.away(now);
        let due = |seat: Seat| {
            let away = (*away.get(usize::from(seat))?)?;
            patience
                .checked_sub(away)
                .filter(|wait| !wait.is_zero())
                .map(|wait| now + wait)
        };
        self.state.game.to_act().into_iter().filter_map(due).min()
    }

    fn start_bot(&mut self, seat: Seat, level: u8, client: &Client) {
        let seq = self.state.seq;
        let busy = |thinking: &Thinking| (thinking.seat, thinking.seq) == (seat, seq);
        let tired = self.bot_faults.0 == seq && self.bot_faults.1 >= BOT_TRIES;
        if tired || self.thinking.iter().any(busy) {
            return;
        }
        let Some(job) = self.state.game.bot_job(seat, level) else {
            return;
        };
        let stop = Stop::default();
        self.thinking.push(Thinking {
            seat,
            seq,
            stop: stop.clone(),
        });
        let class = if job.is_short() {
            Class::Short
        } else {
            Class::Move
        };
        let options = JobOptions {
            client: client.clone(),
            class,
            key: self.engine_key(usize::from(seat)),
            stop,
            // What a worker came up with was refused: this time nobody else thinks.
            only_here: self.bot_faults.0 == seq && self.bot_faults.1 > 0,
        };
        let room = self.room.clone();
        self.context.bots.think(job, options, async move |answer| {
            room.tell(Request::Bot { seat, seq, answer }).await;
        });
    }

    /// Takes what a bot came up with.
    pub(super) async fn apply_bot_action(
        &mut self,
        seat: Seat,
        seq: u64,
        answer: Result<Option<Action>, Refusal>,
    ) {
        self.thinking
            .retain(|thinking| (thinking.seat, thinking.seq) != (seat, seq));
        if seq != self.state.seq {
            return;
        }
        let fault = match answer {
            Ok(Some(action)) => self
                .perform((seat, None), &action, Instant::now())
                .await
                .err(),
            Ok(None) => Some(Refusal::NotNow(NotNow::Silent)),
            // There was no room for the job, or nobody was there any more: the move comes later.
            Err(_) => {
                self.retry = Some(Instant::now() + RETRY);
                None
            }
        };
        if let Some(refusal) = fault {
            // The words of a refusal may name a card, and a log must not.
            tracing::error!(table = %self.state.id, code = refusal.code(), "a bot failed");
            self.context.metrics.bot_faults.inc();
            let earlier = if self.bot_faults.0 == seq {
                self.bot_faults.1
            } else {
                0
            };
            self.bot_faults = (seq, earlier + 1);
        }
    }
}
