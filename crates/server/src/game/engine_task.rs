//! Thinking that takes long enough to be done elsewhere.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::{Action, Progress, TimeSlice};

/// What a search tells of what it finds on the way.
pub(crate) type Tell<'a> = &'a mut (dyn FnMut(Value) + Send);

/// Thinking that this process or a worker can do. It holds what whoever asks may know, and nothing
/// else: a worker is not trusted with more.
pub(crate) trait EngineTask: Send + fmt::Debug {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// What a worker is sent; [`HostedGame::read_task`](super::HostedGame) reads it.
    fn request(&self) -> Value;

    /// How long it thinks at most.
    fn budget(&self) -> Duration;

    /// So much time went by without an answer.
    fn lose(&mut self, time: Duration) {
        let _ = time;
    }

    /// Thinks until it is done or asked to pause.
    fn run(&mut self, slice: &TimeSlice<'_>, tell: Tell<'_>) -> Progress<Option<Action>>;

    /// Whether a worker's word has the form of what this task tells on the way.
    fn may_tell(&self, told: &Value) -> bool {
        let _ = told;
        false
    }
}
