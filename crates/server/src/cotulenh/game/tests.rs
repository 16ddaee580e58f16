use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::fields::Fields;
use crate::game::Views as _;

/// Few pieces, so that games repeat themselves and end soon.
const FEW: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

fn new_game(setup: &Value) -> CotulenhGame {
    CotulenhGame::new(setup).unwrap()
}

fn presence(away: &[Option<Duration>]) -> Presence<'_> {
    Presence {
        seats: &[],
        away,
        now: Instant::now(),
    }
}

/// Decides and applies, and answers the event.
fn act(game: &mut CotulenhGame, seat: Seat, t: &str, d: Value) -> Value {
    let presence = presence(&[None, None]);
    let event = game.decide(seat, &Action::new(t, d), &presence).unwrap();
    game.apply(&event, Some(presence.now)).unwrap();
    event
}

fn play(game: &mut CotulenhGame, text: &str) -> Value {
    act(game, game.turn(), "move", json!({ "move": text }))
}

/// The game of the same events, as it is read from the storage.
fn replayed(setup: &Value, events: &[Value]) -> CotulenhGame {
    let mut game = new_game(setup);
    for event in events {
        game.apply(event, None).unwrap();
    }
    game.end_replay();
    game
}

#[test]
fn whoever_waits_for_somebody_gone_is_told_that_the_game_may_be_claimed() {
    let mut game = new_game(&json!({}));
    play(&mut game, "Ic6");
    play(&mut game, "Mg7");
    let short = [None, Some(PATIENCE.saturating_sub(Duration::from_secs(1)))];
    let long = [None, Some(PATIENCE)];
    assert!(!game.can(0, &presence(&short)).contains(&"claim"));
    assert!(game.can(0, &presence(&long)).contains(&"claim"));
    assert!(!game.can(1, &presence(&long)).contains(&"claim"));
    let mut told = Fields::default();
    game.state(Some(0), &presence(&long), &mut told);
    assert_eq!(
        told.value("can"),
        json!(["move", "resign", "draw", "takeback", "claim"])
    );
}

/// Through a whole game, with the other one here or long gone: each action is listed at some time.
#[test]
fn all_that_is_listed_is_accepted_and_nothing_else_is() {
    let mut game = new_game(&json!({}));
    let mut seen = BTreeSet::new();
    for (seat, what, text) in [
        (0, "", ""),
        (0, "draw", ""),
        (1, "decline", ""),
        (0, "move", "Ic6"),
        (1, "move", "Mg7"),
        (0, "takeback", ""),
        (1, "decline", ""),
        (0, "resign", ""),
    ] {
        if !what.is_empty() {
            let d = match text {
                "" => Value::Null,
                text => json!({ "move": text }),
            };
            act(&mut game, seat, what, d);
        }
        for away in [[None, None], [Some(PATIENCE); 2]] {
            for seat in [0, 1] {
                let can = game.can(seat, &presence(&away));
                for what in ACTIONS.into_iter().filter(|what| *what != "move") {
                    let action = Action::new(what, Value::Null);
                    let accepted = game.decide(seat, &action, &presence(&away)).is_ok();
                    let hidden = what == "resign" && game.turns() < 2;
                    assert_eq!(can.contains(&what), accepted && !hidden, "{seat} {what}");
                }
                let may_move = !game.is_over() && game.turn() == seat;
                assert_eq!(can.contains(&"move"), may_move);
                seen.extend(can);
            }
        }
    }
    assert_eq!(seen, BTreeSet::from(ACTIONS));
}

#[test]
fn a_turn_is_read_when_it_is_decided_and_not_again_when_it_is_applied() {
    let mut game = new_game(&json!({ "fen": FEW }));
    let action = Action::new("move", json!({ "steps": ["T>e6", "."] }));
    let event = game.decide(0, &action, &presence(&[])).unwrap();
    let decided = game.decided.as_mut().unwrap();
    assert_eq!(event["lan"], decided.lan);
    // Were it read again, the mark would be gone.
    decided.san.push_str(" (decided)");
    game.apply(&event, Some(Instant::now())).unwrap();
    let entry: Value = serde_json::from_str(&game.last_entry().unwrap()).unwrap();
    assert_eq!(entry["san"], "(FI)<T>e6 (decided)");
    assert_eq!(game.decided, None);
}

#[test]
fn what_was_decided_is_forgotten_by_any_other_event() {
    let mut game = new_game(&json!({}));
    let action = Action::new("move", json!({ "move": "Ic6" }));
    let event = game.decide(0, &action, &presence(&[])).unwrap();
    act(&mut game, 0, "draw", Value::Null);
    assert_eq!(game.decided, None);
    // The event is sound all the same.
    game.apply(&event, Some(Instant::now())).unwrap();
    assert_eq!(game.game.sans(), ["Ic6"]);
}

#[test]
fn a_replayed_game_is_the_game_that_was_played() {
    let setup = json!({ "clock": { "initial": 60_000, "increment": 0 } });
    let mut game = new_game(&setup);
    let mut events = vec![play(&mut game, "Ic6"), play(&mut game, "Mg7")];
    events.push(play(&mut game, "Ik6"));
    events.push(act(&mut game, 0, "takeback", Value::Null));
    events.push(act(&mut game, 1, "takeback", Value::Null));
    assert_eq!(events[4]["turns"], 2);
    events.push(play(&mut game, "Ik6"));
    let again = replayed(&setup, &events);
    let now = presence(&[]);
    assert_eq!(again.log(), game.log());
    assert_eq!(again.last_entry(), game.last_entry());
    assert_eq!(
        game.last_entry().as_deref(),
        game.log().last().map(|last| &**last)
    );
    assert_eq!(again.left, game.left);
    for name in ["fen", "turn", "outcome", "offer", "can"] {
        let [again, game] = [&again, &game].map(|game| {
            let mut fields = Fields::default();
            game.state(Some(0), &now, &mut fields);
            fields.value(name)
        });
        assert_eq!(again, game, "{name}");
    }
}

#[test]
fn a_replayed_draw_by_repetition_stands() {
    let setup = json!({
        "fen": "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1",
        "clock": { "initial": 60_000, "increment": 0 },
    });
    let mut game = new_game(&setup);
    let mut events = Vec::new();
    for text in ["Cf2", "Cg11", "Cf1", "Cg12"].repeat(2) {
        events.push(play(&mut game, text));
    }
    let drawn = json!({ "winner": null, "reason": "threefold" });
    let again = replayed(&setup, &events);
    for game in [&game, &again] {
        assert_eq!(game.result(), drawn);
        assert!(
            game.clock
                .as_ref()
                .is_some_and(|clock| clock.running().is_none())
        );
        let pgn = game.export("pgn", None, false, &[]).unwrap().text;
        let read: RulesGame = pgn.parse().unwrap();
        assert_eq!(read.sans(), game.game.sans());
        assert_eq!(
            read.clock(8),
            Some(Duration::from_millis(u64::from(game.left[7].unwrap()[1])))
        );
    }
}

/// So many turns of two commanders who walk to and fro, as they are stored.
fn stored_walk(turns: usize) -> (Value, Vec<Value>) {
    let setup = json!({ "fen": "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1" });
    let walk = ["Cf1f2", "Cg12g11", "Cf2f1", "Cg11g12"].into_iter().cycle();
    let events = walk.map(|lan| json!({ "k": "moved", "lan": lan }));
    (setup, events.take(turns).collect())
}

#[test]
fn a_replayed_turn_is_neither_named_nor_judged() {
    let cost = |turns: usize| {
        let (setup, events) = stored_walk(turns);
        let mut game = new_game(&setup);
        let cost = allocation_counter::measure(|| {
            for event in &events {
                game.apply(event, None).unwrap();
            }
        });
        // Names and positions are texts: each would be an allocation.
        assert_eq!((game.turns(), &game.last_entry), (turns, &None));
        assert_eq!(game.game.outcome(), None);
        cost.count_total
    };
    let (some, twice) = (cost(100), cost(200));
    // The text of the event, its moves, and now and then a longer list.
    assert!(twice - some <= 350, "{} for a hundred turns", twice - some);
}

#[test]
fn a_turn_of_the_past_takes_few_bytes() {
    let (setup, events) = stored_walk(150);
    let game = replayed(&setup, &events);
    let left = size_of_val(&game.left[..]);
    assert!(game.game.history_bytes() + left <= 150 * 28, "{left}");
    assert_eq!(game.log().len(), 150);
}

#[tokio::test(start_paused = true)]
async fn credited_lag_is_stored_with_the_turn() {
    let setup = json!({ "clock": { "initial": 60_000, "increment": 0 } });
    let mut game = new_game(&setup);
    let mut events = vec![play(&mut game, "Ic6"), play(&mut game, "Mg7")];
    assert_eq!(game.timed_seat(), Some(0));
    game.note_lag(Duration::from_millis(700));
    tokio::time::advance(Duration::from_secs(2)).await;
    events.push(play(&mut game, "Ic7"));
    assert_eq!(events[2]["lag"], 700);
    assert_eq!(events[2]["left"], json!([58_700, 60_000]));
    assert!(events[1].get("lag").is_none(), "a turn without a clock");
    for game in [&game, &replayed(&setup, &events)] {
        let mut told = Fields::default();
        game.state(None, &presence(&[None, None]), &mut told);
        assert_eq!(told.value("clock")["credit"], json!([4_300, 5_000]));
    }
}
