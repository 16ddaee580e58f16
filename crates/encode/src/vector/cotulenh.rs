//! Many games of Cờ Tư Lệnh.

use std::sync::{Arc, Mutex};

use super::crew::{Plan, check_and_run, run_all};
use super::{Act, Crew, Scoped, StepError, check, draw, fits, one_each, sample};
use crate::cotulenh::{ACTIONS, Env, OBSERVATION_LEN};

/// Where a [`CotulenhBatch`] writes; each buffer has one row a game, game after game.
#[derive(Debug)]
pub struct CotulenhBuffers<'a> {
    /// [`OBSERVATION_LEN`] bytes a game: what the side to move sees.
    pub observations: &'a mut [u8],
    /// The legal actions, as many a game as the buffer is wide; entries beyond their count are left as they were.
    pub legal: &'a mut [i32],
    /// How many legal actions each game has; if more than `legal` is wide, only the first are there.
    pub counts: &'a mut [i32],
    /// [`ACTIONS`] bytes a game, 1 where the action is legal; or empty, if no mask is wanted.
    pub mask: &'a mut [u8],
    /// Two a game, of Red and of Blue: 1 won, -1 lost, 0 drawn or not over.
    pub rewards: &'a mut [f32],
    /// 1 if the game ended with this step.
    pub done: &'a mut [u8],
    /// Who is to move: 0 Red, 1 Blue.
    pub players: &'a mut [u8],
}

/// Many games of Cờ Tư Lệnh, stepped together.
///
/// ```
/// use convoy_encode::cotulenh::OBSERVATION_LEN;
/// use convoy_encode::vector::{CotulenhBatch, CotulenhBuffers};
/// let mut batch = CotulenhBatch::new(3, 1);
/// let (mut observations, mut legal) = (vec![0; 3 * OBSERVATION_LEN], vec![0; 3 * 512]);
/// let (mut counts, mut rewards) = ([0; 3], [0.0; 6]);
/// let (mut done, mut players) = ([0; 3], [0; 3]);
/// let mut buffers = CotulenhBuffers {
///     observations: &mut observations,
///     legal: &mut legal,
///     counts: &mut counts,
///     mask: &mut [],
///     rewards: &mut rewards,
///     done: &mut done,
///     players: &mut players,
/// };
/// batch.reset(&mut buffers)?;
/// let actions = [0, 512, 1024].map(|row| buffers.legal[row]);
/// batch.step(&actions, &mut buffers)?;
/// assert_eq!(players, [1; 3]);
/// # Ok::<_, convoy_encode::vector::StepError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CotulenhBatch {
    games: Vec<Env>,
    crew: Arc<dyn Crew>,
    plan: Plan,
}

/// The games and rows of a part.
struct Job<'a> {
    /// The number of the first game.
    first: usize,
    games: &'a mut [Env],
    act: Act<'a>,
    buffers: CotulenhBuffers<'a>,
    width: usize,
}

impl CotulenhBatch {
    /// So many games before their first move, stepped on so many threads; 0 for all cores.
    pub fn new(games: usize, threads: usize) -> Self {
        let crew = Scoped::new(threads);
        Self {
            games: vec![Env::new(); games],
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

    /// The games as they stand.
    pub fn games(&self) -> &[Env] {
        &self.games
    }

    /// Whether every action is legal in its game.
    pub fn check(&self, actions: &[i32]) -> Result<(), StepError> {
        one_each(actions.len(), self.games.len())?;
        check(0, &self.games, actions, Env::check)
    }

    /// Draws a legal action for each game, every one of a game's with the same odds. The same seed draws the same.
    ///
    /// ```
    /// use convoy_encode::vector::CotulenhBatch;
    /// let batch = CotulenhBatch::new(3, 1);
    /// let mut actions = [0; 3];
    /// batch.sample(7, &mut actions)?;
    /// batch.check(&actions)?;
    /// # Ok::<_, convoy_encode::vector::StepError>(())
    /// ```
    pub fn sample(&self, seed: u64, actions: &mut [i32]) -> Result<(), StepError> {
        let draw = |number, game: &Env| pick(seed, number, game);
        sample(&*self.crew, &self.plan, &self.games, actions, draw)
    }

    /// Starts all games anew and writes how they stand.
    pub fn reset(&mut self, buffers: &mut CotulenhBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.run(Act::Reset, buffers)
    }

    /// Writes how all games stand, with nothing won and nothing done.
    pub fn observe(&mut self, buffers: &mut CotulenhBuffers<'_>) -> Result<(), StepError> {
        self.fit(buffers)?;
        self.run(Act::Observe, buffers)
    }

    /// Carries out one action in each game and writes how they stand then.
    pub fn step(
        &mut self,
        actions: &[i32],
        buffers: &mut CotulenhBuffers<'_>,
    ) -> Result<(), StepError> {
        self.fit(buffers)?;
        one_each(actions.len(), self.games.len())?;
        self.run(Act::Take(actions), buffers)
    }

    /// Draws an action for each game as [`sample`](Self::sample) does with the same seed, and carries them out: as good as both calls,
    /// and sooner done, since each game is gone through once and needs no check.
    ///
    /// ```
    /// # use convoy_encode::cotulenh::OBSERVATION_LEN;
    /// # use convoy_encode::vector::{CotulenhBatch, CotulenhBuffers};
    /// # let (mut observations, mut legal) = (vec![0; 3 * OBSERVATION_LEN], vec![0; 3 * 512]);
    /// # let (mut counts, mut rewards) = ([0; 3], [0.0; 6]);
    /// # let (mut done, mut players) = ([0; 3], [0; 3]);
    /// # let mut buffers = CotulenhBuffers {
    /// #     observations: &mut observations,
    /// #     legal: &mut legal,
    /// #     counts: &mut counts,
    /// #     mask: &mut [],
    /// #     rewards: &mut rewards,
    /// #     done: &mut done,
    /// #     players: &mut players,
    /// # };
    /// let mut batch = CotulenhBatch::new(3, 1);
    /// let (mut sampled, mut actions) = ([0; 3], [0; 3]);
    /// batch.sample(7, &mut sampled)?;
    /// batch.step_random(7, &mut actions, &mut buffers)?;
    /// assert_eq!(actions, sampled);
    /// # Ok::<_, convoy_encode::vector::StepError>(())
    /// ```
    pub fn step_random(
        &mut self,
        seed: u64,
        actions: &mut [i32],
        buffers: &mut CotulenhBuffers<'_>,
    ) -> Result<(), StepError> {
        self.fit(buffers)?;
        fits("actions", actions.len(), self.games.len())?;
        self.run(Act::Draw(seed, actions), buffers)
    }

    fn fit(&self, buffers: &CotulenhBuffers<'_>) -> Result<(), StepError> {
        let games = self.games.len();
        fits(
            "observations",
            buffers.observations.len(),
            games * OBSERVATION_LEN,
        )?;
        let width = buffers.legal.len().checked_div(games).unwrap_or(0);
        fits("legal", buffers.legal.len(), games * width)?;
        fits("counts", buffers.counts.len(), games)?;
        if !buffers.mask.is_empty() {
            fits("mask", buffers.mask.len(), games * ACTIONS)?;
        }
        fits("rewards", buffers.rewards.len(), games * 2)?;
        fits("done", buffers.done.len(), games)?;
        fits("players", buffers.players.len(), games)
    }

    fn run(
        &mut self,
        mut act: Act<'_>,
        buffers: &mut CotulenhBuffers<'_>,
    ) -> Result<(), StepError> {
        let checked = matches!(act, Act::Take(_));
        let width = buffers
            .legal
            .len()
            .checked_div(self.games.len())
            .unwrap_or(0);
        let masked = if buffers.mask.is_empty() { 0 } else { ACTIONS };
        let (mut observations, mut legal) = (&mut *buffers.observations, &mut *buffers.legal);
        let (mut counts, mut mask) = (&mut *buffers.counts, &mut *buffers.mask);
        let (mut rewards, mut done) = (&mut *buffers.rewards, &mut *buffers.done);
        let mut players = &mut *buffers.players;
        let mut games = &mut self.games[..];
        let mut jobs = Vec::with_capacity(self.plan.parts().len());
        for (first, len) in self.plan.parts() {
            jobs.push(Mutex::new(Some(Job {
                first,
                games: games.split_off_mut(..len).unwrap_or_default(),
                act: act.split_off(len),
                buffers: CotulenhBuffers {
                    observations: observations
                        .split_off_mut(..len * OBSERVATION_LEN)
                        .unwrap_or_default(),
                    legal: legal.split_off_mut(..len * width).unwrap_or_default(),
                    counts: counts.split_off_mut(..len).unwrap_or_default(),
                    mask: mask.split_off_mut(..len * masked).unwrap_or_default(),
                    rewards: rewards.split_off_mut(..len * 2).unwrap_or_default(),
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

/// The action of a game by a seed.
fn pick(seed: u64, number: usize, game: &Env) -> i32 {
    let legal = game.legal();
    let action = legal.get(draw(seed, number, legal.len()));
    action.copied().unwrap_or(-1)
}

impl Job<'_> {
    /// Refuses actions of the caller's that are not legal.
    fn check(&self) -> Result<(), StepError> {
        match &self.act {
            Act::Take(actions) => check(self.first, self.games, actions, Env::check),
            Act::Observe | Act::Reset | Act::Draw(..) => Ok(()),
        }
    }

    fn run(mut self) {
        for row in 0..self.games.len() {
            let rewards = self.step(row);
            self.write(row, rewards);
        }
    }

    /// Steps a game, starting it anew if it ended; the rewards if it did.
    fn step(&mut self, row: usize) -> Option<[f32; 2]> {
        let game = &mut self.games[row];
        let action = match &mut self.act {
            Act::Observe => return None,
            Act::Reset => {
                game.reset();
                return None;
            }
            Act::Take(actions) => actions[row],
            Act::Draw(seed, actions) => {
                actions[row] = pick(*seed, self.first + row, game);
                actions[row]
            }
        };
        let outcome = game.step_unchecked(action)?;
        game.reset();
        Some(match outcome.winner {
            None => [0.0; 2],
            Some(cotulenh::Color::Red) => [1.0, -1.0],
            Some(cotulenh::Color::Blue) => [-1.0, 1.0],
        })
    }

    fn write(&mut self, row: usize, rewards: Option<[f32; 2]>) {
        let (game, out) = (&self.games[row], &mut self.buffers);
        out.done[row] = u8::from(rewards.is_some());
        out.rewards[2 * row..][..2].copy_from_slice(&rewards.unwrap_or([0.0; 2]));
        out.players[row] = u8::from(game.position().turn() == cotulenh::Color::Blue);
        game.observe(&mut out.observations[row * OBSERVATION_LEN..][..OBSERVATION_LEN]);
        let legal = game.legal();
        out.counts[row] = i32::try_from(legal.len()).unwrap_or(i32::MAX);
        let listed = legal.len().min(self.width);
        out.legal[row * self.width..][..listed].copy_from_slice(&legal[..listed]);
        if !out.mask.is_empty() {
            let mask = &mut out.mask[row * ACTIONS..][..ACTIONS];
            mask.fill(0);
            for action in legal {
                if let Some(byte) = usize::try_from(*action)
                    .ok()
                    .and_then(|at| mask.get_mut(at))
                {
                    *byte = 1;
                }
            }
        }
    }
}
