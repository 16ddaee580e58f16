//! What the tests of the server and the programs that load, flood and break it have in common: clients
//! that speak to a server as browsers do, players of both games, and servers as processes of their own.
#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "tools of tests: nobody else depends on them"
)]

pub mod args;
pub mod boards;
pub mod cards;
pub mod client;
pub mod drive;
pub mod faults;
pub mod installation;
pub mod process;
pub mod proxy;
pub mod random;
