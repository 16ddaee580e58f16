//! Both players, in this process; they release the interpreter while they think.

use std::time::Duration;

use cotulenh_engine::{Engine, Limits, Options, Score, Search, SkillLevel};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tractor_engine::{Limits as PlayerLimits, Player, SkillLevel as PlayerLevel};

use crate::board::PyBoard;
use crate::cotulenh::PyMove;
use crate::errors::{illegal_event, illegal_move, invalid_text};
use crate::tractor::PyView;

/// One line of an analysis. `score` is in hundredths of an infantry for the side to move; `mate` is the number of turns to mate,
/// negative if the side to move is mated, or None.
#[pyclass(name = "Info", module = "convoy_games.engine", frozen, get_all)]
#[derive(Clone)]
struct PyInfo {
    /// In hundredths of an infantry for the side to move; a mate is beyond every other score.
    score: i32,
    /// Turns to mate, or None.
    mate: Option<i32>,
    /// The depth in turns.
    depth: u32,
    /// Positions visited.
    nodes: u64,
    /// Seconds spent.
    time: f64,
    /// The turns of the line, each a list of moves.
    pv: Vec<Vec<PyMove>>,
}

#[pymethods]
impl PyInfo {
    #[new]
    fn new(
        score: i32,
        mate: Option<i32>,
        depth: u32,
        nodes: u64,
        time: f64,
        pv: Vec<Vec<PyMove>>,
    ) -> Self {
        Self {
            score,
            mate,
            depth,
            nodes,
            time,
            pv,
        }
    }

    fn __getnewargs__(&self) -> (i32, Option<i32>, u32, u64, f64, Vec<Vec<PyMove>>) {
        let Self {
            score,
            mate,
            depth,
            nodes,
            time,
            pv,
        } = self.clone();
        (score, mate, depth, nodes, time, pv)
    }

    fn __repr__(&self) -> String {
        let first = self.pv.first().map_or(String::new(), |turn| {
            turn.iter()
                .map(|mv| mv.0.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        });
        format!(
            "Info(score={}, depth={}, nodes={}, pv=[{first}, …])",
            self.score, self.depth, self.nodes
        )
    }
}

/// An engine for Cờ Tư Lệnh. It keeps what it has found between searches, so one engine should play all turns of a game; it is
/// released while it thinks, so that other threads of Python go on.
///
/// >>> from convoy_games.cotulenh import Board
/// >>> from convoy_games.engine import Engine
/// >>> engine = Engine(level=3)
/// >>> board = Board()
/// >>> for move in engine.play(board, nodes=300):
/// ...     board.push(move)
/// >>> board.turn_count
/// 1
/// >>> best = engine.analyse(Board("11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1"), nodes=5000)[0]
/// >>> best.mate
/// 1
#[pyclass(name = "Engine", module = "convoy_games.engine")]
struct PyEngine {
    engine: Engine,
}

fn limits(nodes: Option<u64>, depth: Option<u32>, time: Option<f64>) -> PyResult<Limits> {
    let time = time.map(Duration::try_from_secs_f64).transpose();
    Ok(Limits {
        nodes,
        depth,
        time: time.map_err(|why| invalid_text(format!("time: {why}")))?,
        clock: None,
    })
}

#[pymethods]
impl PyEngine {
    /// `level` is 1 to 10, `hash_mib` the size of the transposition table.
    #[new]
    #[pyo3(signature = (level=10, *, threads=1, hash_mib=16, seed=0))]
    fn new(level: u8, threads: usize, hash_mib: usize, seed: u64) -> PyResult<Self> {
        let known = SkillLevel::new(level);
        let level =
            known.ok_or_else(|| invalid_text(format!("level {level}: levels are 1 to 10")))?;
        let options = Options {
            level,
            threads,
            hash_mib,
            seed,
            ..Options::default()
        };
        Ok(Self {
            engine: Engine::new(options),
        })
    }

    /// The level, 1 to 10.
    #[getter]
    fn level(&self) -> u8 {
        self.engine.options().level.number()
    }

    /// The turn that the engine plays, as a list of moves; empty if the game is over. Without a limit it thinks for a second.
    #[pyo3(signature = (board, *, nodes=None, depth=None, time=None))]
    fn play(
        &mut self,
        py: Python<'_>,
        board: PyRef<'_, PyBoard>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
    ) -> PyResult<Vec<PyMove>> {
        let limits = limits_or_a_second(nodes, depth, time)?;
        let game = board.game.clone();
        drop(board);
        let engine = &mut self.engine;
        let turn = py.detach(|| engine.best_turn(&game, &limits));
        Ok(turn.map_or_else(Vec::new, |turn| turn.iter().copied().map(PyMove).collect()))
    }

    /// The best lines, best first, at most `multipv` of them. Without a limit it searches for a second.
    #[pyo3(signature = (board, *, nodes=None, depth=None, time=None, multipv=1))]
    fn analyse(
        &mut self,
        py: Python<'_>,
        board: PyRef<'_, PyBoard>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
        multipv: usize,
    ) -> PyResult<Vec<PyInfo>> {
        let limits = limits_or_a_second(nodes, depth, time)?;
        let game = board.game.clone();
        drop(board);
        let engine = &mut self.engine;
        let options = Options {
            multi_pv: multipv.max(1),
            rules: game.rules(),
            ..*engine.options()
        };
        engine.set_options(options);
        let report = py.detach(|| engine.analyse(&Search::of_game(&game).limits(limits), |_| {}));
        let lines = report.lines.iter().map(|line| PyInfo {
            score: line.score.value(),
            mate: match line.score {
                Score::Mate(turns) => Some(turns),
                Score::Centi(_) => None,
            },
            depth: report.depth,
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
            pv: line
                .turns
                .iter()
                .map(|turn| turn.iter().copied().map(PyMove).collect())
                .collect(),
        });
        Ok(lines.collect())
    }

    /// The static evaluation for the side to move, in hundredths of an infantry; no deploy may be open.
    fn evaluate(&self, board: PyRef<'_, PyBoard>) -> PyResult<i32> {
        let position = board.game.position();
        match position.deploy() {
            Some(_) => Err(illegal_move(
                "a deploy is open: positions between turns are evaluated",
            )),
            None => Ok(self.engine.evaluate(position)),
        }
    }

    /// Forgets all searches.
    fn clear(&mut self) {
        self.engine.clear();
    }

    /// A copy in another process, or of an environment, has the same options and has searched nothing yet.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((u8,), Bound<'py, PyDict>)> {
        let options = self.engine.options();
        let named = PyDict::new(py);
        named.set_item("threads", options.threads)?;
        named.set_item("hash_mib", options.hash_mib)?;
        named.set_item("seed", options.seed)?;
        Ok(((self.level(),), named))
    }

    fn __repr__(&self) -> String {
        format!("Engine(level={})", self.level())
    }
}

fn limits_or_a_second(
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
) -> PyResult<Limits> {
    let all = limits(nodes, depth, time)?;
    if all.is_infinite() {
        return limits(None, None, Some(1.0));
    }
    Ok(all)
}

/// A player of Tractor. It is handed a view and nothing else, so it cannot peek. `level` is 'random', 'scripted', 'easy', 'normal',
/// 'strong' or 'master'.
///
/// >>> from convoy_games.engine import TractorPlayer
/// >>> from convoy_games.tractor import Game
/// >>> game = Game(seed=7)
/// >>> game.deal(); game.close()
/// >>> player = TractorPlayer("normal", seed=1)
/// >>> while game.stage != "over":
/// ...     game.apply(player.act(game.view(game.turn)))
/// >>> game.result() is not None
/// True
#[pyclass(name = "TractorPlayer", module = "convoy_games.engine", frozen)]
struct PyPlayer {
    player: Player,
    /// As it was made.
    seed: u64,
    rollouts: Option<u32>,
    time: Option<f64>,
}

#[pymethods]
impl PyPlayer {
    /// With `rollouts`, the levels that search spend so many play-outs a decision, and the answer depends on view and seed alone.
    #[new]
    #[pyo3(signature = (level="normal", *, seed=0, rollouts=None, time=None))]
    fn new(level: &str, seed: u64, rollouts: Option<u32>, time: Option<f64>) -> PyResult<Self> {
        let level: PlayerLevel = level.parse().map_err(invalid_text)?;
        let mut player = Player::new(level, seed);
        if let Some(rollouts) = rollouts {
            player = player.with_limits(PlayerLimits::rollouts(rollouts));
        }
        if let Some(time) = time {
            let time = Duration::try_from_secs_f64(time)
                .map_err(|why| invalid_text(format!("time: {why}")))?;
            player = player.with_limits(PlayerLimits::time(time));
        }
        Ok(Self {
            player,
            seed,
            rollouts,
            time,
        })
    }

    /// What the viewer does now, as an event of the record's notation; None where there is nothing for it to do.
    fn act(&self, py: Python<'_>, view: PyRef<'_, PyView>) -> Option<String> {
        let (player, view) = (self.player, view.view.clone());
        py.detach(|| player.act(&view))
            .map(|event| event.to_string())
    }

    /// A play for the viewer in words, with the points it expects.
    fn hint(
        &self,
        py: Python<'_>,
        view: PyRef<'_, PyView>,
    ) -> PyResult<(Vec<String>, f64, String)> {
        let (player, view) = (self.player, view.view.clone());
        let hint = py.detach(|| player.hint(&view));
        let hint = hint.ok_or_else(|| illegal_event("it is not the viewer's turn to play"))?;
        Ok((crate::tractor::texts(hint.cards), hint.points, hint.words))
    }

    /// The level's name.
    #[getter]
    fn level(&self) -> &'static str {
        self.player.level.name()
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str,), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("seed", self.seed)?;
        named.set_item("rollouts", self.rollouts)?;
        named.set_item("time", self.time)?;
        Ok(((self.level(),), named))
    }

    fn __repr__(&self) -> String {
        format!("TractorPlayer({:?})", self.player.level.name())
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyInfo>()?;
    module.add_class::<PyEngine>()?;
    module.add_class::<PyPlayer>()
}
