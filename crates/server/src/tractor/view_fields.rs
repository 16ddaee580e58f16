//! What a viewer is told: the view of the rules crate, and what a page needs to show it without
//! knowing any rule.

use std::borrow::Cow;

use convoy_protocol::tractor::table::{self, FieldWriter, RoundSummary};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;
use tractor::View;

use super::game::{Finished, Stage, TractorGame, seat_of};
use super::picture;
use super::proof::RoundFile;
use crate::fields::Fields;
use crate::game::{Export, Presence, Reply, Seat, Views};
use crate::refusal::Refusal;
use crate::seat::Occupant;

impl Views for TractorGame {
    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
        self::fields(self, viewer, presence, fields);
    }

    fn ask(&self, viewer: Option<Seat>, what: &str, d: &Value) -> Result<Reply, Refusal> {
        self.answer(viewer, what, d)
    }

    fn log_len(&self) -> usize {
        self.log.len()
    }

    fn log(&self) -> Vec<String> {
        self.log.clone()
    }

    fn last_entry(&self) -> Option<Cow<'_, str>> {
        self.log.last().map(Into::into)
    }

    fn clock(&self) -> String {
        let seconds = self.setup.seconds;
        seconds
            .map(|seconds| format!("{seconds} s"))
            .unwrap_or_default()
    }

    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        _flip: bool,
        _seats: &[Occupant],
    ) -> Option<Export> {
        let last = self.past.len();
        match ending {
            "svg" => Some(Export {
                content_type: "image/svg+xml",
                text: picture::svg()?,
            }),
            "round" => {
                let finished = self.past.get(ply.unwrap_or(last).checked_sub(1)?)?;
                Some(Export {
                    content_type: "application/json",
                    text: serde_json::to_string_pretty(finished.file.as_ref()?).ok()?,
                })
            }
            "txt" => {
                let records = self.past.iter().map(|finished| finished.record.to_string());
                Some(Export {
                    content_type: "text/plain; charset=utf-8",
                    text: records.collect::<Vec<_>>().join("\n"),
                })
            }
            _ => None,
        }
    }
}

impl FieldWriter for Fields {
    fn set(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) {
        Self::set(self, name, value);
    }
}

/// Everything that `viewer` may know.
fn fields(game: &TractorGame, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
    let round = game.shown();
    let view = View::without_tricks(&round, viewer.and_then(seat_of));
    let judge = view.judge();
    table::set_view_fields(&view, &judge, fields);
    let stage = match &game.stage {
        Stage::Before => Some("waiting"),
        Stage::Shuffling(_) => Some("shuffling"),
        Stage::Round(..) => None,
    };
    if let Some(stage) = stage {
        fields.set("stage", stage);
        fields.set("offers", &[(); 0]);
    }
    fields.set("hands", &table::hands(&round, &view, &judge));
    fields.set("rules", &HouseRules::of(game));
    fields.set("seconds", &game.setup.seconds);
    fields.set("shuffle", &game.shuffle_field(viewer));
    fields.set("voids", &game.voids_field());
    fields.set("dropped", &game.dropped);
    fields.set("timer", &Timer::of(game, presence.now));
    let rounds: Vec<FinishedRound<'_>> = game.past.iter().map(FinishedRound::of).collect();
    fields.set("rounds", &rounds);
    fields.set("ready", &game.ready);
    fields.set("standIn", &stand_in(game, presence));
    fields.set("winner", &game.winner());
    fields.set("device", &game.setup.device.is_some());
    fields.set("can", &can(game, viewer, &view, presence));
}

#[derive(Serialize)]
struct HouseRules<'a> {
    preset: &'a str,
    switches: &'a std::collections::BTreeMap<String, String>,
}

impl<'a> HouseRules<'a> {
    fn of(table: &'a TractorGame) -> Self {
        Self {
            preset: &table.setup.preset,
            switches: &table.setup.rules,
        }
    }
}

/// What the table waits for, how long at most, and how long still, in milliseconds.
#[derive(Serialize)]
struct Timer {
    r#for: &'static str,
    total: u128,
    left: u128,
}

impl Timer {
    fn of(table: &TractorGame, now: Instant) -> Option<Self> {
        let ((wait, total), (_, due)) = (table.waits()?, table.due()?);
        Some(Self {
            r#for: wait.as_str(),
            total: total.as_millis(),
            left: due.saturating_duration_since(now).as_millis(),
        })
    }
}

/// A round that is over, in short, and where its shuffle can be checked.
#[derive(Serialize)]
struct FinishedRound<'a> {
    #[serde(flatten)]
    summary: RoundSummary,
    attempt: Option<usize>,
    record: Option<&'a str>,
}

impl<'a> FinishedRound<'a> {
    fn of(finished: &'a Finished) -> Self {
        let setup = &finished.record.setup;
        Self {
            summary: RoundSummary::new(setup, finished.defending, &finished.result),
            attempt: finished.file.as_ref().and_then(RoundFile::attempts),
            record: finished.file.as_ref().and_then(RoundFile::record_hash),
        }
    }
}

/// The seats for which a bot plays while their owner is gone.
fn stand_in(table: &TractorGame, presence: &Presence<'_>) -> Vec<bool> {
    let patience = table.patience();
    let gone = |away: &Option<std::time::Duration>| away.is_some_and(|away| away >= patience);
    presence.away.iter().map(gone).collect()
}

/// What a viewer may do now.
fn can(
    game: &TractorGame,
    viewer: Option<Seat>,
    view: &View,
    presence: &Presence<'_>,
) -> Vec<&'static str> {
    let Some(index) = viewer.map(usize::from) else {
        return Vec::new();
    };
    if presence.seats.iter().any(Occupant::is_open) {
        return vec!["fill"];
    }
    let round = match &game.stage {
        Stage::Shuffling(_) if game.may_commit(index) => return vec!["commit"],
        Stage::Shuffling(_) if game.may_reveal(index) => return vec!["reveal"],
        Stage::Before | Stage::Shuffling(_) => return Vec::new(),
        Stage::Round(_, round) => round,
    };
    let mut may = table::actions(round, view);
    if game.is_round_over() && !game.ready[index] {
        may.push(match game.winner() {
            None => "next",
            Some(_) => "rematch",
        });
    }
    may
}
