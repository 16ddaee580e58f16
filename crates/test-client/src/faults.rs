//! What may happen to a server in the middle of games, and whether anything that was told is missing
//! from its file afterwards.

pub mod balancer;
pub mod kind;
pub mod namespace;
pub mod nodes;
pub mod play;
pub mod run;
pub mod server;
pub mod shim;
pub mod told;
pub mod visitors;
