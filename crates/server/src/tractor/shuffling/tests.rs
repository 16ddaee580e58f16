//! The shuffle of a table against a clock that the test sets.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::game::{
    Action, NewTable, Player, Presence, Rules as _, Seat, Seating as _, Timing as _,
};
use crate::id::{PlayerId, TableId};
use crate::seat::Occupant;
use crate::tractor::shuffle::commit_hash;
use crate::tractor::{Pace, ShuffleKey, TractorGame, table_spec};

/// A table with people at the first seats and bots at the others, and the time there.
struct Clocked {
    table: TractorGame,
    seats: Vec<Occupant>,
    now: Instant,
}

fn bits(seat: Seat) -> String {
    format!("{:064x}", u64::from(seat) + 1)
}

impl Clocked {
    fn new(people: usize) -> Self {
        let player = |name: &str| Player {
            id: PlayerId::random(),
            name: name.to_owned(),
        };
        let new_table: NewTable = serde_json::from_value(json!({ "game": "tractor" })).unwrap();
        let setup = table_spec(&new_table, &player("Ann")).unwrap().setup;
        let (id, key) = (TableId::random(), ShuffleKey::random());
        let mut table = TractorGame::new(&setup, &id, &key).unwrap();
        let seat = |at: usize| match player("Ann") {
            _ if at >= people => Occupant::Bot { level: 1 },
            Player { id: player, name } => Occupant::Human { player, name },
        };
        let seats: Vec<Occupant> = (0..4).map(seat).collect();
        let now = Instant::now();
        table.set_seats(&seats);
        let here: Vec<bool> = (0..4).map(|at| at < people).collect();
        table.set_present(&here, now);
        Self { table, seats, now }
    }

    /// What time brings so many milliseconds later: the kinds of the events.
    fn wait(&mut self, ms: u64) -> Vec<&'static str> {
        self.now += Duration::from_millis(ms);
        let mut kinds = Vec::new();
        // Cards are dealt one after the other: the test is over before that.
        while let Some(event) = self.table.expire(self.now) {
            kinds.push(self.table.kind(&event));
            self.table.apply(&event, Some(self.now)).unwrap();
            if kinds.last() == Some(&"shuffled") {
                break;
            }
        }
        kinds
    }

    fn shuffle(&self, seat: Seat) -> Value {
        self.table.shuffle_field(Some(seat))
    }

    fn act(&mut self, t: &str, seat: Seat) -> Result<(), &'static str> {
        let shuffle = self.shuffle(seat);
        let server = shuffle["server"].as_str().unwrap_or_default();
        let mut d = json!({ "number": shuffle["number"], "attempt": shuffle["attempt"] });
        match t {
            "commit" => d["hash"] = json!(commit_hash(server, seat, &bits(seat))),
            _ => d["bits"] = json!(bits(seat)),
        }
        let away = [None; 4];
        let presence = Presence {
            seats: &self.seats,
            away: &away,
            now: self.now,
        };
        let event = self.table.decide(seat, &Action::new(t, d), &presence);
        let event = event.map_err(|refusal| refusal.code())?;
        self.table.apply(&event, Some(self.now)).unwrap();
        Ok(())
    }

    fn kinds(&self) -> Vec<String> {
        let seats = self.shuffle(0)["seats"].clone();
        let kind = |seat: &Value| seat["kind"].as_str().unwrap().to_owned();
        seats.as_array().unwrap().iter().map(kind).collect()
    }
}

#[test]
fn all_deal_as_soon_as_all_have_revealed() {
    let mut table = Clocked::new(2);
    assert_eq!(table.wait(0), ["drawn"]);
    table.act("commit", 1).unwrap();
    assert_eq!(table.wait(0), [""; 0], "seat 0 is waited for");
    table.act("commit", 0).unwrap();
    assert_eq!(table.wait(0), ["roster"]);
    table.act("reveal", 0).unwrap();
    assert_eq!(table.wait(0), [""; 0], "seat 1 is waited for");
    table.act("reveal", 1).unwrap();
    assert_eq!(table.wait(0), ["shuffled"]);
    assert_eq!(table.kinds(), ["person", "person", "bot", "bot"]);
}

#[test]
fn who_does_not_commit_in_time_is_absent() {
    let mut table = Clocked::new(2);
    table.wait(0);
    table.act("commit", 0).unwrap();
    assert_eq!(table.wait(Pace::CALM.commit - 1), [""; 0]);
    assert_eq!(table.wait(1), ["roster"]);
    assert_eq!(table.kinds(), ["person", "absent", "bot", "bot"]);
    assert_eq!(table.act("commit", 1), Err("not-now"));
    assert_eq!(table.act("reveal", 1), Err("not-now"));
    table.act("reveal", 0).unwrap();
    assert_eq!(table.wait(0), ["shuffled"]);
    assert_eq!(table.table.voids_field(), json!([]));
}

/// Seats 1 and 2 fail one after the other: two attempts are voided, the third is dealt, and what was
/// revealed in the others stays in the table.
#[test]
fn who_does_not_reveal_in_time_voids_the_attempt_and_is_dropped() {
    let mut table = Clocked::new(3);
    table.wait(0);
    let mut servers = vec![];
    for (silent, attempt) in [(1, 1), (2, 2)] {
        assert_eq!(table.shuffle(0)["attempt"], attempt);
        servers.push(table.shuffle(0)["server"].clone());
        let committing: Vec<Seat> = (0..3)
            .filter(|seat| *seat == 0 || *seat >= silent)
            .collect();
        for seat in &committing {
            table.act("commit", *seat).unwrap();
        }
        assert_eq!(table.wait(0), ["roster"]);
        for seat in committing.iter().filter(|seat| **seat != silent) {
            table.act("reveal", *seat).unwrap();
        }
        assert_eq!(table.wait(Pace::CALM.reveal - 1), [""; 0]);
        assert_eq!(table.wait(1), ["voided", "drawn"]);
        assert_eq!(table.act("commit", silent), Err("not-now"));
    }
    servers.push(table.shuffle(0)["server"].clone());
    assert!(servers[0] != servers[1] && servers[1] != servers[2]);
    table.act("commit", 0).unwrap();
    assert_eq!(table.wait(0), ["roster"], "nobody else is waited for");
    assert_eq!(table.kinds(), ["person", "absent", "absent", "bot"]);
    table.act("reveal", 0).unwrap();
    assert_eq!(table.wait(0), ["shuffled"]);
    let voids = json!([
        { "round": 1, "attempt": 1, "seats": [1] },
        { "round": 1, "attempt": 2, "seats": [2] },
    ]);
    assert_eq!(table.table.voids_field(), voids);
    assert_eq!(table.table.dropped, [false, true, true, false]);
    let revealed = |at: usize| table.table.voided[at].bits.map(|bits| bits.is_some());
    assert_eq!(revealed(0), [true, false, true, false]);
    assert_eq!(revealed(1), [true, false, false, false]);
}

/// Bots alone and people who are dropped are not waited for at all.
#[test]
fn where_nobody_adds_the_cards_come_at_once() {
    let mut table = Clocked::new(1);
    table.wait(0);
    table.act("commit", 0).unwrap();
    table.wait(0);
    assert_eq!(
        table.wait(Pace::CALM.reveal),
        ["voided", "drawn", "roster", "shuffled"]
    );
    assert_eq!(table.kinds(), ["absent", "bot", "bot", "bot"]);
}

/// While nobody is at the table, no time runs out.
#[test]
fn an_empty_table_voids_nothing() {
    let mut table = Clocked::new(1);
    table.wait(0);
    table.act("commit", 0).unwrap();
    table.wait(0);
    table.table.set_present(&[false; 4], table.now);
    assert_eq!(table.wait(Pace::CALM.reveal * 10), [""; 0]);
    table
        .table
        .set_present(&[true, false, false, false], table.now);
    assert_eq!(table.wait(Pace::CALM.reveal - 1), [""; 0]);
    table.act("reveal", 0).unwrap();
    assert_eq!(table.wait(0), ["shuffled"]);
}
