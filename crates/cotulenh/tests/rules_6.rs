//! Rule 6: the deploy.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

mod common;

use common::{after, all, game, illegal, legal, open, red, refused};
use cotulenh::{Batch, BatchError, Position};

const FTI: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

#[test]
fn rule_6_1_1_a_turn_is_an_action_or_a_deploy() {
    legal(FTI, "(FTI)e5 F>e8 T>e6 I>d4");
    assert!(after(FTI, "(FTI)e5").contains(" b - - 1 1"));
    assert!(after(FTI, "F>e8").contains(" r - - 0 1 e4:(TI):F>e8..."));
}

#[test]
fn rule_6_1_2_only_the_open_deploy_acts() {
    let moves = open(FTI, "F>e8");
    assert!(
        moves.iter().all(|san| san == "." || san.contains('>')),
        "{moves:?}"
    );
    assert!(moves.iter().all(|san| !san.starts_with('F')), "{moves:?}");
    assert!(refused(FTI, "F>e8 Ij3"));
}

#[test]
fn rule_6_2_1_any_piece_steps_first() {
    legal(FTI, "F>e8 T>e6 I>e5");
}

#[test]
fn rule_6_2_2_a_step_acts_at_once_and_blocks() {
    let moves = open(FTI, "I>e5");
    assert!(!moves.contains(&"T>e6".to_owned()), "{moves:?}");
    assert!(moves.contains(&"T>d4".to_owned()));
}

#[test]
fn rule_6_2_3_one_step_a_piece() {
    let moves = open(FTI, "F>e8 T>e6");
    assert!(
        moves.iter().all(|san| san == "." || san.starts_with('I')),
        "{moves:?}"
    );
}

#[test]
fn rule_6_2_4_a_deploy_ends_by_itself() {
    assert_eq!(
        after(FTI, "F>e8 T>e6 I>d4"),
        "6c4/9ii/11/11/4F6/11/4T6/11/3I7/11/9II/5C5 b - - 1 1"
    );
    let headquarters = "6c4/9ii/11/11/11/11/11/11/4(HC)6/11/10I/11 r - - 0 1";
    assert_eq!(
        after(headquarters, "C>e5"),
        "6c4/9ii/11/11/11/11/11/4C6/4H6/11/10I/11 b - - 1 1"
    );
}

#[test]
fn rule_6_2_5_commit_leaves_the_rest() {
    assert_eq!(
        after(FTI, "T>e6 ."),
        "6c4/9ii/11/11/11/11/4T6/11/4(FI)6/11/9II/5C5 b - - 1 1"
    );
    assert!(refused(FTI, "."), "a turn needs a step");
}

#[test]
fn rule_6_2_6_steps_that_cannot_end_are_not_offered() {
    // The last blocker may not leave the commanders' line.
    let line = "4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1";
    let moves = open(line, "T>g6");
    assert!(!moves.contains(&"I>f6".to_owned()) && !moves.contains(&"I>d6".to_owned()));
    assert!(moves.contains(&"I>e7".to_owned()) && moves.contains(&".".to_owned()));
    // A shooter would be left at sea without its ship.
    let sea = "6c4/9ii/11/11/11/11/11/1n9/11/1(NT)9/9II/5C5 r - - 0 1";
    assert!(!open(sea, "T>_b5").contains(&"N>b4".to_owned()));
}

#[test]
fn rule_6_2_7_undo_of_steps_and_turns() {
    let mut deploy = game(FTI, "F>e8 T>e6");
    assert!(deploy.undo_step());
    assert!(deploy.position().to_string().ends_with("e4:(TI):F>e8..."));
    assert!(deploy.undo_step());
    assert_eq!(deploy.position().to_string(), FTI);
    assert!(!deploy.undo_step());
    let mut turn = game(FTI, "F>e8 T>e6 I>d4");
    assert!(turn.undo());
    assert_eq!(turn.position().to_string(), FTI);
    let mut half = game(FTI, "F>e8 T>e6");
    assert!(half.undo());
    assert_eq!(half.position().to_string(), FTI);
}

#[test]
fn rule_6_3_1_when_commit_is_allowed() {
    assert!(open(FTI, "F>e8").contains(&".".to_owned()));
    assert!(
        !open(&red("(NF)b3"), "N>b5").contains(&".".to_owned()),
        "terrain"
    );
    let check = "6c4/10i/11/11/11/11/11/11/11/5t5/10I/5(TC)5 r - - 0 1";
    assert!(!open(check, "T>g1").contains(&".".to_owned()), "danger");
}

#[test]
fn rule_6_3_2_commit_passes_the_turn() {
    assert!(after(FTI, "T>e6 .").ends_with(" b - - 1 1"));
    let blue = "6c4/9ii/11/4(fti)6/11/11/11/11/11/11/9II/5C5 b - - 3 7";
    assert!(after(blue, "T>e7 .").ends_with(" r - - 4 8"));
}

#[test]
fn rule_6_3_3_with_dead_steps_only_commit_is_left() {
    // The commander's one step takes the headquarter, where the tank would take it.
    let board = red("(TC)k1 Ij1 Ig3 hk2 tk4");
    assert_eq!(open(&board, "T>&j1"), ["."]);
    assert!(after(&board, "T>&j1").ends_with(" k1:C:T>&j1..."));
    assert!(after(&board, "T>&j1 .").contains("(TI)C b - - 1 1"));
}

#[test]
fn rule_6_4_1_recombine() {
    let board = "6c4/9ii/11/11/11/11/11/11/2(NT)8/11/9II/5C5 r - - 0 1";
    assert!(open(board, "N>c6").contains(&"T>&c6".to_owned()));
    assert_eq!(
        after(board, "N>c6 T>&c6"),
        "6c4/9ii/11/11/11/11/2(NT)8/11/11/11/9II/5C5 b - - 1 1"
    );
    assert!(after(FTI, "T>e6 I>&e6").ends_with(" e4:F:(TI)>e6..."));
}

#[test]
fn rule_6_4_2_the_joiner_is_carried_and_the_step_keeps_its_kind() {
    let board = "6c4/9ii/11/11/11/11/11/2i8/11/2(NT)8/9II/5C5 r - - 0 1";
    let done = game(board, "N>xc5 T>&c5");
    assert_eq!(done.sans(), ["(NT)>xc5"]);
    assert!(done.position().to_string().ends_with(" b - - 0 1"));
    // Infantry reaches one square; the aircraft carries it four.
    assert!(open(FTI, "F>e8").contains(&"I>&e8".to_owned()));
}

#[test]
fn rule_6_4_3_a_recombine_is_a_replay() {
    let board = "6c4/9ii/11/11/11/11/11/11/4(FT+I)6/11/9II/5C5 r - - 0 1";
    assert_eq!(
        after(board, "F>e8 +I>&e8 T>e6"),
        "6c4/9ii/11/11/4(F+I)6/11/4T6/11/11/11/9II/5C5 b - - 1 1"
    );
}

#[test]
fn rule_6_4_4_nobody_joins_the_dead_or_the_shooter() {
    let kamikaze = "6c4/9ii/11/11/6g4/11/11/6(FT)4/11/11/9II/5C5 r - - 0 1";
    assert!(!open(kamikaze, "F>@g8").contains(&"T>&g8".to_owned()));
    let shooter = "6c4/9ii/11/11/11/11/11/1n9/11/1(NT)9/9II/5C5 r - - 0 1";
    assert!(open(shooter, "T>_b5").iter().all(|san| !san.contains('&')));
}

#[test]
fn rule_6_4_5_the_original_carrier_joins_as_its_own_step() {
    let board = "6c4/9ii/11/11/11/11/11/11/2(NT)8/11/9II/5C5 r - - 0 1";
    assert_eq!(game(board, "T>c6 N>&c6").sans(), ["T>c6,N>&c6"]);
}

#[test]
fn rule_6_4_6_recombine_replaces_the_ordinary_combination() {
    let joins = open(FTI, "T>e5")
        .into_iter()
        .filter(|san| san == "I>&e5")
        .count();
    assert_eq!(joins, 1);
    assert!(after(FTI, "T>e5 I>&e5").ends_with(" e4:F:(TI)>e5..."));
}

#[test]
fn rule_6_4_7_what_is_rewritten_when_it_does_not_replay() {
    // The aircraft, the original carrier, never rewrites: it joins by a step of its own.
    let board = red("(FT)e4 ie5");
    assert_eq!(game(&board, "T>xe5 F>&e5").sans(), ["T>xe5,F>&e5"]);
}

#[test]
fn rule_6_5_1_a_step_may_capture() {
    let board = "6c4/9ii/11/11/11/11/11/7m3/11/7(TI)3/9II/5C5 r - - 7 9";
    assert_eq!(
        after(board, "T>xh5 I>g3"),
        "6c4/9ii/11/11/11/11/11/7T3/11/6I4/9II/5C5 b - - 0 9"
    );
}

#[test]
fn rule_6_5_2_a_shooter_stays_but_has_stepped() {
    let board = "6c4/9ii/11/11/11/11/11/1n9/11/1(NT)9/9II/5C5 r - - 0 1";
    assert!(after(board, "T>_b5").ends_with("b3:N:T>_b5..."));
    assert_eq!(
        after(board, "T>_b5 ."),
        "6c4/9ii/11/11/11/11/11/11/11/1(NT)9/9II/5C5 b - - 0 1"
    );
    assert_eq!(game(board, "T>_b5 .").sans(), ["N<T>_b5"]);
}

#[test]
fn rule_6_5_3_a_kamikaze_step_costs_the_aircraft_alone() {
    let board = "6c4/9ii/11/11/6g4/11/11/6(FT)4/11/11/9II/5C5 r - - 0 1";
    assert_eq!(
        after(board, "F>@g8 T>g7"),
        "6c4/9ii/11/11/11/6T4/11/11/11/11/9II/5C5 b - - 0 1"
    );
}

#[test]
fn rule_6_5_4_a_step_may_join_an_outsider() {
    let board = red("(FT)e4 Ie6");
    assert!(after(&board, "T>&e6 .").contains("(TI)"));
}

#[test]
fn rule_6_5_5_several_captures_in_one_deploy() {
    let board = "11/9ii/11/11/11/11/11/(nc)n(TI)8/11/11/9II/5C5 r - - 0 1";
    let done = game(board, "I>_b5 T>_a5");
    assert_eq!(
        done.position().to_string(),
        "11/9ii/11/11/11/11/11/2(+TI)8/11/11/9II/5C5 b - - 0 1"
    );
    assert_eq!(
        done.outcome().unwrap().to_string(),
        "red wins, the commander is captured"
    );
}

#[test]
fn rule_6_6_1_a_stack_without_the_commander_parries_at_once() {
    let board = "6c4/9ii/11/11/11/11/11/11/11/5t(TI)4/9II/5C5 r - - 0 1";
    legal(board, "T>xf3 I>xf3 (TI)xf3");
    illegal(board, "T>g4 I>g4");
}

#[test]
fn rule_6_6_2_a_stack_with_the_commander_may_escape_later() {
    let board = "6c4/10i/11/11/11/11/11/11/11/5t5/10I/5(TC)5 r - - 0 1";
    legal(board, "T>f2 T>xf3 T>g1 T>e1 C>e1 (TC)xf3 (TC)h1 (TC)e1");
    illegal(board, "(TC)f2 (TC)g1");
    illegal(board, "C>f2");
}

#[test]
fn rule_6_6_3_promoted_on_the_origin() {
    let board = "11/9ii/11/11/11/11/11/(nc)n(TI)8/11/11/9II/5C5 r - - 0 1";
    let moves = open(board, "I>_b5");
    assert!(moves.contains(&"+T>c8".to_owned()), "{moves:?}");
    assert!(after(board, "I>_b5 +T>c7").contains("2+T8"));
    assert!(
        after(board, "I>_b5 T>c7").contains("2+T8"),
        "the mark is optional"
    );
    assert!(after(board, "I>_b5").ends_with("c5:+T:I>_b5..."));
}

#[test]
fn rule_6_7_1_extended_fen() {
    assert_eq!(after(FTI, "F>e8"), format!("{FTI} e4:(TI):F>e8..."));
    let blue = "6c4/9ii/11/4(fti)6/11/11/11/11/11/11/9II/5C5 b - - 3 7";
    assert_eq!(after(blue, "F>e5"), format!("{blue} e9:(TI):F>e5..."));
}

#[test]
fn rule_6_7_2_extended_fen_reads_back() {
    for steps in ["F>e8", "T>e6 I>&e6", "F>e8 I>d4"] {
        let text = after(FTI, steps);
        let position: Position = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(all(&text), open(FTI, steps));
    }
}

#[test]
fn rule_6_7_3_extended_fen_is_checked() {
    for bad in [
        "e4:(TI):F>e9...",    // out of reach
        "e4:T:F>e8...",       // stay group
        "e4::F>e8...",        // stay group
        "e4:(TI):F>e8",       // dots
        "e4::F>e8,T>e6,I>d4", // already ended
        "e5:(TI):F>e8...",    // origin
        "e4:(TI):...",        // no step
        "e4:(FTI):...",       // no step
        "e4:(TI):(F)>e8...",  // grammar
        "e4:(ti):f>e8...",    // case
        "zzz",
    ] {
        assert!(format!("{FTI} {bad}").parse::<Position>().is_err(), "{bad}");
    }
}

#[test]
fn rule_6_8_1_san_of_a_deploy() {
    assert_eq!(game(FTI, "T>e6 .").sans(), ["(FI)<T>e6"]);
    assert_eq!(game(FTI, "F>e8 T>e6 I>d4").sans(), ["F>e8,T>e6,I>d4"]);
}

#[test]
fn rule_6_8_2_lan_of_a_deploy() {
    assert_eq!(game(FTI, "T>e6 .").lans(), ["e4:(FI):T>e6"]);
    assert_eq!(game(FTI, "F>e8 T>e6 I>d4").lans(), ["e4::F>e8,T>e6,I>d4"]);
}

#[test]
fn rule_6_8_3_reading_whole_turns() {
    let want = after(FTI, "T>e6 .");
    for text in [
        "(FI)<T>e6",
        "T>e6,(FI)<",
        "e4:(FI):T>e6",
        "(IF)<T>e6",
        "(FI)<Te4>e6",
    ] {
        assert_eq!(after(FTI, text), want, "{text}");
    }
    assert_eq!(after(FTI, "(FTI)>e8"), after(FTI, "F>e8 T>&e8 I>&e8"));
    for bad in [
        "F<T>e6",
        "(FT)<T>e6",
        "e4::T>e6",
        "e5:(FI):T>e6",
        "(FI)<",
        "(FI)<(FI)<T>e6",
    ] {
        assert!(refused(FTI, bad), "{bad}");
    }
}

fn batch(fen: &str, text: &str) -> Result<String, BatchError> {
    let position: Position = fen.parse().unwrap();
    let (from, moves, stay) = common::batch(text);
    let batch = Batch {
        from,
        moves: &moves,
        stay: &stay,
    };
    let before = position.to_string();
    let answer = position.deploy_batch(&batch).map(|next| next.to_string());
    assert_eq!(position.to_string(), before);
    answer
}

#[test]
fn rule_6_9_1_batch_deploy() {
    assert_eq!(
        batch(FTI, "e4 F>e8 T>e6 I>d4").unwrap(),
        after(FTI, "F>e8 T>e6 I>d4")
    );
    assert_eq!(batch(FTI, "e4 T>e6 stay FI").unwrap(), after(FTI, "T>e6 ."));
    assert_eq!(
        batch(FTI, "e4 T>e6 I>e6 stay F").unwrap(),
        after(FTI, "T>e6 I>&e6 .")
    );
    // Nearest first would block the way: the farther group goes first.
    assert_eq!(
        batch(FTI, "e4 I>e5 T>e6 stay F").unwrap(),
        after(FTI, "T>e6 I>e5 .")
    );
    // Without a stay group everybody has to move.
    assert!(batch(FTI, "e4 T>e6").is_err());
}

#[test]
fn rule_6_9_2_each_fault_of_a_batch_has_its_error() {
    let error = |fen: &str, text: &str| batch(fen, text).unwrap_err();
    assert!(matches!(error(FTI, "e5 T>e6"), BatchError::NoStack(_)));
    assert!(matches!(error(FTI, "e4"), BatchError::Empty));
    assert!(matches!(error(FTI, "e4 N>e6"), BatchError::Missing(_)));
    assert!(matches!(error(FTI, "e4 T>e6 T>e5"), BatchError::Twice(_)));
    assert!(matches!(
        error(FTI, "e4 T>e6 stay TI"),
        BatchError::Twice(_)
    ));
    assert!(matches!(
        error(FTI, "e4 T>e6 stay F"),
        BatchError::Forgotten(_)
    ));
    assert!(matches!(
        error(&red("(NFI)c4 Ec5"), "c4 F>c5 I>c5 N>c5"),
        BatchError::Step { .. }
    ));
    assert!(matches!(
        error(FTI, "e4 T>e9 stay FI"),
        BatchError::Step { .. }
    ));
    assert!(matches!(
        error(&red("(NFT)b3"), "b3 T>b4 stay NF"),
        BatchError::Terrain(..)
    ));
    assert!(matches!(
        error(&red("(NF)b3"), "b3 N>b5 stay F"),
        BatchError::Terrain(..)
    ));
    let line = "4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1";
    assert!(matches!(error(line, "e6 T>g6 I>f6"), BatchError::Danger));
}

#[test]
fn rule_6_9_3_a_batch_is_whole_or_nothing() {
    let mut played = game(FTI, "");
    let (from, moves, stay) = common::batch("e4 F>e8 T>e9 stay I");
    assert!(
        played
            .deploy(&Batch {
                from,
                moves: &moves,
                stay: &stay
            })
            .is_err()
    );
    assert_eq!(played.position().to_string(), FTI);
    assert!(played.sans().is_empty());
    let (from, moves, stay) = common::batch("e4 F>e8 T>e6 stay I");
    played
        .deploy(&Batch {
            from,
            moves: &moves,
            stay: &stay,
        })
        .unwrap();
    assert_eq!(played.sans(), ["I<F>e8,T>e6"]);
}

#[test]
fn rule_6_10_1_each_result_once_under_its_shortest_name() {
    let position: Position = FTI.parse().unwrap();
    let turns = position.turns();
    let lans: Vec<String> = turns.iter().map(|turn| turn.lan.clone()).collect();
    let afters: std::collections::HashSet<String> =
        turns.iter().map(|turn| turn.after.to_string()).collect();
    assert_eq!(afters.len(), turns.len());
    assert!(
        lans.contains(&"(FTI)e4e8".to_owned()),
        "the plain move, not the deploy that ends alike"
    );
    assert!(!lans.contains(&"e4::(FTI)>e8".to_owned()));
    assert!(
        lans.contains(&"e4::F>e8,I>d4,T>e6".to_owned()),
        "alphabetical among equals"
    );
    assert!(!lans.contains(&"e4::F>e8,T>e6,I>d4".to_owned()));
}

#[test]
fn rule_6_10_2_every_order_is_read() {
    let want = after(FTI, "F>e8,I>d4,T>e6");
    for order in [
        "F>e8,T>e6,I>d4",
        "T>e6,F>e8,I>d4",
        "I>d4,T>e6,F>e8",
        "e4::I>d4,F>e8,T>e6",
    ] {
        assert_eq!(after(FTI, order), want, "{order}");
    }
}

#[test]
fn pseudo_legal_recombines_need_no_commander() {
    let fen = "11/11/11/11/11/11/11/11/4(FTI)6/11/11/11 r - - 0 1";
    let mut position: Position = fen.parse().expect("a lawful position");
    let find = |position: &Position, lan: &str| {
        let mut moves = position.pseudo_legal_moves();
        moves.find(|mv| mv.to_string() == lan)
    };
    let step = find(&position, "Te4>e6").expect("offered");
    position.step_unchecked(step);
    let join = find(&position, "Ie4>&e6").expect("offered");
    position.step_unchecked(join);
    let deploy = position.deploy().expect("the aircraft remains");
    assert_eq!(deploy.steps().len(), 1, "the step was rewritten");
    assert_eq!(
        position
            .stack_at(deploy.steps()[0].to())
            .map(|stack| stack.to_string())
            .as_deref(),
        Some("(TI)")
    );
}
