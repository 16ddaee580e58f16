//! The questions about Tractor, one function an op.

pub(crate) mod cards;
mod play;
mod round;
mod shape;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Fault};

/// Answers one request; `text` is the whole line.
pub(super) fn answer(op: &str, text: &str) -> Answer {
    match op {
        "combo" => shape::combo(&read(text)?),
        "identify" => shape::identify(&read(text)?),
        "cmp" => shape::compare(&read(text)?),
        "memory" => shape::memory(&read(text)?),
        "lead" => play::lead(&read(text)?),
        "follow" => play::follow(&read(text)?),
        "trick" => play::trick(&read(text)?),
        "throw" => play::throw(&read(text)?),
        "score" => round::score(&read(text)?),
        "kitty" => round::kitty(&read(text)?),
        "decl" => round::decl(&read(text)?),
        "round" => round::round(&read(text)?),
        _ => Err(Fault::new(
            "unknown-op",
            format!("Tractor has no op {op:?}"),
        )),
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new("malformed", error.to_string()))
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "every op ends with it, and an op may fail"
)]
fn write(answer: &impl Serialize) -> Answer {
    Ok(serde_json::to_string(answer).expect("an answer is plain data"))
}
