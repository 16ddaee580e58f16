//! Cờ Tư Lệnh as a hosted game: seat 0 is red, seat 1 blue.

use std::time::Duration;

use cotulenh::{Color, Game as RulesGame};
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::clock::Clock;
use super::device::DeviceGame;
use super::event::{End, Event, Offer};
use super::turn::{self, LegalTurn};
use super::{NAME, Setup};
use crate::game::{Action, NoFields, Presence, Rules, Seat, Seating, TableSpec, Timing};
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
    pub(super) setup: Setup,
    pub(super) game: RulesGame,
    /// What both sides had left after each turn, in milliseconds.
    pub(super) left: Vec<Option<[u32; 2]>>,
    /// The turn that was decided last. It is legal in the present position, so that applying its event
    /// need not read it again.
    decided: Option<LegalTurn>,
    /// The log's entry of the last turn, where it was told.
    pub(super) last_entry: Option<String>,
    pub(super) clock: Option<Clock>,
    pub(super) offer: Option<(Seat, Offer)>,
    /// An end that did not come about on the board.
    pub(super) ended: Option<(Option<Seat>, End)>,
    /// Who wants to play again.
    pub(super) again: Vec<Seat>,
}

pub(super) const fn seat_of(color: Color) -> Seat {
    match color {
        Color::Red => 0,
        Color::Blue => 1,
    }
}

pub(super) const fn color_of(seat: Seat) -> Color {
    if seat == 0 { Color::Red } else { Color::Blue }
}

pub(super) const fn letter(seat: Seat) -> &'static str {
    if seat == 0 { "r" } else { "b" }
}

pub(super) const fn other(seat: Seat) -> Seat {
    1 - (seat & 1)
}

impl CotulenhGame {
    /// A board from what its table was opened with.
    pub(crate) fn new(setup: &Value) -> Result<Self, Refusal> {
        let setup =
            Setup::deserialize(setup).map_err(|error| Refusal::Malformed(error.to_string()))?;
        let mut game = Self {
            game: RulesGame::new(setup.position()?).with_rules(setup.rules()),
            left: Vec::new(),
            decided: None,
            last_entry: None,
            clock: setup.clock.map(Clock::new),
            setup,
            offer: None,
            ended: None,
            again: Vec::new(),
        };
        if let Some(device) = game.setup.device.clone() {
            game.play_all(&device)?;
        }
        Ok(game)
    }

    /// Plays what was played on a device, and says at which turn that cannot be.
    fn play_all(&mut self, device: &DeviceGame) -> Result<(), Refusal> {
        for (index, lan) in device.turns.iter().enumerate() {
            let played = if self.is_over() {
                Err(Refusal::Over)
            } else {
                self.play(lan, None, true)
            };
            played.map_err(|refusal| Refusal::BadField {
                field: format!("turns[{index}]"),
                reason: refusal.to_string(),
            })?;
        }
        match device.resigned {
            Some(_) if self.is_over() => return Err(Refusal::Over),
            Some(seat) => self.ended = Some((Some(other(seat)), End::Resign)),
            None => {}
        }
        Ok(())
    }

    pub(super) fn turn(&self) -> Seat {
        seat_of(self.game.turn())
    }

    /// How many turns were played.
    pub(super) fn turns(&self) -> usize {
        self.game.turn_count()
    }

    pub(super) fn is_over(&self) -> bool {
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
    pub(super) fn left_after(&self, turns: usize) -> Option<[u64; 2]> {
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
        let lag = clock.map_or(0, |clock| clock.credit(seat, now));
        let lan = turn.lan.clone();
        self.decided = Some(turn);
        Ok(Event::Moved { lan, left, lag })
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
    pub(super) fn can(&self, seat: Seat, presence: &Presence<'_>) -> Vec<&'static str> {
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
}

fn milliseconds(left: [u64; 2]) -> [u32; 2] {
    left.map(|left| u32::try_from(left).unwrap_or(u32::MAX))
}

impl Rules for CotulenhGame {
    fn decide(
        &mut self,
        seat: Seat,
        action: &Action,
        presence: &Presence<'_>,
    ) -> Result<Value, Refusal> {
        let event = match &*action.t {
            "move" => self.decide_move(seat, action, presence.now)?,
            what => {
                let event = self.judge(seat, what, presence)?;
                let NoFields {} = action.fields()?;
                event
            }
        };
        Ok(json!(event))
    }

    fn apply(&mut self, event: &Value, now: Option<Instant>) -> Result<(), Refusal> {
        let event =
            Event::deserialize(event).map_err(|error| Refusal::Malformed(error.to_string()))?;
        match event {
            Event::Moved { lan, left, lag } => {
                let mover = self.turn();
                self.play(&lan, left, now.is_some())?;
                if let Some(clock) = &mut self.clock {
                    clock.use_credit(mover, lag);
                }
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

    fn ignores_seq(&self, t: &str) -> bool {
        matches!(t, "resign" | "rematch" | "claim")
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
        let mut result = self.outcome();
        if self.setup.device.is_some() && result.is_object() {
            result["device"] = json!(true);
        }
        result
    }
}

impl Seating for CotulenhGame {
    fn rematch(&self, seats: &[Occupant]) -> Option<TableSpec> {
        (self.again.len() == 2).then(|| TableSpec {
            game: NAME,
            setup: json!(Setup {
                device: None,
                ..self.setup.clone()
            }),
            // The sides change.
            seats: seats.iter().rev().cloned().collect(),
            public: false,
            previous: None,
        })
    }
}

impl Timing for CotulenhGame {
    fn deadline(&self) -> Option<Instant> {
        self.clock.as_ref()?.falls()
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

    fn resume(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.resume(now);
        }
    }

    fn timed_seat(&self) -> Option<Seat> {
        self.clock.as_ref()?.running()
    }

    fn note_lag(&mut self, lag: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.note_lag(lag);
        }
    }
}

#[cfg(test)]
mod tests;
