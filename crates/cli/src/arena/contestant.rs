//! Who plays in an arena: a level of our own player, or a program behind the line protocol.

use std::time::Duration;

use anyhow::{Context as _, bail};
use tractor::{CardSet, View};
use tractor_engine::{Limits, Player, SkillLevel};

use super::external::{External, Program};
use super::forfeit::Failure;
use super::stop::Stop;

/// What the command line says about a player.
#[derive(Debug, Clone)]
pub(crate) enum Spec {
    Internal(Box<Player>),
    External(Program),
}

impl Spec {
    /// Reads `LEVEL[:OPTION,…]` or `cmd:PROGRAM`, which has so long for each answer.
    pub(crate) fn read(text: &str, timeout: Duration) -> anyhow::Result<Self> {
        if let Some(program) = text.strip_prefix("cmd:") {
            return Ok(Self::External(Program::read(program, timeout)?));
        }
        let (level, options) = text.split_once(':').unwrap_or((text, ""));
        let level: SkillLevel = level.parse()?;
        let mut player = Player::new(level, 0);
        player.limits.clock = thread_time;
        for option in options.split(',').filter(|option| !option.is_empty()) {
            if let Some((name, value)) = option.split_once('=') {
                let value: f32 = value.parse().with_context(|| option.to_owned())?;
                match name {
                    "z_score" => player.z_score = value.into(),
                    "trust" => player.trust = value,
                    "explore" => player.explore = value > 0.0,
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a small number of candidates"
                    )]
                    "width" => player.width = value as usize,
                    _ => match player.weights.weight(name) {
                        Some(weight) => *weight = value,
                        None => bail!("unknown weight {name}"),
                    },
                }
            } else if let Some(ms) = option.strip_suffix("ms") {
                player.limits.time = Some(Duration::from_millis(ms.parse()?));
            } else if let Some(rollouts) = option.strip_suffix('r') {
                player.limits = Limits::rollouts(rollouts.parse()?);
            } else {
                bail!("an option is 20ms, 400r or NAME=NUMBER, not {option}");
            }
        }
        Ok(Self::Internal(Box::new(player)))
    }

    /// A player at the table: a program is started.
    pub(crate) fn sit(&self, stop: Stop) -> anyhow::Result<Contestant> {
        Ok(match self {
            Self::Internal(player) => Contestant {
                kind: Kind::Internal(player.clone()),
                times: Vec::new(),
            },
            Self::External(program) => Contestant {
                kind: Kind::External(External::start(program, stop)?),
                times: Vec::new(),
            },
        })
    }
}

/// A player at a table, and the time of each of its decisions.
#[derive(Debug)]
pub(crate) struct Contestant {
    kind: Kind,
    times: Vec<Duration>,
}

#[derive(Debug)]
enum Kind {
    Internal(Box<Player>),
    External(External),
}

impl Contestant {
    /// Takes a new seed for the deals to come.
    pub(crate) fn reseed(&mut self, seed: u64) {
        if let Kind::Internal(player) = &mut self.kind {
            player.seed = seed;
        }
    }

    pub(crate) fn declare(&mut self, view: &View) -> Result<Option<CardSet>, Failure> {
        match &mut self.kind {
            Kind::Internal(player) => Ok(player.declare(view)),
            Kind::External(program) => program.declare(view),
        }
    }

    pub(crate) fn bury(&mut self, view: &View) -> Result<CardSet, Failure> {
        match &mut self.kind {
            Kind::Internal(player) => Ok(player.bury(view)),
            Kind::External(program) => program.bury(view),
        }
    }

    pub(crate) fn play(&mut self, view: &View) -> Result<CardSet, Failure> {
        let begun = self.clock();
        let cards = match &mut self.kind {
            Kind::Internal(player) => player.play(view),
            Kind::External(program) => program.play(view)?,
        };
        self.times.push(self.clock().saturating_sub(begun));
        Ok(cards)
    }

    /// Whether it is a program, whose faults are its own.
    pub(crate) const fn is_external(&self) -> bool {
        matches!(self.kind, Kind::External(_))
    }

    /// Starts a program anew: after a fault nobody knows what it still has to say.
    pub(crate) fn restart(&mut self) {
        if let Kind::External(program) = &mut self.kind {
            program.restart();
        }
    }

    /// Declarations that were refused since this was last asked: how many, and the first one.
    pub(crate) fn take_refused(&mut self) -> (usize, Option<String>) {
        match &mut self.kind {
            Kind::Internal(_) => (0, None),
            Kind::External(program) => program.take_refused(),
        }
    }

    fn clock(&self) -> Duration {
        match &self.kind {
            Kind::Internal(_) => thread_time(),
            Kind::External(program) => program.time(),
        }
    }

    /// The times since they were last asked for.
    pub(crate) fn take_times(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.times)
    }
}

/// The processor time of this thread: a busy machine does not shorten anyone's thoughts.
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}
