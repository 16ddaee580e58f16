use super::*;
use crate::PgnReader;

fn fault<T: FromStr<Err = ReadPgnError>>(text: &str) -> (u32, u32, Kind) {
    let Err(error) = text.parse::<T>() else {
        panic!("{text:?} was read");
    };
    (error.place.line, error.place.column, error.kind)
}

#[test]
fn a_game_of_one_line_refuses_variations_by_that_name() {
    for text in [
        "1. Ic6 (1. Ig6) *",
        "1. Ic6 ( 1. Ig6 ) *",
        "1. Ic6 (Ig6) *",
        "1. Ic6 (1... Mg7 2. Ig6) *",
        "1. Ic6 () *",
    ] {
        assert_eq!(fault::<Game>(text), (1, 8, Kind::Variation), "{text}");
    }
    let words = Kind::Variation.to_string();
    assert!(words.contains("variations are not read"), "{words}");
}

#[test]
fn faults_of_variations_have_a_place() {
    for (text, expected) in [
        ("(1. Ic6) *", (1, 1, Kind::EarlyVariation)),
        ("1. Ic6 ((1. Ik6)) *", (1, 9, Kind::EarlyVariation)),
        ("1. Ic6 ( ) *", (1, 10, Kind::EmptyVariation)),
        ("1. Ic6 ({oh}) *", (1, 13, Kind::EmptyVariation)),
        ("1. Ic6\n(1. Ik6 *", (2, 1, Kind::UnclosedVariation)),
        ("1. Ic6\n (1. Ik6", (2, 2, Kind::UnclosedVariation)),
        ("1. Ic6) *", (1, 7, Kind::UnopenedVariation)),
        ("1. Ic6 (2. Ik6) *", (1, 9, Kind::Number { due: 1 })),
        ("1. Ic6 $256 *", (1, 8, Kind::Nag)),
        ("1. Ic6 $ *", (1, 8, Kind::Nag)),
        ("1. Ic6 {[%cal c5]} *", (1, 8, Kind::Shape)),
        ("1. Ic6 {[%clk 5]} *", (1, 8, Kind::Clock)),
        ("1. Ic6 ;a } b\n*", (1, 8, Kind::Comment)),
        ("1. Ic6 (1. Ik6) ", (1, 17, Kind::NoResult)),
        ("1. Ic6 * *", (1, 10, Kind::AfterResult)),
        ("1. Ic6 [Red \"x\"] *", (1, 8, Kind::LateTag)),
    ] {
        assert_eq!(fault::<GameTree>(text), expected, "{text}");
    }
    let error = "1. Ic6 Mg7 2. Ik6 (2. Ic7 Mg6 3. Ic99) *".parse::<GameTree>();
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 34, move 3: "), "{error}");
}

#[test]
fn variations_lie_only_so_deep_and_a_game_has_only_so_many_turns() {
    let nested = |levels: usize| {
        // Each variation replaces the turn before it.
        let lines: Vec<&str> = ["Ic6", "Ik6"]
            .into_iter()
            .cycle()
            .take(levels + 1)
            .collect();
        format!("{}{} *", lines.join(" ("), ")".repeat(levels))
    };
    let most = GameTree::<Standard>::MAX_DEPTH;
    let tree: GameTree = nested(most).parse().unwrap();
    assert_eq!(tree.len(), most + 2);
    assert_eq!(tree.pgn().parse(), Ok(tree));
    assert_eq!(fault::<GameTree>(&nested(most + 1)).2, Kind::TooDeep);

    let most = GameTree::<Standard>::MAX_NODES;
    // The start and the first turn are two of the nodes.
    let wide = |variations: usize| format!("Ic6 {} *", "(Ik6)".repeat(variations));
    assert_eq!(wide(most - 2).parse::<GameTree>().unwrap().len(), most);
    assert_eq!(fault::<GameTree>(&wide(most - 1)).2, Kind::TooLarge);
}

#[test]
fn a_deploy_that_is_open_in_the_fen_goes_on() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(TI):F>e8...";
    for (moves, written) in [
        ("*", "1. F>e8... *\n"),
        ("1. T>e6 1... *", ""),
        (
            "1. T>e6,I>e5 (1. T>e5,I>d4) *",
            "1. F>e8,T>e6,I>e5 (1. F>e8,T>e5,I>d4) *\n",
        ),
    ] {
        let text = format!("[FEN \"{fen}\"]\n\n{moves}");
        match text.parse::<GameTree>() {
            Ok(tree) => {
                assert!(tree.pgn().ends_with(written), "{}", tree.pgn());
                assert_eq!(tree.pgn().parse(), Ok(tree));
            }
            Err(error) => assert!(written.is_empty(), "{moves}: {error}"),
        }
    }
}

#[test]
fn games_come_one_by_one_and_a_bad_one_is_passed_over() {
    let text = "1. Ic6 *\n[Red \"a\"]\n[Red \"b\"]\n[Blue \"c\"]\n\n1. Ic6 *\n\n[Red \"d\"]\n\n1. Ic6\n\n\
                [Red \"e\"]\n\n1. Ic6 {[%csl Gc6]\n[%cal Gc5c6]} (1. Ik6 (1. oh)) Mg7 *\n[Red \"f\"] * 1. Ik6 1-0\n ";
    let read: Vec<_> = PgnReader::new(text)
        .map(|game| {
            game.map(|tree| tree.headers().get("Red").unwrap_or("?").to_owned())
                .map_err(|error| (error.place.line, error.kind))
        })
        .collect();
    assert_eq!(read[0], Ok("?".to_owned()));
    assert_eq!(read[1], Err((3, Kind::TagTwice)));
    assert_eq!(read[2], Err((12, Kind::NoResult)));
    assert!(matches!(read[3], Err((15, Kind::Move(_)))), "{read:?}");
    assert_eq!(read[4..], [Ok("f".to_owned()), Ok("?".to_owned())]);
    assert_eq!(PgnReader::new(" \n ").count(), 0);
}
