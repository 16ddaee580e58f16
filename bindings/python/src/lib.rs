//! The native part of the Python package `convoy_games`: the rules, the players and the encodings of the Rust crates as Python classes.
//!
//! The Python modules beside it give these classes their public names; nothing here is meant to be imported directly.

mod board;
mod cotulenh;
mod engine;
mod env;
mod errors;
mod game;
mod judge;
mod node;
mod options;
mod query;
mod stack;
mod threads;
mod tractor;
mod vector;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::add(module)?;
    cotulenh::add(module)?;
    board::add(module)?;
    game::add(module)?;
    node::add(module)?;
    query::add(module)?;
    tractor::add(module)?;
    judge::add(module)?;
    stack::add(module)?;
    engine::add(module)?;
    env::add(module)?;
    vector::add(module)
}
