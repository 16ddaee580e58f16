//! Tractor as a hosted game. The state holds every card; only views of it leave this module.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use convoy_protocol::tractor::table;
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::time::Instant;
use tractor::{Deck, Phase as RoundPhase, Record, Round, RoundError, RoundResult, View};

use super::event::Event;
use super::fields::{self, CardsField, PartsField};
use super::key::ShuffleKey;
use super::proof::RoundFile;
use super::shuffle::{Attempt, Shuffle};
use super::shuffling::VoidedAttempt;
use super::{NAME, Setup, refusal_code};
use crate::game::{Action, NoFields, Presence, Rules, Seat, Seating, TableSpec};
use crate::id::TableId;
use crate::refusal::{NotNow, Refusal};
use crate::seat::Occupant;
use crate::store::Phase;

/// What the table is at.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a table has one")]
pub(super) enum Stage {
    /// Nothing is agreed for the next round.
    Before,
    /// The server has drawn its secret; browsers commit and reveal.
    Shuffling(Shuffle),
    /// The cards are out, or going out. A device that dealt them by itself has left no shuffle.
    Round(Option<Shuffle>, Round),
}

/// A round that is over.
#[derive(Clone)]
pub(super) struct Finished {
    pub(super) record: Record,
    /// None for a round of a device: nothing proves its deal.
    pub(super) file: Option<RoundFile>,
    pub(super) result: RoundResult,
    pub(super) defending: tractor::Team,
}

/// One table: the rounds that were played, and the one that is.
pub(crate) struct TractorGame {
    pub(super) id: TableId,
    pub(super) key: ShuffleKey,
    pub(super) setup: Setup,
    pub(super) seats: Vec<Occupant>,
    pub(super) here: Vec<bool>,
    pub(super) past: Vec<Finished>,
    /// What the round that comes, or that is played, begins with.
    pub(super) begin: tractor::Setup,
    pub(super) stage: Stage,
    /// The attempts to shuffle this round that were voided.
    pub(super) voided: Vec<Attempt>,
    /// Those of the whole match, in short.
    pub(super) voids: Vec<VoidedAttempt>,
    /// Who has failed to reveal in this match: those seats add nothing any more.
    pub(super) dropped: [bool; 4],
    /// Who wants the next round, or another game.
    pub(super) ready: [bool; 4],
    /// What was decided last within the round: its event, and the round after it.
    decided: Option<(String, Round)>,
    /// The tricks of this round, one JSON text each.
    pub(super) log: Vec<String>,
    /// Since when the table has waited for what it waits for; none while nobody is here.
    pub(super) since: Option<Instant>,
    /// Until when the last trick is left lying.
    pub(super) rest: Option<Instant>,
}

impl fmt::Debug for TractorGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardTable").finish_non_exhaustive()
    }
}

/// A seat of the rules.
pub(super) fn seat_of(seat: Seat) -> Option<tractor::Seat> {
    tractor::Seat::new(usize::from(seat))
}

impl TractorGame {
    /// A table from what it was opened with.
    pub(crate) fn new(setup: &Value, id: &TableId, key: &ShuffleKey) -> Result<Self, Refusal> {
        let setup =
            Setup::deserialize(setup).map_err(|reason| Refusal::Malformed(reason.to_string()))?;
        let mut game = Self {
            id: id.clone(),
            key: key.clone(),
            begin: setup.first()?,
            setup,
            seats: Vec::new(),
            here: Vec::new(),
            past: Vec::new(),
            stage: Stage::Before,
            voided: Vec::new(),
            voids: Vec::new(),
            dropped: [false; 4],
            ready: [false; 4],
            decided: None,
            log: Vec::new(),
            since: None,
            rest: None,
        };
        if let Some(record) = game.setup.device.clone() {
            game.play_all(&record)?;
        }
        Ok(game)
    }

    pub(super) fn round(&self) -> Option<&Round> {
        match &self.stage {
            Stage::Round(_, round) => Some(round),
            _ => None,
        }
    }

    /// The round that is played, or one without a card before it is dealt.
    pub(super) fn shown(&self) -> Cow<'_, Round> {
        self.round().map_or_else(
            || {
                let cards: Vec<tractor::Card> = tractor::Card::all().collect();
                let deck = Deck::new(&cards).expect("all cards are there once");
                Cow::Owned(Round::new(self.begin, deck))
            },
            Cow::Borrowed,
        )
    }

    /// Who has won the game.
    pub(super) fn winner(&self) -> Option<tractor::Team> {
        let last = self.past.last()?;
        last.result.next.is_none().then_some(last.result.winner)
    }

    pub(super) fn is_round_over(&self) -> bool {
        self.round()
            .is_some_and(|round| matches!(round.phase(), RoundPhase::Over(_)))
    }

    /// Reads what a seat wants to do within the round.
    fn read(seat: tractor::Seat, action: &Action) -> Result<tractor::Event, Refusal> {
        use tractor::Event as E;
        let bare = |event| action.fields().map(|NoFields {}| event);
        Ok(match &*action.t {
            "declare" => E::Declare {
                seat,
                cards: action.fields::<CardsField>()?.read()?,
            },
            "bury" => E::Bury {
                seat,
                cards: action.fields::<CardsField>()?.read()?,
            },
            "play" => E::Play {
                seat,
                cards: action.fields::<CardsField>()?.read()?,
            },
            "throw" => E::Throw {
                seat,
                parts: fields::parts(&action.fields::<PartsField>()?.parts)?,
            },
            "pass" => bare(E::Pass { seat })?,
            "retract" => bare(E::Retract { seat })?,
            "takeback" => bare(E::TakeBack { seat })?,
            "endearly" => bare(E::EndEarly { seat })?,
            other => return Err(Refusal::UnknownAction(other.to_owned())),
        })
    }

    /// The event of the round's rules, if they allow it.
    pub(super) fn round_event(&self, event: tractor::Event) -> Result<Event, Refusal> {
        let e = event.to_string();
        self.after(event)?;
        Ok(Event::Round { e })
    }

    /// The round after an event, if the rules allow it.
    fn after(&self, event: tractor::Event) -> Result<Round, Refusal> {
        let round = self.round().ok_or(Refusal::NotNow(NotNow::NotDealt))?;
        let mut after = round.clone();
        after.apply(event).map_err(refusal)?;
        Ok(after)
    }

    /// Judges what a seat wants to do within the round, and keeps what came of it for its event.
    fn decide_in_round(&mut self, seat: Seat, action: &Action) -> Result<Event, Refusal> {
        let by = seat_of(seat).ok_or(Refusal::NotSeated)?;
        let event = Self::read(by, action)?;
        let e = event.to_string();
        let after = self.after(event)?;
        self.decided = Some((e.clone(), after));
        Ok(Event::Round { e })
    }

    fn take(&mut self, event: Event) -> Option<()> {
        match event {
            Event::Round { e } => {
                let Stage::Round(_, round) = &mut self.stage else {
                    return None;
                };
                match self.decided.take().filter(|(decided, _)| *decided == e) {
                    Some((_, after)) => *round = after,
                    None => round.apply(e.parse().ok()?).ok()?,
                }
                self.note_tricks();
                if self.is_round_over() {
                    self.finish()?;
                }
            }
            Event::Ready { seat } | Event::Again { seat } => {
                *self.ready.get_mut(usize::from(seat))? = true;
            }
            shuffle => return self.take_shuffle(shuffle),
        }
        Some(())
    }

    /// Keeps the log in step with the tricks: one more, or one less after a play is taken back.
    pub(super) fn note_tricks(&mut self) {
        let Stage::Round(_, round) = &self.stage else {
            return;
        };
        let tricks = round.tricks();
        self.log.truncate(tricks.len());
        for trick in &tricks[self.log.len()..] {
            self.log.push(table::trick(trick, round).to_string());
        }
    }

    /// The round is over: it is kept with its file, and the next one is prepared.
    fn finish(&mut self) -> Option<()> {
        let finished = self.finished()?;
        if let Some(start) = finished.result.next {
            self.begin.start = start;
            self.begin.number += 1;
        }
        self.past.push(finished);
        Some(())
    }

    /// Forgets the tricks of the last round.
    pub(super) fn clear_log(&mut self) {
        self.log.clear();
    }

    /// The view of a seat, for a bot in its place.
    pub(super) fn view(&self, seat: Seat) -> Option<View> {
        Some(View::of(self.round()?, Some(seat_of(seat)?)))
    }
}

fn refusal(illegal: RoundError) -> Refusal {
    match illegal {
        RoundError::OutOfTurn { .. } => Refusal::NotYourTurn,
        other => Refusal::Illegal(refusal_code::reason(&other)),
    }
}

impl Rules for TractorGame {
    fn decide(
        &mut self,
        seat: Seat,
        action: &Action,
        _presence: &Presence<'_>,
    ) -> Result<Value, Refusal> {
        let index = usize::from(seat);
        let bare = |event| action.fields().map(|NoFields {}| event);
        let event = match &*action.t {
            "commit" => self.decide_commit(seat, action.fields()?)?,
            "reveal" => self.decide_reveal(seat, action.fields()?)?,
            "next" if self.winner().is_some() => return Err(Refusal::Over),
            "next" | "rematch" if self.ready[index] => {
                return Err(Refusal::NotNow(NotNow::Asked));
            }
            "next" if self.is_round_over() => bare(Event::Ready { seat })?,
            "next" => return Err(Refusal::NotNow(NotNow::RoundNotOver)),
            "rematch" if self.winner().is_some() => bare(Event::Again { seat })?,
            "rematch" => return Err(Refusal::NotNow(NotNow::NotOver)),
            _ => self.decide_in_round(seat, action)?,
        };
        Ok(json!(event))
    }

    fn apply(&mut self, event: &Value, now: Option<Instant>) -> Result<(), Refusal> {
        // The words of a fault could name a card: none are kept.
        let event = Event::deserialize(event).map_err(|_| Refusal::Storage)?;
        let (before, tricks) = (self.waiting_key(), self.log.len());
        self.take(event).ok_or(Refusal::Storage)?;
        // It was judged in a state that is no more.
        self.decided = None;
        if let Some(now) = now.filter(|_| self.is_attended()) {
            if self.since.is_none() || self.waiting_key() != before {
                self.since = Some(now);
            }
            if self.log.len() > tricks {
                self.rest = Some(now + Duration::from_millis(self.setup.pace.trick));
            }
        }
        Ok(())
    }

    fn ignores_seq(&self, t: &str) -> bool {
        // What names its cards, its round or its window cannot be mistaken for something later.
        !matches!(t, "takeback" | "retract" | "endearly")
    }

    fn kind(&self, event: &Value) -> &'static str {
        Event::deserialize(event).map_or("", |event| event.kind())
    }

    fn phase(&self) -> Phase {
        match self.winner() {
            Some(_) => Phase::Over,
            None => Phase::Playing,
        }
    }

    fn result(&self) -> Value {
        let Some(team) = self.winner() else {
            return Value::Null;
        };
        let mut result = json!({ "winner": team.to_string(), "reason": "tractor" });
        if self.setup.device.is_some() {
            result["device"] = json!(true);
        }
        result
    }
}

impl Seating for TractorGame {
    fn set_seats(&mut self, seats: &[Occupant]) {
        self.seats = seats.to_vec();
    }

    fn bots_replaceable(&self) -> bool {
        self.setup.welcome
    }

    fn fill_level(&self) -> Option<u8> {
        Some(self.setup.level)
    }

    fn rematch(&self, seats: &[Occupant]) -> Option<TableSpec> {
        (self.winner().is_some() && self.ready == [true; 4]).then(|| TableSpec {
            game: NAME,
            setup: json!(Setup {
                device: None,
                ..self.setup.clone()
            }),
            seats: seats.to_vec(),
            public: false,
            previous: None,
        })
    }
}

#[cfg(test)]
mod tests;
