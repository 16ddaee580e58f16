//! Monte Carlo over sampled worlds: every candidate in the same worlds, the worse half dropped again and again, and a
//! test on fresh worlds before the heuristic's own choice is left.

use std::time::{Duration, Instant};

use tractor::{RankedCards, Rules};

use crate::beliefs::Beliefs;
use crate::follow::PlayList;
use crate::play_history::PlayHistory;
use crate::rng::mix;
use crate::sample::Sampler;
use crate::solve::Solver;
use crate::trump_tables::TrumpTables;
use crate::world::World;

/// How long to think. `Limits { rollouts: Some(500), ..Limits::default() }` thinks the same on every machine.
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
    /// The clock: time since some fixed moment. Arenas put the processor time of the thread here.
    pub clock: fn() -> Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rollouts: None,
            time: None,
            clock: wall,
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

    /// A time on the clock of the wall.
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }
}

fn wall() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
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
    /// How many standard errors a departure must be ahead by on fresh worlds.
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
        Self {
            begun: (limits.clock)(),
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
    fn outcome(&self, world: &World, play: RankedCards) -> Outcome {
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
    plan: SearchParams,
) -> Verdict {
    let trial = Trial::new(beliefs);
    let mut sampler = Sampler::kitty_prior(beliefs, mix(plan.seed, 1));
    if plan.trust > 0.0 {
        sampler = sampler.posterior(history, plan.trust);
    }
    let mut worlds = || sampler.world();
    let mut play_in = |world: &World, cards: RankedCards| trial.outcome(world, cards);
    sequential_halving(plays, plan, &mut worlds, &mut play_in)
}

/// The share of the budget for the halving; the rest is for the test on fresh worlds.
const HALVING: f64 = 0.65;
/// The share of the budget for a play without a rival.
const ALONE: f64 = 0.2;
/// The share at which even the least number of worlds is not waited for.
const LATEST: f64 = 1.1;

/// Sequential halving with common worlds, then the test on fresh ones.
pub(crate) fn sequential_halving<W>(
    plays: &[RankedCards],
    plan: SearchParams,
    worlds: &mut impl FnMut() -> W,
    outcome: &mut impl FnMut(&W, RankedCards) -> Outcome,
) -> Verdict {
    let mut budget = Budget::new(plan.limits);
    let mut tallies = vec![Tally::default(); plays.len()];
    let mut alive: Vec<usize> = (0..plays.len()).collect();
    let stages = plays.len().next_power_of_two().trailing_zeros().max(1);
    for stage in 1..=stages {
        let until = HALVING * f64::from(stage) / f64::from(stages);
        let mut rounds = 0;
        while alive.len() > 1 && (rounds < 2 && budget.share() < LATEST || budget.share() < until) {
            let world = worlds();
            for &at in &alive {
                tallies[at].add(outcome(&world, plays[at]));
            }
            budget.spent += u32::try_from(alive.len()).unwrap_or(u32::MAX);
            rounds += 1;
        }
        alive.sort_by(|&a, &b| tallies[b].mean().total_cmp(&tallies[a].mean()));
        let keep = alive.len().div_ceil(2).max(2);
        if let Some(own) = alive.iter().position(|&at| at == 0)
            && own >= keep
        {
            // The heuristic's choice is the measure of the others: it stays.
            alive.swap(own, keep - 1);
        }
        alive.truncate(keep);
    }
    // A play without a rival is looked at too, if not for long: someone may ask what it is worth.
    while plays.len() == 1 && budget.share() < ALONE {
        let world = worlds();
        tallies[0].add(outcome(&world, plays[0]));
        budget.spent += 1;
    }
    let rival = alive
        .iter()
        .copied()
        .filter(|&at| at != 0)
        .max_by(|&a, &b| tallies[a].mean().total_cmp(&tallies[b].mean()))
        .filter(|&at| tallies[at].mean() > tallies[0].mean());
    let mut choice = 0;
    if let Some(rival) = rival
        && retest(
            plays,
            rival,
            plan,
            &mut budget,
            worlds,
            outcome,
            &mut tallies,
        )
    {
        choice = rival;
    }
    let mut order: Vec<usize> = (0..plays.len()).collect();
    order.sort_by(|&a, &b| {
        (b == choice)
            .cmp(&(a == choice))
            .then(tallies[b].worlds.cmp(&tallies[a].worlds))
            .then(tallies[b].mean().total_cmp(&tallies[a].mean()))
    });
    let candidates = order
        .into_iter()
        .map(|at| {
            let tally = &tallies[at];
            let worlds = f64::from(tally.worlds.max(1));
            Candidate {
                cards: plays[at],
                points: tally.points / worlds,
                wins: tally.wins / worlds,
                worlds: tally.worlds,
            }
        })
        .collect();
    Verdict {
        choice: plays.get(choice).copied().unwrap_or_default(),
        candidates,
        rollouts: budget.spent,
    }
}

/// Whether the rival is ahead of the heuristic's choice on fresh worlds, beyond doubt enough.
fn retest<W>(
    plays: &[RankedCards],
    rival: usize,
    plan: SearchParams,
    budget: &mut Budget,
    worlds: &mut impl FnMut() -> W,
    outcome: &mut impl FnMut(&W, RankedCards) -> Outcome,
    tallies: &mut [Tally],
) -> bool {
    let (mut sum, mut squares, mut number) = (0.0, 0.0, 0.0);
    while number < 8.0 && budget.share() < LATEST || budget.share() < 1.0 {
        let world = worlds();
        let [ours, base] = [rival, 0].map(|at| outcome(&world, plays[at]));
        tallies[rival].add(ours);
        tallies[0].add(base);
        let gain = ours.utility - base.utility;
        sum += gain;
        squares += gain * gain;
        number += 1.0;
        budget.spent += 2;
    }
    if number < 8.0 {
        return false;
    }
    let mean: f64 = sum / number;
    let spread: f64 = (squares / number - mean * mean).max(0.0);
    mean - plan.z_score * (spread / number).sqrt() > 0.0
}

/// Every play worth a thought, the heuristic's own first.
pub(crate) fn candidates(beliefs: &Beliefs, most: usize) -> Vec<RankedCards> {
    let state = beliefs.state();
    let mut list = PlayList::new();
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
