//! What an event at a card table costs, and that what was decided is not judged again.

use super::*;
use crate::fields::Fields;
use crate::game::{NewTable, Player, Timing as _, Views as _};
use crate::tractor::bot::action_of;
use crate::tractor::{engine, table_spec};

/// A table of four people in the middle of a round.
struct Played {
    table: TractorGame,
    seats: Vec<Occupant>,
    now: Instant,
}

impl Played {
    /// After so many tricks.
    fn after(tricks: usize) -> Self {
        let human = |player: Player| Occupant::Human {
            player: player.id,
            name: player.name,
        };
        let new_table: NewTable = serde_json::from_value(json!({ "game": "tractor" })).unwrap();
        let setup = table_spec(&new_table, &Player::anonymous()).unwrap().setup;
        let (id, key) = (TableId::random(), ShuffleKey::random());
        let mut table = TractorGame::new(&setup, &id, &key).unwrap();
        let seats: Vec<Occupant> = (0..4).map(|_| human(Player::anonymous())).collect();
        let now = Instant::now();
        table.set_seats(&seats);
        table.set_present(&[true; 4], now);
        let mut played = Self { table, seats, now };
        while played.table.log_len() < tricks {
            played.go_on();
        }
        played
    }

    fn presence(&self) -> Presence<'_> {
        Presence {
            seats: &self.seats,
            away: &[None; 4],
            now: self.now,
        }
    }

    /// The next thing that happens: what time brings, or what a seat does whose turn it is.
    fn go_on(&mut self) {
        let event = if let Some(seat) = self.table.round().and_then(Round::turn) {
            self.decide(seat)
        } else {
            self.now += Duration::from_mins(1);
            self.table.expire(self.now).unwrap()
        };
        self.table.apply(&event, Some(self.now)).unwrap();
    }

    /// The event of what a seat does in its turn.
    fn decide(&mut self, seat: tractor::Seat) -> Value {
        let seat = Seat::try_from(seat.index()).unwrap();
        let event = engine::quick(&self.table.view(seat).unwrap()).unwrap();
        let action = action_of(&event).unwrap();
        let (seats, now) = (self.seats.clone(), self.now);
        let presence = Presence {
            seats: &seats,
            away: &[None; 4],
            now,
        };
        self.table.decide(seat, &action, &presence).unwrap()
    }
}

#[test]
fn what_a_viewer_is_told_is_made_with_few_allocations() {
    let played = Played::after(10);
    let presence = played.presence();
    let mut fields = Fields::default();
    let cost = allocation_counter::measure(|| {
        played.table.state(Some(0), &presence, &mut fields);
    });
    let round = played.table.round().unwrap();
    let tree = allocation_counter::measure(|| {
        let view = serde_json::to_value(View::of(round, seat_of(0)));
        assert_eq!(view.unwrap()["number"], fields.value("number"));
    });
    // A tree of values for the rules' view alone, which was once built twice a viewer and event.
    let (cost, tree) = (cost.count_total, tree.count_total);
    assert!(cost < 160, "{cost} allocations");
    assert!(
        tree > 4 * cost,
        "{tree} allocations for a tree, {cost} here"
    );
}

#[test]
fn a_viewer_is_told_all_of_the_view_under_its_own_names() {
    let mut played = Played::after(0);
    let mut stages = std::collections::BTreeSet::new();
    while !played.table.is_round_over() {
        let round = played.table.shown();
        for viewer in [None, Some(0), Some(1), Some(2), Some(3)] {
            let view = View::of(&round, viewer.and_then(seat_of));
            let Ok(Value::Object(view)) = serde_json::to_value(view) else {
                panic!("a view is an object");
            };
            let mut fields = Fields::default();
            played.table.state(viewer, &played.presence(), &mut fields);
            let of_table = ["viewer", "tricks", "rules"];
            let dealt = played.table.round().is_some();
            for (name, value) in view {
                let own =
                    of_table.contains(&&*name) || !dealt && ["stage", "offers"].contains(&&*name);
                assert!(own || fields.value(&name) == value, "{name}: {value}");
            }
            stages.insert(fields.value("stage").to_string());
        }
        played.go_on();
    }
    let met: Vec<&str> = stages.iter().map(String::as_str).collect();
    let all = ["burying", "dealing", "playing", "shuffling", "waiting"];
    assert_eq!(met, all.map(|stage| format!("\"{stage}\"")));
}

#[test]
fn what_was_decided_is_not_judged_again_and_agrees_with_its_event() {
    let mut played = Played::after(3);
    for _ in 0..9 {
        let seat = played.table.round().and_then(Round::turn).unwrap();
        let event = played.decide(seat);
        let (text, after) = played.table.decided.clone().unwrap();
        assert_eq!(event["e"], text);
        // As it is read from the storage.
        let mut replayed = played.table.round().unwrap().clone();
        replayed.apply(text.parse().unwrap()).unwrap();
        assert_eq!(replayed, after);
        played.table.apply(&event, Some(played.now)).unwrap();
        assert_eq!(played.table.round(), Some(&after));
        assert!(played.table.decided.is_none());
    }
}

#[test]
fn another_event_forgets_what_was_decided() {
    let mut played = Played::after(1);
    let seat = played.table.round().and_then(Round::turn).unwrap();
    let event = played.decide(seat);
    // Marked, so that it would be seen if it were taken for another event.
    let marked = played.table.decided.as_mut().unwrap();
    marked.0.push('!');
    played.table.apply(&event, Some(played.now)).unwrap();
    assert!(played.table.decided.is_none());
    assert_eq!(
        played
            .table
            .round()
            .unwrap()
            .events()
            .last()
            .unwrap()
            .to_string(),
        event["e"]
    );
}
