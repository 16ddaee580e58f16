//! Tractor at a table of the server: four seats, hidden hands, a shuffle that can be checked.

mod bot;
mod call;
mod coach;
mod device;
mod engine;
mod event;
mod fields;
mod game;
mod home;
mod house_rules;
mod key;
mod lesson;
mod lesson_task;
mod new_table;
mod offline;
mod old_proof;
mod old_shuffle;
pub(crate) mod page;
mod picture;
mod proof;
mod puzzle;
mod question;
mod refusal_code;
mod replay;
mod review;
mod shuffle;
mod shuffling;
mod task;
mod timing;
mod view_fields;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use convoy_lessons::Course;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tractor::{Deck, Level, Rules};

use crate::api;
use crate::app::App;
use crate::game::{HostedGame, TableSpec};
use crate::refusal::{BadChoice, Refusal};

use game::TractorGame;
pub use key::ShuffleKey;
use new_table::{is_fast_deal, table_spec};
pub use proof::{Outcome, Promise, Receipt, Verified, VerifyError, verify};
pub use shuffle::commit_hash;

/// The name of the game in addresses and files.
pub(crate) const NAME: &str = "tractor";

/// The levels of the bots.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=4;

/// A fast deal is so many times as fast: two seconds, where people otherwise get eight to declare.
const FAST_DEAL: u64 = 4;

/// How fast things go at a table, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Between two times that each seat is dealt a card.
    pub deal: u64,
    /// How long the last window for declaring stays open.
    pub window: u64,
    /// How long a finished trick lies before a bot leads again.
    pub trick: u64,
    /// How long browsers may take to commit to what they add to the shuffle. Who is late is absent
    /// from it. Tables that were opened before browsers committed call this `shuffle`.
    #[serde(alias = "shuffle")]
    pub commit: u64,
    /// How long browsers may take to reveal it. Who is late voids the attempt and adds nothing for
    /// the rest of the match, so this leaves time for a page to be loaded again.
    #[serde(default = "calm_reveal")]
    pub reveal: u64,
    /// How long the others are waited for once somebody wants the next round.
    pub next: u64,
    /// How long somebody may be gone before a bot plays for them; the seat is given back on return.
    #[serde(default = "calm_patience")]
    pub patience: u64,
}

impl Pace {
    /// For people.
    pub const CALM: Self = Self {
        deal: 320,
        window: 8_000,
        trick: 1_300,
        commit: 5_000,
        reveal: 20_000,
        next: 10_000,
        patience: 20_000,
    };

    /// For programs: nothing is slowed down for the sake of eyes.
    pub const BRISK: Self = Self {
        deal: 0,
        trick: 0,
        ..Self::CALM
    };
}

/// What a table of this game is opened with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Setup {
    /// The preset that the house rules began from.
    preset: String,
    /// Every switch, by name.
    rules: BTreeMap<String, String>,
    /// The level of bots that fill seats and stand in.
    level: u8,
    /// Whether it was opened for people: they may take over what bots have filled.
    #[serde(default)]
    welcome: bool,
    /// Seconds for a turn; none for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
    #[serde(default = "calm")]
    pace: Pace,
    /// The levels of the teams at the beginning, where they are not 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<[String; 2]>,
    /// Deals that the library was told to use, for tests: 108 cards a round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decks: Vec<String>,
    /// The rounds that were played before the table was opened, on the device of a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device: Option<String>,
}

/// Every switch of house rules, by name.
fn switches(rules: &Rules) -> BTreeMap<String, String> {
    let all = Rules::SWITCHES.iter();
    all.map(|switch| (switch.name.to_owned(), switch.get(rules)))
        .collect()
}

const fn calm() -> Pace {
    Pace::CALM
}

/// Tables of earlier versions do not say it.
const fn calm_patience() -> u64 {
    Pace::CALM.patience
}

/// Tables of earlier versions do not say it.
const fn calm_reveal() -> u64 {
    Pace::CALM.reveal
}

impl Setup {
    fn rules(&self) -> Result<Rules, Refusal> {
        let mut rules = Rules::preset(&self.preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
        for (switch, value) in &self.rules {
            let set = rules.set(switch, value);
            set.map_err(|_| Refusal::BadChoice(BadChoice::Switch))?;
        }
        Ok(rules)
    }

    fn first(&self) -> Result<tractor::Setup, Refusal> {
        let mut first = tractor::Setup::first(self.rules()?);
        if let Some(levels) = &self.levels {
            let [a, b] = levels.each_ref().map(|text| text.parse::<Level>());
            let bad = |_| Refusal::BadChoice(BadChoice::TeamLevel);
            first.start.levels = [a.map_err(bad)?, b.map_err(bad)?];
        }
        Ok(first)
    }

    /// The deal that was chosen for a round, if one was.
    fn deck(&self, number: u32) -> Option<Deck> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        let cards = self.decks.get(place)?.split(' ').map(str::parse);
        Deck::new(&cards.collect::<Result<Vec<_>, _>>().ok()?)
    }
}

/// What the server needs to know of it.
pub(crate) const HOSTED: HostedGame = HostedGame {
    name: NAME,
    name_key: "game-tractor",
    colors: &[],
    sides: ["A", "B"],
    winner_words: |page, team, _| page.t1("tr-game-won", "team", team),
    counts_moves: false,
    table_spec: |new_table, player, options| {
        let mut spec = table_spec(new_table, player)?;
        options.tractor.set(&mut spec, is_fast_deal(new_table)?);
        Ok(spec)
    },
    open: |setup, id, options| {
        let game = TractorGame::new(setup, id, &options.tractor.shuffle_key)?;
        Ok(Box::new(game))
    },
    read_task: task::read,
    ops: convoy_protocol::tractor::Request::OPS,
    schemas: convoy_protocol::tractor::Request::schemas,
    check_cost: |_| Ok(()),
    table_page: page::table,
    clock_words: |page, view| {
        let seconds = view["seconds"].as_u64()?;
        Some(format!("{}: {seconds}", page.t("tr-home-seconds")))
    },
    live_picture: false,
    tagged_ending: None,
    tag_file: |_, _, text| text,
    home: home::parts,
    words: "tractor",
    offline: offline::parts,
    kept_pages: &["/offline/tractor"],
    tells_secret: Some(old_shuffle::tells_secret),
    course: Course::tractor,
    lesson_task: lesson_task::cards,
    course_end: Some(coach::COURSE_END),
    rules_page: page::rules,
    puzzles: puzzle::puzzles,
    reviews: review::REVIEWS,
    routes,
};

fn routes() -> Router<App> {
    let upload_limit = DefaultBodyLimit::max(device::MOST_BYTES);
    Router::new()
        .route(
            "/api/v1/device-games/tractor",
            post(device::upload).layer(upload_limit),
        )
        .route("/verify", get(page::verify))
        .route("/offline/tractor", get(page::local_table))
        .route(coach::COURSE_END.path, get(coach::page))
        .route("/api/v1/learn/tractor/round", post(coach::call))
        .route("/api/v1/tractor/judge", post(call::judge))
        .route("/api/v1/tractor/verify", post(call::verify))
        .route("/api/v1/tractor/{op}", api::ask(NAME))
}

/// What whoever builds the application has set for all tables of this game.
///
/// ```
/// use convoy_server::{Pace, TractorOptions};
///
/// assert_eq!(TractorOptions::default().pace, Pace::CALM);
/// ```
#[derive(Debug, Clone)]
pub struct TractorOptions {
    /// How fast things go.
    pub pace: Pace,
    /// Encrypts the secrets of running shuffles in the storage; read from a file of its own.
    pub shuffle_key: ShuffleKey,
    /// Decks that are dealt, one a round, before any is shuffled. For tests: such a round does not pass [`verify`], and
    /// nothing that a running program reads leads here.
    pub decks: Vec<Deck>,
}

impl Default for TractorOptions {
    fn default() -> Self {
        Self {
            pace: Pace::CALM,
            shuffle_key: ShuffleKey::random(),
            decks: Vec::new(),
        }
    }
}

impl TractorOptions {
    /// Writes pace and deals into a table that is about to be opened.
    fn set(&self, spec: &mut TableSpec, is_fast_deal: bool) {
        let mut pace = self.pace;
        if is_fast_deal {
            pace.deal /= FAST_DEAL;
        }
        spec.setup["pace"] = json!(pace);
        if !self.decks.is_empty() {
            let text = |deck: &Deck| -> String {
                let cards: Vec<String> = deck.cards().iter().map(ToString::to_string).collect();
                cards.join(" ")
            };
            spec.setup["decks"] = json!(self.decks.iter().map(text).collect::<Vec<_>>());
        }
    }
}
