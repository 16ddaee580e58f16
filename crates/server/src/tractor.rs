//! Tractor at a table of the server: four seats, hidden hands, a shuffle that can be checked.

mod bot;
mod call;
mod device;
mod engine;
mod event;
mod fields;
mod game;
pub(crate) mod home;
mod house_rules;
mod key;
mod lesson;
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
use convoy_protocol::{At, Error, ErrorCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tractor::{Deck, Level, Rules};

use crate::api;
use crate::app::App;
use crate::game::{HostedGame, NewTable, Number, Player, TableSpec};
use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;

use game::TractorGame;
pub use key::ShuffleKey;
pub use proof::{Outcome, Promise, Receipt, Verified, VerifyError, verify};
pub use shuffle::commit_hash;

/// What the rules refuse.
pub(crate) fn refused(error: &tractor::RoundError) -> Refusal {
    Refusal::Illegal(refusal_code::reason(error))
}

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

/// What a form or a call may say about a table of this game, beside what all games are told and the switches.
const FIELDS: [&str; 5] = ["rules", "preset", "seconds", "deal", "start_level"];

/// The table that `player` asks for.
fn table_spec(new_table: &NewTable, player: &Player) -> Result<TableSpec, Refusal> {
    let level = level(new_table.level)?;
    let others = match &*new_table.opponent {
        "" | "bot" => Occupant::Bot { level },
        "open" | "friend" => Occupant::Open,
        _ => return Err(Refusal::BadChoice(BadChoice::Opponent)),
    };
    let mut seats = vec![others; 4];
    seats[0] = Occupant::Human {
        player: player.id.clone(),
        name: player.name.clone(),
    };
    let (preset, rules) = house_rules(new_table)?;
    let setup = Setup {
        preset,
        rules: switches(&rules),
        level,
        welcome: matches!(&*new_table.opponent, "open" | "friend"),
        seconds: seconds(new_table)?,
        pace: Pace::CALM,
        levels: start_level(new_table)?,
        decks: Vec::new(),
        device: None,
    };
    Ok(TableSpec {
        game: NAME,
        setup: json!(setup),
        seats,
        public: new_table.opponent != "friend",
        previous: None,
    })
}

/// A preset by name, and over it the switches that the form or the call names.
fn house_rules(new_table: &NewTable) -> Result<(String, Rules), Refusal> {
    let rules = new_table.rest.get("rules");
    let object = rules.and_then(Value::as_object);
    let named = match rules {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(Value::Object(object)) => object.get("preset").and_then(Value::as_str),
        _ => new_table.rest.get("preset").and_then(Value::as_str),
    };
    let preset = named.filter(|name| !name.is_empty()).unwrap_or("default");
    let mut rules = Rules::preset(preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
    let inner = object.into_iter().flatten().map(|named| (named, "rules."));
    let outer = new_table.rest.iter().map(|named| (named, ""));
    for ((switch, value), way) in inner.chain(outer) {
        if Rules::switch(switch).is_none() {
            let known: &[&str] = if way.is_empty() { &FIELDS } else { &["preset"] };
            if known.contains(&switch.as_str()) {
                continue;
            }
            return Err(unknown_field(switch, known, way));
        }
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // An untouched field of the form says nothing: the preset decides.
        if text.is_empty() {
            continue;
        }
        let set = rules.set(switch, &text);
        set.map_err(|_| Refusal::BadChoice(BadChoice::Switch))?;
    }
    Ok((preset.to_owned(), rules))
}

/// For a field that is neither one of `known` nor a switch.
fn unknown_field(name: &str, known: &[&str], way: &str) -> Refusal {
    let switches = Rules::SWITCHES.iter().map(|switch| switch.name);
    let near = convoy_protocol::nearest(name, known.iter().copied().chain(switches));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    let message = format!("unknown field {name:?}{hint}");
    let field = format!("{way}{name}");
    let error = Error {
        at: Some(At::Field { field }),
        ..Error::new(ErrorCode::UnknownField, message)
    };
    error.into()
}

fn level(level: Option<Number>) -> Result<u8, Refusal> {
    let Number(level) = level.unwrap_or(Number(2.0));
    let known = LEVELS
        .into_iter()
        .find(|known| (f64::from(*known) - level).abs() < f64::EPSILON);
    known.ok_or(Refusal::BadChoice(BadChoice::CardLevel))
}

fn seconds(new_table: &NewTable) -> Result<Option<u64>, Refusal> {
    let bad = Refusal::BadChoice(BadChoice::Seconds);
    let text = match new_table.rest.get("seconds") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => other.to_string(),
    };
    match text.parse::<u64>() {
        Ok(0) => Ok(None),
        Ok(seconds @ 5..=600) => Ok(Some(seconds)),
        Err(_) if text.is_empty() => Ok(None),
        _ => Err(bad),
    }
}

/// Whether the cards are dealt fast. Where nothing is said, they are if no other person has to read them.
fn is_fast_deal(new_table: &NewTable) -> Result<bool, Refusal> {
    match new_table.rest.get("deal").map(Value::as_str) {
        None | Some(Some("")) => Ok(matches!(&*new_table.opponent, "" | "bot")),
        Some(Some("fast")) => Ok(true),
        Some(Some("normal")) => Ok(false),
        Some(_) => Err(Refusal::BadChoice(BadChoice::Deal)),
    }
}

/// The level that both teams begin with, where it is not 2.
fn start_level(new_table: &NewTable) -> Result<Option<[String; 2]>, Refusal> {
    let text = match new_table.rest.get("start_level") {
        Some(Value::String(text)) => text.trim(),
        None | Some(Value::Null) => "",
        Some(_) => return Err(Refusal::BadChoice(BadChoice::TeamLevel)),
    };
    if matches!(text, "" | "2") {
        return Ok(None);
    }
    let known = text
        .parse::<Level>()
        .ok()
        .filter(|level| *level != Level::NT);
    let known = known.ok_or(Refusal::BadChoice(BadChoice::TeamLevel))?;
    Ok(Some([known.to_string(), known.to_string()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PlayerId;

    fn player() -> Player {
        Player {
            id: PlayerId::random(),
            name: "Ann".to_owned(),
        }
    }

    fn new_table(value: Value) -> NewTable {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_request_becomes_a_table() {
        let new_table = new_table(json!({
            "game": "tractor", "level": 3, "rules": "shengji", "take_back": "true", "seconds": "30",
        }));
        let spec = table_spec(&new_table, &player()).unwrap();
        assert_eq!(spec.seats[3], Occupant::Bot { level: 3 });
        let setup: Setup = serde_json::from_value(spec.setup).unwrap();
        assert_eq!(setup.seconds, Some(30));
        let rules = setup.rules().unwrap();
        assert!(rules.take_back);
        assert_eq!(rules.throw_mode, Rules::SHENGJI.throw_mode);
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        let refused = |value| table_spec(&new_table(value), &player()).unwrap_err().code();
        assert_eq!(refused(json!({ "level": 5 })), "bad-choice");
        assert_eq!(refused(json!({ "rules": "poker" })), "bad-choice");
        assert_eq!(
            refused(json!({ "rules": { "take_back": "maybe" } })),
            "bad-choice"
        );
        assert_eq!(refused(json!({ "seconds": 3 })), "bad-choice");
    }

    #[test]
    fn a_deal_among_bots_is_fast_unless_it_is_said_otherwise() {
        let is_fast = |value| is_fast_deal(&new_table(value));
        for (value, fast) in [
            (json!({}), true),
            (json!({ "opponent": "bot", "deal": "" }), true),
            (json!({ "opponent": "bot", "deal": "normal" }), false),
            (json!({ "opponent": "friend" }), false),
            (json!({ "opponent": "open", "deal": "fast" }), true),
        ] {
            assert_eq!(is_fast(value.clone()).ok(), Some(fast), "{value}");
        }
        for value in [json!({ "deal": "warp" }), json!({ "deal": 3 })] {
            assert_eq!(is_fast(value).unwrap_err().code(), "bad-choice");
        }
        let options = TractorOptions::default();
        for (fast, deal) in [(true, 80), (false, 320)] {
            let mut spec = table_spec(&new_table(json!({})), &player()).unwrap();
            options.set(&mut spec, fast);
            assert_eq!(spec.setup["pace"]["deal"], deal);
            assert_eq!(spec.setup["pace"]["window"], Pace::CALM.window);
        }
    }

    #[test]
    fn no_request_chooses_a_deal() {
        for (wishes, field) in [
            (json!({ "decks": ["2S0"] }), "decks"),
            (json!({ "rules": { "decks": ["2S0"] } }), "rules.decks"),
            (json!({ "levels": ["A", "A"] }), "levels"),
            (json!({ "device": "x" }), "device"),
        ] {
            let refused = table_spec(&new_table(wishes), &player()).unwrap_err();
            assert_eq!(refused.code(), "unknown-field");
            assert_eq!(refused.json()["at"]["field"], field);
        }
    }

    #[test]
    fn a_misspelt_switch_is_not_ignored() {
        for wishes in [
            json!({ "take_bakc": "true" }),
            json!({ "rules": { "preset": "shengji", "take_bakc": true } }),
        ] {
            let refused = table_spec(&new_table(wishes), &player()).unwrap_err();
            assert!(
                refused.to_string().ends_with("did you mean \"take_back\"?"),
                "{refused}"
            );
        }
    }
}
