//! Cờ Tư Lệnh at a table of the server.

mod analysis;
mod analysis_socket;
mod bot;
mod call;
mod clock;
mod device;
pub(crate) mod draw;
mod embed;
mod engine;
mod event;
mod export;
mod fair_play;
mod game;
mod home;
pub(crate) mod lesson;
mod lesson_task;
mod offline;
pub(crate) mod page;
mod puzzle;
pub(crate) mod refusal_code;
mod review;
mod saved;
mod task;
mod turn;
mod view;

use axum::Router;
use axum::routing::{get, post};
use convoy_lessons::Course;
use convoy_protocol::cotulenh::{Victory, victory_rules};
use cotulenh::{Position, VictoryRules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::App;
use crate::game::{HostedGame, NewTable, Number, Player, TableSpec};
use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;
use crate::{api, id};

pub use clock::TimeControl;
use device::DeviceGame;
use game::CotulenhGame;

/// The name of the game in addresses and files.
pub(crate) const NAME: &str = "cotulenh";

/// What a table of this game is opened with.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Setup {
    /// The position to begin from; none for the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<TimeControl>,
    /// Ways to win beside the commander's (Rule 9.7).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    victories: Vec<Victory>,
    /// What was played before the table was opened, on the device of a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device: Option<DeviceGame>,
}

impl Setup {
    fn rules(&self) -> VictoryRules {
        victory_rules(&self.victories)
    }

    fn position(&self) -> Result<Position, Refusal> {
        self.fen
            .as_deref()
            .map_or_else(|| Ok(Position::start()), position)
    }
}

/// A position between turns from its FEN.
fn position(fen: &str) -> Result<Position, Refusal> {
    let position: Position = fen
        .trim()
        .parse()
        .map_err(|error| refusal_code::fen(&error))?;
    if position.deploy().is_some() {
        let text = "a game begins between turns";
        return Err(refusal_code::position("between-turns", text));
    }
    Ok(position)
}

/// The levels of the bots.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=10;

/// What the server needs to know of it.
pub(crate) const HOSTED: HostedGame = HostedGame {
    name: NAME,
    name_key: "game-cotulenh",
    colors: &["r", "b"],
    sides: ["r", "b"],
    winner_words: |page, side, how| {
        let side = page.t(&format!("side-{side}"));
        page.t1("wins", "side", side) + &page.t("space") + how
    },
    counts_moves: true,
    table_spec: |new_table, player, _| table_spec(new_table, player),
    open: |setup, _, _| Ok(Box::new(CotulenhGame::new(setup)?)),
    read_task: task::read,
    ops: convoy_protocol::cotulenh::Request::OPS,
    schemas: convoy_protocol::cotulenh::Request::schemas,
    check_cost: call::check_cost,
    table_page: page::table,
    clock_words: |_, view| {
        let control = TimeControl::deserialize(&view["clock"]).ok()?;
        Some(control.to_string())
    },
    live_picture: true,
    tagged_ending: Some("pgn"),
    tag_file: export::tagged,
    home: home::parts,
    words: "",
    offline: offline::parts,
    kept_pages: &["/offline/game", "/offline/review", "/analysis", "/editor"],
    tells_secret: None,
    course: Course::cotulenh,
    lesson_task: lesson_task::board,
    course_end: None,
    rules_page: lesson::rules,
    puzzles: puzzle::puzzles,
    reviews: review::REVIEWS,
    routes,
};

fn routes() -> Router<App> {
    Router::new()
        .route("/analysis", get(page::analysis))
        .route("/analysis/{analysis}", get(page::saved_analysis))
        .route("/api/v1/analyses", get(saved::list).post(saved::add))
        .route(
            "/api/v1/analyses/{analysis}",
            get(saved::get).post(saved::change),
        )
        .route("/api/v1/analyses/{analysis}/delete", post(saved::delete))
        .route("/api/v1/device-games", post(device::upload))
        .route("/editor", get(page::editor))
        .route("/offline/game", get(offline::game))
        .route("/offline/review", get(offline::review))
        .route("/embed/position", get(embed::position))
        .route("/embed/game/{id}", get(embed::game))
        .route("/api/v1/cotulenh/board.svg", get(call::board))
        .route("/api/v1/cotulenh/stacks.svg", get(call::stacks))
        .route("/api/v1/cotulenh/{op}", api::ask(NAME))
        .route("/api/v1/analysis/permission", post(call::permit_analysis))
        .route("/ws/analysis", get(analysis_socket::analysis))
}

/// What this game asks for beside what every game does.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wishes {
    /// `r`, `b` or `random`.
    color: String,
    /// Minutes on the clock; none or zero for no clock.
    minutes: Option<Number>,
    /// Seconds that each turn adds.
    increment: Option<Number>,
    /// The position to begin from.
    fen: String,
    /// Ways to win beside the commander's.
    victories: Value,
}

/// The table that `player` asks for.
fn table_spec(new_table: &NewTable, player: &Player) -> Result<TableSpec, Refusal> {
    let wishes: Wishes = new_table.wishes()?;
    let own = match &*wishes.color {
        "r" => 0,
        "b" => 1,
        "" | "random" => usize::from(id::random::<1>()[0] & 1),
        _ => return Err(Refusal::BadChoice(BadChoice::Color)),
    };
    let other = match &*new_table.opponent {
        "" | "bot" => Occupant::Bot {
            level: level(new_table.level)?,
        },
        "open" | "friend" => Occupant::Open,
        _ => return Err(Refusal::BadChoice(BadChoice::Opponent)),
    };
    let setup = Setup {
        fen: match wishes.fen.trim() {
            "" => None,
            fen => Some(playable(fen)?),
        },
        clock: clock(&wishes)?,
        victories: victories(wishes.victories)?,
        device: None,
    };
    let mut seats = vec![other; 2];
    seats[own] = Occupant::Human {
        player: player.id.clone(),
        name: player.name.clone(),
    };
    Ok(TableSpec {
        game: NAME,
        setup: json!(setup),
        seats,
        public: new_table.opponent != "friend",
        previous: None,
    })
}

/// The canonical FEN of a position in which somebody can move.
fn playable(fen: &str) -> Result<String, Refusal> {
    let position = position(fen)?;
    match position.outcome() {
        Some(_) => Err(refusal_code::position(
            "over",
            "the game is over in this position",
        )),
        None => Ok(position.to_string()),
    }
}

/// The optional victories: a list of their names from a program, names with blanks between them from a form.
fn victories(choice: Value) -> Result<Vec<Victory>, Refusal> {
    let names = match choice {
        Value::Null => return Ok(Vec::new()),
        Value::String(text) => json!(text.split_whitespace().collect::<Vec<_>>()),
        list => list,
    };
    serde_json::from_value(names).map_err(|_| Refusal::BadChoice(BadChoice::Victories))
}

fn level(level: Option<Number>) -> Result<u8, Refusal> {
    let Number(level) = level.unwrap_or(Number(3.0));
    // Text and number alike: what is written as a level, to the digit.
    let known = LEVELS
        .into_iter()
        .find(|known| known.to_string() == level.to_string());
    known.ok_or(Refusal::BadChoice(BadChoice::Level))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn clock(wishes: &Wishes) -> Result<Option<TimeControl>, Refusal> {
    let [minutes, seconds] =
        [wishes.minutes, wishes.increment].map(|n| n.map_or(0.0, |Number(n)| n));
    if !(0.0..=180.0).contains(&minutes) || !(0.0..=180.0).contains(&seconds) {
        return Err(Refusal::BadChoice(BadChoice::Clock));
    }
    let control = TimeControl {
        initial: (minutes * 60_000.0).round() as u64,
        increment: (seconds * 1000.0).round() as u64,
    };
    // Without time to begin with there is no clock, whatever each turn would add.
    Ok((control.initial > 0).then_some(control))
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

    fn spec_of(wishes: Value) -> Result<TableSpec, Refusal> {
        table_spec(&serde_json::from_value(wishes).unwrap(), &player())
    }

    #[test]
    fn a_request_becomes_a_table() {
        let wishes = json!({ "opponent": "bot", "level": 7, "color": "b", "minutes": "0.5", "increment": 2 });
        let spec = spec_of(wishes).unwrap();
        assert_eq!(spec.seats[0], Occupant::Bot { level: 7 });
        assert_eq!(spec.setup["clock"]["initial"], 30_000);
        assert!(spec.public);
    }

    #[test]
    fn an_increment_alone_is_no_clock() {
        let spec = spec_of(json!({ "minutes": 0, "increment": 5 })).unwrap();
        assert_eq!(spec.setup["clock"], Value::Null);
    }

    #[test]
    fn optional_victories_come_from_programs_and_forms() {
        let of = |victories: Value| spec_of(json!({ "victories": victories }));
        for victories in [json!(["marine", "land"]), json!("marine land")] {
            let spec = of(victories).unwrap();
            assert_eq!(spec.setup["victories"], json!(["marine", "land"]));
            let game = CotulenhGame::new(&spec.setup).unwrap();
            let rules = game.game.rules();
            assert_eq!((rules.marine, rules.air, rules.land), (true, false, true));
        }
        assert_eq!(of(json!("")).unwrap().setup.get("victories"), None);
        for victories in [json!("naval"), json!(["marine", 3]), json!(7)] {
            assert_eq!(of(victories).unwrap_err().code(), "bad-choice");
        }
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        for (wishes, code) in [
            (json!({ "level": 0 }), "bad-choice"),
            (json!({ "level": 2.5 }), "bad-choice"),
            (json!({ "color": "green" }), "bad-choice"),
            (json!({ "opponent": "dog" }), "bad-choice"),
            (json!({ "minutes": -1 }), "bad-choice"),
            (json!({ "minutes": "soon" }), "malformed"),
            (json!({ "fen": "nonsense" }), "bad-fen"),
            (json!({ "colour": "r" }), "unknown-field"),
        ] {
            assert_eq!(
                spec_of(wishes.clone()).unwrap_err().code(),
                code,
                "{wishes}"
            );
        }
    }
}
