//! The bots of a game.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::clock::Clock;
use super::engine;
use super::event::Offer;
use super::game::{CotulenhGame, color_of, other};
use crate::game::{Action, BotJob, BotMoves, Seat};

impl BotMoves for CotulenhGame {
    fn to_act(&self) -> Vec<Seat> {
        match self.offer {
            Some((by, _)) => vec![other(by), self.turn()],
            None if self.is_over() => {
                // A bot plays again whenever somebody wants to.
                let asked = |seat: &Seat| !self.again.is_empty() && !self.again.contains(seat);
                [0, 1].into_iter().filter(asked).collect()
            }
            None => vec![self.turn()],
        }
    }

    fn bot_job(&self, seat: Seat, level: u8) -> Option<BotJob> {
        let quick =
            |t: &'static str| Some(BotJob::short(move |_| Some(Action::new(t, Value::Null))));
        if self.is_over() {
            return quick("rematch");
        }
        match self.offer {
            Some((by, Offer::Takeback)) if by != seat => return quick("takeback"),
            Some((by, Offer::Draw)) if by != seat => {
                let position = self.game.position().clone();
                return Some(BotJob::short(move |_| {
                    let wanted = engine::takes_draw(&position, color_of(seat));
                    let t = if wanted { "draw" } else { "decline" };
                    Some(Action::new(t, Value::Null))
                }));
            }
            _ if self.turn() != seat => return None,
            _ => {}
        }
        let control = |clock: &Clock| {
            let left = clock.left(seat, Instant::now());
            (left, Duration::from_millis(clock.control().increment))
        };
        let task = engine::Task {
            position: self.game.position().clone(),
            history: self.game.keys().collect(),
            rules: self.game.rules(),
            level,
            clock: self.clock.as_ref().map(control),
            asked: Instant::now(),
            spent: Duration::ZERO,
        };
        Some(if task.is_short() {
            BotJob::short(move |stop| task.choose(stop).as_deref().map(engine::move_of))
        } else {
            BotJob::engine(task)
        })
    }

    fn stand_in(&self) -> Option<(Duration, u8)> {
        None
    }
}
