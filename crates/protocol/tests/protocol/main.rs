//! The protocol from outside: what it refuses, what its documentation says, what its types read and write.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

mod bad_lines;
mod bots;
mod documentation;
mod draft;
mod ops;
