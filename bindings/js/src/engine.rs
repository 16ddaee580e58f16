//! The player of Cờ Tư Lệnh. It runs in a worker: a search is one call, which reports while it lasts.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use cotulenh::{Game, Position};
use cotulenh_engine::{
    Clock, Engine, Limits, Net, Options, Report, Score, Search, SkillLevel, Timer, Turn,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boundary::{Failure, answer_bytes, answer_text, exports, put_json};
use crate::host;
use crate::saved_game;

thread_local! {
    static NET: RefCell<Option<Arc<Net>>> = const { RefCell::new(None) };
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// The host's clock.
#[derive(Debug)]
struct HostTimer;

impl Timer for HostTimer {
    fn now(&self) -> Duration {
        host::now()
    }
}

/// A search, as JavaScript asks for it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SearchRequest {
    /// A game as [`saved_game`] writes it.
    game: String,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Milliseconds.
    time: Option<f64>,
    clock: Option<ClockRequest>,
    level: u8,
    lines: usize,
    hash: usize,
    seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClockRequest {
    left: f64,
    #[serde(default)]
    increment: f64,
    turns_to_go: Option<u32>,
}

/// Longer than anybody waits: with a limit of time the host is asked for the time, and so may stop a search.
const ENDLESS: Duration = Duration::from_secs(1 << 32);

fn milliseconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time / 1000.0).unwrap_or(ENDLESS)
}

impl SearchRequest {
    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: Some(self.time.map_or(ENDLESS, milliseconds)),
            clock: self.clock.as_ref().map(|clock| Clock {
                left: milliseconds(clock.left),
                increment: milliseconds(clock.increment),
                turns_to_go: clock.turns_to_go,
            }),
        }
    }

    fn options(&self, game: &Game) -> Result<Options, Failure> {
        let level = SkillLevel::new(self.level);
        Ok(Options {
            level: level.ok_or_else(|| Failure::new("bad-argument", "a level is 1 to 10"))?,
            multi_pv: self.lines,
            hash_mib: self.hash,
            rules: game.rules(),
            seed: self.seed,
            ..Options::default()
        })
    }
}

/// A line of turns as JSON.
fn line(position: &Position, turns: &[Turn]) -> Value {
    let mut at = position.clone();
    let mut list = Vec::new();
    for turn in turns {
        let bits: Vec<u32> = turn.iter().map(|mv| mv.bits()).collect();
        list.push(json!({ "san": at.turn_san(turn), "lan": at.turn_lan(turn), "moves": bits }));
        match turn.play_from(&at) {
            Some(next) => at = next,
            None => break,
        }
    }
    Value::Array(list)
}

fn report(position: &Position, report: &Report) -> Value {
    let lines: Vec<Value> = report
        .lines
        .iter()
        .map(|found| {
            let (score, mate) = match found.score {
                Score::Centi(score) => (Some(score), None),
                Score::Mate(turns) => (None, Some(turns)),
            };
            json!({ "score": score, "mate": mate, "turns": line(position, &found.turns) })
        })
        .collect();
    json!({
        "depth": report.depth,
        "selectiveDepth": report.seldepth,
        "nodes": report.nodes,
        "hashFull": report.hashfull,
        "lines": lines,
    })
}

fn make(options: Options) -> Result<Engine, Failure> {
    let net = NET.with_borrow(Clone::clone);
    let net = net.ok_or_else(|| Failure::new("internal", "the network is not there yet"))?;
    let mut engine = Engine::with_net(options, net);
    engine.set_timer(Arc::new(HostTimer));
    Ok(engine)
}

exports! {
    /// Reads the network in the input.
    fn engine_network() -> i32 {
        answer_bytes(|bytes, _| {
            let net = Net::from_bytes(bytes);
            let net = net.map_err(|error| Failure::new("internal", &error.to_string()))?;
            NET.set(Some(Arc::new(net)));
            Ok(())
        })
    }

    /// Searches what the JSON in the input asks for; every iteration is reported to the host, and the last answered.
    fn engine_search() -> i32 {
        answer_text(|text, output| {
            let request: SearchRequest = convoy_protocol::read_json(text)?;
            let game = saved_game::read(&request.game)?;
            let options = request.options(&game)?;
            let mut engine = match ENGINE.take() {
                Some(mut engine) => {
                    engine.set_options(options);
                    engine
                }
                None => make(options)?,
            };
            let position = game.position();
            let search = Search::of_game(&game).limits(request.limits());
            let last = engine.analyse_here(&search, |found| {
                let mut text = Vec::new();
                if put_json(&report(position, found), &mut text).is_ok() {
                    host::report(&text);
                }
            });
            ENGINE.set(Some(engine));
            put_json(&report(position, &last), output)
        })
    }

    /// The static evaluation of the position of the FEN in the input, for the side to move.
    fn engine_evaluate() -> i32 {
        answer_text(|text, output| {
            let position: Position = text
                .parse()
                .map_err(|error| convoy_protocol::cotulenh::fen_error(&error))?;
            if position.deploy().is_some() {
                return Err(Failure::new("deploy-open", "positions between turns are evaluated"));
            }
            let net = NET.with_borrow(Clone::clone);
            let net = net.ok_or_else(|| Failure::new("internal", "the network is not there yet"))?;
            put_json(&net.evaluate(&position), output)
        })
    }

    /// Forgets all searches.
    fn engine_clear() -> i32 {
        ENGINE.with_borrow_mut(|engine| engine.as_mut().map(Engine::clear));
        0
    }
}
