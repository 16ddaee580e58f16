//! The WebAssembly part of the npm package `convoy-games`: plain exports that the modules of `lib` call.
//!
//! Texts and lists go through one input and one output buffer. An export that can fail answers the number of
//! bytes of its answer, or, below zero, of an error as JSON (see [`boundary`]).

pub mod boundary;
#[cfg(feature = "cotulenh")]
pub mod compat;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "cotulenh")]
pub mod game;
#[cfg(feature = "engine")]
pub mod host;
#[cfg(feature = "lessons")]
pub mod lessons;
#[cfg(feature = "cotulenh")]
pub mod moves;
#[cfg(feature = "engine")]
pub mod player;
#[cfg(feature = "cotulenh")]
pub mod position;
#[cfg(feature = "protocol")]
pub mod protocol;
#[cfg(feature = "tractor")]
pub mod query;
#[cfg(any(feature = "cotulenh", feature = "engine"))]
pub mod saved_game;
#[cfg(any(
    feature = "cotulenh",
    feature = "stack",
    feature = "tractor",
    feature = "table"
))]
pub mod slots;
#[cfg(feature = "stack")]
pub mod stack;
#[cfg(feature = "table")]
pub mod table;
#[cfg(any(feature = "tractor", feature = "table"))]
pub mod tractor;
