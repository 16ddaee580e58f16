//! What the table waits for, and what happens when it has waited long enough.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use tractor::{Phase, View};

use super::engine;
use super::event::Event;
use super::game::{Stage, TractorGame, seat_of};
use super::shuffle::Shuffle;
use crate::game::{Seat, Timing};
use crate::seat::Occupant;

/// What the table waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The server's secret.
    Draw,
    /// The hash of what each browser will add.
    Commit,
    /// What each browser adds.
    Reveal,
    /// The deal of a round that was shuffled in format 1.
    Shuffle,
    /// The next cards.
    Deal,
    /// Declarations, once all cards are out.
    Window,
    /// The turn of a seat.
    Turn,
    /// The players, between two rounds.
    Next,
}

impl Wait {
    /// The word for pages.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Commit => "commit",
            Self::Reveal => "reveal",
            Self::Shuffle => "shuffle",
            Self::Deal => "deal",
            Self::Window => "window",
            Self::Turn => "turn",
            Self::Next => "next",
        }
    }
}

/// Burying takes longer than playing a card.
const BURYING: u64 = 3;

impl TractorGame {
    /// Whether a person who plays is here: without one the table rests.
    pub(super) fn is_attended(&self) -> bool {
        self.here.contains(&true)
    }

    /// How long somebody may be gone before a bot plays for them.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.setup.pace.patience)
    }

    fn is_here(&self, seat: usize) -> bool {
        self.here.get(seat).copied().unwrap_or(false)
    }

    /// Whether everyone who is here is among these.
    fn all_here(&self, among: impl Fn(usize) -> bool) -> bool {
        (0..4).all(|seat| !self.is_here(seat) || among(seat))
    }

    /// What the table waits for, and how long at most.
    pub(super) fn waits(&self) -> Option<(Wait, Duration)> {
        let pace = self.setup.pace;
        let ms = Duration::from_millis;
        if !self.is_attended() || self.seats.iter().any(Occupant::is_open) {
            return None;
        }
        let round = match &self.stage {
            Stage::Before => return Some((Wait::Draw, Duration::ZERO)),
            Stage::Shuffling(Shuffle::Old(_)) => return Some((Wait::Shuffle, Duration::ZERO)),
            Stage::Shuffling(Shuffle::Attempt(attempt)) => {
                let (wait, most) = match attempt.roster {
                    None => (Wait::Commit, pace.commit),
                    Some(_) => (Wait::Reveal, pace.reveal),
                };
                let awaited = |seat| self.may_commit(seat) || self.may_reveal(seat);
                let time = if (0..4).any(awaited) { most } else { 0 };
                return Some((wait, ms(time)));
            }
            Stage::Round(_, round) => round,
        };
        match round.phase() {
            Phase::Dealing(dealing) if dealing.dealt < 100 => Some((Wait::Deal, ms(pace.deal))),
            Phase::Dealing(_) | Phase::Stealing(_) => Some((Wait::Window, ms(pace.window))),
            Phase::Burying(_) | Phase::Playing(_) => {
                let seconds = self.setup.seconds?;
                let seat = round.turn()?.index();
                let factor = match round.phase() {
                    Phase::Burying(_) => BURYING,
                    _ => 1,
                };
                let timed = self.is_here(seat);
                timed.then(|| (Wait::Turn, Duration::from_secs(seconds * factor)))
            }
            Phase::Over(_) if self.winner().is_some() || !self.ready.contains(&true) => None,
            Phase::Over(_) => {
                let all = self.all_here(|seat| self.ready[seat]);
                Some((Wait::Next, ms(if all { 0 } else { pace.next })))
            }
        }
    }

    /// What tells one waiting from the next: the time begins anew when it changes.
    pub(super) fn waiting_key(&self) -> (Option<Wait>, u32, [usize; 4]) {
        let parts = self.round().map_or([0; 4], |round| {
            let (dealt, plays) = match round.phase() {
                Phase::Dealing(dealing) => (usize::from(dealing.dealt), 0),
                Phase::Playing(playing) => (100, playing.plays.len()),
                _ => (100, 0),
            };
            [
                dealt,
                round.declarations().len(),
                round.tricks().len(),
                plays,
            ]
        });
        let wait = self.waits().map(|(wait, _)| wait);
        (wait, self.begin.number, parts)
    }

    /// When time brings something next.
    pub(super) fn due(&self) -> Option<(Wait, Instant)> {
        let (wait, time) = self.waits()?;
        Some((wait, self.since? + time))
    }

    /// What time brings.
    pub(super) fn time_brings(&self) -> Option<Event> {
        match self.waits()?.0 {
            Wait::Draw | Wait::Next => Some(self.draw()),
            Wait::Commit => Some(Event::Roster),
            Wait::Reveal if (0..4).any(|seat| self.may_reveal(seat)) => Some(Event::Voided),
            Wait::Reveal | Wait::Shuffle => Some(Event::Shuffled),
            Wait::Deal => self.bot_declares().or_else(|| {
                let dealt = match self.round()?.phase() {
                    Phase::Dealing(dealing) => dealing.dealt,
                    _ => return None,
                };
                let count = (100 - dealt).min(4);
                self.round_event(tractor::Event::Deal { count }).ok()
            }),
            Wait::Window => self.round_event(tractor::Event::Close).ok(),
            Wait::Turn => {
                let round = self.round()?;
                let view = View::of(round, round.turn());
                self.round_event(engine::quick(&view)?).ok()
            }
        }
    }

    /// The level of the bot at a seat. Nobody declares for a person who has only just left.
    fn bot_at(&self, seat: Seat) -> Option<u8> {
        match self.seats.get(usize::from(seat))? {
            Occupant::Bot { level } => Some(*level),
            Occupant::Human { .. } | Occupant::Open => None,
        }
    }

    /// A declaration of a bot between two cards. Bots are asked here and not one by one, for the
    /// next card would come before a slow answer.
    fn bot_declares(&self) -> Option<Event> {
        (0..4).find_map(|seat| {
            let level = self.bot_at(seat)?;
            let cards = engine::declare(&self.view(seat)?, level)?;
            let seat = seat_of(seat)?;
            self.round_event(tractor::Event::Declare { seat, cards })
                .ok()
        })
    }
}

impl Timing for TractorGame {
    fn set_present(&mut self, here: &[bool], now: Instant) {
        self.here = here.to_vec();
        self.since = match self.since {
            _ if !self.is_attended() => None,
            None => Some(now),
            since => since,
        };
    }

    fn deadline(&self) -> Option<Instant> {
        let rest = self
            .rest
            .filter(|rest| self.is_attended() && *rest > Instant::now());
        let due = self.due().map(|(_, due)| due);
        [due, rest].into_iter().flatten().min()
    }

    fn expire(&self, now: Instant) -> Option<Value> {
        let (_, due) = self.due()?;
        (now >= due)
            .then(|| self.time_brings())
            .flatten()
            .map(|event| json!(event))
    }

    fn resume(&mut self, _now: Instant) {}
}
