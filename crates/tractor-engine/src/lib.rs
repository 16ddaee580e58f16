#![doc = include_str!("../README.md")]

mod beliefs;
mod bury;
mod cheapest_follow;
mod constraint;
mod declare;
mod follow;
mod lead;
mod play;
mod play_history;
mod player;
mod purpose;
mod random;
mod random_rules;
mod review;
mod rng;
mod rollout_bids;
mod sample;
mod sample_points;
mod scripted;
mod search;
mod seat_state;
mod solve;
mod trump_tables;
mod weigh;
mod weights;
mod world;

pub use beliefs::Beliefs;
pub use bury::bury;
pub use declare::trump_strength;
pub use player::{Hint, ParseSkillLevelError, Player, SkillLevel};
pub use purpose::Purpose;
pub use random_rules::random_rules;
pub use review::{Decision, RoundReview, RoundReviewer};
pub use rng::Rng;
pub use sample::Sampler;
pub use sample_points::sample_points;
pub use search::{Candidate, Limits, Verdict};
pub use seat_state::SeatState;
pub use trump_tables::TrumpTables;
pub use weigh::{Gain, weigh};
pub use weights::Weights;
pub use world::World;

#[doc = include_str!("../COOKBOOK.md")]
pub mod cookbook {}
