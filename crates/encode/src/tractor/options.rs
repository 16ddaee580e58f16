//! What an environment is made with.

use tractor::Rules;

/// How a seat names what it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// By its place in a list of whole plays, [`Env::candidates`](super::Env::candidates).
    #[default]
    Candidates,
    /// Card by card, with a fixed number for each, [`Env::mask`](super::Env::mask).
    CardByCard,
}

/// Which rounds are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// Always the first of a game: both teams are on two, and a declaration makes the starter.
    #[default]
    First,
    /// A later one, with levels and a starter drawn for each.
    Random,
}

/// What a round is worth to a seat at its end; the other team has the same below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reward {
    /// 1 for the team that won it.
    #[default]
    Win,
    /// The attackers' points above what they need, in units of that: 0 at 80, -1 at none, 1 at 160.
    Points,
}

/// What an [`Env`](super::Env) is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// The house rules. Nobody takes back, ends early or names a grouping.
    pub rules: Rules,
    /// How plays are named.
    pub form: Form,
    /// Which rounds are played.
    pub start: Start,
    /// What they are worth.
    pub reward: Reward,
}
