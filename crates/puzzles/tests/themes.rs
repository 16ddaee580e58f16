//! Themes of lines made by hand, each with what it is not.

use convoy_puzzles::board::{Puzzle, Theme, themes};
use convoy_puzzles::id_of;

/// The themes of a line of play.
fn of(fen: &str, line: &str) -> Vec<Theme> {
    let text = format!("{};game;{fen};{line};0/0;1;", id_of(fen));
    let puzzle: Puzzle = text
        .parse()
        .unwrap_or_else(|error| panic!("{line}: {error}"));
    themes(&puzzle.position, &puzzle.steps)
}

#[test]
fn a_mate_is_told_by_its_length() {
    let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
    assert_eq!(of(fen, "Af8c11"), [Theme::MateIn1, Theme::Endgame]);
    let other = of(fen, "Te4e5");
    assert!(!other.contains(&Theme::MateIn1) && other.contains(&Theme::QuietMove));
}

#[test]
fn an_aircraft_that_is_lost_is_a_kamikaze() {
    let fen = "6c4/9ii/11/11/4g6/11/11/4F6/11/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Fe5@e8").contains(&Theme::Kamikaze));
    assert!(!of(fen, "Fe5e6").contains(&Theme::Kamikaze));
}

#[test]
fn a_ship_that_fires_ashore_stays() {
    let fen = "6c4/9ii/11/11/11/11/11/2N1t6/11/11/9II/5C5 r - - 0 1";
    let themes = of(fen, "Nc5_e5");
    assert!(themes.contains(&Theme::StayCapture) && themes.contains(&Theme::HangingPiece));
    assert!(!of(fen, "Nc5c6").contains(&Theme::StayCapture));
}

#[test]
fn a_guarded_piece_does_not_hang() {
    // The artillery on h8 reaches e5: the tank captures and can be captured.
    let guarded = "6c4/9ii/11/11/7a3/11/11/3Tt6/11/11/9II/5C5 r - - 0 1";
    assert_eq!(of(guarded, "Td5xe5"), [Theme::Exchange, Theme::Endgame]);
    let hanging = "6c4/9ii/11/11/11/11/11/3Ti6/11/11/9II/5C5 r - - 0 1";
    assert_eq!(of(hanging, "Td5xe5"), [Theme::HangingPiece, Theme::Endgame]);
    assert_eq!(of(hanging, "Td5d6"), [Theme::QuietMove, Theme::Endgame]);
}

#[test]
fn a_check_is_not_quiet() {
    let fen = "6c4/9ii/11/11/6T4/11/11/11/11/11/9II/5C5 r - - 0 1";
    assert_eq!(of(fen, "Tg8g10"), [Theme::Check, Theme::Endgame]);
    assert_eq!(of(fen, "Tg8f8"), [Theme::QuietMove, Theme::Endgame]);
}

#[test]
fn a_captured_air_defence_piece_opens_the_sky_to_aircraft() {
    let of_tank = |fen: &str| of(fen, "Td5xe5").contains(&Theme::Suppression);
    assert!(of_tank(
        "6c4/9ii/11/11/11/11/11/3Tg5F/11/11/9II/5C5 r - - 0 1"
    ));
    // No aircraft, and no air-defence piece.
    assert!(!of_tank(
        "6c4/9ii/11/11/11/11/11/3Tg6/11/11/9II/5C5 r - - 0 1"
    ));
    assert!(!of_tank(
        "6c4/9ii/11/11/11/11/11/3Ti5F/11/11/9II/5C5 r - - 0 1"
    ));
}

#[test]
fn air_defence_comes_to_cover_an_aircraft() {
    let fen = "6c4/9ii/11/11/11/11/11/4f6/3G7/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Gd4d5").contains(&Theme::AirDefence));
    assert!(!of(fen, "Gd4d3").contains(&Theme::AirDefence));
}

#[test]
fn an_aircraft_without_a_safe_flight_is_trapped() {
    let fen = "6c4/9ii/11/11/10f/8S2/11/11/11/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Si7j8").contains(&Theme::TrappedAircraft));
    // From here the missile leaves the aircraft a way out.
    assert!(!of(fen, "Si7j7").contains(&Theme::TrappedAircraft));
}

#[test]
fn a_fork_attacks_two_stacks() {
    let fen = "6c4/9ii/11/11/11/4t6/11/3T2a4/11/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Td5e5").contains(&Theme::Fork));
    assert!(!of(fen, "Td5d6").contains(&Theme::Fork));
}

#[test]
fn an_endgame_has_few_pieces() {
    let start = cotulenh::Position::start().to_string();
    assert_eq!(of(&start, "Ic5c6"), [Theme::QuietMove]);
}

#[test]
fn a_stack_that_parts_deploys_and_one_that_meets_combines() {
    let fen = "6c4/9ii/11/11/11/11/11/11/11/2(NT)8/9II/5C5 r - - 0 1";
    assert!(of(fen, "c3:T:N>c6").contains(&Theme::Deploy));
    assert!(!of(fen, "(NT)c3c6").contains(&Theme::Deploy));
    let fen = "6c4/9ii/11/11/11/11/11/4I6/4T6/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Te4&e5").contains(&Theme::Combine));
    assert!(!of(fen, "Te4d4").contains(&Theme::Combine));
}

#[test]
fn whoever_is_in_check_defends() {
    let fen = "6c4/9ii/11/11/11/11/11/11/11/5t5/9II/5C5 r - - 0 1";
    assert!(of(fen, "Cf1e1").contains(&Theme::Defence));
    let calm = "6c4/9ii/11/11/11/11/11/5t5/11/11/9II/5C5 r - - 0 1";
    assert!(!of(calm, "Cf1e1").contains(&Theme::Defence));
}

#[test]
fn a_heroic_piece_acts() {
    let fen = "6c4/9ii/11/11/11/11/11/3+T7/11/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "+Td5d6").contains(&Theme::Heroic));
    assert!(!of(fen, "Ij2j3").contains(&Theme::Heroic));
}

#[test]
fn material_that_is_given_up_is_a_sacrifice() {
    let fen = "6c4/9ii/11/11/11/4t6/11/4T6/11/11/9II/5C5 r - - 0 1";
    assert!(of(fen, "Te5e6 Te7xe6 Ij2j3").contains(&Theme::Sacrifice));
    assert!(!of(fen, "Te5e6 Ik11k10 Te6xe7").contains(&Theme::Sacrifice));
}
