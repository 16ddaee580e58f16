//! What a worker is asked about this game: a position and how to think about it.

use std::time::Duration;

use cotulenh::{Position, VictoryRules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::analysis::{self, Analysis, LINES};
use super::engine::{self, Known, LONGEST, Search, Task, Told};
use super::{NAME, refusal_code};
use crate::game::{Action, EngineTask, Progress, Tell, TimeSlice};
use crate::refusal::Refusal;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Move {
        fen: String,
        /// The keys of the positions before it.
        history: Vec<u64>,
        /// The optional victories.
        rules: VictoryRules,
        level: u8,
        /// Milliseconds on the clock, and what a turn adds.
        clock: Option<(u64, u64)>,
    },
    Analysis {
        fen: String,
        lines: usize,
        ms: u64,
        depth: Option<u8>,
    },
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Reads what [`EngineTask::request`] has written.
pub(super) fn read(request: &Value) -> Result<Box<dyn EngineTask>, Refusal> {
    let request = Request::deserialize(request);
    let request = request.map_err(|error| Refusal::Malformed(error.to_string()))?;
    let position = |fen: String| fen.parse().map_err(|error| refusal_code::fen(&error));
    Ok(match request {
        Request::Move {
            fen,
            history,
            rules,
            level,
            clock,
        } => Box::new(Task {
            position: position(fen)?,
            history,
            rules,
            level,
            clock: clock.map(|(left, increment)| {
                (
                    Duration::from_millis(left),
                    Duration::from_millis(increment),
                )
            }),
            asked: Instant::now(),
            spent: Duration::ZERO,
        }),
        Request::Analysis {
            fen,
            lines,
            ms,
            depth,
        } => Box::new(Analysis {
            search: Search {
                position: position(fen)?,
                lines: lines.clamp(1, LINES),
                time: Duration::from_millis(ms).min(analysis::LONGEST),
                depth,
                known: Known::default(),
            },
        }),
    })
}

fn fen(position: &Position) -> String {
    position.to_string()
}

impl EngineTask for Task {
    fn game(&self) -> &'static str {
        NAME
    }

    fn request(&self) -> Value {
        let clock = |(left, increment): (Duration, Duration)| {
            let left = left.saturating_sub(self.asked.elapsed());
            (millis(left), millis(increment))
        };
        json!(Request::Move {
            fen: fen(&self.position),
            history: self.history.clone(),
            rules: self.rules,
            level: self.level,
            clock: self.clock.map(clock),
        })
    }

    fn budget(&self) -> Duration {
        self.clock.map_or(LONGEST, |(left, _)| left.min(LONGEST))
    }

    fn lose(&mut self, time: Duration) {
        // However late it is, half of the time remains to find a turn.
        self.spent = time.min(LONGEST / 2);
    }

    fn run(&mut self, slice: &TimeSlice<'_>, _: Tell<'_>) -> Progress<Option<Action>> {
        match self.search(slice) {
            Progress::Done(lan) => Progress::Done(lan.as_deref().map(engine::move_of)),
            Progress::Paused => Progress::Paused,
        }
    }
}

impl EngineTask for Analysis {
    fn game(&self) -> &'static str {
        NAME
    }

    fn request(&self) -> Value {
        json!(Request::Analysis {
            fen: fen(&self.search.position),
            lines: self.search.lines,
            ms: millis(self.search.time),
            depth: self.search.depth,
        })
    }

    fn budget(&self) -> Duration {
        self.search.time
    }

    fn run(&mut self, slice: &TimeSlice<'_>, tell: Tell<'_>) -> Progress<Option<Action>> {
        match self.search.analyse(slice, tell) {
            Progress::Done(()) => Progress::Done(None),
            Progress::Paused => Progress::Paused,
        }
    }

    fn may_tell(&self, told: &Value) -> bool {
        Told::deserialize(told).is_ok_and(|told| told.lines.len() <= self.search.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut position = Position::start();
        for text in ["Ic6", "Ic7"] {
            let actions = position.read(text).unwrap();
            for action in actions.iter() {
                position = position.play(*action).unwrap();
            }
        }
        let minute = Duration::from_mins(1);
        let task = Task {
            position: position.clone(),
            history: vec![u64::MAX, 1],
            rules: VictoryRules {
                air: true,
                ..VictoryRules::default()
            },
            level: 10,
            clock: Some((minute, Duration::from_secs(2))),
            asked: Instant::now(),
            spent: Duration::ZERO,
        };
        let request = task.request();
        assert_eq!(request["history"], json!([u64::MAX, 1]));
        let again = read(&request).unwrap().request();
        for field in ["kind", "fen", "history", "rules", "level"] {
            assert_eq!(again[field], request[field]);
        }
        assert_eq!(again["fen"], position.to_string());
        let analysis = Analysis::read(&json!({ "moves": ["Ic6"], "lines": 3, "ms": 500 })).unwrap();
        let request = EngineTask::request(&analysis);
        assert_eq!(read(&request).unwrap().request(), request);
        assert_eq!(
            (&request["lines"], &request["ms"]),
            (&json!(3), &json!(500))
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for request in [
            json!(null),
            json!({ "kind": "move" }),
            json!({ "kind": "analysis", "fen": "nowhere", "lines": 1, "ms": 1, "depth": null }),
            json!({ "kind": "analysis", "fen": "", "lines": 1, "ms": 1, "depth": null, "x": 1 }),
        ] {
            assert!(read(&request).is_err(), "{request}");
        }
    }

    #[test]
    fn a_worker_may_tell_lines_and_nothing_else() {
        let analysis = Analysis::read(&json!({ "lines": 1 })).unwrap();
        let line = json!({ "cp": 3, "mate": null, "san": ["Ic6"], "lan": ["Ic5-c6"] });
        let told = |lines: Value| json!({ "depth": 1, "nodes": 2, "ms": 3, "lines": lines });
        assert!(analysis.may_tell(&told(json!([line]))));
        assert!(!analysis.may_tell(&told(json!([line, line]))));
        let mut other = told(json!([line]));
        other["code"] = json!("bye");
        assert!(!analysis.may_tell(&other));
        assert!(!analysis.may_tell(&told(json!(["a line"]))));
    }
}
