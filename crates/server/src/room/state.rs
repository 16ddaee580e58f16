//! The state of a table: its seats, its game, and the number of its last event.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::Actor;
use crate::fields::Fields;
use crate::game::{self, Game, GameOptions, Presence, Seat, TableSpec};
use crate::id::{PlayerId, TableId};
use crate::protocol::{self, LogChange};
use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;
use crate::store::{Phase, Stored, Summary};

/// How many actions are known again: whoever repeats one does so within seconds.
const ACTIONS: usize = 64;

/// What is stored: what any table knows, or what only its game reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "lowercase")]
pub(crate) enum Event {
    /// The first event of every table.
    Opened {
        game: String,
        setup: Value,
        seats: Vec<Occupant>,
        public: bool,
        previous: Option<TableId>,
    },
    /// Somebody sat down.
    Seated {
        seat: Seat,
        player: PlayerId,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A seat went from one player to another: a guest took an account, or an account was deleted.
    Transferred {
        seat: Seat,
        player: PlayerId,
        name: String,
    },
    /// Bots took the open seats.
    Filled {
        level: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// Another node has the table from now on.
    Owned { node: String },
    /// The players went on at another table.
    Rematch { table: TableId },
    /// Something within the game.
    Game {
        by: Option<Seat>,
        d: Value,
        /// What tells that the action behind it comes for a second time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
}

impl Event {
    /// The first event of a table that is about to be opened.
    pub(crate) fn opened(spec: TableSpec) -> Self {
        Self::Opened {
            game: spec.game.to_owned(),
            setup: spec.setup,
            seats: spec.seats,
            public: spec.public,
            previous: spec.previous,
        }
    }

    /// The text that is stored.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("an event is plain data")
    }

    /// Whether lists must be told of it.
    pub(crate) const fn is_listed(&self) -> bool {
        !matches!(self, Self::Game { .. })
    }

    /// Whether it changes who sits where, so that everybody needs the view anew.
    pub(crate) const fn is_seating(&self) -> bool {
        matches!(
            self,
            Self::Seated { .. } | Self::Transferred { .. } | Self::Filled { .. }
        )
    }

    /// What tells that the action behind it comes for a second time.
    fn action_id(&self) -> Option<&str> {
        match self {
            Self::Seated { id, .. } | Self::Filled { id, .. } | Self::Game { id, .. } => {
                id.as_deref()
            }
            Self::Opened { .. }
            | Self::Transferred { .. }
            | Self::Owned { .. }
            | Self::Rematch { .. } => None,
        }
    }

    /// Who did it.
    pub(crate) const fn by(&self) -> Option<Seat> {
        match self {
            Self::Seated { seat, .. } => Some(*seat),
            Self::Game { by, .. } => *by,
            Self::Opened { .. }
            | Self::Transferred { .. }
            | Self::Filled { .. }
            | Self::Owned { .. }
            | Self::Rematch { .. } => None,
        }
    }
}

/// A seat as everybody sees it.
#[derive(Debug, Serialize)]
struct ShownSeat {
    kind: &'static str,
    name: String,
    free: bool,
    /// Of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
}

/// The state of a table: the replay of its events.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) id: TableId,
    pub(crate) seq: u64,
    pub(crate) game_name: String,
    pub(crate) seats: Vec<Occupant>,
    pub(crate) game: Box<dyn Game>,
    pub(crate) rematch: Option<TableId>,
    public: bool,
    previous: Option<TableId>,
    pub(crate) opened: i64,
    changed: i64,
    /// The node that took the table over last.
    pub(crate) owner: Option<String>,
    /// The last actions that would be known again, and their numbers.
    actions: VecDeque<(String, u64)>,
}

impl State {
    /// A table from its first event.
    pub(crate) fn open(
        id: TableId,
        event: &Event,
        at: i64,
        options: &GameOptions,
    ) -> Result<Self, Refusal> {
        let Event::Opened {
            game: game_name,
            setup,
            seats,
            public,
            previous,
        } = event
        else {
            return Err(Refusal::Storage);
        };
        let mut game = game::new_game(game_name, setup, &id, options)?;
        game.set_seats(seats);
        Ok(Self {
            id,
            seq: 1,
            game_name: game_name.clone(),
            seats: seats.clone(),
            game,
            rematch: None,
            public: *public,
            previous: previous.clone(),
            opened: at,
            changed: at,
            owner: None,
            actions: VecDeque::new(),
        })
    }

    /// A table from all its events, or `None` if there are none.
    pub(crate) fn replay(
        id: &TableId,
        events: &[Stored],
        options: &GameOptions,
    ) -> Result<Option<Self>, Refusal> {
        let damaged = |error: &dyn std::fmt::Display| {
            tracing::error!(table = %id, %error, "a stored table cannot be replayed");
            Refusal::Storage
        };
        let Some((first, rest)) = events.split_first() else {
            return Ok(None);
        };
        let event = serde_json::from_str(&first.event).map_err(|error| damaged(&error))?;
        let mut state = Self::open(id.clone(), &event, first.at, options)?;
        for stored in rest {
            if stored.seq != state.seq + 1 {
                return Err(damaged(&"an event is missing"));
            }
            let event = serde_json::from_str(&stored.event).map_err(|error| damaged(&error))?;
            state
                .apply(&event, stored.at, None)
                .map_err(|error| damaged(&error))?;
        }
        state.game.end_replay();
        Ok(Some(state))
    }

    /// Takes in the next event.
    pub(crate) fn apply(
        &mut self,
        event: &Event,
        at: i64,
        now: Option<Instant>,
    ) -> Result<(), Refusal> {
        match event {
            Event::Opened { .. } => return Err(Refusal::Storage),
            Event::Seated {
                seat, player, name, ..
            }
            | Event::Transferred { seat, player, name } => {
                let occupant = self.seats.get_mut(usize::from(*seat));
                *occupant.ok_or(Refusal::Storage)? = Occupant::Human {
                    player: player.clone(),
                    name: name.clone(),
                };
                self.game.set_seats(&self.seats);
            }
            Event::Filled { level, .. } => {
                for seat in self.seats.iter_mut().filter(|seat| seat.is_open()) {
                    *seat = Occupant::Bot { level: *level };
                }
                self.game.set_seats(&self.seats);
            }
            Event::Owned { node } => self.owner = Some(node.clone()),
            Event::Rematch { table } => self.rematch = Some(table.clone()),
            Event::Game { d, .. } => self.game.apply(d, now)?,
        }
        self.seq += 1;
        if let Some(id) = event.action_id() {
            self.actions.truncate(ACTIONS - 1);
            self.actions.push_front((id.to_owned(), self.seq));
        }
        // A game of last year does not become one of today because its player took an account, or
        // because another node looked at it.
        if !matches!(event, Event::Transferred { .. } | Event::Owned { .. }) {
            self.changed = at;
        }
        Ok(())
    }

    /// The number of an action that was taken in before.
    pub(crate) fn seq_of(&self, id: &str) -> Option<u64> {
        let mut known = self.actions.iter();
        known.find_map(|(known, seq)| (known == id).then_some(*seq))
    }

    /// How far the table has come.
    pub(crate) fn phase(&self) -> Phase {
        match self.game.phase() {
            Phase::Over => Phase::Over,
            _ if self.seats.iter().any(Occupant::is_open) => Phase::Waiting,
            phase => phase,
        }
    }

    /// The seat of somebody, if they hold one.
    pub(crate) fn seat_of(&self, actor: &Actor) -> Option<Seat> {
        self.seat_held_by(&actor.player)
    }

    /// The seat of a player, if they hold one.
    pub(crate) fn seat_held_by(&self, player: &PlayerId) -> Option<Seat> {
        let mut seats = (0..).zip(&self.seats);
        seats.find_map(|(seat, occupant)| (occupant.player() == Some(player)).then_some(seat))
    }

    /// The seat that somebody would get, or why they get none.
    pub(crate) fn seat_for(&self, actor: &Actor, wanted: Option<Seat>) -> Result<Seat, Refusal> {
        if self.seat_of(actor).is_some() {
            return Err(Refusal::AlreadySeated);
        }
        if self.game.phase() == Phase::Over {
            return Err(Refusal::Over);
        }
        if wanted.is_some_and(|seat| usize::from(seat) >= self.seats.len()) {
            return Err(Refusal::BadChoice(BadChoice::Seat));
        }
        // Whoever does not choose disturbs no bot while a seat is open.
        let open = |seat: &Seat| self.seats[usize::from(*seat)].is_open();
        let seats = (0..).zip(&self.seats).map(|(seat, _)| seat);
        let free: Vec<Seat> = seats.filter(|seat| self.is_free(*seat)).collect();
        let first = || {
            free.iter()
                .find(|seat| open(seat))
                .or(free.first())
                .copied()
        };
        wanted
            .map_or_else(first, |seat| Some(seat).filter(|seat| free.contains(seat)))
            .ok_or(Refusal::SeatTaken)
    }

    /// Whether somebody may sit down there: an open seat, or a bot's where the table lends them.
    fn is_free(&self, seat: Seat) -> bool {
        match self.seats.get(usize::from(seat)) {
            _ if self.game.phase() == Phase::Over => false,
            Some(Occupant::Open) => true,
            Some(Occupant::Bot { .. }) => self.game.bots_replaceable(),
            Some(Occupant::Human { .. }) | None => false,
        }
    }

    /// What lists say.
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            id: self.id.clone(),
            game: self.game_name.clone(),
            phase: self.phase(),
            public: self.public,
            seats: self.seats.clone(),
            clock: self.game.clock(),
            result: self.game.result(),
            turns: self.game.log_len(),
            opened: self.opened,
            changed: self.changed,
        }
    }

    /// What a viewer may know, without the log.
    pub(crate) fn fields(
        &self,
        viewer: Option<Seat>,
        away: &[Option<Duration>],
        now: Instant,
    ) -> Fields {
        let presence = Presence {
            seats: &self.seats,
            away,
            now,
        };
        let mut fields = Fields::default();
        self.game.state(viewer, &presence, &mut fields);
        let seats: Vec<ShownSeat> = (0..).zip(&self.seats).map(|at| self.shown(at)).collect();
        fields.set("game", &self.game_name);
        fields.set("id", &self.id);
        fields.set("seq", &self.seq);
        fields.set("you", &viewer);
        fields.set("phase", &self.phase());
        fields.set("public", &self.public);
        fields.set("previous", &self.previous);
        fields.set("next", &self.rematch);
        if self.phase() == Phase::Waiting {
            let can = match viewer {
                None => ["sit"],
                Some(_) if self.game.fill_level().is_some() => ["fill"],
                Some(_) => ["abort"],
            };
            fields.set("can", &can);
        } else if viewer.is_none() && seats.iter().any(|seat| seat.free) {
            fields.set("can", &["sit"]);
        }
        fields.set("seats", &seats);
        fields
    }

    fn shown(&self, (seat, occupant): (Seat, &Occupant)) -> ShownSeat {
        ShownSeat {
            kind: occupant.kind(),
            name: occupant.name(),
            free: self.is_free(seat),
            level: match occupant {
                Occupant::Bot { level } => Some(*level),
                Occupant::Open | Occupant::Human { .. } => None,
            },
        }
    }

    /// What a viewer may know otherwise because somebody came, or has been gone for longer.
    pub(crate) fn presence_change(
        &self,
        viewer: Option<Seat>,
        away: [&[Option<Duration>]; 2],
        now: Instant,
    ) -> Fields {
        let [before, after] = away.map(|away| self.fields(viewer, away, now));
        after.changed_since(&before)
    }

    /// The word for an event.
    pub(crate) fn kind(&self, event: &Event) -> &'static str {
        match event {
            Event::Opened { .. } => "opened",
            Event::Seated { .. } => "seated",
            Event::Transferred { .. } => "transferred",
            Event::Filled { .. } => "filled",
            Event::Owned { .. } => "owned",
            Event::Rematch { .. } => "rematch",
            Event::Game { d, .. } => self.game.kind(d),
        }
    }

    /// The full view of a viewer as JSON.
    pub(crate) fn view(
        &self,
        viewer: Option<Seat>,
        away: &[Option<Duration>],
        now: Instant,
    ) -> String {
        protocol::view(&self.fields(viewer, away, now), &self.game.log())
    }

    /// How the log has changed since it had `before` entries.
    pub(crate) fn log_change(&self, before: usize) -> LogChange<'_> {
        let length = self.game.log_len();
        match self.game.last_entry() {
            _ if length < before => LogChange::Cut(length),
            Some(entry) if length == before + 1 => LogChange::Grown(entry),
            _ => LogChange::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::game::Player;

    #[test]
    fn time_alone_lets_a_game_be_claimed() {
        let [ann, bob] = [Player::anonymous(), Player::anonymous()].map(|player| Occupant::Human {
            player: player.id,
            name: player.name,
        });
        let opened = Event::Opened {
            game: "cotulenh".to_owned(),
            setup: json!({}),
            seats: vec![ann, bob],
            public: false,
            previous: None,
        };
        let options = GameOptions::default();
        let state = State::open(TableId::random(), &opened, 0, &options).unwrap();
        let minute = [None, Some(Duration::from_mins(1))];
        let change = |viewer, away| state.presence_change(viewer, away, Instant::now());
        let told = change(Some(0), [&[None, None], &minute]);
        assert_eq!(told.len(), 1);
        let can = told.value("can");
        assert!(can.as_array().unwrap().contains(&json!("claim")), "{can}");
        assert!(change(Some(0), [&minute, &minute]).is_empty());
        assert!(change(None, [&[None, None], &minute]).is_empty());
    }
}
