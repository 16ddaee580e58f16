//! Many rounds of Tractor.

use std::sync::{Arc, Mutex};

use cotulenh::SplitMix64;
use tractor::Seat;

use super::crew::{Plan, check_and_run, run_all};
use super::{Act, Crew, Scoped, StepError, check, draw, fits, one_each, sample};
use crate::IllegalAction;
use crate::tractor::{ACTIONS, Env, Form, OBSERVATION_LEN, Options};

/// Where a [`TractorBatch`] writes; each buffer has one row a round, round after round.
#[derive(Debug)]
pub struct TractorBuffers<'a> {
    /// [`OBSERVATION_LEN`] bytes a round: what the seat that is to act sees.
    pub observations: &'a mut [u8],
    /// With [`Form::Candidates`], two words a candidate and as many candidates a round as the buffer is wide: bit `i` of the first word
    /// for a face in slot `i` that is there at all, of the second for one that is there twice. Entries beyond the count are left as they
    /// were. Empty card by card.
    pub candidates: &'a mut [u64],
    /// Card by card, [`ACTIONS`] bytes a round, 1 where the number is legal. Empty with candidates.
    pub mask: &'a mut [u8],
    /// How many legal actions there are; if more than `candidates` is wide, only the first are there.
    pub counts: &'a mut [i32],
    /// Four a round, by seat; 0 unless it ended with this step.
    pub rewards: &'a mut [f32],
    /// The attackers' points of the round that ended with this step, else 0.
    pub points: &'a mut [i32],
    /// 1 if the round ended with this step.
    pub done: &'a mut [u8],
    /// The seat that is to act.
    pub players: &'a mut [u8],
}

/// Many rounds of Tractor, stepped together.
///
/// ```
/// use convoy_encode::tractor::{OBSERVATION_LEN, Options};
/// use convoy_encode::vector::{TractorBatch, TractorBuffers};
/// let mut batch = TractorBatch::new(2, Options::default(), 7, 1);
/// let (mut observations, mut candidates) = (vec![0; 2 * OBSERVATION_LEN], vec![0; 2 * 2 * 128]);
/// let (mut counts, mut rewards, mut points) = ([0; 2], [0.0; 8], [0; 2]);
/// let (mut done, mut players) = ([0; 2], [0; 2]);
/// let mut buffers = TractorBuffers {
///     observations: &mut observations,
///     candidates: &mut candidates,
///     mask: &mut [],
///     counts: &mut counts,
///     rewards: &mut rewards,
///     points: &mut points,
///     done: &mut done,
///     players: &mut players,
/// };
/// batch.reset(&mut buffers)?;
/// batch.step(&[0, 0], &mut buffers)?;
/// assert!(counts.iter().all(|count| *count > 0));
/// # Ok::<_, convoy_encode::vector::StepError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TractorBatch {
    games: Vec<Env>,
    form: Form,
    crew: Arc<dyn Crew>,
    plan: Plan,
}

/// The rounds and rows of a part.
struct Job<'a> {
    /// The number of the first round.
    first: usize,
    games: &'a mut [Env],
    act: Act<'a>,
    buffers: TractorBuffers<'a>,
    width: usize,
}

impl TractorBatch {
    /// So many rounds that have just been dealt, stepped on so many threads; 0 for all cores. Round `i` plays the deals of the `i`-th
    /// number drawn from the seed, so that the threads play no part in them.
    pub fn new(games: usize, options: Options, seed: u64, threads: usize) -> Self {
        let mut seeds = SplitMix64::new(seed);
        let crew = Scoped::new(threads);
        Self {
            games: (0..games)
                .map(|_| Env::new(options, seeds.next_u64()))
                .collect(),
            form: options.form,
            plan: Plan::new(games, &crew),
            crew: Arc::new(crew),
        }
    }

    /// The same, stepped by these threads.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Self {
        let plan = Plan::new(self.games.len(), &*crew);
        Self { crew, plan, ..self }
    }

    /// The rounds as they stand.
    pub fn games(&self) -> &[Env] {
        &self.games
    }

    /// Whether every action is legal in its round.
    pub fn check(&self, actions: &[i32]) -> Result<(), StepError> {
        one_each(actions.len(), self.games.len())?;
        check(0, &self.games, actions, judge)
    }

    /// Draws a legal action for each round, every one of a round's with the same odds. The same seed draws the same.
    ///
    /// ```
    /// use convoy_encode::tractor::Options;
    /// use convoy_encode::vector::TractorBatch;
    /// let batch = TractorBatch::new(3, Options::default(), 7, 1);
    /// let mut actions = [0; 3];
    /// batch.sample(7, &mut actions)?;
    /// batch.check(&actions)?;
    /// # Ok::<_, convoy_encode::vector::StepError>(())
    /// ```
    pub fn sample(&self, seed: u64, actions: &mut [i32]) -> Result<(), StepError> {
        let draw = |number, game: &Env| pick(seed, number, game);
        sample(&*self.crew, &self.plan, &self.games, actions, draw)
    }

    /// Deals all rounds anew and writes how they stand.
    pub fn reset(&mut self, buffers: &mut TractorBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.run(Act::Reset, buffers)
    }

    /// Writes how all rounds stand, with nothing won and nothing done.
    pub fn observe(&mut self, buffers: &mut TractorBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.run(Act::Observe, buffers)
    }

    /// Carries out one action in each round and writes how they stand then.
    pub fn step(
        &mut self,
        actions: &[i32],
        buffers: &mut TractorBuffers<'_>,
    ) -> Result<(), StepError> {
        self.fit(buffers)?;
        one_each(actions.len(), self.games.len())?;
        self.run(Act::Take(actions), buffers)
    }

    /// Draws an action for each round as [`sample`](Self::sample) does with the same seed, and carries them out: as good as both calls,
    /// and sooner done.
    pub fn step_random(
        &mut self,
        seed: u64,
        actions: &mut [i32],
        buffers: &mut TractorBuffers<'_>,
    ) -> Result<(), StepError> {
        self.fit(buffers)?;
        fits("actions", actions.len(), self.games.len())?;
        self.run(Act::Draw(seed, actions), buffers)
    }

    fn fit(&self, buffers: &TractorBuffers<'_>) -> Result<(), StepError> {
        let games = self.games.len();
        fits(
            "observations",
            buffers.observations.len(),
            games * OBSERVATION_LEN,
        )?;
        match self.form {
            Form::Candidates => {
                let width = buffers.candidates.len().checked_div(2 * games).unwrap_or(0);
                fits("candidates", buffers.candidates.len(), games * 2 * width)?;
                fits("mask", buffers.mask.len(), 0)?;
            }
            Form::CardByCard => {
                fits("candidates", buffers.candidates.len(), 0)?;
                fits("mask", buffers.mask.len(), games * ACTIONS)?;
            }
        }
        fits("counts", buffers.counts.len(), games)?;
        fits("rewards", buffers.rewards.len(), games * 4)?;
        fits("points", buffers.points.len(), games)?;
        fits("done", buffers.done.len(), games)?;
        fits("players", buffers.players.len(), games)
    }

    fn run(&mut self, mut act: Act<'_>, buffers: &mut TractorBuffers<'_>) -> Result<(), StepError> {
        let checked = matches!(act, Act::Take(_));
        let width = buffers
            .candidates
            .len()
            .checked_div(2 * self.games.len())
            .unwrap_or(0);
        let masked = if buffers.mask.is_empty() { 0 } else { ACTIONS };
        let (mut observations, mut candidates) =
            (&mut *buffers.observations, &mut *buffers.candidates);
        let (mut mask, mut counts) = (&mut *buffers.mask, &mut *buffers.counts);
        let (mut rewards, mut points) = (&mut *buffers.rewards, &mut *buffers.points);
        let (mut done, mut players) = (&mut *buffers.done, &mut *buffers.players);
        let mut games = &mut self.games[..];
        let mut jobs = Vec::with_capacity(self.plan.parts().len());
        for (first, len) in self.plan.parts() {
            jobs.push(Mutex::new(Some(Job {
                first,
                games: games.split_off_mut(..len).unwrap_or_default(),
                act: act.split_off(len),
                buffers: TractorBuffers {
                    observations: observations
                        .split_off_mut(..len * OBSERVATION_LEN)
                        .unwrap_or_default(),
                    candidates: candidates
                        .split_off_mut(..len * 2 * width)
                        .unwrap_or_default(),
                    mask: mask.split_off_mut(..len * masked).unwrap_or_default(),
                    counts: counts.split_off_mut(..len).unwrap_or_default(),
                    rewards: rewards.split_off_mut(..len * 4).unwrap_or_default(),
                    points: points.split_off_mut(..len).unwrap_or_default(),
                    done: done.split_off_mut(..len).unwrap_or_default(),
                    players: players.split_off_mut(..len).unwrap_or_default(),
                },
                width,
            })));
        }
        if checked {
            check_and_run(&*self.crew, &self.plan, &jobs, Job::check, Job::run)
        } else {
            run_all(&*self.crew, &self.plan, &jobs, Job::run);
            Ok(())
        }
    }
}

/// Refuses an action that is not legal.
fn judge(game: &Env, action: i32) -> Result<(), IllegalAction> {
    let legal = game.legal_count();
    let known = game.is_legal(action).then_some(());
    known.ok_or(IllegalAction { action, legal })
}

/// The action of a round by a seed.
fn pick(seed: u64, number: usize, game: &Env) -> i32 {
    let action = game.nth_legal(draw(seed, number, game.legal_count()));
    action.unwrap_or(-1)
}

impl Job<'_> {
    /// Refuses actions of the caller's that are not legal.
    fn check(&self) -> Result<(), StepError> {
        match &self.act {
            Act::Take(actions) => check(self.first, self.games, actions, judge),
            Act::Observe | Act::Reset | Act::Draw(..) => Ok(()),
        }
    }

    fn run(mut self) {
        for row in 0..self.games.len() {
            self.step(row);
            self.write(row);
        }
    }

    /// Steps a round, and deals anew if it ended.
    fn step(&mut self, row: usize) {
        let (game, out) = (&mut self.games[row], &mut self.buffers);
        out.done[row] = 0;
        out.points[row] = 0;
        out.rewards[4 * row..][..4].fill(0.0);
        let action = match &mut self.act {
            Act::Observe => return,
            Act::Reset => return game.reset(),
            Act::Take(actions) => actions[row],
            Act::Draw(seed, actions) => {
                actions[row] = pick(*seed, self.first + row, game);
                actions[row]
            }
        };
        // All actions have been checked or drawn among the legal ones.
        let Ok(Some(result)) = game.step(action) else {
            return;
        };
        out.done[row] = 1;
        out.points[row] = result.points;
        out.rewards[4 * row..][..4].copy_from_slice(&Seat::ALL.map(|seat| game.reward(seat)));
        game.reset();
    }

    fn write(&mut self, row: usize) {
        let (game, out) = (&self.games[row], &mut self.buffers);
        out.players[row] = u8::try_from(game.player().index()).unwrap_or(u8::MAX);
        game.observe(&mut out.observations[row * OBSERVATION_LEN..][..OBSERVATION_LEN]);
        out.counts[row] = i32::try_from(game.legal_count()).unwrap_or(i32::MAX);
        if out.mask.is_empty() {
            let words = &mut out.candidates[row * 2 * self.width..][..2 * self.width];
            for (pair, cards) in words.chunks_exact_mut(2).zip(game.candidates()) {
                pair.copy_from_slice(&[cards.any(), cards.pair()]);
            }
        } else {
            let mask = &mut out.mask[row * ACTIONS..][..ACTIONS];
            for (number, byte) in mask.iter_mut().enumerate() {
                *byte = u8::from(game.mask() >> number & 1 == 1);
            }
        }
    }
}
