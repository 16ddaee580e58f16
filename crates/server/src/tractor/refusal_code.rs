//! Why the rules of Tractor refuse something, as a code that stays the same for translations and
//! the values that belong to it. The rules crate decides; the one exhaustive match is here.

use serde_json::{Value, json};
use tractor::{DeclareError, FollowError, LeadError, RoundError};

use super::card_names::{faces, group, kind};
use crate::refusal::Reason;

/// Why something is refused: the code, what belongs to it, and the rules' own words.
pub(super) fn reason(error: &RoundError) -> Reason {
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
    let reason = Reason::new(error.code(), error.to_string());
    let values = values.as_object().into_iter().flatten();
    values.fold(reason, |reason, (name, value)| {
        reason.with(name, value.clone())
    })
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
            let mut reason = kind(of);
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

#[cfg(test)]
mod tests {
    use super::*;
    use tractor::{Bid, Faces, Group, Kind, Seat, Suit};

    fn declares() -> [DeclareError; 4] {
        let bid = Bid::Single(Suit::Spades);
        [
            DeclareError::NoBid,
            DeclareError::JokersOff,
            DeclareError::TooWeak(bid),
            DeclareError::OwnStands(bid),
        ]
    }

    /// One error of every kind.
    fn all() -> Vec<RoundError> {
        let faces: Faces = "9S 9S".parse().unwrap();
        let face = "9S".parse().unwrap();
        let spades = Group::Plain(Suit::Spades);
        let leads = [
            LeadError::Empty,
            LeadError::NotHeld(face),
            LeadError::Mixed(spades, Group::Trump),
            LeadError::TrumpThrow,
            LeadError::Beatable {
                kind: Kind::Pair,
                component: faces,
                by: faces,
            },
            LeadError::Grouping,
        ];
        let follows = [
            FollowError::NotHeld(face),
            FollowError::Count { led: 2, played: 1 },
            FollowError::Group {
                group: spades,
                held: faces,
            },
            FollowError::Pairs {
                owed: 1,
                held: faces,
            },
            FollowError::Tractor {
                pairs: 2,
                held: faces,
            },
            FollowError::TractorPairs {
                owed: 2,
                held: faces,
            },
        ];
        let mut all = vec![
            RoundError::DealtOut,
            RoundError::StillDealing,
            RoundError::DeclaringOver,
            RoundError::OwnKitty,
            RoundError::HasPassed,
            RoundError::NotBurying,
            RoundError::NotPlaying,
            RoundError::Over,
            RoundError::OutOfTurn { turn: Seat::ALL[2] },
            RoundError::NoCards,
            RoundError::NotHeld("9S1".parse().unwrap()),
            RoundError::BuryCount { given: 7 },
            RoundError::NotLeading,
            RoundError::Off("take_back"),
            RoundError::NothingToTakeBack,
            RoundError::TrickOpen,
            RoundError::Undecided,
        ];
        all.extend(declares().map(RoundError::Declare));
        all.extend(leads.map(RoundError::Lead));
        all.extend(follows.map(RoundError::Follow));
        all
    }

    #[test]
    fn every_reason_is_worded_in_every_language() {
        let catalogues = [
            include_str!("../../../../web/i18n/en.tractor.ftl"),
            include_str!("../../../../web/i18n/vi.tractor.ftl"),
            include_str!("../../../../web/i18n/zh.tractor.ftl"),
        ];
        let guide = include_str!("../../../../docs/server.md");
        for error in all() {
            let code = error.code();
            for catalogue in catalogues {
                assert!(catalogue.contains(&format!("\ntr-why-{code} = ")), "{code}");
            }
            assert!(guide.contains(code), "{code}");
        }
    }

    #[test]
    fn reasons_keep_their_values() {
        let json = |error: RoundError| reason(&error).json();
        let none = json(RoundError::Declare(DeclareError::NoBid));
        assert_eq!(none["code"], "no-bid");
        let own = json(RoundError::Declare(DeclareError::OwnStands(Bid::Pair(
            Suit::Hearts,
        ))));
        assert_eq!(own["code"], "own-stands");
        assert_eq!(own["standing"], json!({ "type": "pair", "suit": "H" }));
        assert_eq!(json(RoundError::Off("take_back"))["switch"], "take_back");
        let held = json(RoundError::NotHeld("9S1".parse().unwrap()));
        assert_eq!(held["cards"], json!(["9S"]));
    }
}
