//! The player behind the bots and the analysis: the one place that knows the engine.

use std::time::Duration;

use cotulenh::{Color, Position, VictoryRules};
use cotulenh_engine::{Clock, Engine, Limits, Line, Options, Report, Score, SkillLevel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::game::{Action, Progress, Stop, TimeSlice};
use crate::id;

/// The longest that a bot thinks about one turn.
pub(super) const LONGEST: Duration = Duration::from_secs(3);
/// A bot that is behind by so much, in hundredths of an infantry, takes a draw.
const LOST: i32 = -400;

/// The table of the strongest bots and of analyses, in MiB.
const HASH_MIB: usize = 32;

/// What a bot knows when it is to move.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) position: Position,
    /// The keys of the positions before it.
    pub(super) history: Vec<u64>,
    /// The optional victories of the game.
    pub(super) rules: VictoryRules,
    pub(super) level: u8,
    /// What was left on the clock when it was asked, and what a turn adds.
    pub(super) clock: Option<(Duration, Duration)>,
    pub(super) asked: Instant,
    /// How long it has thought.
    pub(super) spent: Duration,
}

impl Task {
    fn strength(&self) -> SkillLevel {
        SkillLevel::new(self.level).unwrap_or(SkillLevel::MAX)
    }

    /// Whether the level looks at a few thousand positions at most.
    pub(super) fn is_short(&self) -> bool {
        self.strength() != SkillLevel::MAX
    }

    fn limits(&self) -> Limits {
        let clock = self.clock.map(|(left, increment)| Clock {
            left: left.saturating_sub(self.asked.elapsed()),
            increment,
            turns_to_go: None,
        });
        Limits {
            time: Some(LONGEST.saturating_sub(self.spent)),
            clock,
            ..Limits::default()
        }
    }

    fn options(&self) -> Options {
        Options {
            hash_mib: if self.is_short() { 1 } else { HASH_MIB },
            level: self.strength(),
            contempt: Options::CONTEMPT,
            rules: self.rules,
            seed: u64::from_le_bytes(id::random()),
            ..Options::default()
        }
    }

    /// A turn for the side to move, in LAN; `None` where there is none.
    pub(super) fn choose(&self, stop: &Stop) -> Option<String> {
        self.think(&mut Engine::new(self.options()), stop)
    }

    fn think(&self, engine: &mut Engine, stop: &Stop) -> Option<String> {
        let position = &self.position;
        let search = cotulenh_engine::Search::new(position)
            .history(&self.history)
            .limits(self.limits())
            .stop(stop.flag());
        let report = engine.analyse(&search, |_| {});
        let turn = report
            .best()
            .filter(|turn| turn.play_from(position).is_some())?;
        Some(position.turn_lan(turn))
    }

    /// The same with an engine that is kept, from one slice to the next and from move to move.
    pub(super) fn search(&mut self, slice: &TimeSlice<'_>) -> Progress<Option<String>> {
        let begun = Instant::now();
        let options = self.options();
        let mut engine = slice.take().unwrap_or_else(|| Engine::new(options));
        let turn = self.think(&mut engine, slice.stop());
        slice.keep(engine);
        self.spent += begun.elapsed();
        if slice.stop().is_paused() && self.spent < LONGEST {
            return Progress::Paused;
        }
        Progress::Done(turn)
    }
}

/// A bot's turn, as the table takes it.
pub(super) fn move_of(lan: &str) -> Action {
    Action::new("move", json!({ "move": lan }))
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

/// What to look for, for how long, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Search {
    pub(super) position: Position,
    pub(super) lines: usize,
    pub(super) time: Duration,
    pub(super) depth: Option<u8>,
    pub(super) known: Known,
}

/// What earlier slices of an analysis have come to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    spent: Duration,
    nodes: u64,
    depth: u32,
}

impl Search {
    /// Tells better and better lines, until it is told to pause or to stop.
    pub(super) fn analyse(
        &mut self,
        slice: &TimeSlice<'_>,
        tell: &mut (dyn FnMut(Value) + Send),
    ) -> Progress<()> {
        let options = Options {
            hash_mib: HASH_MIB,
            multi_pv: self.lines,
            ..Options::default()
        };
        let mut engine: Engine = slice.take().unwrap_or_else(|| Engine::new(options));
        engine.set_options(options);
        let limits = Limits {
            time: Some(self.time.saturating_sub(self.known.spent)),
            depth: self.depth.map(u32::from),
            ..Limits::default()
        };
        let (position, before) = (&self.position, self.known);
        let mut depth = before.depth;
        let total = |mut report: Report| {
            report.nodes += before.nodes;
            report.time += before.spent;
            report
        };
        let begun = Instant::now();
        let asked = cotulenh_engine::Search::new(position)
            .limits(limits)
            .stop(slice.stop().flag());
        let last = engine.analyse(&asked, |report| {
            // A later slice walks through the depths that are known once more, from memory.
            if report.depth > depth {
                depth = report.depth;
                tell(report_json(position, &total(report.clone())));
            }
        });
        slice.keep(engine);
        self.known = Known {
            spent: before.spent + begun.elapsed(),
            nodes: before.nodes + last.nodes,
            depth,
        };
        if slice.stop().is_paused() && self.known.spent < self.time {
            return Progress::Paused;
        }
        // On a busy machine the time may be over before the first depth is: even then say something.
        if depth == 0 {
            tell(report_json(&self.position, &total(last)));
        }
        Progress::Done(())
    }
}

/// What an analysis tells.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    depth: u32,
    nodes: u64,
    ms: u64,
    pub(super) lines: Vec<ToldLine>,
}

/// One line, with its score as red sees it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToldLine {
    cp: Option<i32>,
    mate: Option<i32>,
    san: Vec<String>,
    lan: Vec<String>,
}

fn report_json(position: &Position, report: &Report) -> Value {
    let lines = report.lines.iter().map(|line| told_line(position, line));
    let told = Told {
        depth: report.depth,
        nodes: report.nodes,
        ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        lines: lines.collect(),
    };
    json!(told)
}

fn told_line(position: &Position, line: &Line) -> ToldLine {
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
    ToldLine {
        cp,
        mate,
        san: sans,
        lan: lans,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Cache;

    fn task(level: u8, clock: Option<Duration>) -> Task {
        Task {
            position: Position::start(),
            history: Vec::new(),
            rules: VictoryRules::default(),
            level,
            clock: clock.map(|left| (left, Duration::ZERO)),
            asked: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    #[test]
    fn a_bot_wins_by_an_optional_victory() {
        let fen = "5c5/11/11/11/5f5/11/5T5/11/11/11/11/4C6 r - - 0 1";
        let task = Task {
            position: fen.parse().unwrap(),
            rules: VictoryRules {
                air: true,
                ..VictoryRules::default()
            },
            ..task(10, None)
        };
        let report = Engine::new(task.options()).analyse(
            &cotulenh_engine::Search::new(&task.position).limits(Limits::nodes(2_000)),
            |_| {},
        );
        assert_eq!(report.score(), Some(Score::Mate(1)));
    }

    #[test]
    fn every_level_answers_with_a_legal_turn() {
        for level in 1..=10 {
            let task = task(level, Some(Duration::from_millis(500)));
            let lan = task.choose(&Stop::default()).unwrap();
            assert!(task.position.read(&lan).is_ok(), "{level}: {lan}");
        }
    }

    #[test]
    fn a_stopped_bot_still_has_a_turn_and_a_finished_game_has_none() {
        let stop = Stop::default();
        stop.stop();
        let mut task = task(10, None);
        assert!(task.choose(&stop).is_some());
        let over = "6c4/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1";
        task.position = over.parse().unwrap();
        assert_eq!(task.choose(&stop), None);
    }

    #[test]
    fn a_paused_bot_goes_on_with_its_engine_and_keeps_it_for_its_next_move() {
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "a table");
        let mut task = task(10, Some(Duration::from_secs(1)));
        stop.pause();
        assert_eq!(task.search(&slice), Progress::Paused);
        stop.resume();
        assert!(matches!(task.search(&slice), Progress::Done(Some(_))));
        assert!(cache.take::<Engine>("a table").is_some());
    }

    #[test]
    fn the_next_move_takes_the_engine_of_the_last_one() {
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "a table");
        let mut task = task(1, None);
        // No new engine would have a table of this size.
        slice.keep(Engine::new(Options {
            hash_mib: 3,
            ..task.options()
        }));
        assert!(matches!(task.search(&slice), Progress::Done(Some(_))));
        let kept: Engine = slice.take().unwrap();
        assert_eq!(kept.options().hash_mib, 3);
    }

    /// How much of a clock a move is worth is for the engine to say.
    #[tokio::test(start_paused = true)]
    async fn the_engine_is_told_the_clock() {
        let mut task = task(10, Some(Duration::from_mins(1)));
        task.spent = Duration::from_secs(1);
        tokio::time::advance(Duration::from_secs(2)).await;
        let clock = Clock {
            left: Duration::from_secs(58),
            increment: Duration::ZERO,
            turns_to_go: None,
        };
        let wanted = Limits {
            time: Some(Duration::from_secs(2)),
            clock: Some(clock),
            ..Limits::default()
        };
        assert_eq!(task.limits(), wanted);
    }

    #[test]
    fn a_paused_analysis_tells_no_depth_twice() {
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "a socket");
        let mut search = Search {
            position: Position::start(),
            lines: 1,
            time: Duration::from_secs(20),
            depth: Some(4),
            known: Known::default(),
        };
        let mut depths = Vec::new();
        let mut tell = |d: Value| {
            depths.push(d["depth"].as_u64().unwrap());
            if depths.len() == 2 {
                stop.pause();
            }
        };
        assert_eq!(search.analyse(&slice, &mut tell), Progress::Paused);
        stop.resume();
        assert_eq!(search.analyse(&slice, &mut tell), Progress::Done(()));
        assert_eq!(depths, [1, 2, 3, 4]);
    }

    #[test]
    fn scores_are_told_as_red_sees_them() {
        let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 b - - 0 1";
        let mut search = Search {
            position: fen.parse().unwrap(),
            lines: 2,
            // The depth ends it.
            time: Duration::from_hours(1),
            depth: Some(2),
            known: Known::default(),
        };
        let mut last = Value::Null;
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "");
        assert_eq!(
            search.analyse(&slice, &mut |d| last = d),
            Progress::Done(())
        );
        assert!(last["lines"][0]["cp"].as_i64().unwrap() > 0, "{last}");
        assert_eq!(last["lines"].as_array().unwrap().len(), 2);
        assert!(takes_draw(&search.position, Color::Blue));
        assert!(!takes_draw(&search.position, Color::Red));
    }
}
