#![doc = include_str!("../README.md")]

pub mod board;
pub mod cards;
mod rating;
mod read;

pub use rating::Rating;
pub use read::{Difficulty, ParseDifficultyError, ReadPuzzlesError, id_of};
