//! Cờ Tư Lệnh as a hosted game: seat 0 is red, seat 1 blue.

use std::borrow::Cow;
use std::time::Duration;

use cotulenh::{Color, Game as RulesGame, PlayedTurn};
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::clock::Clock;
use super::event::{End, Event, Offer};
use super::turn::{self, LegalTurn};
use super::{NAME, Setup, engine, export};
use crate::fields::Fields;
use crate::game::{Action, BotJob, Export, Game, Presence, Progress, Seat, TableSpec};
use crate::refusal::{NotNow, Refusal};
use crate::seat::Occupant;
use crate::store::Phase;

/// Whoever is gone for so long may be declared to have lost.
const PATIENCE: Duration = Duration::from_mins(1);

/// Everything that a seat may do, in the order in which pages are told.
const ACTIONS: [&str; 8] = [
    "move", "resign", "abort", "draw", "takeback", "decline", "claim", "rematch",
];

/// One game: its turns, its clocks, and what the players have said to each other.
#[derive(Debug)]
pub(crate) struct CotulenhGame {
    setup: Setup,
    game: RulesGame,
    /// What both sides had left after each turn, in milliseconds.
    left: Vec<Option<[u32; 2]>>,
    /// The turn that was decided last. It is legal in the present position, so that applying its event
    /// need not read it again.
    decided: Option<LegalTurn>,
    /// The log's entry of the last turn, where it was told.
    last_entry: Option<String>,
    clock: Option<Clock>,
    offer: Option<(Seat, Offer)>,
    /// An end that did not come about on the board.
    ended: Option<(Option<Seat>, End)>,
    again: Vec<Seat>,
}

const fn seat_of(color: Color) -> Seat {
    match color {
        Color::Red => 0,
        Color::Blue => 1,
    }
}

const fn color_of(seat: Seat) -> Color {
    if seat == 0 { Color::Red } else { Color::Blue }
}

const fn letter(seat: Seat) -> &'static str {
    if seat == 0 { "r" } else { "b" }
}

const fn other(seat: Seat) -> Seat {
    1 - (seat & 1)
}

fn word(end: End) -> &'static str {
    match end {
        End::Resign => "resign",
        End::Agreed => "agreed",
        End::Time => "time",
        End::Abandoned => "abandoned",
        End::Aborted => "aborted",
    }
}

impl CotulenhGame {
    /// A board from what its table was opened with.
    pub(crate) fn new(setup: &Value) -> Result<Self, Refusal> {
        let setup =
            Setup::deserialize(setup).map_err(|error| Refusal::Malformed(error.to_string()))?;
        Ok(Self {
            game: RulesGame::new(setup.position()?),
            left: Vec::new(),
            decided: None,
            last_entry: None,
            clock: setup.clock.map(Clock::new),
            setup,
            offer: None,
            ended: None,
            again: Vec::new(),
        })
    }

    fn turn(&self) -> Seat {
        seat_of(self.game.turn())
    }

    /// How many turns were played.
    fn turns(&self) -> usize {
        self.game.turn_count()
    }

    fn is_over(&self) -> bool {
        self.ended.is_some() || self.game.outcome().is_some()
    }

    /// Whether the turn after so many runs on the clock: each side's first is free.
    const fn is_timed(turns: usize) -> bool {
        turns >= 2
    }

    fn set_clock(&mut self, left: Option<[u64; 2]>, now: Option<Instant>) {
        let turn = (!self.is_over() && Self::is_timed(self.turns())).then(|| self.turn());
        if let (Some(clock), Some(left)) = (&mut self.clock, left) {
            clock.set(left, turn, now);
        }
    }

    fn left(&self, now: Instant) -> Option<[u64; 2]> {
        self.clock.as_ref().map(|clock| clock.both(now))
    }

    /// How many turns remain if `seat` takes its last one back.
    fn taken_back(&self, seat: Seat) -> Option<usize> {
        let turns = self.turns();
        let back = if self.turn() == seat { 2 } else { 1 };
        turns.checked_sub(back)
    }

    fn left_at(&self, turns: usize) -> Option<[u64; 2]> {
        let initial = self
            .clock
            .as_ref()
            .map(|clock| [clock.control().initial; 2]);
        initial.map(|initial| self.left_after(turns).unwrap_or(initial))
    }

    /// What was left after a number of turns.
    fn left_after(&self, turns: usize) -> Option<[u64; 2]> {
        let left = (*self.left.get(turns.checked_sub(1)?)?)?;
        Some(left.map(u64::from))
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Refusal> {
        match () {
            () if self.is_over() => Err(Refusal::Over),
            () if self.turn() != seat => Err(Refusal::NotYourTurn),
            () => Ok(()),
        }
    }

    /// Reads a turn and keeps it for its event.
    fn decide_move(&mut self, seat: Seat, action: &Action, now: Instant) -> Result<Event, Refusal> {
        self.check_turn(seat)?;
        let turn = LegalTurn::read(self.game.position(), &action.d)?;
        let timed = Self::is_timed(self.turns());
        let clock = self.clock.as_ref();
        let left = clock.map(|clock| clock.after_turn(seat, timed, now));
        let lan = turn.lan.clone();
        self.decided = Some(turn);
        Ok(Event::Moved { lan, left })
    }

    /// Plays the turn of an event: the one that was decided, or one that is replayed.
    fn play(&mut self, lan: &str, left: Option<[u64; 2]>, is_new: bool) -> Result<(), Refusal> {
        let decided = self.decided.take().filter(|turn| turn.lan == lan);
        let moves = match &decided {
            Some(turn) => turn.moves.clone(),
            None => LegalTurn::moves_of(self.game.position(), lan)?,
        };
        self.game.play_unchecked(&moves);
        self.left.push(left.map(milliseconds));
        if is_new {
            self.game.judge();
        }
        self.last_entry =
            decided.map(|turn| turn::entry(&turn.san, lan, self.game.position(), left));
        Ok(())
    }

    /// Goes back to so many turns.
    fn take_back(&mut self, turns: usize) {
        while self.turns() > turns && self.game.undo() {}
        self.left.truncate(turns);
        self.last_entry = None;
    }

    fn decide_offer(&self, seat: Seat, offer: Offer, now: Instant) -> Result<Event, Refusal> {
        match self.offer {
            Some((by, pending)) if pending == offer && by == seat => {
                Err(Refusal::NotNow(NotNow::Offered))
            }
            Some((by, pending)) if pending == offer => Ok(match offer {
                Offer::Draw => Event::Ended {
                    winner: None,
                    end: End::Agreed,
                    left: self.left(now),
                },
                Offer::Takeback => {
                    let turns = self.taken_back(by).ok_or(Refusal::NotNow(NotNow::NoTurn))?;
                    Event::TookBack {
                        turns,
                        left: self.left_at(turns),
                    }
                }
            }),
            _ if offer == Offer::Takeback && self.taken_back(seat).is_none() => {
                Err(Refusal::NotNow(NotNow::NoTurn))
            }
            _ => Ok(Event::Offered { by: seat, offer }),
        }
    }

    fn decide_claim(&self, seat: Seat, presence: &Presence<'_>) -> Result<Event, Refusal> {
        let away = presence
            .away
            .get(usize::from(other(seat)))
            .copied()
            .flatten();
        if away.is_none_or(|away| away < PATIENCE) {
            return Err(Refusal::NotNow(NotNow::Here));
        }
        Ok(Event::Ended {
            winner: Some(seat),
            end: End::Abandoned,
            left: self.left(presence.now),
        })
    }

    fn decide_again(&self, seat: Seat) -> Result<Event, Refusal> {
        match () {
            () if !self.is_over() => Err(Refusal::NotNow(NotNow::NotOver)),
            () if self.again.contains(&seat) => Err(Refusal::NotNow(NotNow::Asked)),
            () => Ok(Event::Again { by: seat }),
        }
    }

    /// What a seat may do now.
    fn can(&self, seat: Seat, presence: &Presence<'_>) -> Vec<&'static str> {
        let may = |what: &&str| match *what {
            "move" => self.check_turn(seat).is_ok(),
            // Before both have moved a game is aborted; nobody has to lose it.
            "resign" if self.turns() < 2 => false,
            what => self.judge(seat, what, presence).is_ok(),
        };
        ACTIONS.into_iter().filter(may).collect()
    }

    /// The event that an action other than a move would be, or why it is refused.
    fn judge(&self, seat: Seat, what: &str, presence: &Presence<'_>) -> Result<Event, Refusal> {
        let now = presence.now;
        if what == "rematch" {
            return self.decide_again(seat);
        }
        if self.is_over() {
            return Err(Refusal::Over);
        }
        let end = |winner, end| {
            Ok(Event::Ended {
                winner,
                end,
                left: self.left(now),
            })
        };
        match what {
            "resign" => end(Some(other(seat)), End::Resign),
            "abort" if self.turns() < 2 => end(None, End::Aborted),
            "abort" => Err(Refusal::NotNow(NotNow::BothMoved)),
            "draw" => self.decide_offer(seat, Offer::Draw, now),
            "takeback" => self.decide_offer(seat, Offer::Takeback, now),
            "decline" if self.offer.is_some_and(|(by, _)| by != seat) => {
                Ok(Event::Declined { by: seat })
            }
            "decline" => Err(Refusal::NotNow(NotNow::NothingOffered)),
            "claim" => self.decide_claim(seat, presence),
            other => Err(Refusal::UnknownAction(other.to_owned())),
        }
    }

    fn outcome(&self) -> Value {
        match (self.ended, self.game.outcome()) {
            (Some((winner, end)), _) => {
                json!({ "winner": winner.map(letter), "reason": word(end) })
            }
            (None, Some(outcome)) => {
                let winner = outcome.winner.map(|color| letter(seat_of(color)));
                json!({ "winner": winner, "reason": outcome.reason.to_string() })
            }
            (None, None) => Value::Null,
        }
    }

    fn clock_fields(&self, now: Instant) -> Value {
        let fields = |clock: &Clock| {
            let control = clock.control();
            json!({
                "initial": control.initial,
                "increment": control.increment,
                "left": clock.both(now),
                "running": clock.running(),
                "paused": clock.is_paused(),
            })
        };
        self.clock.as_ref().map_or(Value::Null, fields)
    }
}

fn milliseconds(left: [u64; 2]) -> [u32; 2] {
    left.map(|left| u32::try_from(left).unwrap_or(u32::MAX))
}

impl Game for CotulenhGame {
    fn decide(
        &mut self,
        seat: Seat,
        action: &Action,
        presence: &Presence<'_>,
    ) -> Result<Value, Refusal> {
        let event = match &*action.t {
            "move" => self.decide_move(seat, action, presence.now)?,
            what => self.judge(seat, what, presence)?,
        };
        Ok(json!(event))
    }

    fn expire(&self, now: Instant) -> Option<Value> {
        let clock = self.clock.as_ref()?;
        if self.is_over() || clock.falls().is_none_or(|falls| now < falls) {
            return None;
        }
        Some(json!(Event::Ended {
            winner: clock.running().map(other),
            end: End::Time,
            left: Some(clock.both(now)),
        }))
    }

    fn apply(&mut self, event: &Value, now: Option<Instant>) -> Result<(), Refusal> {
        let event =
            Event::deserialize(event).map_err(|error| Refusal::Malformed(error.to_string()))?;
        match event {
            Event::Moved { lan, left } => {
                self.play(&lan, left, now.is_some())?;
                // Whoever plays on has answered.
                self.offer = None;
                self.set_clock(left, now);
            }
            Event::Offered { by, offer } => self.offer = Some((by, offer)),
            Event::Declined { .. } => self.offer = None,
            Event::TookBack { turns, left } => {
                self.take_back(turns);
                self.offer = None;
                self.set_clock(left, now);
            }
            Event::Ended { winner, end, left } => {
                self.ended = Some((winner, end));
                self.offer = None;
                self.set_clock(left, now);
            }
            Event::Again { by } => self.again.push(by),
        }
        // It was read in a position that is no more.
        self.decided = None;
        Ok(())
    }

    fn end_replay(&mut self) {
        self.game.judge();
        if self.is_over()
            && let Some(clock) = &mut self.clock
        {
            clock.stop();
        }
    }

    fn resume(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.resume(now);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.clock.as_ref()?.falls()
    }

    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
        let position = self.game.position();
        let offer = self
            .offer
            .map(|(by, offer)| json!({ "kind": offer, "by": by }));
        let can = viewer
            .map(|seat| self.can(seat, presence))
            .unwrap_or_default();
        fields.set("start", &self.game.start().to_string());
        fields.set("fen", &position.to_string());
        fields.set("turn", letter(self.turn()));
        fields.set("check", &position.in_check());
        fields.set("danger", &position.in_danger(position.turn()));
        fields.set("clock", &self.clock_fields(presence.now));
        fields.set("offer", &offer);
        fields.set("outcome", &self.outcome());
        fields.set("rematch", &self.again);
        fields.set("can", &can);
    }

    fn log_len(&self) -> usize {
        self.turns()
    }

    fn log(&self) -> Vec<String> {
        let left = self.left.iter();
        let entry = |(turn, left): (PlayedTurn<'_>, &Option<[u32; 2]>)| {
            turn::past_entry(&turn, left.map(|left| left.map(u64::from)))
        };
        self.game.turns().zip(left).map(entry).collect()
    }

    fn last_entry(&self) -> Option<Cow<'_, str>> {
        if let Some(entry) = &self.last_entry {
            return Some(entry.into());
        }
        let left = self.left_after(self.turns());
        let turn = self.game.last_turn()?;
        Some(turn::past_entry(&turn, left).into())
    }

    fn kind(&self, event: &Value) -> &'static str {
        Event::deserialize(event).map_or("", |event| event.kind())
    }

    fn phase(&self) -> Phase {
        if self.is_over() {
            Phase::Over
        } else {
            Phase::Playing
        }
    }

    fn result(&self) -> Value {
        self.outcome()
    }

    fn clock(&self) -> String {
        self.setup
            .clock
            .map(|control| control.to_string())
            .unwrap_or_default()
    }

    fn to_act(&self) -> Vec<Seat> {
        match self.offer {
            Some((by, _)) => vec![other(by), self.turn()],
            None if self.is_over() => {
                // A bot plays again whenever somebody wants to.
                let asked = |seat: &Seat| !self.again.is_empty() && !self.again.contains(seat);
                [0, 1].into_iter().filter(asked).collect()
            }
            None => vec![self.turn()],
        }
    }

    fn bot_job(&self, seat: Seat, level: u8) -> Option<BotJob> {
        let quick =
            |t: &'static str| Some(BotJob::short(move |_| Some(Action::new(t, Value::Null))));
        if self.is_over() {
            return quick("rematch");
        }
        match self.offer {
            Some((by, Offer::Takeback)) if by != seat => return quick("takeback"),
            Some((by, Offer::Draw)) if by != seat => {
                let position = self.game.position().clone();
                return Some(BotJob::short(move |_| {
                    let wanted = engine::takes_draw(&position, color_of(seat));
                    let t = if wanted { "draw" } else { "decline" };
                    Some(Action::new(t, Value::Null))
                }));
            }
            _ if self.turn() != seat => return None,
            _ => {}
        }
        let control = |clock: &Clock| {
            let left = clock.left(seat, Instant::now());
            (left, Duration::from_millis(clock.control().increment))
        };
        let mut task = engine::Task {
            position: self.game.position().clone(),
            history: self.game.keys().collect(),
            level,
            clock: self.clock.as_ref().map(control),
            asked: Instant::now(),
            spent: Duration::ZERO,
        };
        let action = |lan: String| Action::new("move", json!({ "move": lan }));
        Some(if task.is_short() {
            BotJob::short(move |stop| task.choose(stop).map(action))
        } else {
            BotJob::sliced(move |slice| match task.search(slice) {
                Progress::Done(lan) => Progress::Done(lan.map(action)),
                Progress::Paused => Progress::Paused,
            })
        })
    }

    fn stand_in(&self) -> Option<(Duration, u8)> {
        None
    }

    fn rematch(&self, seats: &[Occupant]) -> Option<TableSpec> {
        (self.again.len() == 2).then(|| TableSpec {
            game: NAME,
            setup: json!(self.setup),
            // The sides change.
            seats: seats.iter().rev().cloned().collect(),
            public: false,
            previous: None,
        })
    }

    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        flip: bool,
        seats: &[Occupant],
    ) -> Option<Export> {
        let outcome = self.outcome();
        let recorded = export::Recorded {
            game: &self.game,
            left: &self.left,
            outcome: &outcome,
            seats,
        };
        recorded.export(ending, ply, flip)
    }
}

#[cfg(test)]
mod tests;
