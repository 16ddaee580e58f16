//! The binary from outside: one program of tests, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    reason = "a test may fail, and so may what it is made of"
)]

#[path = "../../examples/watch_tractor.rs"]
#[allow(dead_code, reason = "the program's own part")]
mod watch_tractor;

mod admin;
mod arena;
mod config;
mod cotulenh;
mod faults;
mod kill_tractor;
mod match_command;
mod nodes;
mod postgres;
mod process;
mod serve;
mod stack;
mod storage;
mod tractor;
mod watch;
mod worker;
