//! Lines of files: what is read is written back, what is wrong is named.

use convoy_puzzles::board::{self, Answer, Attempt};
use convoy_puzzles::{cards, id_of};

#[test]
fn lines_are_written_back_as_they_were_read() {
    for line in lines(board::COLLECTION) {
        let puzzle: board::Puzzle = line
            .parse()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(puzzle.to_string(), line);
    }
    for line in lines(cards::COLLECTION) {
        let puzzle: cards::Puzzle = line
            .parse()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(puzzle.to_string(), line);
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

const FEN: &str = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";

/// A line with one field exchanged.
fn line_with(field: usize, text: &str) -> String {
    let id = id_of(FEN);
    let mut fields = [
        &id,
        "composed",
        FEN,
        "Af8c11",
        "#1",
        "98",
        "mateIn1 endgame",
    ];
    fields[field] = text;
    fields.join(";")
}

#[test]
fn what_is_wrong_with_a_line_is_named() {
    assert!(line_with(1, "composed").parse::<board::Puzzle>().is_ok());
    for (field, text, words) in [
        (0, "zzzzzz", "the id is not that of the position"),
        (1, "book", "a source is game or composed"),
        (2, "nonsense", "the position: "),
        (3, "Af8c12", "the turn Af8c12: "),
        (3, "Af8c11 Cc9c8 Te4e5", "the turn Cc9c8: "),
        (3, "Te4e5 Cc9c8", "does not end with a turn of the solver"),
        (3, "Af8c11|Af8c11", "names a turn twice"),
        (3, "Te4e5 Cc9c8|Cc9d9 Te5e6", "several answers"),
        (4, "#x", "the evaluations are"),
        (4, "12/", "the evaluations are"),
        (5, "many", "the number of nodes"),
        (6, "mateIn9", "there is no theme \"mateIn9\""),
        (6, "endgame;endgame", "there are 8 fields"),
    ] {
        let error = line_with(field, text).parse::<board::Puzzle>().unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_decision_is_named() {
    let line = lines(cards::COLLECTION).next().expect("there are some");
    let fields: Vec<&str> = line.split(';').collect();
    let first = fields[4].split(',').next().expect("a candidate");
    for (field, text, words) in [
        (0, "zzzzzz", "the id is not that of the record"),
        (1, "sing", "a decision is lead"),
        (2, "odd", "a difficulty is easy"),
        (3, "-1", "the number of worlds"),
        (4, "9D0/1.0", "is not a candidate"),
        (4, "9D0/NaN/0.0/0.0", "is not a candidate"),
        (4, "9D0 9D1 9C0 9C1/1.0/0.0/0.0", "may not be played there"),
        (5, "tractor 0", "the record: line 1"),
    ] {
        let mut fields = fields.clone();
        fields[field] = text;
        let error = fields.join(";").parse::<cards::Puzzle>().unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    assert!(first.contains('/'));
}

#[test]
fn a_line_is_solved_turn_by_turn() {
    let puzzle: board::Puzzle = line_with(3, "Te4e5 Gf11f10 Af8c11")
        .parse()
        .expect("a lawful line");
    let mut attempt = Attempt::new(&puzzle);
    let wrong = puzzle.position.read("Te4e6").expect("legal");
    assert_eq!(attempt.play(&wrong), Answer::Wrong);
    assert_eq!(attempt.position(), &puzzle.position);
    let right = attempt.step().expect("not solved").turns[0];
    assert_eq!(attempt.play(&right), Answer::GoesOn);
    assert_eq!(attempt.position().turn(), puzzle.position.turn());
    let last = attempt.position().read("Af8c11").expect("legal");
    assert_eq!(attempt.play(&last), Answer::Solved);
    assert!(attempt.is_solved());
    assert_eq!(attempt.play(&last), Answer::Wrong);
}

/// On the last turn of a mate any mate is right, listed or not; elsewhere only what is listed.
#[test]
fn any_mate_ends_a_mate() {
    let fen = "5F5/2c2T5/2i2g5/11/11/4(NT)6/11/11/11/11/11/2C8 r - - 0 1";
    let of = |evaluation: &str| -> board::Puzzle {
        let text = format!("{};composed;{fen};Ff12d12;{evaluation};98;", id_of(fen));
        text.parse().expect("a lawful line")
    };
    for (evaluation, answer) in [("#1", Answer::Solved), ("900/0", Answer::Wrong)] {
        let puzzle = of(evaluation);
        let other = puzzle.position.read("Tf11e11").expect("legal");
        assert_eq!(Attempt::new(&puzzle).play(&other), answer, "{evaluation}");
    }
}

#[test]
fn a_decision_is_judged_by_faces() {
    for puzzle in cards::read(cards::COLLECTION).expect("well formed") {
        let view = puzzle.view().expect("somebody decides");
        assert_eq!(puzzle.seat(), view.viewer);
        let best = &puzzle.candidates[0];
        assert_eq!(puzzle.judge(best.cards), Some(best));
        assert!(puzzle.judge(tractor::CardSet::EMPTY).is_none());
    }
}
