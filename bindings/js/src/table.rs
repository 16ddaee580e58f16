//! A table of Tractor on this device: what it shows a page that knows no rules, and what it answers, as the server does.

use convoy_protocol::tractor::table::{self, FieldWriter as _, RoundSummary};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tractor::{CardSet, Record, RoundError, Rules, Seat, View};

use crate::boundary::{Failure, answer, answer_text, exports, put_json};
use crate::tractor::{change, read_event, seat_of, viewer, with};

/// What the rules refuse, as the server words it.
fn refuse(error: &RoundError) -> Failure {
    let code = match error {
        RoundError::OutOfTurn { .. } => "not-your-turn",
        _ => "illegal",
    };
    json!({ "code": code, "message": error.to_string(), "why": table::reason(error) }).into()
}

/// A selection, as a page asks about it.
#[derive(Debug, Deserialize)]
struct Selection {
    #[serde(default)]
    cards: CardSet,
    #[serde(default)]
    parts: Option<Vec<CardSet>>,
}

/// A moment of a finished round, as a page asks for it.
#[derive(Debug, Deserialize)]
struct Moment {
    round: usize,
    #[serde(default)]
    step: Option<usize>,
    #[serde(default)]
    seat: Option<Seat>,
}

/// The house rules: every switch by name.
fn house_rules(rules: &Rules) -> Value {
    let switches = Rules::SWITCHES
        .iter()
        .map(|switch| (switch.name.to_owned(), Value::String(switch.get(rules))));
    json!({ "preset": "default", "switches": switches.collect::<Map<_, _>>() })
}

exports! {
    /// Makes the event in the input happen; what is refused is told with its reason.
    fn table_apply(slot: u32) -> i32 {
        answer_text(|text, _| {
            let event = read_event(text)?;
            change(slot, |game| game.apply(event).map_err(|error| refuse(&error)))
        })
    }

    /// Writes all that a seat is shown of the round, and what it may do, as JSON.
    fn table_fields(slot: u32, seat: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let round = game.round();
                let view = View::without_tricks(round, viewer(seat));
                let judge = view.judge();
                let mut fields = Map::new();
                table::set_view_fields(&view, &judge, &mut fields);
                let turns = round.tricks().iter().map(|trick| table::trick(trick, round));
                fields.set("turns", &turns.collect::<Vec<_>>());
                fields.set("hands", &table::hands(round, &view, &judge));
                fields.set("rules", &house_rules(&round.setup().rules));
                fields.set("winner", &game.winner());
                fields.set("can", &table::actions(round, &view));
                put_json(&fields, output)
            })
        })
    }

    /// Writes what came of the rounds that are over, as JSON.
    fn table_rounds(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let past = game.finished().iter().filter_map(|record| record.round().ok());
                let past = past.filter_map(|round| RoundSummary::of(&round));
                let rounds = past.chain(RoundSummary::of(game.round()));
                put_json(&rounds.collect::<Vec<_>>(), output)
            })
        })
    }

    /// Writes what the selection in the input is called, and whether it may be played or buried now, as JSON.
    fn table_check(slot: u32, seat: u32) -> i32 {
        answer_text(|text, output| {
            let seat = seat_of(seat)?;
            let Selection { cards, parts } = convoy_protocol::read_json(text)?;
            let all = parts.as_ref().map(|parts| parts.iter().flat_map(|part| part.iter()).collect());
            let cards: CardSet = all.unwrap_or(cards);
            with(slot, |game| {
                let round = game.round();
                if round.hand(seat).less(cards).is_none() {
                    return Err(Failure::new("illegal", "you do not hold these cards"));
                }
                put_json(&table::check(round, seat, cards, parts), output)
            })
        })
    }

    /// Writes the moment of a finished round that the input asks for, as JSON.
    fn table_moment(slot: u32) -> i32 {
        answer_text(|text, output| {
            let Moment { round, step, seat } = convoy_protocol::read_json(text)?;
            with(slot, |game| {
                let place = round.checked_sub(1);
                let past = place.and_then(|place| game.finished().get(place).cloned());
                let last = || (place == Some(game.finished().len())).then(|| game.record());
                let open = RoundSummary::of(game.round()).is_none();
                let record: Option<Record> = past.or_else(|| last().filter(|_| !open));
                let moment = record.and_then(|record| table::moment(&record, step.unwrap_or(usize::MAX), seat));
                let mut moment = moment.ok_or_else(|| Failure::new("not-now", "the round is not over"))?;
                moment["round"] = json!(round);
                put_json(&moment, output)
            })
        })
    }
}
