#![doc = include_str!("../README.md")]

mod board;
mod cards;
mod coach;
mod course;
mod error;
mod judge;
mod words;

pub use board::{Attempt, BoardMiss, BoardTask, By, Goal, Obstacle, Placed, Threat, Verdict};
pub use cards::{
    Answer, BuryGoal, CardMiss, CardTask, Judged, PlayGoal, Question, Selection, Shape, Table,
};
pub use coach::{CoachError, Decisions, INACCURACY, MISTAKE, coach};
pub use course::{Chapter, Course, Note, Step, Task};
pub use error::LessonError;
pub use judge::{Tried, judge};
pub use words::Words;
