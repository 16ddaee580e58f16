//! Cờ Tư Lệnh as a hosted game: seat 0 is red, seat 1 blue.

use std::time::Duration;

use cotulenh::{Color, Position};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::clock::Clock;
use super::event::{End, Event, Offer};
use super::line::Line;
use super::{NAME, Setup, engine, export, refusal_code};
use crate::game::{Action, BotJob, Export, Game, Presence, Progress, Seat, TableSpec};
use crate::refusal::{NotNow, Refusal};
use crate::seat::Occupant;
use crate::store::Phase;

/// Whoever is gone for so long may be declared to have lost.
const PATIENCE: Duration = Duration::from_mins(1);

/// One game: its turns, its clocks, and what the players have said to each other.
#[derive(Debug)]
pub(crate) struct CotulenhGame {
    setup: Setup,
    line: Line,
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
            line: Line::new(setup.position()?),
            clock: setup.clock.map(Clock::new),
            setup,
            offer: None,
            ended: None,
            again: Vec::new(),
        })
    }

    fn turn(&self) -> Seat {
        seat_of(self.line.position().turn())
    }

    fn is_over(&self) -> bool {
        self.ended.is_some() || self.line.outcome().is_some()
    }

    /// Whether the turn after so many runs on the clock: each side's first is free.
    const fn is_timed(turns: usize) -> bool {
        turns >= 2
    }

    fn set_clock(&mut self, left: Option<[u64; 2]>, now: Option<Instant>) {
        let turn = (!self.is_over() && Self::is_timed(self.line.len())).then(|| self.turn());
        if let (Some(clock), Some(left)) = (&mut self.clock, left) {
            clock.set(left, turn, now);
        }
    }

    fn left(&self, now: Instant) -> Option<[u64; 2]> {
        self.clock.as_ref().map(|clock| clock.both(now))
    }

    /// How many turns remain if `seat` takes its last one back.
    fn taken_back(&self, seat: Seat) -> Option<usize> {
        let turns = self.line.len();
        let back = if self.turn() == seat { 2 } else { 1 };
        turns.checked_sub(back)
    }

    fn left_at(&self, turns: usize) -> Option<[u64; 2]> {
        let initial = self
            .clock
            .as_ref()
            .map(|clock| [clock.control().initial; 2]);
        initial.map(|initial| self.line.left_after(turns).unwrap_or(initial))
    }

    fn decide_move(&self, seat: Seat, action: &Action, now: Instant) -> Result<Event, Refusal> {
        if self.turn() != seat {
            return Err(Refusal::NotYourTurn);
        }
        let lan = read_turn(self.line.position(), &action.d)?;
        let timed = Self::is_timed(self.line.len());
        let left = self
            .clock
            .as_ref()
            .map(|clock| clock.after_turn(seat, timed, now));
        Ok(Event::Moved { lan, left })
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
    fn can(&self, seat: Seat) -> Vec<&'static str> {
        if self.is_over() {
            return match self.decide_again(seat) {
                Ok(_) => vec!["rematch"],
                Err(_) => vec![],
            };
        }
        let pending = self.offer.is_some_and(|(by, _)| by != seat);
        let drawn = self.offer != Some((seat, Offer::Draw));
        let taken = self.offer != Some((seat, Offer::Takeback)) && self.taken_back(seat).is_some();
        let early = self.line.len() < 2;
        let all = [
            ("move", self.turn() == seat),
            ("resign", !early),
            ("abort", early),
            ("draw", drawn),
            ("takeback", taken),
            ("decline", pending),
        ];
        all.into_iter()
            .filter(|(_, may)| *may)
            .map(|(what, _)| what)
            .collect()
    }

    fn outcome(&self) -> Value {
        match (self.ended, self.line.outcome()) {
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

/// The LAN of the one whole turn that a frame holds.
fn read_turn(position: &Position, d: &Value) -> Result<String, Refusal> {
    let mut after = position.clone();
    let mut actions = Vec::new();
    let texts: Vec<&str> = match (&d["move"], &d["steps"]) {
        (Value::String(text), Value::Null) => vec![text],
        (Value::Null, Value::Array(steps)) if steps.len() <= 8 => {
            let texts: Option<Vec<&str>> = steps.iter().map(Value::as_str).collect();
            texts.ok_or_else(|| Refusal::Malformed("steps are texts".to_owned()))?
        }
        _ => return Err(Refusal::Malformed("a move has a move, or steps".to_owned())),
    };
    for text in texts {
        if !actions.is_empty() && after.deploy().is_none() {
            return Err(refusal_code::ended(text));
        }
        let read = after.read(text);
        for action in read
            .map_err(|error| refusal_code::unread(text, &error))?
            .iter()
        {
            let next = after.play(*action);
            after = next.map_err(|error| refusal_code::illegal(text, error))?;
            actions.push(*action);
        }
    }
    if actions.is_empty() || after.deploy().is_some() {
        return Err(refusal_code::unfinished());
    }
    Ok(position.turn_lan(&actions))
}

impl Game for CotulenhGame {
    fn decide(
        &self,
        seat: Seat,
        action: &Action,
        presence: &Presence<'_>,
    ) -> Result<Value, Refusal> {
        let now = presence.now;
        if action.t == "rematch" {
            return self.decide_again(seat).map(|event| json!(event));
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
        let event = match &*action.t {
            "move" => self.decide_move(seat, action, now),
            "resign" => end(Some(other(seat)), End::Resign),
            "abort" if self.line.len() < 2 => end(None, End::Aborted),
            "abort" => Err(Refusal::NotNow(NotNow::BothMoved)),
            "draw" => self.decide_offer(seat, Offer::Draw, now),
            "takeback" => self.decide_offer(seat, Offer::Takeback, now),
            "decline" if self.offer.is_some_and(|(by, _)| by != seat) => {
                Ok(Event::Declined { by: seat })
            }
            "decline" => Err(Refusal::NotNow(NotNow::NothingOffered)),
            "claim" => self.decide_claim(seat, presence),
            other => Err(Refusal::UnknownAction(other.to_owned())),
        };
        event.map(|event| json!(event))
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
                self.line.push(&lan, left)?;
                // Whoever plays on has answered.
                self.offer = None;
                self.set_clock(left, now);
            }
            Event::Offered { by, offer } => self.offer = Some((by, offer)),
            Event::Declined { .. } => self.offer = None,
            Event::TookBack { turns, left } => {
                self.line.cut(turns);
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
        Ok(())
    }

    fn resume(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.resume(now);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.clock.as_ref()?.falls()
    }

    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>) -> Map<String, Value> {
        let position = self.line.position();
        let offer = self
            .offer
            .map(|(by, offer)| json!({ "kind": offer, "by": by }));
        let can = viewer.map(|seat| self.can(seat)).unwrap_or_default();
        let fields = [
            ("start", json!(self.line.start().to_string())),
            ("fen", json!(position.to_string())),
            ("turn", json!(letter(self.turn()))),
            ("check", json!(position.in_check())),
            ("danger", json!(position.in_danger(position.turn()))),
            ("clock", self.clock_fields(presence.now)),
            ("offer", json!(offer)),
            ("outcome", self.outcome()),
            ("rematch", json!(self.again)),
            ("can", json!(can)),
        ];
        let named = fields.map(|(name, value)| (name.to_owned(), value));
        named.into_iter().collect()
    }

    fn log_len(&self) -> usize {
        self.line.len()
    }

    fn log(&self) -> Vec<String> {
        self.line.entries()
    }

    fn last_entry(&self) -> Option<&str> {
        self.line.last_entry()
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
                let position = self.line.position().clone();
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
            position: self.line.position().clone(),
            history: self.line.history(),
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
        export::export(&self.line, &outcome, ending, ply, flip, seats)
    }
}
