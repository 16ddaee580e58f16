//! What a search says of a position: whether one turn stands out, and how hard it is to find.

use std::sync::atomic::{AtomicBool, Ordering};

use convoy_puzzles::board::{Evaluation, Puzzle, Source, Step, after, is_mated, themes};
use cotulenh::{Position, TurnMoves};
use cotulenh_engine::{Engine, Limits, Line, Options, Report, Score, Search, Turn};

/// Nodes of the searches that say what is worth a longer one, each of two lines.
pub(super) const SIEVE: u64 = 25_000;
const SECOND_SIEVE: u64 = 150_000;
/// Nodes of the search that verifies the first turn against the second best.
pub(super) const VERIFY: u64 = 1_000_000;
/// Nodes of the searches that verify the later turns of a line.
pub(super) const GO_ON: u64 = 120_000;
/// Nodes within which a search must find the turn, or else it counts as having taken so many.
pub(super) const FIND: u64 = 100_000;
/// By how much the first turn must be better than any other, in hundredths of an infantry.
pub(super) const MARGIN: i32 = 200;
/// The same for later turns.
pub(super) const LATER_MARGIN: i32 = 150;
/// What the second best first turn, or later turn, may be worth at most.
const WON: i32 = 500;
const LATER_WON: i32 = 1_000;
/// Turns of the solver in a line at most.
const LONGEST: usize = 4;

/// Turns of a mate that is proven instead, in a position full of pieces.
pub(super) const PROVABLE: i32 = 3;

/// Engines for the judgements of one thread.
pub(super) struct Judge<'a> {
    /// Two lines, for short searches.
    quick: Engine,
    /// Two lines.
    deep: Engine,
    /// One line.
    single: Engine,
    stop: &'a AtomicBool,
}

impl<'a> Judge<'a> {
    pub(super) fn new(stop: &'a AtomicBool) -> Self {
        let engine = |hash_mib, multi_pv| {
            Engine::new(Options {
                hash_mib,
                multi_pv,
                ..Options::default()
            })
        };
        Self {
            quick: engine(2, 2),
            deep: engine(16, 2),
            single: engine(4, 1),
            stop,
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The two best lines by a search that nothing before has touched; `None` if it was stopped.
    pub(super) fn two_lines(&mut self, position: &Position, nodes: u64) -> Option<Report> {
        let engine = if nodes < SECOND_SIEVE {
            &mut self.quick
        } else {
            &mut self.deep
        };
        engine.clear();
        let search = Search::new(position)
            .limits(Limits::nodes(nodes))
            .stop(self.stop);
        let report = engine.analyse_here(&search, |_| {});
        (!self.is_stopped()).then_some(report)
    }

    /// The best of some turns by a short search.
    pub(super) fn best_of(&mut self, position: &Position, turns: Vec<Turn>) -> Option<Turn> {
        self.single.clear();
        let search = Search::new(position)
            .limits(Limits::nodes(SIEVE))
            .root_turns(turns)
            .stop(self.stop);
        let report = self.single.analyse_here(&search, |_| {});
        report.best().filter(|_| !self.is_stopped()).cloned()
    }

    /// Whether a search of one line and so many nodes chooses one of these turns.
    pub(super) fn finds(&mut self, position: &Position, turns: &[TurnMoves], nodes: u64) -> bool {
        self.single.clear();
        let search = Search::new(position)
            .limits(Limits::nodes(nodes))
            .stop(self.stop);
        let report = self.single.analyse_here(&search, |_| {});
        let best = report.best().and_then(|turn| turn.play_from(position));
        best.is_some() && turns.iter().any(|turn| after(position, turn) == best)
    }

    /// How many nodes a search takes to find one of these turns and to keep it to its end.
    pub(super) fn nodes_to_find(&mut self, position: &Position, turns: &[Turn]) -> Option<u64> {
        let results: Vec<_> = turns
            .iter()
            .filter_map(|turn| turn.play_from(position))
            .collect();
        self.single.clear();
        let search = Search::new(position)
            .limits(Limits::nodes(FIND))
            .stop(self.stop);
        let mut found = None;
        let mut look = |report: &Report| {
            let best = report.best().and_then(|turn| turn.play_from(position));
            if best.is_some_and(|next| results.contains(&next)) {
                found = found.or(Some(report.nodes));
            } else {
                found = None;
            }
        };
        let last = self.single.analyse(&search, &mut look);
        look(&last);
        (!self.is_stopped()).then(|| found.unwrap_or(FIND).max(1))
    }

    /// The puzzle of a position of a game if the turn stands out in every search.
    pub(super) fn puzzle(
        &mut self,
        position: &Position,
        turn: &Turn,
        nodes: u64,
    ) -> Option<Puzzle> {
        let expected = turn.play_from(position)?;
        let holds = |report: &Report| {
            let best = report.best().and_then(|turn| turn.play_from(position));
            best.as_ref() == Some(&expected) && stands_out(report, MARGIN) && !is_short_mate(report)
        };
        if !holds(&self.two_lines(position, SECOND_SIEVE)?) {
            return None;
        }
        let report = self.two_lines(position, VERIFY)?;
        let [first, second, ..] = &report.lines[..] else {
            return None;
        };
        if !holds(&report) {
            return None;
        }
        let steps = self.line(position, first)?;
        Some(Puzzle {
            source: Source::Game,
            themes: themes(position, &steps),
            steps,
            position: position.clone(),
            best: evaluation(first.score),
            second: Some(evaluation(second.score)),
            nodes,
        })
    }

    /// The line from a verified first turn on, as long as one turn stands out.
    fn line(&mut self, position: &Position, line: &Line) -> Option<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        let mut at = position.clone();
        let mut line = line.clone();
        loop {
            let turn = line.turns.first()?;
            let next = turn.play_from(&at)?;
            if is_mated(&next) {
                // A mate that nobody has proven to be the fastest is not shown as one.
                break;
            }
            steps.push(Step {
                turns: vec![at.read(&at.turn_lan(turn)).ok()?],
                reply: None,
            });
            if steps.len() == LONGEST || next.outcome().is_some() {
                break;
            }
            let reply = match line.turns.get(1) {
                Some(reply) => reply.clone(),
                None => self.two_lines(&next, GO_ON)?.best()?.clone(),
            };
            let answered = reply.play_from(&next)?;
            if answered.outcome().is_some() {
                break;
            }
            let report = self.two_lines(&answered, GO_ON)?;
            if !stands_out_later(&report, LATER_MARGIN) {
                break;
            }
            line = report.lines[0].clone();
            if line.turns[0]
                .play_from(&answered)
                .is_none_or(|end| is_mated(&end))
            {
                break;
            }
            steps.last_mut()?.reply = Some(next.read(&next.turn_lan(&reply)).ok()?);
            at = answered;
        }
        (!steps.is_empty()).then_some(steps)
    }
}

/// Whether the first turn is the only good one: well ahead of the second, which does not win
/// anyway, in a position that it does not lose.
pub(super) fn stands_out(report: &Report, margin: i32) -> bool {
    leads(report, margin, WON)
}

/// The same for a later turn of a line, when the solver may be ahead already.
pub(super) fn stands_out_later(report: &Report, margin: i32) -> bool {
    leads(report, margin, LATER_WON)
}

fn leads(report: &Report, margin: i32, won: i32) -> bool {
    let [first, second, ..] = &report.lines[..] else {
        return false;
    };
    let (best, other) = (first.score.value(), second.score.value());
    best - other >= margin && best > -200 && other < won
}

/// Whether the best line is a mate that can be proven instead.
fn is_short_mate(report: &Report) -> bool {
    matches!(report.score(), Some(Score::Mate(turns)) if (1..=PROVABLE).contains(&turns))
}

fn evaluation(score: Score) -> Evaluation {
    match score {
        Score::Centi(value) => Evaluation::Centi(value),
        Score::Mate(turns) => Evaluation::Mate(turns),
    }
}
