//! The binary from outside: one program of tests, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    reason = "a test may fail, and so may what it is made of"
)]

#[path = "../../../server/examples/load/boards.rs"]
#[allow(dead_code, reason = "the load's own part")]
mod boards;
#[path = "../../../server/examples/load/cards.rs"]
mod cards;
#[path = "../../../../fuzz/checks.rs"]
mod checks;
#[path = "../../../server/examples/load/client.rs"]
mod client;
#[path = "../../../server/examples/load/drive.rs"]
#[allow(dead_code, reason = "the load's own part")]
mod drive;
#[path = "../../../server/examples/faults/kind.rs"]
#[allow(dead_code, reason = "the gate needs no root and waits for no time-out")]
mod kind;
#[path = "../../../server/examples/faults/play.rs"]
mod play;
#[path = "../../../server/examples/faults/run.rs"]
#[allow(dead_code, reason = "the figures are for a person to read")]
mod run;
#[path = "../../../server/examples/faults/server.rs"]
mod server;
#[path = "../../../server/examples/faults/told.rs"]
mod told;
#[path = "../../examples/watch_tractor.rs"]
#[allow(dead_code, reason = "the program's own part")]
mod watch_tractor;

mod arena;
mod config;
mod cotulenh;
mod faults;
mod kill_tractor;
mod loss;
mod match_command;
mod process;
mod serve;
mod stack;
mod storage;
mod tractor;
mod watch;
