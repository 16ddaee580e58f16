//! Looking back: any moment of a finished round, from any seat.

use convoy_protocol::tractor::table;
use serde_json::{Value, json};

use super::fields::ReplayFields;
use super::game::{Finished, TractorGame};
use crate::refusal::{NotNow, Refusal};

impl TractorGame {
    /// A moment of a round that is over; without a seat all hands are open.
    pub(super) fn replay(&self, asked: &ReplayFields) -> Result<Value, Refusal> {
        let finished = self.finished_round(asked.round)?;
        let step = asked.step.map_or(usize::MAX, |step| step as usize);
        let moment = table::moment(&finished.record, step, asked.seat);
        let mut moment = moment.ok_or(Refusal::Storage)?;
        moment["round"] = json!(asked.round);
        Ok(moment)
    }

    /// A round that is over, by its number.
    pub(super) fn finished_round(&self, number: u32) -> Result<&Finished, Refusal> {
        let place = (number as usize).checked_sub(1);
        let finished = place.and_then(|place| self.past.get(place));
        finished.ok_or(Refusal::NotNow(NotNow::RoundNotOver))
    }
}
