//! What cards are called and why they are refused, in parts that a page can put into any language.
//! The judgement is the rules crate's; the one exhaustive match is here.

use crate::refusal::Why;
use serde_json::{Value, json};
use tractor::{
    DeclareError, Faces, FollowError, Group, Judge, Kind, Lead, LeadError, RankedCards, RoundError,
};

/// `trump`, or the letter of a plain suit.
pub(super) fn group(group: Group) -> Value {
    match group.suit() {
        Some(suit) => json!(suit.letter()),
        None => json!("trump"),
    }
}

fn faces(cards: Faces) -> Value {
    cards.iter().map(|face| face.to_string()).collect()
}

fn kind(kind: Kind) -> Value {
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

/// Why something is refused: the code, what belongs to it, and the rules' own words.
pub(super) fn why(error: &RoundError) -> Why {
    let values = match error {
        RoundError::OutOfTurn { turn } => json!({ "seat": turn.index() }),
        RoundError::NotHeld(card) => json!({ "cards": [card.face().to_string()] }),
        RoundError::BuryCount { given } => json!({ "given": given }),
        RoundError::Lead(error) => lead(error),
        RoundError::Follow(error) => follow(error),
        RoundError::Declare(error) => declare(*error),
        RoundError::Off(switch) => json!({ "switch": switch }),
        RoundError::NoCards
        | RoundError::NotLeading
        | RoundError::DealtOut
        | RoundError::StillDealing
        | RoundError::DeclaringOver
        | RoundError::OwnKitty
        | RoundError::HasPassed
        | RoundError::NotBurying
        | RoundError::NotPlaying
        | RoundError::Over
        | RoundError::NothingToTakeBack
        | RoundError::TrickOpen
        | RoundError::Undecided => Value::Null,
    };
    let why = Why::new(error.code(), error.to_string());
    let values = values.as_object().into_iter().flatten();
    values.fold(why, |why, (name, value)| why.with(name, value.clone()))
}

fn declare(error: DeclareError) -> Value {
    match error {
        DeclareError::NoBid | DeclareError::JokersOff => Value::Null,
        DeclareError::TooWeak(standing) | DeclareError::OwnStands(standing) => {
            json!({ "standing": standing })
        }
    }
}

fn lead(error: &LeadError) -> Value {
    match *error {
        LeadError::Empty | LeadError::TrumpThrow | LeadError::Grouping => Value::Null,
        LeadError::NotHeld(face) => json!({ "cards": [face.to_string()] }),
        LeadError::Mixed(a, b) => json!({ "groups": [group(a), group(b)] }),
        LeadError::Beatable {
            kind: of,
            component,
            by,
        } => {
            let mut why = kind(of);
            why["shape"] = why["kind"].take();
            why["cards"] = faces(component);
            why["by"] = faces(by);
            why
        }
    }
}

fn follow(error: &FollowError) -> Value {
    match *error {
        FollowError::NotHeld(face) => json!({ "cards": [face.to_string()] }),
        FollowError::Count { led, played } => json!({ "led": led, "played": played }),
        FollowError::Group { group: of, held } => {
            json!({ "group": group(of), "held": faces(held) })
        }
        FollowError::Pairs { owed, held } | FollowError::TractorPairs { owed, held } => {
            json!({ "owed": owed, "held": faces(held) })
        }
        FollowError::Tractor { pairs, held } => json!({ "pairs": pairs, "held": faces(held) }),
    }
}
