//! The player behind the bots and the analysis: the one place that knows the engine.

use std::time::Duration;

use cotulenh::{Color, Position};
use cotulenh_engine::{Clock, Engine, Level, Limits, Line, Options, Report, Score};
use serde_json::{Value, json};

use crate::id;
use crate::table::Stop;

/// The longest that a bot thinks about one turn.
const LONGEST: Duration = Duration::from_secs(3);
/// A bot that is behind by so much, in hundredths of an infantry, takes a draw.
const LOST: i32 = -400;

/// What a bot knows when it is to move.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) position: Position,
    /// The keys of the positions before it.
    pub(super) history: Vec<u64>,
    pub(super) level: u8,
    /// What is left on the clock, and what a turn adds.
    pub(super) clock: Option<(Duration, Duration)>,
}

/// A turn for the side to move, in LAN; `None` where there is none.
pub(super) fn choose(task: &Task, stop: &Stop) -> Option<String> {
    let level = Level::new(task.level).unwrap_or(Level::MAX);
    let mut engine = Engine::new(Options {
        // The weaker levels look at a few thousand positions and need hardly any memory.
        hash_mib: if level == Level::MAX { 32 } else { 1 },
        level,
        contempt: Options::CONTEMPT,
        seed: u64::from_le_bytes(id::random()),
        ..Options::default()
    });
    let clock = |(left, increment): (Duration, Duration)| Clock {
        left,
        increment,
        turns_to_go: None,
    };
    let limits = Limits {
        time: Some(LONGEST),
        clock: task.clock.map(clock),
        ..Limits::default()
    };
    let search = cotulenh_engine::Search::new(&task.position)
        .history(&task.history)
        .limits(limits)
        .stop(stop.flag());
    let report = engine.analyse(&search, |_| {});
    let turn = report
        .best()
        .filter(|turn| turn.play_from(&task.position).is_some())?;
    Some(task.position.turn_lan(turn))
}

/// Whether a bot of this colour would rather have a draw.
pub(super) fn takes_draw(position: &Position, color: Color) -> bool {
    let engine = Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    let worth = engine.evaluate(position);
    let own = if position.turn() == color {
        worth
    } else {
        -worth
    };
    own <= LOST
}

/// What to look for, and for how long.
#[derive(Debug, Clone)]
pub(super) struct Search {
    pub(super) position: Position,
    pub(super) lines: usize,
    pub(super) time: Duration,
    pub(super) depth: Option<u8>,
}

/// Tells better and better lines, until it is told to stop.
pub(super) fn analyse(search: &Search, stop: &Stop, tell: &mut (dyn FnMut(Value) + Send)) {
    let mut engine = Engine::new(Options {
        hash_mib: 32,
        multi_pv: search.lines,
        ..Options::default()
    });
    let limits = Limits {
        time: Some(search.time),
        depth: search.depth.map(u32::from),
        ..Limits::default()
    };
    let position = &search.position;
    let mut told = false;
    let asked = cotulenh_engine::Search::new(position)
        .limits(limits)
        .stop(stop.flag());
    let last = engine.analyse(&asked, |report| {
        told = true;
        tell(report_json(position, report));
    });
    // On a busy machine the time may be over before the first depth is: even then say something.
    if !told {
        tell(report_json(position, &last));
    }
}

fn report_json(position: &Position, report: &Report) -> Value {
    let lines: Vec<Value> = report
        .lines
        .iter()
        .map(|line| line_json(position, line))
        .collect();
    json!({
        "depth": report.depth,
        "nodes": report.nodes,
        "ms": u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        "lines": lines,
    })
}

/// One line, with its score as red sees it.
fn line_json(position: &Position, line: &Line) -> Value {
    let sign = if position.turn() == Color::Red { 1 } else { -1 };
    let (cp, mate) = match line.score {
        Score::Centi(worth) => (Some(sign * worth), None),
        Score::Mate(turns) => (None, Some(sign * turns)),
    };
    let mut now = position.clone();
    let (mut sans, mut lans) = (Vec::new(), Vec::new());
    for turn in &line.turns {
        let Some(after) = turn.play_from(&now) else {
            break;
        };
        sans.push(now.turn_san(turn));
        lans.push(now.turn_lan(turn));
        now = after;
    }
    json!({ "cp": cp, "mate": mate, "san": sans, "lan": lans })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_answers_with_a_legal_turn() {
        for level in 1..=10 {
            let position = Position::start();
            let task = Task {
                position: position.clone(),
                history: Vec::new(),
                level,
                clock: Some((Duration::from_millis(500), Duration::ZERO)),
            };
            let lan = choose(&task, &Stop::default()).unwrap();
            assert!(position.read(&lan).is_ok(), "{level}: {lan}");
        }
    }

    #[test]
    fn a_stopped_bot_still_has_a_turn_and_a_finished_game_has_none() {
        let stop = Stop::default();
        stop.stop();
        let mut task = Task {
            position: Position::start(),
            history: Vec::new(),
            level: 10,
            clock: None,
        };
        assert!(choose(&task, &stop).is_some());
        let over = "6c4/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1";
        task.position = over.parse().unwrap();
        assert_eq!(choose(&task, &stop), None);
    }

    #[test]
    fn scores_are_told_as_red_sees_them() {
        let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 b - - 0 1";
        let search = Search {
            position: fen.parse().unwrap(),
            lines: 2,
            // The depth ends it.
            time: Duration::from_hours(1),
            depth: Some(2),
        };
        let mut last = Value::Null;
        analyse(&search, &Stop::default(), &mut |d| last = d);
        assert!(last["lines"][0]["cp"].as_i64().unwrap() > 0, "{last}");
        assert_eq!(last["lines"].as_array().unwrap().len(), 2);
        assert!(takes_draw(&search.position, Color::Blue));
        assert!(!takes_draw(&search.position, Color::Red));
    }
}
