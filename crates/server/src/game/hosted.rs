//! The games that are hosted here: the one place that names them all.

use axum::Router;
use axum::response::Response;
use serde_json::Value;

use super::{EngineTask, Game, NewTable, Player, TableSpec};
use crate::app::App;
use crate::config::Config;
use crate::id::TableId;
use crate::page::{Page, TablePage};
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
    /// The table that a player asks for.
    pub(crate) table_spec: fn(&NewTable, &Player, &GameOptions) -> Result<TableSpec, Refusal>,
    /// A game from its setup, before its first event.
    pub(crate) open: fn(&Value, &TableId, &GameOptions) -> NewGame,
    /// What a worker is asked, from [`EngineTask::request`].
    pub(crate) read_task: fn(&Value) -> ReadTask,
    /// The page of a table.
    pub(crate) table_page: fn(Page, TablePage<'_>) -> Response,
    /// The page of its rules.
    pub(crate) rules_page: fn(Page) -> Response,
    /// Its puzzles.
    pub(crate) puzzles: fn() -> &'static dyn Puzzles,
    /// How its games are reviewed.
    pub(crate) reviews: Reviews,
    /// The pages and calls that no other game has.
    pub(crate) routes: fn() -> Router<App>,
}

/// What whoever runs the server has set for single games.
#[derive(Debug, Clone)]
pub(crate) struct GameOptions {
    pub(crate) tractor: tractor::TableOptions,
}

impl GameOptions {
    /// As configured, and with these deals for tests.
    pub(crate) fn new(config: &Config, decks: Vec<::tractor::Deck>) -> Self {
        Self {
            tractor: tractor::TableOptions {
                pace: config.pace,
                key: config.shuffle_key.clone(),
                decks,
            },
        }
    }
}

/// Every hosted game.
pub(crate) fn hosted_games() -> impl Iterator<Item = &'static HostedGame> {
    HOSTED.into_iter()
}

/// The game of this name.
pub(crate) fn hosted(name: &str) -> Option<&'static HostedGame> {
    HOSTED.into_iter().find(|game| game.name == name)
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
    let game = match &*new_table.game {
        "" => Some(HOSTED[0]),
        name => hosted(name),
    };
    let game = game.ok_or_else(|| Refusal::NoSuchGame(new_table.game.clone()))?;
    (game.table_spec)(new_table, player, options)
}

/// A game as it is before its first event.
pub(crate) fn new_game(name: &str, setup: &Value, id: &TableId, options: &GameOptions) -> NewGame {
    let game = hosted(name).ok_or_else(|| Refusal::NoSuchGame(name.to_owned()))?;
    (game.open)(setup, id, options)
}
