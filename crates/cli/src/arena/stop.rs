//! When a run stops: at its deadline, or when the user interrupts it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// Set by the first Ctrl-C; the second one ends the process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Asked between any two decisions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    deadline: Option<Instant>,
}

impl Stop {
    /// A run of at most so many minutes. From now on Ctrl-C stops it and lets it report.
    pub(crate) fn after(minutes: Option<f64>) -> anyhow::Result<Self> {
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            eprintln!("stopping; Ctrl-C again ends at once");
        })
        .context("cannot wait for Ctrl-C")?;
        let deadline = match minutes {
            None => None,
            Some(minutes) => {
                let length = Duration::try_from_secs_f64(60.0 * minutes)
                    .context("--minutes is a number from 0")?;
                Instant::now().checked_add(length)
            }
        };
        Ok(Self { deadline })
    }

    /// A run without an end of its own.
    pub(crate) const fn never() -> Self {
        Self { deadline: None }
    }

    /// Whether nothing more is to be begun.
    pub(crate) fn is_due(self) -> bool {
        let interrupted = INTERRUPTED.load(Ordering::Relaxed);
        interrupted || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}
