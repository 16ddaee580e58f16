//! The lessons of all games for the pages: a step as data, and what an attempt at it is worth. Every judgement is
//! `convoy-lessons`'.

mod progress;
mod step;

use std::sync::{Arc, LazyLock};

use convoy_lessons::{Course, LessonError};

use crate::game::{hosted, hosted_games};
use crate::refusal::Refusal;

pub(crate) use progress::{NewStars, keep, progress, step_id};
pub(crate) use step::step;

/// What follows the last chapter of a course.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CourseEnd {
    /// Its page.
    pub(crate) path: &'static str,
    /// The key of its title.
    pub(crate) title_key: &'static str,
    /// The id under which progress is kept.
    pub(crate) step: &'static str,
}

/// The course of a game. A debug build reads the files anew, so that their author sees changes at once.
pub(crate) fn course(game: &str) -> Result<Arc<Course>, Refusal> {
    static COURSES: LazyLock<Vec<Result<Arc<Course>, LessonError>>> = LazyLock::new(|| {
        let courses = hosted_games().map(|game| (game.course)());
        courses.map(|course| course.map(Arc::new)).collect()
    });
    let index = hosted_games().position(|known| known.name == game);
    let index = index.ok_or(Refusal::NoSuchPage)?;
    let course = if cfg!(debug_assertions) {
        let game = hosted(game).ok_or(Refusal::NoSuchPage)?;
        (game.course)().map(Arc::new)
    } else {
        COURSES[index].clone()
    };
    course.map_err(|error| {
        tracing::error!(%error, "the lessons cannot be read");
        Refusal::NoSuchPage
    })
}

#[cfg(test)]
mod tests {
    use convoy_lessons::{BoardMiss, CardMiss, Obstacle, Task, Verdict, judge};
    use serde_json::json;

    use super::*;
    use crate::language::Language;

    /// Everything that can be wrong has a message.
    #[test]
    fn every_explanation_has_words() {
        let whys = Obstacle::ALL.map(|why| format!("learn-why-{}", why.code()));
        let misses = BoardMiss::CODES.into_iter().chain(CardMiss::CODES);
        let misses = misses.map(|code| format!("learn-miss-{code}"));
        for key in whys.into_iter().chain(misses) {
            for language in Language::ALL {
                assert_ne!(language.message(&key, None), key, "{language}");
            }
        }
    }

    #[test]
    fn attempts_are_judged_in_the_language_of_the_page() {
        let course = course("cotulenh").unwrap();
        let sea = course.step("board/sea").unwrap();
        let ask = |tried: serde_json::Value| {
            let tried = serde_json::from_value(tried).unwrap();
            judge(sea, &tried, Language::Vietnamese.tag())
        };
        let done = ask(json!({ "turns": [["Nb2b6"]] })).unwrap();
        assert_eq!(done["result"], "done");
        let wrong = ask(json!({ "turns": [["Nb2b5"]] })).unwrap();
        assert_eq!(
            (&wrong["result"], &wrong["why"]["code"]),
            (&json!("wrong"), &json!("reach"))
        );
        let illegal = ask(json!({ "from": "b2", "to": "d2" })).unwrap();
        assert_eq!(
            illegal["why"],
            json!({ "code": "terrain", "pieces": "N", "square": "d2" })
        );
        assert!(
            illegal["note"]
                .as_str()
                .unwrap()
                .starts_with("d2 là đất liền")
        );
        for bad in [
            json!({ "turns": [["Nb2b9"]] }),
            json!({ "from": "b2", "to": "z9" }),
            json!({ "answer": "7H" }),
        ] {
            assert!(ask(bad).is_err());
        }
    }

    #[test]
    fn no_page_has_the_answer() {
        for game in hosted_games() {
            for chapter in &course(game.name).unwrap().chapters {
                for known in &chapter.steps {
                    let shown = step(known, Language::English);
                    assert!(shown.get("solution").is_none() && shown.get("done").is_none());
                    if let Task::Board(task) = &known.task {
                        assert_eq!(task.judge(&[]).unwrap().verdict, Verdict::GoOn);
                    }
                }
            }
        }
    }
}
