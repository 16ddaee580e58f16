//! Rounds that a program lost without playing them to the end, and why.

use std::fmt;

use serde::Serialize;

/// What a program did wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Cause {
    /// The rules forbid what it answered.
    Illegal,
    /// Its line is no answer to the request.
    BadAnswer,
    /// It answered with an error.
    Error,
    /// It ended, or closed its input or output.
    Exited,
    /// It did not answer in time.
    TimedOut,
}

impl Cause {
    pub(crate) const ALL: [Self; 5] = [
        Self::Illegal,
        Self::BadAnswer,
        Self::Error,
        Self::Exited,
        Self::TimedOut,
    ];

    const fn words(self) -> &'static str {
        match self {
            Self::Illegal => "illegal play",
            Self::BadAnswer => "unreadable answer",
            Self::Error => "error as answer",
            Self::Exited => "program ended",
            Self::TimedOut => "time-out",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A forfeited round: the cause, and what happened in words.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Forfeit {
    pub(crate) cause: Cause,
    pub(crate) detail: String,
}

impl Forfeit {
    pub(crate) fn new(cause: Cause, detail: impl Into<String>) -> Self {
        Self {
            cause,
            detail: detail.into(),
        }
    }
}

/// Why a player gave no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Its own fault: the round is forfeited.
    Forfeit(Forfeit),
    /// The run is being stopped.
    Stopped,
}

impl From<Forfeit> for Failure {
    fn from(forfeit: Forfeit) -> Self {
        Self::Forfeit(forfeit)
    }
}
