//! The server from outside, over HTTP and sockets: one program, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    reason = "a test may fail, and so may what it is made of"
)]

mod abuse;
mod account;
mod admin;
mod api;
mod cache;
mod common;
mod cookie;
mod device_game;
mod device_match;
mod doors;
mod export;
mod fault;
mod field;
mod frames;
mod game;
mod identity;
mod limit;
mod load;
mod nodes;
mod page;
mod page_contents;
mod postgres;
mod presence;
mod puzzle;
mod refusal;
mod review;
mod schema;
mod session;
mod storage;
mod study;
mod tls;
mod tractor;
mod worker;
