//! What cards are called and why they are refused, in parts that a page can put into any language.
//! The judgement is the rules crate's; the one exhaustive match is here.

use crate::refusal::Why;
use serde_json::{Value, json};
use tractor::{Cards, FollowRefusal, Group, Hand, Illegal, Judge, Kind, Lead, LeadRefusal};

/// `trump`, or the letter of a plain suit.
pub(super) fn group(group: Group) -> Value {
    match group.suit() {
        Some(suit) => json!(suit.letter()),
        None => json!("trump"),
    }
}

fn faces(cards: Cards) -> Value {
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
pub(super) fn name(judge: &Judge, cards: Hand) -> Value {
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
pub(super) fn why(illegal: &Illegal) -> Why {
    let parts = match illegal {
        Illegal::OutOfTurn { turn } => json!({ "code": "turn", "seat": turn.index() }),
        Illegal::NoCards => json!({ "code": "none" }),
        Illegal::NotHeld(_) => json!({ "code": "held" }),
        Illegal::BuryCount { given } => json!({ "code": "bury", "given": given }),
        Illegal::Lead(refusal) => lead(refusal),
        Illegal::Follow(refusal) => follow(refusal),
        Illegal::Declare(_) => json!({ "code": "declare" }),
        Illegal::NotLeading => json!({ "code": "not-leading" }),
        Illegal::Off(_) => json!({ "code": "off" }),
        Illegal::DealtOut => json!({ "code": "dealt-out" }),
        Illegal::StillDealing => json!({ "code": "still-dealing" }),
        Illegal::DeclaringOver => json!({ "code": "declaring-over" }),
        Illegal::OwnKitty => json!({ "code": "own-kitty" }),
        Illegal::HasPassed => json!({ "code": "has-passed" }),
        Illegal::NotBurying => json!({ "code": "not-burying" }),
        Illegal::NotPlaying => json!({ "code": "not-playing" }),
        Illegal::Over => json!({ "code": "over" }),
        Illegal::NothingToTakeBack => json!({ "code": "nothing-to-take-back" }),
        Illegal::TrickOpen => json!({ "code": "trick-open" }),
        Illegal::Undecided => json!({ "code": "undecided" }),
    };
    let code = parts["code"].as_str().unwrap_or_default().to_owned();
    let why = Why::new(code, illegal.to_string());
    let rest = parts.as_object().into_iter().flatten();
    rest.filter(|(name, _)| *name != "code")
        .fold(why, |why, (name, value)| why.with(name, value.clone()))
}

fn lead(refusal: &LeadRefusal) -> Value {
    match *refusal {
        LeadRefusal::Empty => json!({ "code": "none" }),
        LeadRefusal::NotHeld(_) => json!({ "code": "held" }),
        LeadRefusal::Mixed(a, b) => json!({ "code": "mixed", "groups": [group(a), group(b)] }),
        LeadRefusal::TrumpThrow => json!({ "code": "trump-throw" }),
        LeadRefusal::Beatable {
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
        LeadRefusal::Grouping => json!({ "code": "grouping" }),
    }
}

fn follow(refusal: &FollowRefusal) -> Value {
    match *refusal {
        FollowRefusal::NotHeld(_) => json!({ "code": "held" }),
        FollowRefusal::Count { led, played } => {
            json!({ "code": "count", "led": led, "played": played })
        }
        FollowRefusal::Group { group: of, held } => {
            json!({ "code": "group", "group": group(of), "held": faces(held) })
        }
        FollowRefusal::Pairs { owed, held } => {
            json!({ "code": "pairs", "owed": owed, "held": faces(held) })
        }
        FollowRefusal::Tractor { pairs, held } => {
            json!({ "code": "tractor", "pairs": pairs, "held": faces(held) })
        }
        FollowRefusal::TractorPairs { owed, held } => {
            json!({ "code": "tractor-pairs", "owed": owed, "held": faces(held) })
        }
    }
}
