//! Many rounds of Tractor.

use cotulenh::SplitMix64;
use tractor::Seat;

use super::{StepError, check, fits, run_all, threads_or_all};
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
    threads: usize,
}

/// The rounds and rows of one thread.
struct Job<'a> {
    games: &'a mut [Env],
    actions: Option<&'a [i32]>,
    buffers: TractorBuffers<'a>,
    width: usize,
}

impl TractorBatch {
    /// So many rounds that have just been dealt, stepped on so many threads; 0 for all cores. Round `i` plays the deals of the `i`-th
    /// number drawn from the seed, so that the threads play no part in them.
    pub fn new(games: usize, options: Options, seed: u64, threads: usize) -> Self {
        let mut seeds = SplitMix64::new(seed);
        Self {
            games: (0..games)
                .map(|_| Env::new(options, seeds.next_u64()))
                .collect(),
            form: options.form,
            threads: threads_or_all(threads),
        }
    }

    /// The rounds as they stand.
    pub fn games(&self) -> &[Env] {
        &self.games
    }

    /// Whether every action is legal in its round.
    pub fn check(&self, actions: &[i32]) -> Result<(), StepError> {
        check(&self.games, actions, |game, action| {
            let legal = game.legal_count();
            let known = game.is_legal(action).then_some(());
            known.ok_or(IllegalAction { action, legal })
        })
    }

    /// Deals all rounds anew and writes how they stand.
    pub fn reset(&mut self, buffers: &mut TractorBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        for game in &mut self.games {
            game.reset();
        }
        self.run(None, buffers);
        Ok(())
    }

    /// Writes how all rounds stand, with nothing won and nothing done.
    pub fn observe(&mut self, buffers: &mut TractorBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.run(None, buffers);
        Ok(())
    }

    /// Carries out one action in each round and writes how they stand then.
    pub fn step(
        &mut self,
        actions: &[i32],
        buffers: &mut TractorBuffers<'_>,
    ) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.check(actions)?;
        self.run(Some(actions), buffers);
        Ok(())
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

    fn run(&mut self, actions: Option<&[i32]>, buffers: &mut TractorBuffers<'_>) {
        let share = self.games.len().div_ceil(self.threads).max(1);
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
        let mut jobs = Vec::with_capacity(self.threads);
        for (number, games) in self.games.chunks_mut(share).enumerate() {
            let len = games.len();
            jobs.push(Job {
                actions: actions.map(|all| &all[number * share..][..len]),
                games,
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
            });
        }
        run_all(jobs, Job::run);
    }
}

impl Job<'_> {
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
        let Some(actions) = self.actions else {
            return;
        };
        // All actions have been checked.
        let Ok(Some(result)) = game.step(actions[row]) else {
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
