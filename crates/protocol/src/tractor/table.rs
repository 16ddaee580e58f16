//! What a table shows of a round to a page that knows no rules, and what it answers such a page: how a hand is laid out,
//! what a selection is called, why it is refused, how a finished round went. A server and a table on a visitor's own
//! device tell the same.

mod moment;
mod names;
mod reason;
mod round_summary;
mod shown;

pub use moment::moment;
pub use names::{kind_name, selection_name};
pub use reason::{reason, reason_values};
pub use round_summary::RoundSummary;
pub use shown::{FieldWriter, GroupedCards, actions, hands, set_view_fields, trick};

use serde_json::{Value, json};
use tractor::{CardSet, Event, Round, Seat, Stage, View};

/// What a selection of a seat's own cards is called, and whether it may be played or buried now: `name`, `ok` and, where
/// it may not, `why`. Whoever throws may name the parts.
///
/// ```
/// use convoy_protocol::tractor::table::check;
/// use tractor::{Deck, Event, Round, Rules, Seed, Setup};
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// let seat = round.turn().expect("somebody buries");
/// let answer = check(&round, seat, round.hand(seat).iter().take(7).collect(), None);
/// assert_eq!((&answer["ok"], &answer["why"]["code"]), (&false.into(), &"bury".into()));
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn check(round: &Round, seat: Seat, cards: CardSet, parts: Option<Vec<CardSet>>) -> Value {
    let view = View::of(round, Some(seat));
    let judge = view.judge();
    let named = |cards: CardSet| selection_name(&judge, judge.ranked(cards.faces()));
    let mut name = named(cards);
    let refused = match (view.stage, parts) {
        (_, Some(parts)) => {
            let kinds = parts.iter().map(|part| named(*part)["parts"].take());
            let kinds = kinds.filter_map(|kinds| kinds.as_array().cloned());
            name["parts"] = kinds.flatten().collect();
            round.clone().apply(Event::Throw { seat, parts }).err()
        }
        (Stage::Burying, None) => round.clone().apply(Event::Bury { seat, cards }).err(),
        (_, None) => view.check(cards).err(),
    };
    json!({ "name": name, "ok": refused.is_none(), "why": refused.as_ref().map(reason) })
}
