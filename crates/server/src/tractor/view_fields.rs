//! What a viewer is told: the view of the rules crate, and what a page needs to show it without
//! knowing any rule.

use serde_json::{Map, Value, json};
use tokio::time::Instant;
use tractor::{Card, CardSet, Group, Kind, PlayedTrick, Round, Stage as RoundStage, View};

use super::card_names;
use super::game::{Stage, TractorGame, seat_of};
use crate::game::{Presence, Seat};
use crate::seat::Occupant;

/// Everything that `viewer` may know.
pub(super) fn fields(
    table: &TractorGame,
    viewer: Option<Seat>,
    presence: &Presence<'_>,
) -> Map<String, Value> {
    let round = table.shown();
    let view = View::of(&round, viewer.and_then(seat_of));
    let mut fields = of_view(&view);
    let stage = match &table.stage {
        Stage::Before => Some("waiting"),
        Stage::Shuffling(_) => Some("shuffling"),
        Stage::Round(..) => None,
    };
    if let Some(stage) = stage {
        fields.insert("stage".to_owned(), json!(stage));
        fields.insert("offers".to_owned(), json!([]));
    }
    let own = [
        ("hands", hands(&round, &view)),
        (
            "rules",
            json!({ "preset": table.setup.preset, "switches": table.setup.rules }),
        ),
        ("seconds", json!(table.setup.seconds)),
        ("shuffle", table.shuffle_field(viewer)),
        ("voids", table.voids_field()),
        ("dropped", json!(table.dropped)),
        ("timer", timer(table, presence.now)),
        ("rounds", rounds(table)),
        ("ready", json!(table.ready)),
        ("standIn", stand_in(table, presence)),
        ("winner", json!(table.winner())),
        ("can", json!(can(table, viewer, &view, presence))),
    ];
    for (name, value) in own {
        fields.insert(name.to_owned(), value);
    }
    fields
}

/// The fields of a view, and how its hand is laid out. The tricks are the log.
pub(super) fn of_view(view: &View) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(view) else {
        return Map::new();
    };
    for name in ["viewer", "tricks", "rules"] {
        fields.remove(name);
    }
    let judge = view.judge();
    let led = view.lead(&judge).map(|lead| card_names::led(&lead));
    fields.insert("groups".to_owned(), groups(view, view.hand));
    fields.insert("naturals".to_owned(), naturals(view));
    fields.insert("led".to_owned(), json!(led));
    fields
}

/// Cards by effective suit, trumps first, each group from strong to weak.
pub(super) fn groups(view: &View, cards: CardSet) -> Value {
    use tractor::Suit::{Clubs, Diamonds, Hearts, Spades};
    let judge = view.judge();
    let order = [
        Group::Trump,
        Group::Plain(Spades),
        Group::Plain(Hearts),
        Group::Plain(Clubs),
        Group::Plain(Diamonds),
    ];
    let of = |group: Group| {
        let mut cards: Vec<Card> = cards
            .iter()
            .filter(|card| view.trump.group(card.face()) == group)
            .collect();
        cards.sort_by_key(|card| {
            let face = card.face();
            (
                std::cmp::Reverse((judge.rung(face), judge.slot(face))),
                card.copy(),
            )
        });
        (!cards.is_empty()).then(|| json!({ "group": card_names::group(group), "cards": cards }))
    };
    order.into_iter().filter_map(of).collect()
}

/// For each card what a tap on it naturally means, the largest first: a tractor, a pair, the card.
/// Only where several cards may be played together, and only on the viewer's turn.
fn naturals(view: &View) -> Value {
    let judge = view.judge();
    let mine = view.stage == RoundStage::Playing && view.turn == view.viewer;
    if !mine || view.viewer.is_none() {
        return json!({});
    }
    let hand = judge.ranked(view.hand.faces());
    let lead = view.lead(&judge);
    let wanted = lead.as_ref().map(|lead| *lead.shape());
    let tractors: Vec<CardSet> = judge
        .tractors(hand)
        .filter(|run| match wanted {
            None => true,
            Some(shape) => match shape.kind() {
                Some(Kind::Tractor { .. }) => run.len() == shape.len(),
                Some(_) => false,
                None => shape.tractors() > 0 && run.len() <= 2 * shape.longest(),
            },
        })
        .filter_map(|run| view.hand.pick(judge.faces(run)))
        .collect();
    let pairs = wanted.is_none_or(|shape| shape.pairs() > 0);
    let mut naturals = Map::new();
    for card in view.hand.iter() {
        let twin = Card::new(card.face(), card.copy() == 0);
        let mut choices = Vec::new();
        if pairs && view.hand.has(twin) {
            let longest = tractors
                .iter()
                .filter(|run| run.has(card))
                .max_by_key(|run| run.len());
            choices.extend(longest.copied());
            choices.push([card, twin].into_iter().collect());
        }
        if !choices.is_empty() {
            naturals.insert(card.to_string(), json!(choices));
        }
    }
    Value::Object(naturals)
}

/// Everybody's cards, once the round is over: as they were after the burying.
fn hands(round: &Round, view: &View) -> Value {
    if view.stage != RoundStage::Over {
        return Value::Null;
    }
    let hand = |seat: tractor::Seat| {
        let played = round
            .tricks()
            .iter()
            .map(|trick| trick.plays[(4 + seat.index() - trick.leader.index()) % 4]);
        let all: CardSet = played
            .chain([round.hand(seat)])
            .flat_map(CardSet::iter)
            .collect();
        groups(view, all)
    };
    json!(tractor::Seat::ALL.map(hand))
}

/// A finished trick, as everybody saw it.
pub(super) fn trick(trick: &PlayedTrick, round: &Round) -> Value {
    let stopper = round.setup().rules.announce_stopper;
    let failed = trick
        .failed
        .map(|failed| json!({ "cards": failed.cards, "by": Some(failed.by).filter(|_| stopper) }));
    json!({
        "leader": trick.leader,
        "plays": trick.plays,
        "ahead": trick.ahead,
        "winner": trick.winner(),
        "points": trick.points(),
        "failed": failed,
    })
}

fn timer(table: &TractorGame, now: Instant) -> Value {
    let (Some((wait, total)), Some((_, due))) = (table.waits(), table.due()) else {
        return Value::Null;
    };
    let left = due.saturating_duration_since(now);
    json!({ "for": wait.as_str(), "total": total.as_millis(), "left": left.as_millis() })
}

/// The rounds that are over, in short.
fn rounds(table: &TractorGame) -> Value {
    let short = |finished: &super::game::Finished| {
        let (result, setup) = (finished.result, finished.record.setup);
        json!({
            "number": setup.number,
            "levels": setup.start.levels,
            "defending": finished.defending,
            "winner": result.winner,
            "points": result.points,
            "rise": result.rise,
            "next": result.next.map(|next| next.levels),
            "attempt": finished.file.attempts(),
            "record": finished.file.record_hash(),
        })
    };
    table.past.iter().map(short).collect()
}

/// The seats for which a bot plays while their owner is gone.
fn stand_in(table: &TractorGame, presence: &Presence<'_>) -> Value {
    let patience = table.patience();
    let gone = |away: &Option<std::time::Duration>| away.is_some_and(|away| away >= patience);
    presence.away.iter().map(gone).collect()
}

/// What a viewer may do now.
fn can(
    table: &TractorGame,
    viewer: Option<Seat>,
    view: &View,
    presence: &Presence<'_>,
) -> Vec<&'static str> {
    let Some(seat) = viewer else {
        return Vec::new();
    };
    let index = usize::from(seat);
    if presence.seats.iter().any(Occupant::is_open) {
        return vec!["fill"];
    }
    let mine = view.turn.map(tractor::Seat::index) == Some(index);
    let rules = view.rules;
    let round = match &table.stage {
        Stage::Shuffling(_) if table.may_commit(index) => return vec!["commit"],
        Stage::Shuffling(_) if table.may_reveal(index) => return vec!["reveal"],
        Stage::Before | Stage::Shuffling(_) => return Vec::new(),
        Stage::Round(_, round) => round,
    };
    let could = |event: tractor::Event| round.clone().apply(event).is_ok();
    let by = seat_of(seat);
    let all = [
        ("declare", !view.offers.is_empty()),
        (
            "pass",
            by.is_some_and(|seat| view.dealt == 100 && could(tractor::Event::Pass { seat })),
        ),
        ("bury", mine && view.stage == RoundStage::Burying),
        ("play", mine && view.stage == RoundStage::Playing),
        ("hint", mine),
        (
            "retract",
            rules.take_back && by.is_some_and(|seat| could(tractor::Event::Retract { seat })),
        ),
        (
            "takeback",
            rules.take_back && by.is_some_and(|seat| could(tractor::Event::TakeBack { seat })),
        ),
        (
            "endearly",
            rules.end_early
                && view.decided
                && by.is_some_and(|seat| could(tractor::Event::EndEarly { seat })),
        ),
        (
            "next",
            table.is_round_over() && table.winner().is_none() && !table.ready[index],
        ),
        ("rematch", table.winner().is_some() && !table.ready[index]),
    ];
    let may = all.into_iter().filter(|(_, may)| *may);
    may.map(|(what, _)| what).collect()
}
