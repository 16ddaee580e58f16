//! Questions of a page that change nothing: what is this selection, what would the player do, how
//! did that round go.

use convoy_protocol::tractor::table;
use serde_json::{Value, json};

use super::fields::{CheckFields, ProofFields};
use super::game::{TractorGame, seat_of};
use super::task::Task;
use crate::game::{BotJob, NoFields, Reply, Seat, read_fields};
use crate::refusal::{NotNow, Reason, Refusal};

impl TractorGame {
    /// Answers a question of a viewer.
    pub(super) fn answer(
        &self,
        viewer: Option<Seat>,
        what: &str,
        d: &Value,
    ) -> Result<Reply, Refusal> {
        match what {
            "check" => self.check(viewer, &read_fields(d)?).map(Reply::Now),
            "hint" => {
                let NoFields {} = read_fields(d)?;
                let view = viewer
                    .and_then(|seat| self.view(seat))
                    .ok_or(Refusal::NotSeated)?;
                if view.turn != view.viewer {
                    return Err(Refusal::NotYourTurn);
                }
                Ok(Reply::Later(BotJob::engine(Task::Hint { view })))
            }
            "replay" => self.replay(&read_fields(d)?).map(Reply::Now),
            "proof" => {
                let ProofFields { round } = read_fields(d)?;
                let file = self.finished_round(round)?.file.as_ref();
                let file = file.ok_or(Refusal::NotNow(NotNow::NoProof))?;
                Ok(Reply::Now(json!({ "proof": file })))
            }
            other => Err(Refusal::UnknownAction(other.to_owned())),
        }
    }

    /// What a selection is called, and whether it may be played or buried now.
    fn check(&self, viewer: Option<Seat>, asked: &CheckFields) -> Result<Value, Refusal> {
        let seat = viewer.and_then(seat_of).ok_or(Refusal::NotSeated)?;
        let round = self.round().ok_or(Refusal::NotNow(NotNow::NotDealt))?;
        let parts = asked.parts()?;
        let cards = match &parts {
            Some(parts) => parts.iter().flat_map(|part| part.iter()).collect(),
            None => asked.cards()?,
        };
        if round.hand(seat).less(cards).is_none() {
            return Err(Refusal::Illegal(Reason::new(
                "held",
                "you do not hold these cards",
            )));
        }
        Ok(table::check(round, seat, cards, parts))
    }
}
