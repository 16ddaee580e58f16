#![doc = include_str!("../README.md")]

mod board;
mod cards;
mod course;
mod error;
mod words;

pub use board::{Attempt, BoardMiss, BoardTask, By, Goal, Obstacle, Placed, Threat, Verdict};
pub use cards::{
    Answer, BuryGoal, CardMiss, CardTask, Judged, PlayGoal, Question, Selection, Shape, Table,
};
pub use course::{Chapter, Course, Note, Step, Task};
pub use error::LessonError;
pub use words::Words;
