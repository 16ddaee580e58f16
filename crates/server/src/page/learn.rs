//! The courses, and the page of a chapter.

use askama::Template;
use axum::response::Response;
use convoy_lessons::Chapter;
use serde_json::json;

use super::{Page, render, script_json};
use crate::extract::Path;
use crate::game::hosted;
use crate::learn::{GAMES, course, step};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    page: Page,
    courses: Vec<CourseCard>,
}

struct CourseCard {
    game: &'static str,
    name: String,
    chapters: Vec<ChapterLink>,
}

struct ChapterLink {
    path: String,
    title: String,
    /// The ids under which progress is kept, with spaces between.
    steps: String,
}

fn link(page: &Page, game: &str, chapter: &Chapter) -> ChapterLink {
    let ids = chapter
        .steps
        .iter()
        .map(|step| format!("{game}/{}/{}", chapter.id, step.id));
    ChapterLink {
        path: format!("/learn/{game}/{}", chapter.id),
        title: chapter.title.of(page.lang.tag()).to_owned(),
        steps: ids.collect::<Vec<_>>().join(" "),
    }
}

/// `GET /learn`
pub(crate) async fn learn(page: Page) -> Result<Response, Refusal> {
    let card = |game: &'static str| -> Result<CourseCard, Refusal> {
        let name_key = hosted(game).map_or("", |game| game.name_key);
        let course = course(game)?;
        let chapters = course.chapters.iter();
        let mut chapters: Vec<_> = chapters.map(|chapter| link(&page, game, chapter)).collect();
        if game == crate::tractor::NAME {
            chapters.push(ChapterLink {
                path: "/learn/tractor/round".to_owned(),
                title: page.t("learn-round"),
                steps: "tractor/round/coached".to_owned(),
            });
        }
        Ok(CourseCard {
            game,
            name: page.t(name_key),
            chapters,
        })
    };
    let courses = GAMES.into_iter().map(card).collect::<Result<_, _>>()?;
    Ok(render(&Learn { page, courses }))
}

#[derive(Template)]
#[template(path = "lesson.html")]
struct Lesson {
    page: Page,
    title: String,
    boot: String,
    cards: bool,
}

/// The chapter after this one; after the last of Tractor comes a round.
fn next_path(game: &str, next: Option<&Chapter>) -> Option<String> {
    let round = || (game == crate::tractor::NAME).then(|| "/learn/tractor/round".to_owned());
    next.map_or_else(round, |next| Some(format!("/learn/{game}/{}", next.id)))
}

/// `GET /learn/{game}/{chapter}`
pub(crate) async fn lesson(
    page: Page,
    Path((game, chapter)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let course = course(&game)?;
    let index = course.chapters.iter().position(|known| known.id == chapter);
    let index = index.ok_or(Refusal::NoSuchPage)?;
    let chapter = &course.chapters[index];
    let next = course.chapters.get(index + 1);
    let steps: Vec<_> = chapter
        .steps
        .iter()
        .map(|known| step(known, page.lang))
        .collect();
    let boot = json!({
        "game": game,
        "chapter": chapter.id,
        "steps": steps,
        "next": next_path(&game, next),
    });
    Ok(render(&Lesson {
        title: chapter.title.of(page.lang.tag()).to_owned(),
        cards: game == crate::tractor::NAME,
        boot: script_json(&boot),
        page,
    }))
}

#[derive(Template)]
#[template(path = "lesson-round.html")]
struct CoachedRound {
    page: Page,
}

/// `GET /learn/tractor/round`
pub(crate) async fn coached_round(page: Page) -> Response {
    render(&CoachedRound { page })
}
