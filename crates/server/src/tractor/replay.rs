//! Looking back: any moment of a finished round, from any seat.

use convoy_protocol::tractor::table;
use serde_json::{Value, json};
use tractor::Seat;

use super::game::TractorGame;
use crate::refusal::{NotNow, Refusal};

impl TractorGame {
    /// A moment of a round that is over: `{round, step, seat}`, the seat none for all hands open.
    pub(super) fn replay(&self, d: &Value) -> Result<Value, Refusal> {
        let number = |name: &str| d[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let round = number("round").and_then(|n| self.past.get(n.checked_sub(1)?));
        let finished = round.ok_or(Refusal::NotNow(NotNow::RoundNotOver))?;
        let (step, seat) = (number("step"), number("seat").and_then(Seat::new));
        let moment = table::moment(&finished.record, step.unwrap_or(usize::MAX), seat);
        let mut moment = moment.ok_or(Refusal::Storage)?;
        moment["round"] = json!(number("round"));
        Ok(moment)
    }
}
