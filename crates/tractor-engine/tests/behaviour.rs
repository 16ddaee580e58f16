//! Document 003's player, visible in the heuristic: throws first, the three-step answer, card memory.

mod support;

use support::Position;

#[test]
fn an_unbeatable_throw_comes_first_among_leads() {
    let position = Position::new("2S", "AH AH KH QC JC 9C 8D 7D 6D 4S");
    assert_eq!(position.normal(), "KH AH AH");
}

#[test]
fn a_throw_is_not_led_into_a_ruff() {
    let position = Position::new("2S", "AH AH KH QC JC 9C 8D 7D 6D 4S")
        .after(1, ["3H", "4H", "5S", "6H"])
        .after(3, ["8H", "9H", "6S", "KH"]);
    // Seat 3 has ruffed hearts twice.
    let play = position.normal();
    assert_ne!(play, "KH AH AH");
}

#[test]
fn step_one_the_same_suit_in_the_shape_of_the_throw() {
    let position = Position::new("2S", "9H 9H 7H 6H 3H 3C").on(&["KH AH AH"]);
    let play = position.normal();
    assert!(play.contains("9H 9H"), "{play}");
}

#[test]
fn step_two_trumps_in_the_shape_of_the_throw() {
    let thrown = ["KH AH AH", "TH 3H 4H", "TH 5H 5H"];
    let position = Position::new("2S", "3S 3S 4S 6S 8C 9D").on(&thrown);
    assert_eq!(position.normal(), "3S 3S 4S");
    // Trumps without a pair cannot answer one: they are kept.
    let position = Position::new("2S", "3S 4S 6S 8C 9D 9C").on(&thrown);
    assert!(!position.normal().contains('S'));
}

#[test]
fn step_three_disposal_of_what_is_worth_least() {
    let thrown = ["KH AH AH", "TH 3H 4H", "TH 5H 5H"];
    let position = Position::new("2S", "3C 4C KC AC AD 7D").on(&thrown);
    assert_eq!(position.normal(), "3C 4C 7D");
}

#[test]
fn step_three_points_go_to_a_partner_who_has_won() {
    let thrown = ["6H 6H 7H", "KH AH AH", "8H 8H 9H"];
    let position = Position::new("2S", "3C 4C KC TC 5D 7D").on(&thrown);
    // A throw cannot be beaten in its suit, so the leader has it: nothing is fed.
    assert_eq!(position.normal(), "3C 4C 7D");
    let ruffed = ["KH AH AH", "3S 3S 4S", "8H 8H 9H"];
    let position = Position::new("2S", "3C 4C KC TC 5D 7D").on(&ruffed);
    assert_eq!(position.normal(), "TC KC 5D");
}

#[test]
fn cards_are_remembered() {
    // With both aces gone the king is the best heart, and is led; before, it is not.
    let hand = "KH 9H 8H 5C 6C 7C 8C JC QC 8D 9D TD QD 6D 3D 3S 4S 6S 7S 8S JS QS 4C 3C";
    let fresh = Position::new("2S", hand);
    assert_ne!(fresh.normal(), "KH");
    let later = Position::new("2S", hand).after(3, ["AH", "3H", "4H", "AH"]);
    assert_eq!(later.normal(), "KH");
}
