//! Puzzles: their pages, and the calls that hand them out and judge answers. Nothing that leaves here before
//! an answer gives the solution away.

use std::fmt;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use convoy_puzzles::{Difficulty, Rating};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use crate::app::App;
use crate::extract::{Json, Path, Query};
use crate::game::{HostedGame, chosen, hosted};
use crate::page::{Page, iso, render, script_json};
use crate::refusal::Refusal;
use crate::room::unix_now;
use crate::session::Visitor;
use crate::store::{PuzzleAttempt, PuzzleRating, RatedAttempt, StoreError};

/// The puzzles of a game, in the order of its file.
pub(crate) trait Puzzles: fmt::Debug + Send + Sync {
    /// The file.
    fn file(&self) -> &'static str;
    /// The themes, in the order of the choice on the page.
    fn themes(&self) -> Vec<&'static str>;
    /// What lists tell of every puzzle.
    fn entries(&self) -> &[Entry];
    /// A puzzle as it is set.
    fn task(&self, index: usize) -> Value;
    /// What an answer comes to; the answer is a JSON object.
    fn judge(&self, index: usize, answer: &str) -> Result<Value, Refusal>;
    /// The solution.
    fn solution(&self, index: usize) -> Value;
}

/// What lists tell of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) difficulty: Difficulty,
    pub(crate) themes: Vec<&'static str>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/puzzles", get(first_page))
        .route("/puzzles/{game}", get(page))
        .route("/puzzles/{game}/{puzzle}", get(page_of))
        .route("/api/v1/puzzles/{game}", get(list))
        .route("/api/v1/puzzles/{game}/file", get(file))
        .route("/api/v1/puzzles/{game}/{puzzle}", get(task))
        .route("/api/v1/puzzles/{game}/{puzzle}/answer", post(answer))
        .route("/api/v1/puzzles/{game}/{puzzle}/solution", get(solution))
        .route("/api/v1/puzzles/{game}/{puzzle}/give-up", post(give_up))
        .route("/api/v1/puzzles/{game}/history", get(history))
}

/// Does something with the puzzles of a game. They are read when they are first asked for, which takes a
/// moment that must not hold up the sockets.
async fn with<T: Send + 'static>(
    app: &App,
    visitor: &Visitor,
    game: &'static HostedGame,
    act: impl FnOnce(&'static dyn Puzzles) -> T + Send + 'static,
) -> Result<T, Refusal> {
    app.answer(visitor.client(), move || act((game.puzzles)()))
        .await
}

fn game_of(name: &str) -> Result<&'static HostedGame, Refusal> {
    hosted(name).ok_or(Refusal::NoSuchPage)
}

/// Where a puzzle stands in the list, by its id or as the one of this day.
fn place(puzzles: &dyn Puzzles, id: &str, now: i64) -> Result<usize, Refusal> {
    let entries = puzzles.entries();
    if id == "daily" {
        return Ok(daily(entries.len(), now));
    }
    let place = entries.iter().position(|entry| entry.id == id);
    place.ok_or(Refusal::NoSuchPage)
}

/// The puzzle of a day of Unix time: every one comes before any comes again.
fn daily(count: usize, now: i64) -> usize {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let count = i64::try_from(count).unwrap_or(i64::MAX).max(1);
    // A step without a common factor visits all of them; neighbours in the file are alike.
    let step = (count * 5 / 8..=count).find(|step| gcd(*step, count) == 1);
    let day = now.div_euclid(DAY).rem_euclid(count);
    usize::try_from(day * step.unwrap_or(1) % count).unwrap_or(0)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage {
    page: Page,
    game: &'static HostedGame,
    themes: Vec<Choice>,
    levels: Vec<Choice>,
    boot: String,
}

/// A choice of the page.
struct Choice {
    word: &'static str,
    name: String,
}

/// `GET /puzzles`: those of the game that somebody gets who names none.
async fn first_page() -> Result<Redirect, Refusal> {
    let game = chosen("").ok_or(Refusal::NoSuchPage)?;
    Ok(Redirect::to(&format!("/puzzles/{}", game.name)))
}

/// `GET /puzzles/{game}`
async fn page(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(game): Path<String>,
) -> Result<Response, Refusal> {
    puzzle_page(&app, &visitor, page, game_of(&game)?, None).await
}

/// `GET /puzzles/{game}/{puzzle}`: the link to one puzzle, or to that of the day.
async fn page_of(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    puzzle_page(&app, &visitor, page, game_of(&game)?, Some(id)).await
}

async fn puzzle_page(
    app: &App,
    visitor: &Visitor,
    page: Page,
    game: &'static HostedGame,
    id: Option<String>,
) -> Result<Response, Refusal> {
    let boot = json!({ "game": game.name, "id": id });
    let themes = with(app, visitor, game, move |puzzles| {
        if let Some(id) = id {
            place(puzzles, &id, unix_now())?;
        }
        Ok::<_, Refusal>(puzzles.themes())
    });
    let choice = |kind: &str, word: &'static str| Choice {
        word,
        name: page.t(&format!("puzzle-{kind}-{word}")),
    };
    let themes = themes.await??.into_iter();
    let themes = themes.map(|word| choice("theme", word)).collect();
    let levels = Difficulty::ALL.map(|difficulty| choice("level", difficulty.word()));
    Ok(render(&PuzzlePage {
        levels: levels.into(),
        boot: script_json(&boot),
        page,
        game,
        themes,
    }))
}

/// Which puzzles are wanted.
#[derive(Debug, Deserialize)]
struct Wanted {
    #[serde(default)]
    theme: String,
}

/// `GET /api/v1/puzzles/{game}`: the ids of all puzzles, or of those of a theme, by difficulty.
async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<axum::Json<Map<String, Value>>, Refusal> {
    let ids = with(&app, &visitor, game_of(&game)?, move |puzzles| {
        let theme = wanted.theme.as_str();
        if !theme.is_empty() && !puzzles.themes().contains(&theme) {
            return Err(Refusal::BadField {
                field: "theme".to_owned(),
                reason: format!("there is no theme {theme:?}"),
            });
        }
        let wanted = |entry: &&Entry| theme.is_empty() || entry.themes.contains(&theme);
        let mut ids: Map<String, Value> = Map::new();
        for difficulty in Difficulty::ALL {
            let of = puzzles.entries().iter().filter(wanted);
            let of = of.filter(|entry| entry.difficulty == difficulty);
            let of: Vec<&str> = of.map(|entry| entry.id.as_str()).collect();
            ids.insert(difficulty.word().to_owned(), json!(of));
        }
        Ok(ids)
    });
    ids.await?.map(axum::Json)
}

/// `GET /api/v1/puzzles/{game}/file`: the whole collection, in the public domain.
async fn file(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<Response, Refusal> {
    let game = game_of(&game)?;
    let text = with(&app, &visitor, game, Puzzles::file).await?;
    let name = format!("attachment; filename=\"{}-puzzles.txt\"", game.name);
    let kind = "text/plain; charset=utf-8".to_owned();
    let headers = [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// `GET /api/v1/puzzles/{game}/{puzzle}`: a puzzle as it is set.
async fn task(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, id)): Path<(String, String)>,
) -> Result<axum::Json<Value>, Refusal> {
    let (now, game) = (unix_now(), game_of(&game)?);
    let task = with(&app, &visitor, game, move |puzzles| {
        let index = place(puzzles, &id, now)?;
        let entry = &puzzles.entries()[index];
        let mut task = puzzles.task(index);
        task["id"] = json!(entry.id);
        task["difficulty"] = json!(entry.difficulty.word());
        if id == "daily" {
            task["day"] = json!(&iso(now)[..10]);
        }
        Ok::<_, Refusal>((entry, task))
    });
    let (entry, mut task) = task.await??;
    task["rating"] = json!(settled_rating(&app, game, entry).await?);
    Ok(axum::Json(task))
}

/// The rating of a puzzle, once enough accounts have attempted it; until then its difficulty tells more.
async fn settled_rating(
    app: &App,
    game: &'static HostedGame,
    entry: &Entry,
) -> Result<Option<i64>, Refusal> {
    let known = app.store().puzzle_rating(game.name, &entry.id).await?;
    let settled = known.filter(|known| !known.rating.is_provisional());
    Ok(settled.map(|known| whole(known.rating)))
}

/// `POST /api/v1/puzzles/{game}/{puzzle}/answer`: what an answer comes to. The first attempt of an account
/// counts.
async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, id)): Path<(String, String)>,
    Json(text): Json,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let game = game_of(&game)?;
    let judged = with(&app, &visitor, game, move |puzzles| {
        let index = place(puzzles, &id, unix_now())?;
        let judged = puzzles.judge(index, &text)?;
        Ok::<_, Refusal>((&puzzles.entries()[index], judged))
    });
    let (entry, mut judged) = judged.await??;
    let solved = match judged["result"].as_str() {
        Some("solved") => true,
        Some("wrong") => false,
        _ => return Ok(axum::Json(judged)),
    };
    judged["rating"] = record(&app, &visitor, game, entry, solved).await?;
    Ok(axum::Json(judged))
}

/// `GET /api/v1/puzzles/{game}/{puzzle}/solution`
async fn solution(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, id)): Path<(String, String)>,
) -> Result<axum::Json<Value>, Refusal> {
    let (_, told) = solution_of(&app, &visitor, game_of(&game)?, id).await?;
    Ok(axum::Json(told))
}

/// `POST /api/v1/puzzles/{game}/{puzzle}/give-up`: the solution, for an account as a failed attempt.
async fn give_up(
    State(app): State<App>,
    visitor: Visitor,
    Path((game, id)): Path<(String, String)>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let game = game_of(&game)?;
    let (entry, mut told) = solution_of(&app, &visitor, game, id).await?;
    told["rating"] = record(&app, &visitor, game, entry, false).await?;
    Ok(axum::Json(told))
}

async fn solution_of(
    app: &App,
    visitor: &Visitor,
    game: &'static HostedGame,
    id: String,
) -> Result<(&'static Entry, Value), Refusal> {
    let told = with(app, visitor, game, move |puzzles| {
        let index = place(puzzles, &id, unix_now())?;
        let entry = &puzzles.entries()[index];
        let mut told = puzzles.solution(index);
        // What a puzzle is about may give it away, so it is told with the solution.
        told["themes"] = json!(entry.themes);
        Ok::<_, Refusal>((entry, told))
    });
    told.await?
}

/// Ratings follow from those before them: one attempt is counted after the other.
static COUNTING: Mutex<()> = Mutex::const_new(());

/// Keeps the first attempt of an account and answers its rating before and after; null for guests and for
/// puzzles that were attempted before.
async fn record(
    app: &App,
    visitor: &Visitor,
    game: &'static HostedGame,
    entry: &Entry,
    is_solved: bool,
) -> Result<Value, Refusal> {
    if visitor.account.is_none() {
        return Ok(Value::Null);
    }
    let (store, player) = (app.store(), visitor.player());
    let _one_by_one = COUNTING.lock().await;
    let known = store.puzzle_rating(game.name, player.as_str()).await?;
    let solver = known.unwrap_or(PuzzleRating {
        rating: Rating::NEW,
        attempts: 0,
    });
    let known = store.puzzle_rating(game.name, &entry.id).await?;
    let puzzle = known.unwrap_or(PuzzleRating {
        rating: Rating::of_puzzle(entry.difficulty),
        attempts: 0,
    });
    let result = f64::from(u8::from(is_solved));
    let after = |own: PuzzleRating, other: PuzzleRating, result| PuzzleRating {
        rating: own.rating.after(&[(other.rating, result)]),
        attempts: own.attempts + 1,
    };
    let rated = RatedAttempt {
        solver: after(solver, puzzle, result),
        puzzle: after(puzzle, solver, 1.0 - result),
    };
    let attempt = PuzzleAttempt {
        player: player.clone(),
        game: game.name.to_owned(),
        puzzle: entry.id.clone(),
        at: unix_now(),
        solved: is_solved,
        rating: Some(whole(rated.solver.rating)),
    };
    match store.add_attempt(&attempt, &rated).await {
        Ok(()) => Ok(json!({ "before": shown(solver), "after": shown(rated.solver) })),
        Err(StoreError::Taken) => Ok(Value::Null),
        Err(error) => Err(error.into()),
    }
}

/// A rating in whole points.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a rating is a number of few digits"
)]
fn whole(rating: Rating) -> i64 {
    rating.rating.round() as i64
}

/// A rating as it is told, in whole numbers.
fn shown(rating: PuzzleRating) -> Value {
    json!({
        "rating": whole(rating.rating),
        "deviation": rating.rating.deviation.round(),
        "attempts": rating.attempts,
        "provisional": rating.rating.is_provisional(),
    })
}

/// The most attempts that are told.
const MOST_ATTEMPTS: u32 = 500;

/// `GET /api/v1/puzzles/{game}/history`: the attempts of an account, newest first, and its rating; nulls for
/// guests, whose browsers remember them.
async fn history(
    State(app): State<App>,
    visitor: Visitor,
    Path(game): Path<String>,
) -> Result<axum::Json<Value>, Refusal> {
    let game = game_of(&game)?;
    if visitor.account.is_none() {
        return Ok(axum::Json(json!({ "attempts": null, "rating": null })));
    }
    let (store, player) = (app.store(), visitor.player());
    let attempts = store.attempts(player, game.name, MOST_ATTEMPTS).await?;
    let told = |one: &PuzzleAttempt| {
        let PuzzleAttempt {
            puzzle,
            solved,
            at,
            rating,
            ..
        } = one;
        json!({ "id": puzzle, "solved": solved, "at": at, "rating": rating })
    };
    let rating = store.puzzle_rating(game.name, player.as_str()).await?;
    Ok(axum::Json(json!({
        "attempts": attempts.iter().map(told).collect::<Vec<_>>(),
        "rating": rating.map(shown),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_is_that_of_a_day_before_any_comes_again() {
        const DAY: i64 = 86_400_000;
        for count in [1, 2, 3, 8, 600, 1823] {
            let days = i64::try_from(count).unwrap();
            let mut seen: Vec<usize> = (20_000..20_000 + days)
                .map(|day| daily(count, day * DAY + 5))
                .collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..count), "{count}");
            assert_eq!(daily(count, 7 * DAY), daily(count, 8 * DAY - 1));
        }
    }
}
