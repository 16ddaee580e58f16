//! PGN as other programs and people write it: what can be read is kept, and read again without change; what cannot is
//! refused with its place.

use cotulenh::{GameTree, Nag, NodeId, PgnReader, ReadPgnError};

/// Reads a game, and checks that what it writes reads back as the same game and is written so again.
fn kept(text: &str) -> GameTree {
    let tree: GameTree = text
        .parse()
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let written = tree.pgn();
    let again: GameTree = written
        .parse()
        .unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(again, tree, "{written}");
    assert_eq!(again.pgn(), written);
    tree
}

/// What stands after the tags, on one line.
fn moves(text: &str) -> String {
    let written = kept(text).pgn();
    let (_, moves) = written.split_once("\n\n").expect("tags");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fault(text: &str) -> String {
    let error: ReadPgnError = text.parse::<GameTree>().expect_err(text);
    error.to_string()
}

#[test]
fn bytes_that_files_begin_with_and_ends_of_lines_mean_nothing() {
    let expected = "{to begin} 1. Ic6 {a b} Mg7 *".replace("Mg7", "1... Mg7");
    let lines = [
        "[Event \"x\"]",
        "[Red \"An\"]",
        "",
        "{to begin} 1. Ic6 ; a",
        "; b",
        "Mg7 *",
    ];
    for (mark, end) in [("", "\n"), ("\u{feff}", "\r\n"), ("\u{feff}", "\n")] {
        let text = format!("{mark}{}{end}", lines.join(end));
        assert_eq!(moves(&text), expected, "{text:?}");
        assert_eq!(kept(&text).headers().get("Red"), Some("An"));
    }
}

#[test]
fn lines_for_other_programs_are_passed_over() {
    let text = "% made by hand\n[Event \"x\"]\n%[Event \"y\"]\n\n1. Ic6\n%(1. Ik6\n  Mg7 {100\n% sure} *\n%";
    assert_eq!(moves(text), "1. Ic6 Mg7 {100 % sure} *");
    assert_eq!(kept(text).headers().get("Event"), Some("x"));
    // Only at the beginning of a line.
    assert!(fault("1. Ic6 % oh\n*").starts_with("line 1, column 8, move 1: "));
}

#[test]
fn files_that_were_joined_are_read_one_after_the_other() {
    let one = "\u{feff}; a file\n[Red \"An\"]\n\n1. Ic6 *\n";
    let bad = "\u{feff}[Red \"Bo\"]\n[Blue \"Cy\"]\n\n1. Ic99 *\n";
    let text = [one, one, bad, &one[..3], &one[12..], "{the end} ; of all"].concat();
    let games: Vec<_> = PgnReader::new(&text).collect();
    assert_eq!(games.len(), 4);
    for (at, comment) in [(0, "a file"), (1, "a file"), (3, "")] {
        let game = games[at].as_ref().expect("a game");
        assert_eq!(game.headers().get("Red"), Some("An"));
        let root = game.node(NodeId::ROOT).expect("the start");
        assert_eq!(root.annotation().comment(), comment);
    }
    let error = games[2].as_ref().expect_err("no such turn");
    assert_eq!((error.place.line, error.place.column), (12, 4));
}

#[test]
fn numbers_may_have_dots_or_none_but_must_be_due() {
    for text in [
        "1. Ic6 Mg7 2. Ik6 *",
        "1.Ic6 1...Mg7 2.Ik6 *",
        "1 Ic6 1 Mg7 2 Ik6 *",
        "1. Ic6 1. ... Mg7 2. Ik6*",
        "1.\nIc6 1..\nMg7\n2....Ik6 *",
        "Ic6 Mg7 Ik6\t*",
    ] {
        assert_eq!(moves(text), "1. Ic6 Mg7 2. Ik6 *", "{text}");
    }
    assert!(fault("1. Ic6 2. Mg7 *").ends_with("column 8, move 1: move number 1 is due"));
    assert!(fault("1. Ic6 Mg7\n3... Ik6 *").starts_with("line 2, column 1, move 2: "));
}

#[test]
fn all_glyphs_are_kept_and_others_refused() {
    let all: Vec<String> = (0..=255).map(|nag| format!("${nag}")).collect();
    let tree = kept(&format!("1. Ic6 {} *", all.join(" ")));
    let first = tree.main_line().next().expect("a turn");
    let nags = tree.node(first).expect("a turn").annotation().nags();
    assert!(nags.iter().copied().eq((0..=255).map(Nag)));
    assert_eq!(moves("1. Ic6$1$14 Mg7!?$13*"), "1. Ic6 $1 $14 Mg7 $5 $13 *");
    for bad in ["$256", "$-1", "$", "$1x", "$99999999999999999999"] {
        let told = fault(&format!("1. Ic6\n {bad} *"));
        assert!(told.starts_with("line 2, column 2, move 1: "), "{told}");
    }
}

#[test]
fn arrows_circles_and_commands_of_other_programs_are_kept() {
    let text = "1. Ic6 { [%csl Gc5,Rk12][%cal Yc5c6,Ba1k12] [%eval 0.3] [%clk 0:05:00] so [%emt 0:00:02]} *";
    assert_eq!(
        moves(text),
        "1. Ic6 {[%clk 0:05:00] [%csl Gc5,Rk12] [%cal Yc5c6,Ba1k12] [%eval 0.3] so [%emt 0:00:02]} *"
    );
    for bad in ["[%csl Gl5]", "[%cal Gc5]", "[%cal Gc5c13]", "[%csl Gc5"] {
        assert!(
            fault(&format!("1. Ic6 {{{bad}}} *")).starts_with("line 1, column 8, move 1: arrows"),
            "{bad}"
        );
    }
}

#[test]
fn tags_are_kept_whatever_they_are_called() {
    let text = "[ Event\t\"a \\\"b\\\" \\\\ c\" ]\n[WhiteElo \"1500\"][X_1 \"\"]\n[Annotator \"Bình 兵\"]\n\n*";
    let tree = kept(text);
    assert_eq!(tree.headers().get("Event"), Some("a \"b\" \\ c"));
    assert_eq!(tree.headers().get("WhiteElo"), Some("1500"));
    assert_eq!(tree.headers().get("X_1"), Some(""));
    assert_eq!(tree.headers().get("Annotator"), Some("Bình 兵"));
    for bad in [
        "[Event \"a]",
        "[Event a]",
        "[Event]",
        "[\"a\"]",
        "[Event \"a\" \"b\"]",
        "[Event \"a\\n\"]",
        "[Event \"a\nb\"]",
    ] {
        let told = fault(&format!("[Red \"x\"]\n{bad}\n\n1. Ic6 *"));
        assert!(told.starts_with("line 2, column 1: not a tag"), "{told}");
    }
}

#[test]
fn what_has_no_end_is_shown_where_it_begins() {
    for (text, told) in [
        (
            "1. Ic6\n {no end",
            "line 2, column 2, move 1: the comment has no end",
        ),
        (
            "1. Ic6 (1. Ik6\n Mg7",
            "line 1, column 8, move 2: the variation has no end",
        ),
        ("1. Ic6 Mg7", "line 1, column 11: the result is missing"),
        ("", "line 1, column 1: the result is missing"),
        ("{only this}", "line 1, column 12: the result is missing"),
        (
            "1. Ic6 }",
            "line 1, column 8, move 1: the comment has no beginning",
        ),
    ] {
        assert_eq!(fault(text), told, "{text:?}");
    }
}

/// Texts of which each part is short work must not take the square of their length.
#[test]
fn long_texts_are_read_in_no_time() {
    let comment = "x ".repeat(1_000_000);
    assert_eq!(moves(&format!("1. Ic6 {{{comment}}} *")).len(), 2_000_010);
    let commands = "[%clk 0:00:01] ".repeat(100_000);
    assert_eq!(
        moves(&format!("1. Ic6 {{{commands}}} *")),
        "1. Ic6 {[%clk 0:00:01]} *"
    );
    let circles = "Gc5,".repeat(300_000) + "Gc5";
    assert_eq!(
        moves(&format!("1. Ic6 {{[%csl {circles}]}} *")),
        "1. Ic6 {[%csl Gc5]} *"
    );
    let open = "[Red \"a\"]\n(\n".repeat(100_000);
    assert_eq!(
        PgnReader::new(&open).filter(Result::is_err).count(),
        100_000
    );
}
