//! Looking back: any moment of a finished round, from any seat.

use serde_json::{Value, json};
use tractor::{Event, Seat, View};

use super::game::TractorGame;
use super::view_fields;
use crate::fields::Fields;
use crate::refusal::{NotNow, Refusal};

impl TractorGame {
    /// A moment of a round that is over: `{round, step, seat}`, the seat none for all hands open.
    pub(super) fn replay(&self, d: &Value) -> Result<Value, Refusal> {
        let number = |name: &str| d[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let round = number("round").and_then(|n| self.past.get(n.checked_sub(1)?));
        let finished = round.ok_or(Refusal::NotNow(NotNow::RoundNotOver))?;
        let record = &finished.record;
        let steps = record.events.len();
        let step = number("step").unwrap_or(steps).min(steps);
        let seat = number("seat").and_then(Seat::new);
        let moment = record.replay(step).map_err(|_| Refusal::Storage)?;
        let view = View::without_tricks(&moment, seat);
        let judge = view.judge();
        let mut fields = Fields::default();
        view_fields::of_view(&view, &judge, &mut fields);
        let tricks: Vec<Value> = moment
            .tricks()
            .iter()
            .map(|trick| view_fields::trick(trick, &moment))
            .collect();
        let shown = |of: Seat| match seat {
            Some(only) if only != of => Vec::new(),
            _ => view_fields::groups(&view, &judge, moment.hand(of)),
        };
        let last = step.checked_sub(1).and_then(|at| record.events.get(at));
        fields.set("turns", &tricks);
        fields.set("hands", &Seat::ALL.map(shown));
        fields.set("happened", &last.map(happened));
        Ok(json!({
            "round": number("round"),
            "step": step,
            "steps": steps,
            "seat": seat,
            "view": fields.object(),
        }))
    }
}

/// What happened at a step, for words.
fn happened(event: &Event) -> Value {
    let text = event.to_string();
    let kind = text.split(' ').next().unwrap_or_default();
    let cards = match event {
        Event::Declare { cards, .. } | Event::Bury { cards, .. } | Event::Play { cards, .. } => {
            Some(*cards)
        }
        _ => None,
    };
    json!({ "kind": kind, "seat": event.seat(), "cards": cards })
}
