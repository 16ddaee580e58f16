//! Players at the board: the engine of this build, the baselines, external engines.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cotulenh::Game;
use cotulenh_engine::{Clock, Engine, Limits, Net, Options, Search, Turn, alpha_beta, one_ply};

use super::external::{Ask, External, Forfeit};
use super::spec::{Baseline, Kind, Spec};

/// The depth of the `alphabeta` baseline.
const ALPHA_BETA_DEPTH: u32 = 3;

enum Mind {
    Engine(Box<Engine>),
    Baseline(Baseline),
    External(External),
}

/// A player at the board.
pub(crate) struct Player {
    spec: Spec,
    mind: Mind,
    seed: u64,
    left: Duration,
}

impl Player {
    /// Starts a player.
    pub(crate) fn start(spec: &Spec) -> anyhow::Result<Self> {
        let mind = match &spec.kind {
            Kind::Engine(options, net) => {
                let net = net.clone().unwrap_or_else(Net::standard);
                Mind::Engine(Box::new(Engine::with_net(**options, net)))
            }
            Kind::Baseline(baseline) => Mind::Baseline(*baseline),
            Kind::External(command) => Mind::External(External::start(command)?),
        };
        Ok(Self {
            spec: spec.clone(),
            mind,
            seed: 0,
            left: Duration::ZERO,
        })
    }

    /// Its name in PGN and JSON.
    pub(crate) fn name(&self) -> String {
        self.spec.to_string()
    }

    /// Prepares for a new game. Only an external engine that cannot be started again fails.
    pub(crate) fn new_game(&mut self, seed: u64) -> anyhow::Result<()> {
        self.seed = seed;
        self.left = self.spec.tc.map_or(Duration::ZERO, |tc| tc.base);
        match (&mut self.mind, &self.spec.kind) {
            (Mind::Engine(engine), Kind::Engine(options, _)) => {
                engine.set_options(Options { seed, ..**options });
                engine.clear();
            }
            (Mind::External(external), _) => external.new_game()?,
            _ => {}
        }
        Ok(())
    }

    /// The clock, if the player has one.
    pub(crate) fn clock(&self) -> Option<Clock> {
        let tc = self.spec.tc?;
        Some(Clock {
            left: self.left,
            increment: tc.increment,
            turns_to_go: None,
        })
    }

    /// A legal turn, or why the player forfeits the game. `other` is the opponent's clock.
    pub(crate) fn choose(
        &mut self,
        game: &Game,
        other: Option<Clock>,
        stop: &AtomicBool,
    ) -> Result<Turn, Forfeit> {
        let limits = Limits {
            clock: self.clock(),
            ..self.spec.limits
        };
        if let Mind::External(external) = &mut self.mind {
            external.sync(stop)?;
        }
        let start = Instant::now();
        let seed = self.seed ^ game.turn_count() as u64;
        let turn = match &mut self.mind {
            Mind::Engine(engine) => {
                let search = Search::of_game(game).limits(limits).stop(stop);
                engine.analyse(&search, |_| {}).best().cloned()
            }
            Mind::Baseline(Baseline::Material) => one_ply(game.position(), seed),
            Mind::Baseline(Baseline::AlphaBeta) => {
                alpha_beta(game.position(), ALPHA_BETA_DEPTH, seed)
            }
            Mind::External(external) => {
                let time = [limits.time, limits.clock.map(|clock| clock.left)];
                let least = time.into_iter().flatten().min();
                let patience = least.map_or(external.timeout(), |time| time + self.spec.margin);
                Some(external.choose(&Ask {
                    game,
                    limits,
                    other,
                    patience,
                    stop,
                })?)
            }
        };
        self.press_clock(start.elapsed())?;
        turn.ok_or(Forfeit::NoTurn)
    }

    /// Takes the time of a turn off the clock; the margin forgives the way to it.
    fn press_clock(&mut self, elapsed: Duration) -> Result<(), Forfeit> {
        let Some(tc) = self.spec.tc else {
            return Ok(());
        };
        if elapsed > self.left + self.spec.margin {
            return Err(Forfeit::Time);
        }
        self.left = self.left.saturating_sub(elapsed) + tc.increment;
        Ok(())
    }
}
