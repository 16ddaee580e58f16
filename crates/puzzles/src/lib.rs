#![doc = include_str!("../README.md")]

pub mod board;
pub mod cards;
mod read;

pub use read::{Difficulty, ParseDifficultyError, ReadPuzzlesError, id_of};
