//! Why the rules of Tractor refuse something, as a code that stays the same for translations and the values that belong
//! to it. The rules crate decides; the one exhaustive match is here.

use serde_json::{Map, Value, json};
use tractor::{DeclareError, FollowError, LeadError, RoundError};

use super::names::{faces, group, kind_name};

/// Why something is refused: `code`, what belongs to it, and `message`, the rules' own words.
///
/// ```
/// use convoy_protocol::tractor::table::reason;
/// use tractor::RoundError;
/// let why = reason(&RoundError::BuryCount { given: 7 });
/// assert_eq!((&why["code"], &why["given"]), (&"bury".into(), &7.into()));
/// ```
pub fn reason(error: &RoundError) -> Value {
    let mut all = reason_values(error);
    all.insert("code".to_owned(), json!(error.code()));
    all.insert("message".to_owned(), json!(error.to_string()));
    Value::Object(all)
}

/// What belongs to the code of a reason, by name.
///
/// ```
/// use convoy_protocol::tractor::table::reason_values;
/// assert!(reason_values(&tractor::RoundError::NoCards).is_empty());
/// ```
pub fn reason_values(error: &RoundError) -> Map<String, Value> {
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
    match values {
        Value::Object(values) => values,
        _ => Map::new(),
    }
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
            let mut reason = kind_name(of);
            reason["shape"] = reason["kind"].take();
            reason["cards"] = faces(component);
            reason["by"] = faces(by);
            reason
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
