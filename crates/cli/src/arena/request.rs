//! The requests and answers of the line protocol, as the arena writes and reads them.

use serde_json::{Value, json};
use tractor::{CardSet, Rules, Seat, SeenTrick, Suit, View};

use super::forfeit::{Cause, Forfeit};

/// Whether the seat declares, with its hand so far.
pub(super) fn declare(view: &View) -> Value {
    let current = view.declarations.last().map(
        |last| json!({ "seat": last.seat, "type": last.bid.word(), "suit": suit(last.bid.suit()) }),
    );
    let seat = view.viewer.map_or(0, Seat::index);
    let mut request = json!({
        "op": "declare",
        "seat": seat,
        "rank": view.levels[view.defending.index()],
        "hand": view.hand,
        "dealt": view.dealt,
        "current": current,
        "seed": u64::from(view.dealt) * 4 + seat as u64,
    });
    add_context(&mut request, view);
    request
}

/// Which eight cards the seat buries.
pub(super) fn kitty(view: &View) -> Value {
    let mut request = json!({
        "op": "kitty",
        "seat": view.viewer,
        "trump": view.trump,
        "hand": view.hand,
    });
    add_context(&mut request, view);
    request
}

/// What the seat leads or follows with.
pub(crate) fn play(view: &View) -> Value {
    let tricks: Vec<Value> = view.tricks.iter().map(trick).collect();
    let open = view.open.as_ref();
    let mut request = json!({
        "op": "play",
        "seat": view.viewer,
        "trump": view.trump,
        "hand": view.hand,
        "starter": view.starter,
        "defending": view.defending,
        "tricks": tricks,
        "current": open.map_or_else(Vec::new, plays),
        "attackerPoints": view.attackers,
        "handSizes": view.held,
        "currentWinner": open.and_then(|open| open.ahead.last()),
    });
    if let Some(failed) = open.and_then(|open| open.failed) {
        request["currentFailed"] = json!(failed);
    }
    if let Some(kitty) = view.kitty {
        request["kitty"] = json!(kitty);
    }
    add_context(&mut request, view);
    request
}

/// The plays of a trick: seats and cards in turn order.
fn plays(trick: &SeenTrick) -> Vec<Value> {
    let plays = trick.plays.iter().enumerate();
    plays
        .map(|(place, cards)| json!([trick.leader.after(place), cards]))
        .collect()
}

fn trick(trick: &SeenTrick) -> Value {
    let mut told = json!({ "plays": plays(trick), "winner": trick.ahead.last() });
    if let Some(failed) = trick.failed {
        told["failed"] = json!(failed);
    }
    told
}

/// What every request tells beside its own.
fn add_context(request: &mut Value, view: &View) {
    let preset = Rules::PRESETS
        .into_iter()
        .find(|name| Rules::preset(name) == Some(view.rules));
    request["rules"] = match preset {
        Some(name) => name.into(),
        None => json!(view.rules),
    };
    request["levels"] = json!({ "A": view.levels[0], "B": view.levels[1] });
    let declarations: Vec<Value> = view
        .declarations
        .iter()
        .map(|made| json!([made.seat, made.bid.word(), suit(made.bid.suit()), made.at]))
        .collect();
    request["declarations"] = declarations.into();
    if let Some(card) = view.revealed {
        request["revealed"] = json!(card);
    }
    if let Some(seat) = view.buried_by {
        request["buriedBy"] = json!(seat);
    }
}

/// How the protocol calls a trump suit.
pub(crate) fn suit(suit: Option<Suit>) -> String {
    suit.map_or('N', Suit::letter).to_string()
}

/// The cards of the offer that a declaration names by type and suit; for jokers any suit will do.
pub(super) fn offer(view: &View, declared: &Value) -> Option<CardSet> {
    let (kind, named) = (&declared["type"], &declared["suit"]);
    let offer = view.offers.iter().find(|offer| {
        *kind == offer.bid.word() && (offer.bid.is_joker() || *named == suit(offer.bid.suit()))
    });
    offer.map(|offer| offer.cards)
}

/// The cards of an answer, with digits or without, out of a hand.
pub(super) fn read_cards(answer: &Value, hand: CardSet) -> Result<CardSet, Forfeit> {
    let bad = |words: String| Forfeit::new(Cause::BadAnswer, words);
    let texts: Vec<&str> = answer["cards"]
        .as_array()
        .and_then(|list| list.iter().map(Value::as_str).collect())
        .ok_or_else(|| bad(format!("no list of cards in {answer}")))?;
    let cards =
        CardSet::read(texts.iter().copied()).map_err(|error| bad(format!("{error}: {answer}")))?;
    if texts.iter().all(|text| text.ends_with(['0', '1'])) {
        return Ok(cards);
    }
    hand.pick(cards.faces())
        .ok_or_else(|| Forfeit::new(Cause::Illegal, format!("not all in the hand: {answer}")))
}
