//! Looking back: any moment of a round, from any seat.

use serde_json::{Map, Value, json};
use tractor::{Event, Record, Seat, View};

use super::shown::{FieldWriter as _, groups, set_view_fields, trick};

/// A moment of a round that is over: after so many events, as `seat` saw it, or without a seat with all hands open.
/// Nothing where the record cannot be played.
///
/// ```
/// use convoy_protocol::tractor::table::moment;
/// use tractor::{Event, Game, Rules, Seed};
/// let mut game = Game::new(Rules::DEFAULT, Seed::from_number(7));
/// game.apply(Event::Deal { count: 100 })?;
/// let moment = moment(&game.record(), 1, None).expect("it was played so");
/// assert_eq!((&moment["steps"], &moment["view"]["dealt"]), (&1.into(), &100.into()));
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn moment(record: &Record, step: usize, seat: Option<Seat>) -> Option<Value> {
    let steps = record.events.len();
    let step = step.min(steps);
    let round = record.replay(step).ok()?;
    let view = View::without_tricks(&round, seat);
    let judge = view.judge();
    let mut fields = Map::new();
    set_view_fields(&view, &judge, &mut fields);
    let tricks = round.tricks().iter().map(|played| trick(played, &round));
    let shown = |of: Seat| match seat {
        Some(only) if only != of => Vec::new(),
        _ => groups(&view, &judge, round.hand(of)),
    };
    let last = step.checked_sub(1).and_then(|at| record.events.get(at));
    fields.set("turns", &tricks.collect::<Vec<Value>>());
    fields.set("hands", &Seat::ALL.map(shown));
    fields.set("happened", &last.map(happened));
    Some(json!({ "step": step, "steps": steps, "seat": seat, "view": fields }))
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
