//! Monte Carlo search over determinizations: sequential halving of the candidates on common random worlds, then a
//! significance test on fresh worlds before it departs from the rollout policy's own choice.

use std::time::Duration;

use tractor::{RankedCards, Rules};

use crate::beliefs::Beliefs;
use crate::follow::PlayList;
use crate::play_history::PlayHistory;
use crate::rng::mix;
use crate::sample::Sampler;
use crate::solve::Solver;
use crate::trump_tables::TrumpTables;
use crate::world::World;

/// The search budget. `Limits { rollouts: Some(500), ..Limits::default() }` thinks the same on every machine.
///
/// ```
/// # use tractor_engine::Limits;
/// let limits = Limits::rollouts(500);
/// assert_eq!((limits.rollouts, limits.time), (Some(500), None));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// In play-outs.
    pub rollouts: Option<u32>,
    /// In time, as `clock` measures it.
    pub time: Option<Duration>,
    /// The clock: time since some fixed moment. It is read only where `time` is set. Arenas put the processor time of
    /// the thread here; in a browser it is the page's clock.
    pub clock: fn() -> Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rollouts: None,
            time: None,
            clock: wall_clock,
        }
    }
}

impl Limits {
    /// A fixed number of play-outs: the answer then depends on the seed alone.
    pub fn rollouts(number: u32) -> Self {
        Self {
            rollouts: Some(number),
            ..Self::default()
        }
    }

    /// A time on the clock of the machine. In a browser use [`Limits::timed`]: there the standard library has no clock,
    /// and the time counts as spent at once.
    pub fn time(time: Duration) -> Self {
        Self::timed(time, wall_clock)
    }

    /// A time on a clock that is handed in: time since some fixed moment.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tractor_engine::Limits;
    /// let limits = Limits::timed(Duration::from_millis(50), || Duration::from_secs(7));
    /// assert_eq!((limits.clock)(), Duration::from_secs(7));
    /// ```
    pub fn timed(time: Duration, clock: fn() -> Duration) -> Self {
        Self {
            rollouts: None,
            time: Some(time),
            clock,
        }
    }
}

/// Time since the first call.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn wall_clock() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

/// `Instant::now` panics on this target: without a clock of the caller's any time limit is over at the second look.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn wall_clock() -> Duration {
    static LOOKS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let looks = LOOKS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Duration::from_secs(looks.saturating_mul(1 << 20))
}

/// What the search found: the choice, and every candidate with its figures.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What to play.
    pub choice: RankedCards,
    /// The candidates, the choice first, then those that were looked at longer: the better half goes on each time.
    pub candidates: Vec<Candidate>,
    /// How many play-outs it took.
    pub rollouts: u32,
}

/// A candidate and how it fared.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The cards.
    pub cards: RankedCards,
    /// The attackers' points at the end, on average.
    pub points: f64,
    /// The share of worlds in which the viewer's team wins the round.
    pub wins: f64,
    /// How many worlds it was played in.
    pub worlds: u32,
}

/// How a search is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchParams {
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    /// How many standard errors a candidate must be ahead of the heuristic's choice on fresh worlds.
    pub(crate) z_score: f64,
    /// How much the others are trusted to play as the heuristic does, from 0 up to 1.
    pub(crate) trust: f32,
}

/// The time and the play-outs left.
pub(crate) struct Budget {
    limits: Limits,
    begun: Duration,
    pub(crate) spent: u32,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        // Without a time limit the clock is not read: there may be none.
        let begun = limits.time.map_or(Duration::ZERO, |_| (limits.clock)());
        Self {
            begun,
            limits,
            spent: 0,
        }
    }

    /// Which share of the budget is spent.
    pub(crate) fn share(&self) -> f64 {
        let rollouts = self
            .limits
            .rollouts
            .map_or(0.0, |all| f64::from(self.spent) / f64::from(all.max(1)));
        let time = self.limits.time.map_or(0.0, |all| {
            let used = (self.limits.clock)().saturating_sub(self.begun);
            used.as_secs_f64() / all.as_secs_f64().max(1e-9)
        });
        let none = self.limits.rollouts.is_none() && self.limits.time.is_none();
        if none { 1.0 } else { rollouts.max(time) }
    }
}

/// Figures of one candidate, gathered world by world.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) worlds: u32,
    pub(crate) sum: f64,
    pub(crate) points: f64,
    pub(crate) wins: f64,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.worlds += 1;
        self.sum += outcome.utility;
        self.points += f64::from(outcome.points);
        self.wins += f64::from(u8::from(outcome.won));
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sum / f64::from(self.worlds.max(1))
    }
}

/// What a play-out came to, as one team sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) points: i32,
    pub(crate) utility: f64,
    pub(crate) won: bool,
}

impl Outcome {
    /// The worth of an end: winning the round first, then levels, then points.
    pub(crate) fn of(rules: &Rules, points: i32, attacks: bool) -> Self {
        let (defended, levels) = rules.scoring.rise(points);
        let step = f64::from(rules.scoring.step.max(1));
        let won = 1.0 + 0.3 * f64::from(levels.min(4));
        let side = if defended { -won } else { won };
        let slope = 0.5 * (f64::from(points.clamp(-40, 320)) - 2.0 * step) / step;
        let utility = side + slope;
        Self {
            points,
            utility: if attacks { utility } else { -utility },
            won: defended != attacks,
        }
    }
}

/// Plays a world on: the heuristic until few cards are left, then exactly.
pub(crate) fn finish(tables: &TrumpTables, table: &mut World, exact: usize, budget: u32) -> i32 {
    while !table.is_over() {
        if table.trick.is_none()
            && table.left() <= exact
            && let Some(points) = Solver::new(tables, budget).solve(table)
        {
            return points;
        }
        let cards = table.state(tables).choose();
        table.play(tables, cards);
    }
    table.attackers
}

/// Tries plays in sampled worlds.
pub(crate) struct Trial<'a> {
    beliefs: &'a Beliefs,
    attacks: bool,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(beliefs: &'a Beliefs) -> Self {
        let attacks = beliefs.seat.team() != beliefs.state().defending;
        Self { beliefs, attacks }
    }

    /// What comes of a play in a world.
    pub(crate) fn outcome(&self, world: &World, play: RankedCards) -> Outcome {
        let tables = self.beliefs.tables();
        let mut table = *world;
        let deep = table.hands[table.turn().index()].len() <= 4;
        table.play(tables, play);
        let points = if deep {
            match Solver::new(tables, 20_000).solve(&table) {
                Some(points) => points,
                None => finish(tables, &mut table, 2, 2_000),
            }
        } else {
            finish(tables, &mut table, 2, 2_000)
        };
        Outcome::of(tables.judge().rules(), points, self.attacks)
    }
}

/// Chooses among plays, the first of which is the heuristic's.
pub(crate) fn choose(
    beliefs: &Beliefs,
    history: &PlayHistory,
    plays: &[RankedCards],
    params: SearchParams,
) -> Verdict {
    let trial = Trial::new(beliefs);
    let mut sampler = Sampler::kitty_prior(beliefs, mix(params.seed, 1));
    if params.trust > 0.0 {
        sampler = sampler.posterior(history, params.trust);
    }
    let mut worlds = || sampler.world();
    let mut play_in = |world: &World, cards: RankedCards| trial.outcome(world, cards);
    sequential_halving(plays, params, &mut worlds, &mut play_in)
}

/// The share of the budget for the halving; the rest is for the test on fresh worlds.
const HALVING: f64 = 0.65;
/// The share of the budget for a play without a rival.
const ALONE: f64 = 0.2;
/// The share at which even the least number of worlds is not waited for.
const LATEST: f64 = 1.1;
/// With fewer fresh worlds nothing is proved.
const FEWEST_RETESTS: f64 = 8.0;

/// Sequential halving with common worlds, then the test on fresh ones. The first play is the heuristic's choice, which
/// stands unless another is better by `z_score` standard errors.
pub(crate) fn sequential_halving<W>(
    plays: &[RankedCards],
    params: SearchParams,
    worlds: &mut impl FnMut() -> W,
    outcome: &mut impl FnMut(&W, RankedCards) -> Outcome,
) -> Verdict {
    let mut trials = Trials {
        plays,
        budget: Budget::new(params.limits),
        tallies: vec![Tally::default(); plays.len()],
        worlds,
        outcome,
    };
    let alive = trials.eliminate();
    trials.look_at_lone_play();
    let rival = alive
        .into_iter()
        .filter(|&at| at != 0)
        .max_by(|&a, &b| trials.mean(a).total_cmp(&trials.mean(b)))
        .filter(|&at| trials.mean(at) > trials.mean(0));
    let choice = rival.filter(|&rival| trials.retest(rival, params.z_score));
    trials.verdict(choice.unwrap_or(0))
}

/// Candidates that are tried in sampled worlds, and what came of it so far.
struct Trials<'a, N, O> {
    plays: &'a [RankedCards],
    budget: Budget,
    tallies: Vec<Tally>,
    worlds: N,
    outcome: O,
}

impl<W, N: FnMut() -> W, O: FnMut(&W, RankedCards) -> Outcome> Trials<'_, N, O> {
    fn mean(&self, at: usize) -> f64 {
        self.tallies[at].mean()
    }

    /// Drops the worse half of the candidates again and again; the places of those that are left.
    fn eliminate(&mut self) -> Vec<usize> {
        let mut alive: Vec<usize> = (0..self.plays.len()).collect();
        let stages = self.plays.len().next_power_of_two().trailing_zeros().max(1);
        for stage in 1..=stages {
            let until = HALVING * f64::from(stage) / f64::from(stages);
            let mut rounds = 0;
            while alive.len() > 1
                && (rounds < 2 && self.budget.share() < LATEST || self.budget.share() < until)
            {
                let world = (self.worlds)();
                for &at in &alive {
                    self.tallies[at].add((self.outcome)(&world, self.plays[at]));
                }
                self.budget.spent += u32::try_from(alive.len()).unwrap_or(u32::MAX);
                rounds += 1;
            }
            alive.sort_by(|&a, &b| self.mean(b).total_cmp(&self.mean(a)));
            let keep = alive.len().div_ceil(2).max(2);
            if let Some(own) = alive.iter().position(|&at| at == 0)
                && own >= keep
            {
                // The heuristic's choice is the measure of the others: it stays.
                alive.swap(own, keep - 1);
            }
            alive.truncate(keep);
        }
        alive
    }

    /// A play without a rival is tried too, if not for long: someone may ask what it is worth.
    fn look_at_lone_play(&mut self) {
        while self.plays.len() == 1 && self.budget.share() < ALONE {
            let world = (self.worlds)();
            self.tallies[0].add((self.outcome)(&world, self.plays[0]));
            self.budget.spent += 1;
        }
    }

    /// Whether the rival is ahead of the heuristic's choice on fresh worlds, by enough standard errors.
    fn retest(&mut self, rival: usize, z_score: f64) -> bool {
        let (mut sum, mut squares, mut number) = (0.0, 0.0, 0.0);
        while number < FEWEST_RETESTS && self.budget.share() < LATEST || self.budget.share() < 1.0 {
            let world = (self.worlds)();
            let [ours, base] = [rival, 0].map(|at| (self.outcome)(&world, self.plays[at]));
            self.tallies[rival].add(ours);
            self.tallies[0].add(base);
            let gain = ours.utility - base.utility;
            sum += gain;
            squares += gain * gain;
            number += 1.0;
            self.budget.spent += 2;
        }
        if number < FEWEST_RETESTS {
            return false;
        }
        let mean: f64 = sum / number;
        let spread: f64 = (squares / number - mean * mean).max(0.0);
        mean - z_score * (spread / number).sqrt() > 0.0
    }

    /// The choice, and every candidate with its figures.
    fn verdict(self, choice: usize) -> Verdict {
        let tallies = &self.tallies;
        let mut order: Vec<usize> = (0..self.plays.len()).collect();
        order.sort_by(|&a, &b| {
            (b == choice)
                .cmp(&(a == choice))
                .then(tallies[b].worlds.cmp(&tallies[a].worlds))
                .then(tallies[b].mean().total_cmp(&tallies[a].mean()))
        });
        let candidate = |at: usize| {
            let worlds = f64::from(tallies[at].worlds.max(1));
            Candidate {
                cards: self.plays[at],
                points: tallies[at].points / worlds,
                wins: tallies[at].wins / worlds,
                worlds: tallies[at].worlds,
            }
        };
        Verdict {
            choice: self.plays.get(choice).copied().unwrap_or_default(),
            candidates: order.into_iter().map(candidate).collect(),
            rollouts: self.budget.spent,
        }
    }
}

/// Every play worth a thought, the heuristic's own first.
pub(crate) fn candidates(beliefs: &Beliefs, most: usize) -> Vec<RankedCards> {
    let state = beliefs.state();
    let mut list = PlayList::default();
    let own = state.choose();
    list.add(own);
    if state.trick.is_some() {
        state.follow_candidates(&mut list);
        let mut plays = list.as_slice().to_vec();
        plays.truncate(most);
        return plays;
    }
    state.lead_candidates(&mut list, true);
    let mut plays = list.as_slice().to_vec();
    plays[1..].sort_by(|a, b| state.lead_value(*b).total_cmp(&state.lead_value(*a)));
    plays.truncate(most);
    plays
}
