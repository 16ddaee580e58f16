//! Files of many games of which some are broken: the others are read as they are, and of a broken one what can be read.

use cotulenh::{GameTree, NodeId, PgnReader};

/// A game with everything a PGN can hold, and a number to know it by.
fn good(number: usize) -> String {
    let comment = ["quiet", "{ [ ( ; 1-0 *", "over\ntwo lines"][number % 3];
    format!(
        "[Event \"game {number}\"]\n[Red \"a {{ [b\\\"]\"]\n\n{{to begin}} 1. Ic6 $1 {{[%cal Gc5c6] {comment}}}\n(1. Ik6 {{better}} (1. Mg6 ; or\n Mg7) \
         1... Mg7) 1... Mg7 {{[%clk 0:05:00]}}\n2. Ik6 $6 *\n\n"
    )
}

/// Everything that is wrong with a game, one way each; `{}` is its number.
const BROKEN: [&str; 18] = [
    "[Event \"game {}\"]\n\n1. Ic6 {no end\n2. Ik6 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 {no end\n",
    "[Event \"game {}\"]\n\n1. Ic6 (1. Ik6 (1. Mg6) Mg7 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6) Mg7 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 } Mg7 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 Mg99 2. Ik6 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 Mg7\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 Mg7 [Event \"x\"] *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 $999 Mg7 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 {[%clk 5]} Mg7 *\n\n",
    "[Event \"game {}\"]\n[Event \"y\"]\n\n1. Ic6 Mg7 *\n\n",
    "[Event \"game {}\"]\n[Result \"2-0\"]\n\n1. Ic6 Mg7 *\n\n",
    "[Event \"game {}\"]\n[FEN \"nonsense\"]\n\n1. Ic6 (1. Ik6) Mg7 *\n\n",
    "[Event \"game {}\"]\n[Red\n]\n[Blue \"Bo]\n\n1. Ic6 Mg7 *\n\n",
    "[Event \"game {}\"]\n[Result \"1-0\"]\n\n1. Ic6 Mg7 0-1\n\n",
    "[Event \"game {}\"]\n\n(1. Ic6) 1. Ic6 5. Ik6 Mg7 *\n\n",
    "[Event \"game {}\"]\n\n1. Ic6 (1. Ik6 *) Mg7 *\n\n",
    "[Event \"game {}\"]\n\n",
];

fn read(text: &str) -> Vec<(GameTree, Vec<String>)> {
    let mut reader = PgnReader::new(text);
    let mut games = Vec::new();
    while let Some((tree, faults)) = reader.next_tolerant() {
        games.push((tree, faults.iter().map(ToString::to_string).collect()));
    }
    games
}

#[test]
fn broken_games_among_good_ones_cost_no_other_game() {
    let text: String = (0..1000)
        .map(|number| match number % 7 {
            3 => BROKEN[number % BROKEN.len()].replace("{}", &number.to_string()),
            _ => good(number),
        })
        .collect();
    let tolerant = read(&text);
    let strict: Vec<_> = PgnReader::new(&text).collect();
    assert_eq!((tolerant.len(), strict.len()), (1000, 1000));
    for (number, ((tree, faults), strict)) in tolerant.iter().zip(&strict).enumerate() {
        let event = tree.headers().get("Event");
        assert_eq!(event, Some(&*format!("game {number}")));
        assert_eq!(faults.is_empty(), strict.is_ok(), "{number}: {faults:?}");
        if number % 7 == 3 {
            assert!((1..=3).contains(&faults.len()), "{number}: {faults:?}");
        } else {
            assert_eq!(*tree, good(number).parse().expect("a good game"));
            assert_eq!(strict.as_ref(), Ok(tree));
        }
    }
}

#[test]
fn games_without_tags_are_told_apart_too() {
    let broken = [
        "1. Ic6 {no end\n2. Ik6 *\n\n",
        "1. Ic6 (1. Ik6 (1. Mg6) Mg7 *\n\n",
        "1. Ic6 Mg99 2. Ik6 *\n\n",
        "1. Ic6 Mg7\n\n",
        "1. Ic6 (1. Ik6 Mg7\n2. Ik6\n\n",
        "1. Ic6 } Mg7 1-0\n",
    ];
    let good = "1. Ic6 {so} (1. Ik6) Mg7 $1 *\n\n";
    let text: String = (0..600)
        .map(|number| match number % 5 {
            2 => broken[number % broken.len()],
            _ => good,
        })
        .collect();
    let games = read(&text);
    assert_eq!(games.len(), 600);
    for (number, (tree, faults)) in games.iter().enumerate() {
        assert_eq!(faults.is_empty(), number % 5 != 2, "{number}: {faults:?}");
        if faults.is_empty() {
            assert_eq!(*tree, good.parse().expect("a good game"));
        }
    }
}

#[test]
fn what_can_be_read_is_kept() {
    for (text, kept, faults) in [
        (
            "1. Ic6 {so} Mg99 {lost} 2. Ik6 *",
            "1. Ic6 {so} *",
            &["column 13, move 1: "][..],
        ),
        (
            "1. Ic6 (1. Ik6 Mg99 (1... Mg7) 2. Ic6) (1. Mg6) Mg7 *",
            "1. Ic6 (1. Ik6) (1. Mg6) 1... Mg7 *",
            &["column 16, move 1: "],
        ),
        (
            "(1. Ik6 (1. Mg6)) 1. Ic6 Mg7 *",
            "1. Ic6 Mg7 *",
            &["column 1, move 1: a variation follows the turn it replaces"],
        ),
        (
            "1. Ic6 () {[%csl x]} Mg7) 4.Ik6 $ 1-0",
            "1. Ic6 Mg7 2. Ik6 1-0",
            &[
                "column 9, move 1: the variation has no turn",
                "column 11, move 1: arrows are",
                "column 25, move 2: the variation has no beginning",
                "column 27, move 2: move number 2 is due",
                "column 33, move 2: a glyph is",
            ],
        ),
        (
            "1. Ic6 (1. Ik6",
            "1. Ic6 (1. Ik6) *",
            &["column 8, move 1: the variation has no end"],
        ),
        (
            "1. Ic6 Mg7",
            "1. Ic6 Mg7 *",
            &["column 11: the result is missing"],
        ),
        (
            "1. Ic6 {oh Mg7 *",
            "1. Ic6 *",
            &["column 8, move 1: the comment has no end", "column 17: "],
        ),
        (
            "1. Ic6 ] Mg7 *",
            "1. Ic6 Mg7 *",
            &["column 8, move 1: not a tag"],
        ),
    ] {
        let [(tree, found)] = &read(text)[..] else {
            panic!("{text:?} is one game");
        };
        let pgn = tree.pgn();
        assert_eq!(pgn.lines().last(), Some(kept), "{text}");
        assert_eq!(found.len(), faults.len(), "{text}: {found:?}");
        for (found, fault) in found.iter().zip(faults) {
            let fault = format!("line 1, {fault}");
            assert!(found.starts_with(&fault), "{text}: {found:?}");
        }
        assert_eq!(pgn.parse(), Ok(tree.clone()), "{text}");
    }
}

#[test]
fn tags_and_results_of_broken_games_are_kept() {
    let text = "[Red \"An\"]\n[Result \"1-0\"]\n\n1. Ic99 1-0\n\n[Red \"Bo\"]\n[Result \"*\"]\n\n1. Ic6 0-1\n\n[Red \"Cy\"]\n\n1. Ic99 1/2-1/2";
    let games = read(text);
    for ((tree, faults), (red, result)) in
        games
            .iter()
            .zip([("An", "1-0"), ("Bo", "0-1"), ("Cy", "1/2-1/2")])
    {
        assert_eq!(
            (tree.headers().get("Red"), tree.result()),
            (Some(red), result)
        );
        assert_eq!(faults.len(), 1);
    }
    assert_eq!(games[1].0.main_line().count(), 1);
}

#[test]
fn a_game_full_of_faults_tells_the_first() {
    let text = format!("1. Ic6 {} *", "$ ".repeat(5000));
    assert_eq!(read(&text)[0].1.len(), 20);
}

/// Nothing that can be set as a comment is taken for the next game once it is written.
#[test]
fn comments_that_look_like_games_are_refused_or_read_back() {
    let mut taken = 0;
    for comment in [
        "a\n[Event \"x\"]",
        "a\n[Event \"x\"] { b",
        "[Event \"x\"] { b",
        "a\n\n1. Ic6 *",
        "a\n\n1. Ic6 { *",
        "a\n1. Ic6 { *",
        "a\n[Event \"{\"]",
        "a { b",
    ] {
        let mut tree = GameTree::default();
        let first = tree.play(NodeId::ROOT, "Ic6").expect("a turn");
        let annotation = tree.annotation_mut(first).expect("a node");
        if annotation.set_comment(comment).is_ok() {
            let file = tree.pgn().repeat(3);
            let games: Result<Vec<GameTree>, _> = PgnReader::new(&file).collect();
            assert_eq!(
                games.as_deref(),
                Ok(&[tree.clone(), tree.clone(), tree][..]),
                "{comment:?}"
            );
            taken += 1;
        }
    }
    assert_eq!(taken, 5);
    // Two comments of a turn become one, which may look like a game where neither did.
    let tree: GameTree = "1. Ic6 {a\n[Event \"x\"]} {b { c} *"
        .parse()
        .expect("a game");
    assert!(tree.pgn().contains("{a [Event \"x\"] b { c}"));
}
