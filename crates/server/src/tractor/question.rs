//! Questions of a page that change nothing: what is this selection, what would the player do, how
//! did that round go.

use serde_json::{Value, json};
use tractor::{CardSet, Stage, View};

use super::game::{TractorGame, cards, seat_of};
use super::task::Task;
use super::{card_names, refusal_code};
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
                Ok(Reply::Now(json!({ "proof": finished.file })))
            }
            other => Err(Refusal::UnknownAction(other.to_owned())),
        }
    }

    /// What a selection is called, and whether it may be played or buried now.
    fn check(&self, viewer: Option<Seat>, d: &Value) -> Result<Value, Refusal> {
        let seat = viewer.and_then(seat_of).ok_or(Refusal::NotSeated)?;
        let round = self.round().ok_or(Refusal::NotNow(NotNow::NotDealt))?;
        let view = View::of(round, Some(seat));
        let parts = parts(&d["parts"])?;
        let cards = match &parts {
            Some(parts) => parts.iter().flat_map(|part| part.iter()).collect(),
            None => cards(&d["cards"])?,
        };
        let judge = view.judge();
        if view.hand.less(cards).is_none() {
            return Err(Refusal::Illegal(Reason::new(
                "held",
                "you do not hold these cards",
            )));
        }
        let mut name = card_names::name(&judge, judge.ranked(cards.faces()));
        let illegal = match (view.stage, parts) {
            (_, Some(parts)) => {
                let of = |part: &CardSet| card_names::name(&judge, judge.ranked(part.faces()));
                let named = parts.iter().map(|part| of(part)["parts"].take());
                let named: Vec<Value> = named.flat_map(into_list).collect();
                name["parts"] = json!(named);
                let throw = tractor::Event::Throw { seat, parts };
                round.clone().apply(throw).err()
            }
            (Stage::Burying, None) => round
                .clone()
                .apply(tractor::Event::Bury { seat, cards })
                .err(),
            (_, None) => view.check(cards).err(),
        };
        let reason = illegal
            .as_ref()
            .map(|illegal| refusal_code::reason(illegal).json());
        Ok(json!({ "name": name, "ok": illegal.is_none(), "why": reason }))
    }
}

/// The parts of a throw as the leader names them, if it does.
fn parts(value: &Value) -> Result<Option<Vec<CardSet>>, Refusal> {
    let list = value.as_array().filter(|parts| parts.len() <= 25);
    let parts = list.map(|parts| parts.iter().map(cards).collect());
    parts.transpose()
}

fn into_list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        other => vec![other],
    }
}
