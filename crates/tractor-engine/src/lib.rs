#![doc = include_str!("../README.md")]

mod bond;
mod bury;
mod deal;
mod declare;
mod dice;
mod eyes;
mod follow;
mod house;
mod lead;
mod lore;
mod past;
mod pay;
mod play;
mod player;
mod random;
mod reference;
mod sample;
mod search;
mod sight;
mod solve;
mod style;
mod table;
mod weigh;

pub use bury::bury;
pub use declare::trump_strength;
pub use dice::Dice;
pub use eyes::Eyes;
pub use house::random_rules;
pub use lore::Lore;
pub use player::{Hint, Level, ParseLevelError, Player};
pub use sample::Sampler;
pub use search::{Candidate, Limits, Verdict};
pub use sight::Sight;
pub use style::Style;
pub use table::Table;
pub use weigh::{Gain, weigh};
