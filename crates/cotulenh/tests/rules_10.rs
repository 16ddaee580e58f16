//! Rule 10: notation.

mod common;

use common::{after, all, game, legal, red, refused};
use cotulenh::{Game, Position, ReadError};

const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

fn reads(fen: &str) -> bool {
    fen.parse::<Position>().is_ok()
}

#[test]
fn rule_10_1_1_six_fields() {
    assert!(reads(START));
    let placement = START.split(' ').next().unwrap();
    for fields in [
        "",
        "r - - 0",
        "w - - 0 1",
        "r KQ - 0 1",
        "r - e3 0 1",
        "r - - -1 1",
        "r - - 0 0",
        "r - - 1.5 1",
        "r - - 0 1 junk",
        "r - - +0 1",
        "r - -  1",
    ] {
        assert!(!reads(&format!("{placement} {fields}")), "{fields}");
    }
    assert!(
        !reads(&format!(" {START}"))
            && !reads(&format!("{START} "))
            && !reads(&START.replace(' ', "  "))
    );
}

#[test]
fn rule_10_1_2_placement() {
    let position: Position = "6c4/11/11/11/11/11/11/11/11/2(+NF+T)8/10+i/4C6 b - - 3 4"
        .parse()
        .unwrap();
    assert_eq!(
        position.to_string(),
        "6c4/11/11/11/11/11/11/11/11/2(+NF+T)8/10+i/4C6 b - - 3 4"
    );
}

#[test]
fn rule_10_1_3_tolerant_in_order_canonical_in_print() {
    for (read, printed) in [
        ("(TNF)", "(NFT)"),
        ("(F+TN)", "(NF+T)"),
        ("(T)", "T"),
        ("(IT)", "(TI)"),
    ] {
        let fen = format!("6c4/11/11/11/11/11/11/11/11/11{read}71/11/4C6 r - - 0 1");
        let position: Position = fen.replace("/11(", "/2(").parse().unwrap();
        assert!(
            position.to_string().contains(&format!("/2{printed}8/")),
            "{position}"
        );
    }
    assert!(
        reads("6c4/11/11/11/11/11/11/11/11/(FN)10/11/4C6 r - - 0 1"),
        "at sea in any order"
    );
}

#[test]
fn rule_10_1_4_malformed_placements_are_refused() {
    for rank in [
        "4C()5",
        "4C+(TI)5",
        "4C+6",
        "4C5T+",
        "4++C6",
        "4C(T1I)4",
        "05C5",
        "12",
        "4CX5",
        "4C(TI5",
        "4CTI)4",
        "4C((TI))5",
        "4C(Ti)5",
        "4C(TT)5",
        "5C4",
        "5C6",
        "",
        "4B6",
    ] {
        let fen = format!("6c4/11/11/11/11/11/11/11/11/11/11/{rank} r - - 0 1");
        assert!(!reads(&fen), "{rank}");
    }
    assert!(!reads("6c4/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"));
    assert!(!reads("6c4/11/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"));
}

#[test]
fn rule_10_1_5_unlawful_positions_are_refused() {
    assert!(!reads("6c4/11/11/11/11/11/11/11/11/11/11/4C1N4 r - - 0 1"));
    assert!(!reads("6c4/11/11/11/11/11/11/11/11/11/11/T3C6 r - - 0 1"));
    assert!(!reads("6c4/11/11/11/11/11/11/11/11/11/11/4C1C4 r - - 0 1"));
    assert!(!reads(
        "6c4/11/11/11/11/11/11/11/11/11/11/4C1(TC)4 r - - 0 1"
    ));
    assert!(reads("6c4/11/11/11/11/11/11/11/11/11/11/5T5 r - - 0 1"));
    assert!(reads("11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1"));
}

#[test]
fn rule_10_2_1_parts_of_a_san() {
    legal(&red("Te4 ie5"), "Txe5 Te3");
    legal(&red("+Fe4 ie5"), "+Fxe5 +F_e5");
    legal(&red("(T+I)e4 ie5"), "(T+I)xe5 T>xe5 +I>xe5");
    let blue = "6c4/9ii/11/11/11/4t6/11/11/11/11/9II/5C5 b - - 0 1";
    legal(blue, "Te6 Td7");
}

#[test]
fn rule_10_2_2_disambiguation() {
    let to = |fen: &str, square: &str| {
        let mut sans: Vec<String> = all(fen)
            .into_iter()
            .filter(|san| san.ends_with(square))
            .collect();
        sans.sort();
        sans
    };
    assert_eq!(
        to(
            "6c4/10i/11/11/11/11/11/3M1M5/11/3M1M5/10I/5C5 r - - 0 1",
            "e4"
        ),
        ["Md3e4", "Md5e4", "Mf3e4", "Mf5e4"]
    );
    assert_eq!(
        to("6c4/10i/11/11/11/11/11/11/3T7/5T5/3T6I/5C5 r - - 0 1", "d3"),
        ["T2d3", "T4d3", "Tfd3"]
    );
    assert_eq!(
        to(
            "3T2c4/10i/3T7/11/11/11/11/11/11/11/10I/5C5 r - - 0 1",
            "d11"
        ),
        ["T10d11", "T12d11"]
    );
    legal(&red("(NF)a8 Nc6 Ic8"), "Na>&c8 (NF)a&c8 Nc&c8");
}

#[test]
fn rule_10_2_3_no_two_actions_share_a_name() {
    for fen in [
        START.to_owned(),
        red("(FT)e4 (FI)g4 Fe6 (TM)e5"),
        red("(NFT)c4 (NF)c6 Nb5 Tc5"),
    ] {
        let sans = all(&fen);
        let distinct: std::collections::HashSet<&String> = sans.iter().collect();
        assert_eq!(distinct.len(), sans.len(), "{sans:?}");
    }
}

#[test]
fn rule_10_2_4_lan_has_the_origin() {
    for (text, lan) in [("Ic6", "Ic5c6"), ("Fe5", "Fe2e5")] {
        assert_eq!(game(START, text).lans(), [lan]);
    }
    assert_eq!(game(&red("(NT)c4 ic5"), "(NT)xc5").lans(), ["(NT)c4xc5"]);
    assert_eq!(
        common::open_lans(&red("(TI)e4"), "T>e5")
            .last()
            .map(String::as_str),
        Some(".")
    );
}

#[test]
fn rule_10_2_5_hints_belong_to_first_actions() {
    let board = red("(NF)a8 Nc6 Ic8");
    assert_eq!(game(&board, "Na>&c8 F>c10").sans(), ["Na>&c8,F>c10"]);
    let coast = red("(FT)e4 Fe8");
    assert_eq!(game(&coast, "F4>e6 T>e5").sans(), ["F4>e6,T>e5"]);
    assert_eq!(game(&coast, "F4>e6 T>e5").lans(), ["e4::F>e6,T>e5"]);
}

#[test]
fn rule_10_3_1_exact_matching() {
    let error = |fen: &str, text: &str| {
        let mut played: Game = game(fen, "");
        played.play_text(text).unwrap_err()
    };
    assert!(matches!(error(START, "Ic7"), ReadError::NoneFits { .. }));
    assert!(matches!(error(START, "Nb4"), ReadError::Ambiguous { .. }));
    assert!(matches!(error(START, "Zc6"), ReadError::Syntax { .. }));
    let stacks = "6c4/11/11/8i2/11/11/11/4(TI)1(FM)4/11/11/11/4C4I1 r - - 0 1";
    assert!(after(stacks, "(TI)f5").contains("(TI)(FM)"));
    for text in ["Tf5", "(TM)f5", "(T)f5", "Txf5", "T@f5"] {
        assert!(refused(stacks, text), "{text}");
    }
}

#[test]
fn rule_10_3_2_aliases() {
    for text in [
        "Ic6", "Ic5c6", "Ic5-c6", "Icc6", "I5c6", "I-c6", "Ic6!?", "Ic6#", "Ic6^", "Ic6+",
    ] {
        assert_eq!(after(START, text), after(START, "Ic6"), "{text}");
    }
    let board = red("Fe5 ie7");
    for text in ["F_e7", "F<e7", "Fe5<e7", "Fe5_e7"] {
        assert_eq!(after(&board, text), after(&board, "F_e7"), "{text}");
    }
}

#[test]
fn rule_10_3_3_the_mark_is_optional_where_unique() {
    let board = red("+Te4");
    assert_eq!(after(&board, "Te5"), after(&board, "+Te5"));
    assert!(refused(START, "+Ic6"));
    let stack = red("(+TI)e4");
    assert_eq!(after(&stack, "(TI)e5"), after(&stack, "(+TI)e5"));
    assert!(refused(&stack, "(+T+I)e5"));
}

#[test]
fn rule_10_4_1_tags() {
    let mut played = game(START, "Ic6");
    played.set_header("Red", "An").unwrap();
    played.set_header("Annotator", "Bình \"B\" \\").unwrap();
    let text = played.pgn();
    let tags: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(
        tags,
        [
            "[Event \"?\"]",
            "[Site \"?\"]",
            "[Date \"????.??.??\"]",
            "[Round \"?\"]",
            "[Red \"An\"]",
            "[Blue \"?\"]",
            "[Result \"*\"]",
            "[Annotator \"Bình \\\"B\\\" \\\\\"]",
        ]
    );
    let board = red("Te4");
    let text = game(&board, "").pgn();
    assert!(text.contains("[SetUp \"1\"]\n") && text.contains(&format!("[FEN \"{board}\"]\n")));
}

#[test]
fn rule_10_4_2_moves_comments_clocks() {
    let board = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let mut played = game(board, "T>e6 . Ch12");
    played.set_comment(1, "well done").unwrap();
    played
        .set_clock(1, Some(std::time::Duration::from_secs(299)))
        .unwrap();
    let text = played.pgn();
    assert!(
        text.ends_with("1. (FI)<T>e6 {[%clk 0:04:59] well done} 1... Ch12 *\n"),
        "{text}"
    );
    let read: Game = text.parse().unwrap();
    assert_eq!(read.comment(1), Some("well done"));
    assert_eq!(read.clock(1), Some(std::time::Duration::from_secs(299)));
}

#[test]
fn rule_10_4_3_results() {
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1";
    assert!(game(mate, "").pgn().ends_with("0-1\n"));
    let stale = "11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4";
    assert!(game(stale, "").pgn().ends_with("1/2-1/2\n"));
    assert!(
        game("11/10i/11/11/11/11/4c6/4C6/11/11/10I/11 r - - 0 1", "Cxe6")
            .pgn()
            .ends_with("1-0\n")
    );
    assert!(game(START, "").pgn().ends_with("*\n"));
}

#[test]
fn rule_10_4_4_games_round_trip_and_faults_have_a_place() {
    let played = game(START, "Ic6 Mg7 F&c4 Nc9c12");
    let read: Game = played.pgn().parse().unwrap();
    assert_eq!(read.position(), played.position());
    assert_eq!(read.pgn(), played.pgn());
    let bad = played.pgn().replace("F&c4", "F&c5");
    let error = bad.parse::<Game>().unwrap_err();
    assert!(
        error.to_string().starts_with("line 9, column 15, move 2: "),
        "{error}"
    );
    assert!("1. Ic6".parse::<Game>().is_err(), "no result");
}
