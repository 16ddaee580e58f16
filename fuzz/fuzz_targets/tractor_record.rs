//! The text of events, rounds and games: whatever reads is written back alike, and replays without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tractor::{Event, Game, Record, Redacted, Seat, Seen, View};

fuzz_target!(|text: &str| {
    if let Ok(event) = text.parse::<Event>() {
        assert_eq!(event.to_string().parse(), Ok(event));
    }
    if let Ok(seen) = text.parse::<Seen>() {
        assert_eq!(seen.to_string().parse(), Ok(seen));
    }
    if let Ok(redacted) = text.parse::<Redacted>() {
        assert_eq!(redacted.to_string().parse(), Ok(redacted));
    }
    if let Ok(record) = text.parse::<Record>() {
        assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
        let legal = match record.round() {
            Ok(_) => record.events.len(),
            Err((place, _)) => place,
        };
        let round = record
            .replay(legal)
            .expect("the events before the first refused one");
        for viewer in Seat::ALL.map(Some).into_iter().chain([None]) {
            let view = View::of(&round, viewer);
            assert!(viewer.is_some() || view.hand.is_empty());
            let redacted = Redacted::of(&round, viewer);
            assert_eq!(redacted.to_string().parse(), Ok(redacted));
        }
    }
    if let Ok(game) = text.parse::<Game>() {
        assert_eq!(game.to_string().parse(), Ok(game));
    }
});
