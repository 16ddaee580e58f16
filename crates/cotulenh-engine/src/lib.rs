#![doc = include_str!("../README.md")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "scores, depths and indices are far below the limits of their types"
)]

mod baseline;
mod bench;
pub mod cookbook;
mod engine;
mod eval;
mod feature;
mod level;
mod net;
mod order;
mod params;
mod review;
mod score;
mod search;
mod see;
mod table;
mod time;
mod turn;
mod uci;

pub use baseline::{alpha_beta, gain, one_ply, points};
pub use bench::{BENCH_POSITIONS, bench_nodes};
pub use cotulenh::SplitMix64;
pub use engine::{Engine, Line, Options, Report, Search};
pub use feature::{Feature, Features, UnknownFeature};
pub use level::{Handicap, SkillLevel};
pub use net::{Net, ReadNetError};
pub use review::{Judgement, Opinion, accuracy, game_losses, loss};
pub use score::Score;
pub use time::{Clock, Limits, SystemTimer, Timer};
pub use turn::Turn;
pub use uci::serve_uci;

/// Balanced positions to begin matches with, one FEN a line.
pub const OPENINGS: &str = include_str!("../data/openings.fen");

/// Tactical positions with their best turns, `kind;FEN;turns` a line.
pub const TACTICS: &str = include_str!("../data/tactics.txt");
