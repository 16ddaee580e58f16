//! The courses, and the page of a chapter.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use convoy_lessons::{Chapter, Task};
use serde_json::json;

use super::{Page, render, script_json};
use crate::app::App;
use crate::asset;
use crate::extract::Path;
use crate::game::{HostedGame, hosted, hosted_games};
use crate::learn::{course, progress, step, step_id};
use crate::refusal::Refusal;
use crate::session::Visitor;

/// What the page's script is told of the visitor's progress: null for guests, whose browsers know it.
pub(crate) async fn progress_script(app: &App, visitor: &Visitor) -> Result<String, Refusal> {
    let account = visitor.account.as_ref();
    let stars = progress(app, visitor).await?;
    let kept = account.map(|account| json!({ "account": account, "stars": stars }));
    Ok(script_json(&json!(kept)))
}

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    page: Page,
    progress: String,
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
        .map(|step| step_id(game, &chapter.id, &step.id));
    ChapterLink {
        path: chapter_path(game, chapter),
        title: chapter.title.of(page.lang.tag()).to_owned(),
        steps: ids.collect::<Vec<_>>().join(" "),
    }
}

/// `GET /learn`
pub(crate) async fn learn(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
) -> Result<Response, Refusal> {
    let card = |game: &'static HostedGame| -> Result<CourseCard, Refusal> {
        let course = course(game.name)?;
        let chapters = course.chapters.iter();
        let chapters = chapters.map(|chapter| link(&page, game.name, chapter));
        let end = game.course_end.iter().map(|end| ChapterLink {
            path: end.path.to_owned(),
            title: page.t(end.title_key),
            steps: end.step.to_owned(),
        });
        Ok(CourseCard {
            game: game.name,
            name: page.t(game.name_key),
            chapters: chapters.chain(end).collect(),
        })
    };
    let courses = hosted_games().map(card).collect::<Result<_, _>>()?;
    let progress = progress_script(&app, &visitor).await?;
    Ok(render(&Learn {
        page,
        progress,
        courses,
    }))
}

#[derive(Template)]
#[template(path = "lesson.html")]
struct Lesson {
    page: Page,
    progress: String,
    title: String,
    boot: String,
    cards: bool,
}

/// The addresses of all pages of the courses.
pub(crate) fn lesson_pages() -> Vec<String> {
    let courses = hosted_games().filter_map(|game| Some((game.name, course(game.name).ok()?)));
    let chapters = courses.flat_map(|(game, course)| {
        let path = |chapter: &Chapter| chapter_path(game, chapter);
        course.chapters.iter().map(path).collect::<Vec<_>>()
    });
    let ends = hosted_games().filter_map(|game| Some(game.course_end?.path));
    let around = ["/learn"].into_iter().chain(ends).map(str::to_owned);
    around.chain(chapters).collect()
}

fn chapter_path(game: &str, chapter: &Chapter) -> String {
    format!("/learn/{game}/{}", chapter.id)
}

/// The chapter after this one; after the last one what the game ends its course with.
fn next_path(game: &str, next: Option<&Chapter>) -> Option<String> {
    let end = || Some(hosted(game)?.course_end?.path.to_owned());
    next.map_or_else(end, |next| Some(chapter_path(game, next)))
}

/// `GET /learn/{game}/{chapter}`
pub(crate) async fn lesson(
    State(app): State<App>,
    visitor: Visitor,
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
        "file": asset::url(&asset::lesson_path(&chapter.file)),
        "steps": steps,
        "next": next_path(&game, next),
    });
    Ok(render(&Lesson {
        progress: progress_script(&app, &visitor).await?,
        title: chapter.title.of(page.lang.tag()).to_owned(),
        cards: chapter
            .steps
            .iter()
            .any(|step| matches!(step.task, Task::Cards(_))),
        boot: script_json(&boot),
        page,
    }))
}
