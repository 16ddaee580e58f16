//! The WebAssembly part of the npm package `convoy-games`: plain exports that the modules of `lib` call.
//!
//! Texts and lists go through one input and one output buffer. An export that can fail answers the number of
//! bytes of its answer, or, below zero, of an error as JSON (see [`boundary`]).

pub mod boundary;
#[cfg(feature = "cotulenh")]
pub mod compat;
#[cfg(feature = "cotulenh")]
pub mod moves;
#[cfg(feature = "cotulenh")]
pub mod position;
pub mod query;
