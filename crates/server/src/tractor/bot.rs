//! The bots of a table: what they do in their turn, and whenever they are asked.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use tractor::Phase;

use super::engine;
use super::game::TractorGame;
use super::task::Task;
use crate::game::{Action, BotJob, BotMoves, Seat};

/// What a bot does, as the room takes it.
pub(super) fn action_of(event: &tractor::Event) -> Option<Action> {
    use tractor::Event as E;
    Some(match event {
        E::Declare { cards, .. } => Action::new("declare", json!({ "cards": cards })),
        E::Bury { cards, .. } => Action::new("bury", json!({ "cards": cards })),
        E::Play { cards, .. } => Action::new("play", json!({ "cards": cards })),
        E::Pass { .. } => Action::new("pass", Value::Null),
        _ => return None,
    })
}

impl BotMoves for TractorGame {
    fn to_act(&self) -> Vec<Seat> {
        if !self.is_attended() {
            return Vec::new();
        }
        let seats = |wanted: &dyn Fn(usize) -> bool| -> Vec<Seat> {
            (0..4u8).filter(|seat| wanted(usize::from(*seat))).collect()
        };
        if self.winner().is_some() {
            // A bot plays again whenever somebody wants to.
            return seats(&|seat| self.ready.contains(&true) && !self.ready[seat]);
        }
        let Some(round) = self.round() else {
            return Vec::new();
        };
        match round.phase() {
            Phase::Dealing(dealing) if dealing.dealt == 100 => seats(&|seat| !dealing.passed[seat]),
            Phase::Stealing(stealing) => seats(&|seat| !stealing.passed[seat]),
            Phase::Burying(_) | Phase::Playing(_) => {
                let resting = self.rest.is_some_and(|rest| rest > Instant::now());
                let turn = round.turn().filter(|_| !resting);
                seats(&|seat| turn.map(tractor::Seat::index) == Some(seat))
            }
            Phase::Dealing(_) | Phase::Over(_) => Vec::new(),
        }
    }

    fn bot_job(&self, seat: Seat, level: u8) -> Option<BotJob> {
        if self.winner().is_some() {
            return Some(BotJob::short(|_| Some(Action::new("rematch", Value::Null))));
        }
        let view = self.view(seat)?;
        Some(if engine::is_quick(level) {
            BotJob::short(move |stop| action_of(&engine::act(&view, level, stop)?))
        } else {
            BotJob::engine(Task::Move { view, level })
        })
    }

    fn stand_in(&self) -> Option<(Duration, u8)> {
        Some((self.patience(), self.setup.level))
    }
}
