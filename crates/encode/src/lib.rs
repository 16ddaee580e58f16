#![doc = include_str!("../README.md")]

mod bits;
pub mod cotulenh;
pub mod tractor;
pub mod vector;

use std::error::Error;
use std::fmt;

/// An action that is not legal where it was given; nothing has changed.
///
/// ```
/// use convoy_encode::cotulenh::Env;
/// let refused = Env::new().step(-1).unwrap_err();
/// assert_eq!(refused.to_string(), "action -1 is not legal here; 116 others are");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalAction {
    /// What was given.
    pub action: i32,
    /// How many legal actions there are.
    pub legal: usize,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, legal } = self;
        match legal {
            0 => write!(f, "action {action} is not legal here: the game is over"),
            1 => write!(f, "action {action} is not legal here; 1 other is"),
            _ => write!(f, "action {action} is not legal here; {legal} others are"),
        }
    }
}

impl Error for IllegalAction {}
