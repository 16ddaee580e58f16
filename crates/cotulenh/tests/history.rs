//! Undo, redo, the bounded history, and what lists without legality hold.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use cotulenh::{Game, Move, Position, Reason, Setup, VictoryRules};
use proptest::prelude::*;

/// A game of random moves.
fn random_game(seed: u64, moves: usize) -> Game {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Game::default();
    for _ in 0..moves {
        let legal = game.legal_moves();
        let lively: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|mv| mv.is_capture() || mv.is_step())
            .collect();
        let choice = if random.bool() && !lively.is_empty() {
            lively
        } else {
            legal.to_vec()
        };
        let Some(mv) = random.choice(choice) else {
            break;
        };
        game.play(mv).unwrap();
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn redo_undoes_undo(seed in any::<u64>(), back in 1..40usize) {
        let whole = random_game(seed, 80);
        let mut game = whole.clone();
        let mut steps = 0;
        while steps < back && game.undo_step() {
            steps += 1;
        }
        for _ in 0..steps {
            prop_assert!(game.redo_step());
        }
        prop_assert!(!game.redo_step());
        prop_assert!(game == whole && game.outcome() == whole.outcome());
        prop_assert!(game.undo());
        prop_assert!(game.redo());
        prop_assert!(game == whole);
    }

    #[test]
    fn a_bounded_history_is_the_end_of_the_whole(seed in any::<u64>(), limit in 0..12usize) {
        let whole = random_game(seed, 60);
        let mut bounded = Game::default().with_history_limit(limit);
        for turn in whole.turns() {
            for mv in turn.moves {
                bounded.play(*mv).unwrap();
            }
        }
        for mv in whole.open_moves() {
            bounded.play(*mv).unwrap();
        }
        prop_assert_eq!(bounded.position(), whole.position());
        prop_assert_eq!(bounded.outcome(), whole.outcome());
        prop_assert_eq!(bounded.repetitions(), whole.repetitions());
        let sans = whole.sans();
        let kept = limit.min(sans.len());
        prop_assert_eq!(bounded.sans(), &sans[sans.len() - kept..]);
        prop_assert_eq!(bounded.start(), &whole.position_after(sans.len() - kept));
        prop_assert!(bounded.history_bytes() <= 16 * (kept + 4) + 8 * 100);
    }
}

#[test]
fn a_new_move_ends_redo_and_forgets_the_notes_of_what_was_undone() {
    let mut game = Game::default();
    game.play_text("Ic6").unwrap();
    game.set_comment(1, "brave").unwrap();
    assert!(game.undo());
    assert_eq!(game.comment(1), None);
    assert!(game.redo());
    assert_eq!(game.comment(1), Some("brave"));
    assert!(game.undo());
    game.play_text("Ik6").unwrap();
    assert!(!game.redo());
    assert_eq!(game.comment(1), None);
}

#[test]
fn threefold_is_seen_through_dropped_turns() {
    let mut game = Game::default().with_history_limit(1);
    for text in ["Ic6", "Ic7", "Ic5", "Ic8", "Ic6", "Ic7", "Ic5"] {
        game.play_text(text).unwrap();
    }
    assert_eq!(game.outcome(), None);
    game.play_text("Ic8").unwrap();
    assert_eq!(
        game.outcome().map(|end| end.reason),
        Some(Reason::Threefold)
    );
}

/// Rule 9.7.1 holds for a game whose first turns were dropped, and nobody loses what he never had.
#[test]
fn rule_9_7_1_a_side_loses_only_what_it_had() {
    let rules = VictoryRules {
        marine: true,
        air: true,
        land: true,
    };
    let fen = "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1";
    let position: Position = fen.parse().unwrap();
    assert_eq!(
        position.outcome_under(&rules.services(&position)),
        None,
        "no aircraft to lose"
    );
    let mut game = Game::new(position).with_rules(rules).with_history_limit(0);
    game.play_text("Nxc7").unwrap();
    assert_eq!(game.outcome().map(|end| end.reason), Some(Reason::Marine));
}

#[test]
fn captures_of_a_whole_turn_are_told() {
    let fen = "6c4/9ii/11/11/4i6/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let mut game = Game::new(fen.parse::<Position>().unwrap());
    game.play_text("I<F>xe8,T>xe6").unwrap();
    let turn = game.last_turn().unwrap();
    let taken: Vec<String> = turn
        .captured()
        .map(|(at, stack)| format!("{stack}{at}"))
        .collect();
    assert_eq!(taken, ["ie8", "ie6"]);
}

/// Document 004: two pieces on a cleared board.
#[test]
fn lists_without_legality_need_no_commander() {
    let mut setup = Setup::new();
    setup.set("e5".parse().unwrap(), Some("F".parse().unwrap()));
    setup.set("b7".parse().unwrap(), Some("n".parse().unwrap()));
    setup.set("e7".parse().unwrap(), Some("i".parse().unwrap()));
    let position = Position::try_from(&setup).unwrap();
    assert!(position.legal_moves().is_empty());
    let moves: Vec<Move> = position.pseudo_legal_moves().collect();
    assert!(
        moves
            .iter()
            .any(|mv| mv.is_stay_capture() && mv.to() == "e7".parse().unwrap())
    );
    // With commanders the legal moves are among them.
    let start = Position::start();
    let pseudo: Vec<Move> = start.pseudo_legal_moves().collect();
    assert!(start.legal_moves().iter().all(|mv| pseudo.contains(mv)));
}
