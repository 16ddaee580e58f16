//! What cards are called and why they are refused, in parts that a page can put into any language.
//! The judgement is the rules crate's; the one exhaustive match is here.

use crate::refusal::Why;
use serde_json::{Value, json};
use tractor::{Faces, FollowError, Group, Judge, Kind, Lead, LeadError, RankedCards, RoundError};

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

/// Why something is refused: a code, what belongs to it, and the engine's own words.
pub(super) fn why(illegal: &RoundError) -> Why {
    let parts = match illegal {
        RoundError::OutOfTurn { turn } => json!({ "code": "turn", "seat": turn.index() }),
        RoundError::NoCards => json!({ "code": "none" }),
        RoundError::NotHeld(_) => json!({ "code": "held" }),
        RoundError::BuryCount { given } => json!({ "code": "bury", "given": given }),
        RoundError::Lead(refusal) => lead(refusal),
        RoundError::Follow(refusal) => follow(refusal),
        RoundError::Declare(_) => json!({ "code": "declare" }),
        RoundError::NotLeading => json!({ "code": "not-leading" }),
        RoundError::Off(_) => json!({ "code": "off" }),
        RoundError::DealtOut => json!({ "code": "dealt-out" }),
        RoundError::StillDealing => json!({ "code": "still-dealing" }),
        RoundError::DeclaringOver => json!({ "code": "declaring-over" }),
        RoundError::OwnKitty => json!({ "code": "own-kitty" }),
        RoundError::HasPassed => json!({ "code": "has-passed" }),
        RoundError::NotBurying => json!({ "code": "not-burying" }),
        RoundError::NotPlaying => json!({ "code": "not-playing" }),
        RoundError::Over => json!({ "code": "over" }),
        RoundError::NothingToTakeBack => json!({ "code": "nothing-to-take-back" }),
        RoundError::TrickOpen => json!({ "code": "trick-open" }),
        RoundError::Undecided => json!({ "code": "undecided" }),
    };
    let code = parts["code"].as_str().unwrap_or_default().to_owned();
    let why = Why::new(code, illegal.to_string());
    let rest = parts.as_object().into_iter().flatten();
    rest.filter(|(name, _)| *name != "code")
        .fold(why, |why, (name, value)| why.with(name, value.clone()))
}

fn lead(refusal: &LeadError) -> Value {
    match *refusal {
        LeadError::Empty => json!({ "code": "none" }),
        LeadError::NotHeld(_) => json!({ "code": "held" }),
        LeadError::Mixed(a, b) => json!({ "code": "mixed", "groups": [group(a), group(b)] }),
        LeadError::TrumpThrow => json!({ "code": "trump-throw" }),
        LeadError::Beatable {
            kind: of,
            component,
            by,
        } => {
            let mut why = kind(of);
            let shape = why["kind"].take();
            why["shape"] = shape;
            why["code"] = json!("beatable");
            why["cards"] = faces(component);
            why["by"] = faces(by);
            why
        }
        LeadError::Grouping => json!({ "code": "grouping" }),
    }
}

fn follow(refusal: &FollowError) -> Value {
    match *refusal {
        FollowError::NotHeld(_) => json!({ "code": "held" }),
        FollowError::Count { led, played } => {
            json!({ "code": "count", "led": led, "played": played })
        }
        FollowError::Group { group: of, held } => {
            json!({ "code": "group", "group": group(of), "held": faces(held) })
        }
        FollowError::Pairs { owed, held } => {
            json!({ "code": "pairs", "owed": owed, "held": faces(held) })
        }
        FollowError::Tractor { pairs, held } => {
            json!({ "code": "tractor", "pairs": pairs, "held": faces(held) })
        }
        FollowError::TractorPairs { owed, held } => {
            json!({ "code": "tractor-pairs", "owed": owed, "held": faces(held) })
        }
    }
}
