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

/// A kind of component: `{"kind":"tractor","pairs":2}`.
///
/// ```
/// use convoy_protocol::tractor::table::kind_name;
/// assert_eq!(kind_name(tractor::Kind::Pair).to_string(), r#"{"kind":"pair"}"#);
/// ```
pub fn kind_name(kind: Kind) -> Value {
    match kind {
        Kind::Single => json!({ "kind": "single" }),
        Kind::Pair => json!({ "kind": "pair" }),
        Kind::Tractor { pairs } => json!({ "kind": "tractor", "pairs": pairs }),
    }
}

/// What cards are called: `group` is none where they are of several, `parts` are the components.
///
/// ```
/// use convoy_protocol::tractor::table::selection_name;
/// use tractor::{Faces, Judge, Rules};
/// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
/// let cards: Faces = "8H 8H".parse()?;
/// let name = selection_name(&judge, judge.ranked(cards));
/// assert_eq!(name.to_string(), r#"{"count":2,"group":"H","parts":[{"kind":"pair"}]}"#);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn selection_name(judge: &Judge, cards: RankedCards) -> Value {
    let parts: Vec<Value> = judge
        .components(cards)
        .map(|combo| kind_name(combo.kind))
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
    let parts: Vec<Value> = tractors.chain(rest).map(kind_name).collect();
    json!({ "group": group(lead.group()), "parts": parts, "count": lead.len() })
}
