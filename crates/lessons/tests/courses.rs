//! The courses as they are kept: what is in them, and that every answer is explained.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use convoy_lessons::{
    Answer, BoardMiss, BoardTask, CardMiss, CardTask, Chapter, Course, LessonError, Question, Step,
    Task, Tried, Verdict,
};
use tractor::Faces;

fn steps(course: &Course) -> impl Iterator<Item = (&Chapter, &Step)> {
    let chapters = course.chapters.iter();
    chapters.flat_map(|chapter| chapter.steps.iter().map(move |step| (chapter, step)))
}

fn boards(course: &Course) -> Vec<(String, &BoardTask)> {
    steps(course)
        .filter_map(|(chapter, step)| match &step.task {
            Task::Board(task) => Some((format!("{}/{}", chapter.id, step.id), &**task)),
            Task::Cards(_) => None,
        })
        .collect()
}

fn cards(course: &Course) -> Vec<(String, &CardTask)> {
    steps(course)
        .filter_map(|(chapter, step)| match &step.task {
            Task::Cards(task) => Some((format!("{}/{}", chapter.id, step.id), &**task)),
            Task::Board(_) => None,
        })
        .collect()
}

/// Every file is read, so that all of their errors are told at once.
fn read_all(folder: &str, read: fn(&str, &str) -> Result<Chapter, LessonError>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(folder);
    let files = std::fs::read_dir(folder).unwrap();
    let error = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        read(&path.to_string_lossy(), &text).err()
    };
    let errors = files.filter_map(|file| error(file.unwrap().path()));
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn the_board_course_can_be_read() {
    read_all("cotulenh", Chapter::read_board);
    let course = Course::cotulenh().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(course.chapters.len(), 10);
    assert!(steps(&course).count() >= 45);
}

#[test]
fn the_card_course_can_be_read() {
    read_all("tractor", Chapter::read_cards);
    let course = Course::tractor().unwrap_or_else(|error| panic!("{error}"));
    assert!(steps(&course).count() >= 25);
}

/// Reading checks that the solution reaches the goal. Here: any first turn is judged, some miss the goal, and a miss
/// has a code that pages put into words.
#[test]
fn every_turn_is_judged_and_every_miss_has_a_word() {
    let course = Course::cotulenh().unwrap();
    for (id, task) in boards(&course) {
        let (mut done, mut wrong) = (0, 0);
        for turn in task.position().turns() {
            let attempt = task.judge(&[vec![&*turn.lan]]).unwrap();
            match attempt.verdict {
                Verdict::Done => done += 1,
                Verdict::GoOn => wrong += 1,
                Verdict::Wrong(miss) => {
                    wrong += 1;
                    assert!(BoardMiss::CODES.contains(&miss.code()), "{id}: {miss:?}");
                }
            }
        }
        assert!(done > 0 || task.turns() > 1, "{id}: no turn is right");
        assert!(wrong > 0 || task.goal().any, "{id}: every turn is right");
    }
}

#[test]
fn every_choice_of_cards_is_judged_and_every_miss_has_a_word() {
    let course = Course::tractor().unwrap();
    for (id, task) in cards(&course) {
        let (mut right, mut wrong) = (0, 0);
        for answer in answers(task) {
            match task.judge(&answer).miss {
                None => right += 1,
                Some(CardMiss::Rules(_)) => wrong += 1,
                Some(miss) => {
                    wrong += 1;
                    assert!(CardMiss::CODES.contains(&miss.code()), "{id}: {miss:?}");
                }
            }
        }
        assert!(right > 0 && wrong > 0, "{id}: {right} right, {wrong} wrong");
    }
}

/// The hint says who wins, not why the others do not.
#[test]
fn whoever_does_not_win_a_trick_has_a_note_that_says_why() {
    let course = Course::tractor().unwrap();
    for (id, task) in cards(&course) {
        if !matches!(task.question(), Question::Winner) {
            continue;
        }
        for choice in task.choices() {
            let judged = task.judge(&Answer::Choice(choice.clone()));
            assert_ne!(
                judged.miss.is_some(),
                judged.note.is_none(),
                "{id}: {choice}"
            );
        }
    }
}

/// All choices; or the solution and every set of the hand's first ten cards.
fn answers(task: &CardTask) -> Vec<Answer> {
    if !task.choices().is_empty() {
        return task.choices().iter().cloned().map(Answer::Choice).collect();
    }
    let hand: Vec<_> = task
        .table()
        .hand
        .iter()
        .take(10)
        .map(tractor::Card::face)
        .collect();
    let subset = |bits: usize| {
        let chosen = hand
            .iter()
            .enumerate()
            .filter(|(at, _)| bits >> at & 1 == 1);
        Answer::Cards(chosen.map(|(_, face)| *face).collect::<Faces>())
    };
    let subsets = (0..1 << hand.len()).map(subset);
    subsets.chain([task.solution().clone()]).collect()
}

const STEP: &str = r#"title = { en = "a", vi = "b", zh = "c" }
[[step]]
id = "x"
fen = "6c4/9ii/11/11/11/11/11/11/11/11/1N7II/5C5 r - - 0 1"
goal.reach = ["Nb6"]
solution = ["Nb6"]
title = { en = "a", vi = "b", zh = "c" }
text = { en = "a", vi = "b", zh = "c" }
hint = { en = "a", vi = "b", zh = "c" }
[[step.wrong]]
answer = "Nb5"
en = "a"
vi = "b"
zh = "c"
"#;

/// What is replaced by what, the line of the error, and what it says.
type Fault = (&'static str, &'static str, usize, &'static str);

#[rustfmt::skip]
const FAULTS: [Fault; 13] = [
    ("6c4/9ii", "6c4/9iix", 4, "names no piece"),
    ("[\"Nb6\"]\nsol", "[\"Nb66\"]\nsol", 5, "no square"),
    (r#"solution = ["Nb6"]"#, r#"solution = ["Nb7"]"#, 6, "Nb7"),
    (r#"solution = ["Nb6"]"#, r#"solution = ["Nb5"]"#, 6, "misses the goal"),
    (r#"solution = ["Nb6"]"#, "solution = []", 6, "too early"),
    (r#"goal.reach = ["Nb6"]"#, "goal = {}", 5, "empty goal"),
    (r#"goal.reach = ["Nb6"]"#, r#"goal.capture = ["c5"]"#, 5, "no enemy"),
    (r#"hint = { en = "a", vi = "b", zh = "c" }"#, r#"hint = { en = "a", vi = "b" }"#, 9, "zh"),
    (r#"text = { en = "a""#, r#"text = { en = """#, 8, "empty text"),
    (r#"answer = "Nb5""#, r#"answer = "Nb6""#, 11, "reaches the goal"),
    (r#"answer = "Nb5""#, r#"answer = "b2b5""#, 11, "legal"),
    (r#"id = "x""#, r#"id = "X!""#, 3, "lower-case"),
    (r#"id = "x""#, "id = \"x\"\nmood = 1", 4, "mood"),
];

/// All faults at once, so that one run tells everything.
fn check_faults(
    text: &str,
    read: fn(&str, &str) -> Result<Chapter, LessonError>,
    faults: &[Fault],
) {
    assert!(read("01-x.toml", text).is_ok());
    let mut wrong = Vec::new();
    for (from, to, line, message) in faults {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        match read("01-x.toml", &changed) {
            Ok(_) => wrong.push(format!("{to}: no error")),
            Err(error)
                if error.line == *line
                    && error.file == "01-x.toml"
                    && error.message.contains(message) => {}
            Err(error) => wrong.push(format!("{to}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_name_the_file_and_the_line() {
    check_faults(STEP, Chapter::read_board, &FAULTS);
    let twice = format!("{STEP}{}", &STEP[STEP.find("[[step]]").unwrap()..]);
    let error = Chapter::read_board("01-x.toml", &twice).unwrap_err();
    assert_eq!((error.line, &*error.message), (16, "a second step \"x\""));
}

const CARDS: &str = r#"title = { en = "a", vi = "b", zh = "c" }
[[step]]
id = "x"
trump = "2S"
hand = "7H 7H 8H"
trick = ["3H 3H"]
goal.play = {}
solution = "7H 7H"
title = { en = "a", vi = "b", zh = "c" }
text = { en = "a", vi = "b", zh = "c" }
hint = { en = "a", vi = "b", zh = "c" }
"#;

#[rustfmt::skip]
const CARD_FAULTS: [Fault; 8] = [
    (r#""2S""#, r#""2X""#, 4, "2X"),
    ("7H 7H 8H", "7H 7H 7H", 5, "7H"),
    ("7H 7H 8H", "3H 3H 8H", 4, "third time"),
    ("3H 3H", "3H 4C", 6, "of one suit"),
    ("3H 3H\"", "3H 3H\", \"4H\"", 6, "as many cards"),
    ("goal.play = {}", "goal = {}", 7, "exactly one"),
    ("goal.play = {}", r#"goal.select = "all""#, 7, "trumps, points"),
    (r#"solution = "7H 7H""#, r#"solution = "7H 8H""#, 8, "wrong"),
];

#[test]
fn errors_in_card_steps_name_the_line_too() {
    check_faults(CARDS, Chapter::read_cards, &CARD_FAULTS);
}

/// The second of two turns is explained as the first is.
#[test]
fn what_the_rules_forbid_is_told_after_turns_too() {
    let course = Course::cotulenh().unwrap();
    let step = course.step("board/bridges").unwrap();
    let told = |tried: &str| {
        let tried = serde_json::from_str(tried).unwrap();
        convoy_lessons::judge(step, &tried, "en").unwrap()
    };
    let first = told(r#"{"from": "g5", "to": "g8"}"#);
    assert_eq!(
        (&first["result"], &first["why"]["code"]),
        (&"illegal".into(), &"river".into())
    );
    assert!(first["note"].is_string());
    let second = told(r#"{"turns": [["Ag5e5"]], "from": "e5", "to": "e8"}"#);
    assert_eq!(
        (&second["result"], &second["why"]["code"]),
        (&"illegal".into(), &"river".into())
    );
    assert_eq!(
        (&second["why"]["pieces"], &second["note"]),
        (&"A".into(), &serde_json::Value::Null)
    );
    for tried in [
        r#"{"turns": [["Ag5e5"]], "from": "e5", "to": "e6"}"#,
        r#"{"turns": [["Ag5f6"], ["Af6f8"]], "from": "f8", "to": "a1"}"#,
    ] {
        assert_eq!(told(tried)["result"], "legal", "{tried}");
    }
}

#[test]
fn what_is_no_try_is_told_what_one_is() {
    for text in [
        "{}",
        "[]",
        r#"{"turns": "Nb6"}"#,
        r#"{"turns": [], "step": 1}"#,
        r#"{"from": "b2"}"#,
        r#"{"answer": 7}"#,
    ] {
        let error = serde_json::from_str::<Tried>(text).unwrap_err();
        let words = "with turns, with from and to, or with answer";
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    assert!(serde_json::from_str::<Tried>(r#"{"answer": "1"}"#).is_ok());
}
