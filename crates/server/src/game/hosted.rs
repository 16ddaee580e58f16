//! The games that are hosted here: the one place that names them all.

use axum::Router;
use axum::response::Response;
use convoy_lessons::{Course, LessonError, Task};
use convoy_protocol::{Description, Error, Request};
use serde_json::{Map, Value};

use super::{EngineTask, Game, NewTable, Player, TableSpec};
use crate::app::App;
use crate::id::TableId;
use crate::learn::CourseEnd;
use crate::page::{HomeParts, OfflineParts, Page, TableFacts, TablePage, Wishes};
use crate::puzzle::Puzzles;
use crate::refusal::Refusal;
use crate::review::Reviews;
use crate::{cotulenh, tractor};

/// Every hosted game; the first is what somebody gets who names none.
static HOSTED: [&HostedGame; 2] = [&cotulenh::HOSTED, &tractor::HOSTED];

/// A game before its first event, or why there is none.
type NewGame = Result<Box<dyn Game>, Refusal>;

/// What a worker is asked to think about, or why it cannot.
type ReadTask = Result<Box<dyn EngineTask>, Refusal>;

/// What the server needs to know of a game before there is a table.
#[derive(Debug)]
pub(crate) struct HostedGame {
    /// Its name in addresses, files and the storage.
    pub(crate) name: &'static str,
    /// The key of the name that people read.
    pub(crate) name_key: &'static str,
    /// The colours of the seats; empty where they have none.
    pub(crate) colors: &'static [&'static str],
    /// How a result names the winner: the side of the even seats, and that of the odd ones.
    pub(crate) sides: [&'static str; 2],
    /// Who has won and how, in words, from the winner's name and the words for how.
    pub(crate) winner_words: fn(&Page, &str, &str) -> String,
    /// Whether a list of finished games tells how many moves they have.
    pub(crate) counts_moves: bool,
    /// The table that a player asks for.
    pub(crate) table_spec: fn(&NewTable, &Player, &GameOptions) -> Result<TableSpec, Refusal>,
    /// A game from its setup, before its first event.
    pub(crate) open: fn(&Value, &TableId, &GameOptions) -> NewGame,
    /// What a worker is asked, from [`EngineTask::request`].
    pub(crate) read_task: fn(&Value) -> ReadTask,
    /// The questions about its rules, and their JSON Schemas for a place in a document.
    pub(crate) ops: &'static [Description],
    pub(crate) schemas: fn(&str) -> Map<String, Value>,
    /// Refuses a question that would keep the server busy for long.
    pub(crate) check_cost: fn(&Request) -> Result<(), Error>,
    /// The page of a table.
    pub(crate) table_page: fn(Page, TablePage<'_>) -> Response,
    /// The clock of a table in words, from its view; none without a clock.
    pub(crate) clock_words: fn(&Page, &Value) -> Option<String>,
    /// Whether lists of running games show its tables.
    pub(crate) live_picture: bool,
    /// The ending of the file that is told more of its table than its game knows, if there is one.
    pub(crate) tagged_ending: Option<&'static str>,
    /// That file with names, address and date.
    pub(crate) tag_file: fn(&Page, &TableFacts<'_>, String) -> String,
    /// Its parts of the home page.
    pub(crate) home: fn(&Page, &Wishes<'_>) -> HomeParts,
    /// The part of the catalogue that its scripts need beside what every page has; empty if there is none.
    pub(crate) words: &'static str,
    /// Its parts of the page of games without a connection.
    pub(crate) offline: fn(&Page) -> OfflineParts,
    /// The pages of its own that devices keep, beside its rules and lessons.
    pub(crate) kept_pages: &'static [&'static str],
    /// Whether an event tells what nobody may know while the game goes on; none if no event ever does.
    pub(crate) tells_secret: Option<fn(&str) -> bool>,
    /// Its course of lessons.
    pub(crate) course: fn() -> Result<Course, LessonError>,
    /// What the page of a lesson shows of a task, if the task is one of this game.
    pub(crate) lesson_task: fn(&Task) -> Option<Value>,
    /// What follows the last chapter, if anything does.
    pub(crate) course_end: Option<CourseEnd>,
    /// The page of its rules.
    pub(crate) rules_page: fn(Page) -> Response,
    /// Its puzzles.
    pub(crate) puzzles: fn() -> &'static dyn Puzzles,
    /// How its games are reviewed.
    pub(crate) reviews: Reviews,
    /// The pages and calls that no other game has.
    pub(crate) routes: fn() -> Router<App>,
}

/// What whoever builds the application has set for single games.
///
/// ```
/// use convoy_server::{Config, GameOptions, Pace, TractorOptions};
///
/// let tractor = TractorOptions { pace: Pace::BRISK, ..TractorOptions::default() };
/// let config = Config { games: GameOptions { tractor }, ..Config::default() };
/// assert_eq!(config.games.tractor.pace, Pace::BRISK);
/// ```
#[derive(Debug, Clone, Default)]
pub struct GameOptions {
    /// For card tables.
    pub tractor: tractor::TractorOptions,
}

/// Every hosted game.
pub(crate) fn hosted_games() -> impl Iterator<Item = &'static HostedGame> {
    HOSTED.into_iter()
}

/// The game of this name.
pub(crate) fn hosted(name: &str) -> Option<&'static HostedGame> {
    HOSTED.into_iter().find(|game| game.name == name)
}

/// The game that somebody asks for who may name none.
pub(crate) fn chosen(name: &str) -> Option<&'static HostedGame> {
    match name {
        "" => Some(HOSTED[0]),
        name => hosted(name),
    }
}

/// The pages and calls of all games.
pub(crate) fn routes() -> Router<App> {
    let routes = HOSTED.into_iter().map(|game| (game.routes)());
    routes.fold(Router::new(), Router::merge)
}

/// The table that `player` asks for.
pub(crate) fn table_spec(
    new_table: &NewTable,
    player: &Player,
    options: &GameOptions,
) -> Result<TableSpec, Refusal> {
    let game = chosen(&new_table.game);
    let game = game.ok_or_else(|| Refusal::NoSuchGame(new_table.game.clone()))?;
    (game.table_spec)(new_table, player, options)
}

/// A game as it is before its first event.
pub(crate) fn new_game(name: &str, setup: &Value, id: &TableId, options: &GameOptions) -> NewGame {
    let game = hosted(name).ok_or_else(|| Refusal::NoSuchGame(name.to_owned()))?;
    (game.open)(setup, id, options)
}
