//! Questions of a page that change nothing: what is this selection, what would the player do, how
//! did that round go.

use convoy_protocol::tractor::table;
use serde_json::{Value, json};
use tractor::CardSet;

use super::game::{TractorGame, cards, seat_of};
use super::task::Task;
use crate::game::{BotJob, Reply, Seat};
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
            "check" => self.check(viewer, d).map(Reply::Now),
            "hint" => {
                let view = viewer
                    .and_then(|seat| self.view(seat))
                    .ok_or(Refusal::NotSeated)?;
                if view.turn != view.viewer {
                    return Err(Refusal::NotYourTurn);
                }
                Ok(Reply::Later(BotJob::engine(Task::Hint { view })))
            }
            "replay" => self.replay(d).map(Reply::Now),
            "proof" => {
                let round = d["round"].as_u64().and_then(|n| usize::try_from(n).ok());
                let finished = round.and_then(|n| self.past.get(n.checked_sub(1)?));
                let finished = finished.ok_or(Refusal::NotNow(NotNow::RoundNotOver))?;
                let file = finished.file.as_ref();
                let file = file.ok_or(Refusal::NotNow(NotNow::NoProof))?;
                Ok(Reply::Now(json!({ "proof": file })))
            }
            other => Err(Refusal::UnknownAction(other.to_owned())),
        }
    }

    /// What a selection is called, and whether it may be played or buried now.
    fn check(&self, viewer: Option<Seat>, d: &Value) -> Result<Value, Refusal> {
        let seat = viewer.and_then(seat_of).ok_or(Refusal::NotSeated)?;
        let round = self.round().ok_or(Refusal::NotNow(NotNow::NotDealt))?;
        let parts = parts(&d["parts"])?;
        let cards = match &parts {
            Some(parts) => parts.iter().flat_map(|part| part.iter()).collect(),
            None => cards(&d["cards"])?,
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

/// The parts of a throw as the leader names them, if it does.
fn parts(value: &Value) -> Result<Option<Vec<CardSet>>, Refusal> {
    let list = value.as_array().filter(|parts| parts.len() <= 25);
    let parts = list.map(|parts| parts.iter().map(cards).collect());
    parts.transpose()
}
