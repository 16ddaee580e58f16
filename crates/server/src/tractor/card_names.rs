//! What cards and combinations are called, in parts that a page can put into any language.

use serde_json::{Value, json};
use tractor::{Faces, Group, Judge, Kind, Lead, RankedCards};

/// `trump`, or the letter of a plain suit.
pub(super) fn group(group: Group) -> Value {
    match group.suit() {
        Some(suit) => json!(suit.letter()),
        None => json!("trump"),
    }
}

pub(super) fn faces(cards: Faces) -> Value {
    cards.iter().map(|face| face.to_string()).collect()
}

pub(crate) fn kind(kind: Kind) -> Value {
    match kind {
        Kind::Single => json!({ "kind": "single" }),
        Kind::Pair => json!({ "kind": "pair" }),
        Kind::Tractor { pairs } => json!({ "kind": "tractor", "pairs": pairs }),
    }
}

/// What a selection is called: its group, or none if it mixes several, and its components.
pub(super) fn name(judge: &Judge, cards: RankedCards) -> Value {
    let parts: Vec<Value> = judge
        .components(cards)
        .map(|combo| kind(combo.kind))
        .collect();
    json!({ "group": judge.group(cards).map(group), "parts": parts, "count": cards.len() })
}

/// What was led, by the components that the leader may have named.
pub(super) fn led(lead: &Lead) -> Value {
    let shape = lead.shape();
    let pairs = shape.pairs() - shape.tractor_pairs();
    let tractors = shape.tractor_sizes().iter();
    let tractors = tractors.map(|&pairs| Kind::Tractor { pairs });
    let rest = [(pairs, Kind::Pair), (shape.singles(), Kind::Single)];
    let rest = rest
        .into_iter()
        .flat_map(|(count, of)| std::iter::repeat_n(of, count));
    let parts: Vec<Value> = tractors.chain(rest).map(kind).collect();
    json!({ "group": group(lead.group()), "parts": parts, "count": lead.len() })
}
