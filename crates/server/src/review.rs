//! Reviews of finished games: made in the background when somebody asks for one, and kept with the game.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::app::App;
use crate::engines::JobOptions;
use crate::extract::{Body, Path, Query};
use crate::game::{HostedGame, Progress, Stop, TimeSlice, hosted};
use crate::id::TableId;
use crate::page::{Page, fetch_snapshot, render, script_json};
use crate::pool::Class;
use crate::refusal::{NotNow, Refusal};
use crate::room::{Request, unix_now};
use crate::session::Visitor;
use crate::shared_limit::SharedPermit;
use crate::store::StoredReview;

/// Looks back on a finished game, bit by bit.
pub(crate) trait Reviewer: Send + fmt::Debug {
    /// Looks at a little more, some tens of milliseconds long; `false` once it has looked at everything.
    fn step(&mut self, slice: &TimeSlice<'_>) -> bool;
    /// How much it has looked at, and how much there is.
    fn progress(&self) -> (usize, usize);
    /// The review, once it has looked at everything.
    fn review(&self) -> Option<Value>;
}

/// A review that can go on, or why there is none.
type Begun = Result<Box<dyn Reviewer>, Refusal>;

/// How a game is reviewed.
#[derive(Debug)]
pub(crate) struct Reviews {
    /// The export of a table that a review is made from: what everybody may read of it.
    pub(crate) ending: &'static str,
    /// Whether a table is reviewed only once it is over.
    pub(crate) after_the_end: bool,
    /// How many rounds of the export can be reviewed.
    pub(crate) rounds: fn(&str) -> u32,
    /// Begins a review of a round of the export.
    pub(crate) begin: fn(&str, u32) -> Begun,
}

/// Which game: the table and the round, from 1 on.
type Key = (TableId, u32);

/// How far a review has come: so much of so much.
type Done = Arc<(AtomicUsize, AtomicUsize)>;

/// The reviews that wait or run.
#[derive(Debug, Default)]
pub(crate) struct RunningReviews(Mutex<HashMap<Key, Done>>);

impl RunningReviews {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Done>> {
        self.0.lock().expect("no holder of this lock panics")
    }

    fn state(&self, key: &Key) -> Option<Value> {
        let running = self.lock();
        let done = running.get(key)?;
        let [done, all] = [&done.0, &done.1].map(|count| count.load(Ordering::Relaxed));
        Some(json!({ "state": "running", "done": done, "all": all }))
    }

    /// Enters a review; `None` if it is under way.
    fn enter(&self, key: &Key) -> Option<Done> {
        let mut running = self.lock();
        if running.contains_key(key) {
            return None;
        }
        let done = Done::default();
        running.insert(key.clone(), Arc::clone(&done));
        Some(done)
    }
}

/// Which round is meant, in a query.
#[derive(Debug, Deserialize)]
pub(crate) struct RoundQuery {
    #[serde(default = "first")]
    round: u32,
}

/// Which round is to be reviewed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    #[serde(default = "first")]
    round: u32,
}

const fn first() -> u32 {
    1
}

/// A finished game: what is exported of it.
struct Finished {
    game: &'static HostedGame,
    text: String,
}

/// The finished game at a table. A round of a match is finished though the match goes on.
async fn finished(app: &App, visitor: &Visitor, id: &TableId) -> Result<Finished, Refusal> {
    let snapshot = fetch_snapshot(app, visitor, id).await?;
    let game = hosted(&snapshot.game).ok_or(Refusal::NoSuchPage)?;
    let view: Value = serde_json::from_str(&snapshot.json).unwrap_or_default();
    let request = |reply| Request::Export {
        ending: game.reviews.ending.to_owned(),
        ply: None,
        flip: false,
        reply,
    };
    let export = app.lobby().ask(id, request).await?;
    let text = export.map(|export| export.text).unwrap_or_default();
    if view["phase"] != "over" && game.reviews.after_the_end {
        return Err(Refusal::NotNow(NotNow::NotOver));
    }
    Ok(Finished { game, text })
}

/// The name of a table in an address.
fn table_id(id: &str) -> Result<TableId, Refusal> {
    id.parse().map_err(|_| Refusal::NoSuchTable)
}

/// What is known of a review: it is done, or on its way, or nobody has asked for it.
async fn state(app: &App, key: &Key) -> Result<Value, Refusal> {
    // In this order a review that is just being kept is seen in one place or the other.
    if let Some(running) = app.reviews().state(key) {
        return Ok(running);
    }
    let stored = app.store().review(&key.0, key.1).await?;
    Ok(match stored {
        Some(stored) => {
            let review: Value = serde_json::from_str(&stored.review).unwrap_or_default();
            json!({ "state": "done", "review": review })
        }
        None => json!({ "state": "none" }),
    })
}

/// `GET /api/v1/tables/{id}/review`
pub(crate) async fn get(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(RoundQuery { round }): Query<RoundQuery>,
) -> Result<axum::Json<Value>, Refusal> {
    let id = table_id(&id)?;
    // A table that is not there has no review either.
    fetch_snapshot(&app, &visitor, &id).await?;
    state(&app, &(id, round)).await.map(axum::Json)
}

/// `POST /api/v1/tables/{id}/review`: asks for a review, unless there is one or it is on its way.
pub(crate) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(Wanted { round }): Body<Wanted>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    let key = (table_id(&id)?, round);
    let finished = finished(&app, &visitor, &key.0).await?;
    let known = state(&app, &key).await?;
    if known["state"] != "none" {
        return Ok(axum::Json(known));
    }
    let Finished { game, text } = finished;
    let reviewer = app.answer(visitor.client(), move || (game.reviews.begin)(&text, round));
    let reviewer = reviewer.await??;
    let permits = app.admit_analysis(&visitor).await?;
    if let Some(done) = app.reviews().enter(&key) {
        start(&app, &visitor, (key.clone(), done), (reviewer, permits));
    }
    state(&app, &key).await.map(axum::Json)
}

/// Queues a review behind everything else that is thought about, and keeps it when it is done.
fn start(
    app: &App,
    visitor: &Visitor,
    (key, done): (Key, Done),
    (mut reviewer, permits): (Box<dyn Reviewer>, Vec<SharedPermit>),
) {
    let (reply, answer) = oneshot::channel();
    let mut reply = Some(reply);
    let options = JobOptions {
        client: visitor.client(),
        class: Class::Review,
        key: format!("review {} {}", key.0, key.1),
        stop: Stop::default(),
        only_here: true,
    };
    let name = options.key.clone();
    let work = move |slice: &TimeSlice<'_>| {
        let _held = &permits;
        loop {
            let (at, all) = reviewer.progress();
            done.0.store(at, Ordering::Relaxed);
            done.1.store(all, Ordering::Relaxed);
            if slice.stop().is_stopped() {
                return Progress::Done(());
            }
            if slice.stop().is_paused() {
                return Progress::Paused;
            }
            if !reviewer.step(slice) {
                break;
            }
        }
        if let (Some(reply), Some(review)) = (reply.take(), reviewer.review()) {
            // The server may be closing.
            let _ = reply.send(review);
        }
        Progress::Done(())
    };
    app.engines().run_here(options, Box::new(work));
    let app = app.clone();
    tokio::spawn(async move {
        if let Ok(review) = answer.await {
            let stored = StoredReview {
                table: key.0.clone(),
                round: key.1,
                at: unix_now(),
                review: review.to_string(),
            };
            if let Err(error) = app.store().keep_review(&stored).await {
                tracing::warn!(%error, "a review could not be kept");
            }
        }
        app.engines().forget(&name);
        app.reviews().lock().remove(&key);
    });
}

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    page: Page,
    id: String,
    game: &'static HostedGame,
    round: u32,
    /// The rounds to choose from.
    rounds: Vec<u32>,
    boot: String,
}

/// `GET /game/{id}/review`
pub(crate) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(id): Path<String>,
    Query(RoundQuery { round }): Query<RoundQuery>,
) -> Result<Response, Refusal> {
    let id = table_id(&id)?;
    let Finished { game, text } = finished(&app, &visitor, &id).await?;
    let rounds = (game.reviews.rounds)(&text);
    if !(1..=rounds).contains(&round) {
        return Err(Refusal::NotNow(NotNow::RoundNotOver));
    }
    let snapshot = fetch_snapshot(&app, &visitor, &id).await?;
    let view: Value = serde_json::from_str(&snapshot.json).unwrap_or_default();
    let boot = json!({ "id": id, "round": round, "you": view["you"], "seats": view["seats"] });
    Ok(render(&ReviewPage {
        boot: script_json(&boot),
        id: id.to_string(),
        rounds: (1..=rounds).collect(),
        page,
        game,
        round,
    }))
}
