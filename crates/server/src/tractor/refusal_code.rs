//! Why the rules of Tractor refuse something, as the server refuses: a code that stays the same for translations, what
//! belongs to it, and the rules' own words.

use convoy_protocol::tractor::table;
use tractor::RoundError;

use crate::refusal::Reason;

/// Why something is refused.
pub(super) fn reason(error: &RoundError) -> Reason {
    let reason = Reason::new(error.code(), error.to_string());
    let values = table::reason_values(error).into_iter();
    values.fold(reason, |reason, (name, value)| reason.with(&name, value))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;
    use tractor::{Bid, DeclareError, Faces, FollowError, Group, Kind, LeadError, Seat, Suit};

    use super::*;

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
        for error in all() {
            let code = error.code();
            for catalogue in catalogues {
                assert!(catalogue.contains(&format!("\ntr-why-{code} = ")), "{code}");
            }
        }
    }

    #[test]
    fn the_guide_lists_every_reason_and_no_other() {
        let guide = include_str!("../../../../docs/server.md");
        let row = guide
            .lines()
            .find(|line| line.starts_with("| `illegal`, Tractor |"))
            .unwrap();
        // Before the list stand the code itself and the question that tells the same.
        let told: BTreeSet<&str> = row.split('`').nth(5).unwrap().split(' ').collect();
        let known: BTreeSet<&str> = all().iter().map(RoundError::code).collect();
        assert_eq!(told, known);
    }

    /// Only one of them means a declaration that is too weak: its words would be false of the others.
    #[test]
    fn every_refused_declaration_has_a_reason_of_its_own() {
        let codes = declares().map(|error| RoundError::Declare(error).code());
        assert_eq!(codes, ["no-bid", "jokers-off", "declare", "own-stands"]);
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
