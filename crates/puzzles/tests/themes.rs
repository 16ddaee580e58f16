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
    // The artillery on h8 shoots at c5's neighbourhood no further than e5: the tank takes and is taken.
    let fen = "6c4/9ii/11/11/7a3/11/11/3Tt6/11/11/9II/5C5 r - - 0 1";
    assert!(!of(fen, "Td5xe5").contains(&Theme::HangingPiece));
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
