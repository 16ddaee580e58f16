//! What is shown of a game: its fields, its log, its files.

use std::borrow::Cow;

use cotulenh::PlayedTurn;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::clock::Clock;
use super::event::End;
use super::game::{CotulenhGame, letter, seat_of};
use super::{export, turn};
use crate::fields::Fields;
use crate::game::{Export, Presence, Seat, Views};
use crate::seat::Occupant;

const fn word(end: End) -> &'static str {
    match end {
        End::Resign => "resign",
        End::Agreed => "agreed",
        End::Time => "time",
        End::Abandoned => "abandoned",
        End::Aborted => "aborted",
    }
}

impl CotulenhGame {
    /// How the game ended; null while it goes on.
    pub(super) fn outcome(&self) -> Value {
        match (self.ended, self.game.outcome()) {
            (Some((winner, end)), _) => {
                json!({ "winner": winner.map(letter), "reason": word(end) })
            }
            (None, Some(outcome)) => {
                let winner = outcome.winner.map(|color| letter(seat_of(color)));
                json!({ "winner": winner, "reason": outcome.reason.to_string() })
            }
            (None, None) => Value::Null,
        }
    }

    fn clock_fields(&self, now: Instant) -> Value {
        let fields = |clock: &Clock| {
            let control = clock.control();
            json!({
                "initial": control.initial,
                "increment": control.increment,
                "left": clock.both(now),
                "running": clock.running(),
                "paused": clock.is_paused(),
                "credit": clock.credit_left(),
            })
        };
        self.clock.as_ref().map_or(Value::Null, fields)
    }
}

impl Views for CotulenhGame {
    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
        let position = self.game.position();
        let offer = self
            .offer
            .map(|(by, offer)| json!({ "kind": offer, "by": by }));
        let can = viewer
            .map(|seat| self.can(seat, presence))
            .unwrap_or_default();
        fields.set("start", &self.game.start().to_string());
        fields.set("victories", &self.setup.victories);
        fields.set("fen", &position.to_string());
        fields.set("turn", letter(self.turn()));
        fields.set("check", &position.in_check());
        fields.set("danger", &position.in_danger(position.turn()));
        fields.set("clock", &self.clock_fields(presence.now));
        fields.set("offer", &offer);
        fields.set("outcome", &self.outcome());
        fields.set("rematch", &self.again);
        fields.set("can", &can);
    }

    fn log_len(&self) -> usize {
        self.turns()
    }

    fn log(&self) -> Vec<String> {
        let left = self.left.iter();
        let entry = |(turn, left): (PlayedTurn<'_>, &Option<[u32; 2]>)| {
            turn::past_entry(&turn, left.map(|left| left.map(u64::from)))
        };
        self.game.turns().zip(left).map(entry).collect()
    }

    fn last_entry(&self) -> Option<Cow<'_, str>> {
        if let Some(entry) = &self.last_entry {
            return Some(entry.into());
        }
        let left = self.left_after(self.turns());
        let turn = self.game.last_turn()?;
        Some(turn::past_entry(&turn, left).into())
    }

    fn clock(&self) -> String {
        self.setup
            .clock
            .map(|control| control.to_string())
            .unwrap_or_default()
    }

    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        flip: bool,
        seats: &[Occupant],
    ) -> Option<Export> {
        let outcome = self.outcome();
        let recorded = export::Recorded {
            game: &self.game,
            left: &self.left,
            outcome: &outcome,
            seats,
        };
        recorded.export(ending, ply, flip)
    }
}
