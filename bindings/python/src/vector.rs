//! Many games at once, written into NumPy arrays of the caller's without copies.

use std::sync::Arc;

use convoy_encode::cotulenh::OBSERVATION_LEN as CTL_LEN;
use convoy_encode::tractor::OBSERVATION_LEN as CARDS_LEN;
use convoy_encode::vector::{
    CotulenhBatch, CotulenhBuffers, StepError, TractorBatch, TractorBuffers,
};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1,
    PyReadwriteArrayDyn,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{BufferError, illegal_action};
use crate::threads::Threads;

fn refused(why: StepError) -> PyErr {
    match why {
        StepError::Buffer { .. } => BufferError::new_err(why.to_string()),
        _ => illegal_action(why),
    }
}

/// An array of the dictionary, borrowed for writing.
fn array<'py, T: Element>(
    arrays: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let found = arrays.get_item(name)?;
    let found =
        found.ok_or_else(|| BufferError::new_err(format!("the array `{name}` is missing")))?;
    let array = found.cast::<PyArrayDyn<T>>();
    let array = array
        .map_err(|_| BufferError::new_err(format!("`{name}` is no array of the right type")))?;
    array
        .try_readwrite()
        .map_err(|why| BufferError::new_err(format!("`{name}`: {why}")))
}

fn slice<'a, T: Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    name: &str,
) -> PyResult<&'a mut [T]> {
    let slice = array.as_slice_mut();
    slice.map_err(|_| BufferError::new_err(format!("`{name}` is not contiguous")))
}

/// An array that may be left out.
fn optional<'py, T: Element>(
    arrays: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<Option<PyReadwriteArrayDyn<'py, T>>> {
    if arrays.contains(name)? {
        array(arrays, name).map(Some)
    } else {
        Ok(None)
    }
}

fn actions_of<'a>(actions: &'a PyReadonlyArray1<'_, i32>) -> PyResult<&'a [i32]> {
    actions
        .as_slice()
        .map_err(|_| BufferError::new_err("`actions` is not contiguous"))
}

/// What is done with all games of a batch.
enum Do<'a> {
    Reset,
    Observe,
    Step(&'a [i32]),
    StepRandom(u64, &'a mut [i32]),
}

/// Many games of Cờ Tư Lệnh; `convoy_games.vector` wraps it.
#[pyclass(name = "CotulenhBatch", module = "convoy_games._native")]
struct PyCotulenhBatch {
    batch: CotulenhBatch,
    threads: Arc<Threads>,
}

impl PyCotulenhBatch {
    fn run(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>, todo: Do<'_>) -> PyResult<()> {
        let mut observations = array::<u8>(arrays, "observations")?;
        let mut legal = array::<i32>(arrays, "legal")?;
        let mut counts = array::<i32>(arrays, "counts")?;
        let mut mask = optional::<u8>(arrays, "mask")?;
        let mut rewards = array::<f32>(arrays, "rewards")?;
        let mut done = array::<u8>(arrays, "done")?;
        let mut players = array::<u8>(arrays, "players")?;
        let mut buffers = CotulenhBuffers {
            observations: slice(&mut observations, "observations")?,
            legal: slice(&mut legal, "legal")?,
            counts: slice(&mut counts, "counts")?,
            mask: mask
                .as_mut()
                .map_or(Ok(&mut [][..]), |mask| slice(mask, "mask"))?,
            rewards: slice(&mut rewards, "rewards")?,
            done: slice(&mut done, "done")?,
            players: slice(&mut players, "players")?,
        };
        let batch = &mut self.batch;
        let result = py.detach(|| match todo {
            Do::Reset => batch.reset(&mut buffers),
            Do::Observe => batch.observe(&mut buffers),
            Do::Step(actions) => batch.step(actions, &mut buffers),
            Do::StepRandom(seed, actions) => batch.step_random(seed, actions, &mut buffers),
        });
        result.map_err(refused)
    }
}

#[pymethods]
impl PyCotulenhBatch {
    #[classattr]
    const OBSERVATION_LEN: usize = CTL_LEN;

    #[new]
    fn new(games: usize, threads: usize) -> Self {
        let threads = Arc::new(Threads::new(threads));
        Self {
            batch: CotulenhBatch::new(games, 1).with_crew(threads.clone()),
            threads,
        }
    }

    fn reset(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        self.run(py, arrays, Do::Reset)
    }

    fn observe(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        self.run(py, arrays, Do::Observe)
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        self.run(py, arrays, Do::Step(actions_of(&actions)?))
    }

    /// A random legal action for each game.
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut actions = vec![0; self.batch.games().len()];
        let drawn = py.detach(|| self.batch.sample(seed, &mut actions));
        drawn.map_err(refused)?;
        Ok(actions.into_pyarray(py))
    }

    /// Draws a legal action for each game and carries them out; answers the actions.
    fn step_random<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut actions = vec![0; self.batch.games().len()];
        self.run(py, arrays, Do::StepRandom(seed, &mut actions))?;
        Ok(actions.into_pyarray(py))
    }

    /// Ends the threads until the next step.
    fn rest(&self) {
        self.threads.rest();
    }

    fn fens(&self) -> Vec<String> {
        self.batch
            .games()
            .iter()
            .map(|game| game.position().to_string())
            .collect()
    }
}

/// Many rounds of Tractor; `convoy_games.vector` wraps it.
#[pyclass(name = "TractorBatch", module = "convoy_games._native")]
struct PyTractorBatch {
    batch: TractorBatch,
    threads: Arc<Threads>,
}

impl PyTractorBatch {
    fn run(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>, todo: Do<'_>) -> PyResult<()> {
        let mut observations = array::<u8>(arrays, "observations")?;
        let mut candidates = optional::<u64>(arrays, "candidates")?;
        let mut mask = optional::<u8>(arrays, "mask")?;
        let mut counts = array::<i32>(arrays, "counts")?;
        let mut rewards = array::<f32>(arrays, "rewards")?;
        let mut points = array::<i32>(arrays, "points")?;
        let mut done = array::<u8>(arrays, "done")?;
        let mut players = array::<u8>(arrays, "players")?;
        let mut buffers = TractorBuffers {
            observations: slice(&mut observations, "observations")?,
            candidates: candidates
                .as_mut()
                .map_or(Ok(&mut [][..]), |words| slice(words, "candidates"))?,
            mask: mask
                .as_mut()
                .map_or(Ok(&mut [][..]), |mask| slice(mask, "mask"))?,
            counts: slice(&mut counts, "counts")?,
            rewards: slice(&mut rewards, "rewards")?,
            points: slice(&mut points, "points")?,
            done: slice(&mut done, "done")?,
            players: slice(&mut players, "players")?,
        };
        let batch = &mut self.batch;
        let result = py.detach(|| match todo {
            Do::Reset => batch.reset(&mut buffers),
            Do::Observe => batch.observe(&mut buffers),
            Do::Step(actions) => batch.step(actions, &mut buffers),
            Do::StepRandom(seed, actions) => batch.step_random(seed, actions, &mut buffers),
        });
        result.map_err(refused)
    }
}

#[pymethods]
impl PyTractorBatch {
    #[classattr]
    const OBSERVATION_LEN: usize = CARDS_LEN;

    #[new]
    #[pyo3(signature = (games, threads, seed, rules, form, start, reward))]
    fn new(
        games: usize,
        threads: usize,
        seed: u64,
        rules: &str,
        form: &str,
        start: &str,
        reward: &str,
    ) -> PyResult<Self> {
        let options = crate::options::options(rules, form, start, reward)?;
        let threads = Arc::new(Threads::new(threads));
        Ok(Self {
            batch: TractorBatch::new(games, options, seed, 1).with_crew(threads.clone()),
            threads,
        })
    }

    fn reset(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        self.run(py, arrays, Do::Reset)
    }

    fn observe(&mut self, py: Python<'_>, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        self.run(py, arrays, Do::Observe)
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        self.run(py, arrays, Do::Step(actions_of(&actions)?))
    }

    /// A random legal action for each round.
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut actions = vec![0; self.batch.games().len()];
        let drawn = py.detach(|| self.batch.sample(seed, &mut actions));
        drawn.map_err(refused)?;
        Ok(actions.into_pyarray(py))
    }

    /// Draws a legal action for each round and carries them out; answers the actions.
    fn step_random<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut actions = vec![0; self.batch.games().len()];
        self.run(py, arrays, Do::StepRandom(seed, &mut actions))?;
        Ok(actions.into_pyarray(py))
    }

    /// Ends the threads until the next step.
    fn rest(&self) {
        self.threads.rest();
    }

    /// The seed number of each round that is played now.
    fn deals(&self) -> Vec<u64> {
        self.batch
            .games()
            .iter()
            .map(convoy_encode::tractor::Env::deal)
            .collect()
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyCotulenhBatch>()?;
    module.add_class::<PyTractorBatch>()
}
