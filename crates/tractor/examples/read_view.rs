//! Reads the frames of a card table's socket, one JSON object a line on standard input, and says what the seat may do:
//! `websocat … | cargo run -p tractor --features serde --example read_view`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::io::BufRead as _;

use serde_json::Value;
use tractor::{Stage, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        if let Some(words) = read(&line?)? {
            println!("{words}");
        }
    }
    Ok(())
}

/// What a frame says, if it holds a view.
fn read(frame: &str) -> Result<Option<String>, serde_json::Error> {
    let mut frame: Value = serde_json::from_str(frame)?;
    if frame["t"] != "view" {
        return Ok(None);
    }
    // Before the first deal a table waits and shuffles: it has no round to view.
    Ok(Some(match frame["d"]["stage"].as_str() {
        Some("waiting" | "shuffling") => "not dealt yet".to_owned(),
        _ => words(&serde_json::from_value(frame["d"].take())?),
    }))
}

fn words(view: &View) -> String {
    match view.stage {
        Stage::Dealing => format!(
            "{} cards dealt, {} declarations possible",
            view.dealt,
            view.offers.len()
        ),
        Stage::Playing => match view.legal_plays(3) {
            Ok(legal) => {
                let first: Vec<String> = legal.plays.iter().map(ToString::to_string).collect();
                format!(
                    "to play: {} legal plays, such as {}",
                    legal.count,
                    first.join(" or ")
                )
            }
            Err(reason) => reason.to_string(),
        },
        stage => format!("{stage:?}: {} cards in hand", view.hand.len()),
    }
}

#[test]
fn a_view_is_read() -> Result<(), Box<dyn std::error::Error>> {
    let deck = tractor::Deck::of(&tractor::Seed::from_number(7), 1);
    let setup = tractor::Setup::first(tractor::Rules::DEFAULT);
    let mut round = tractor::Round::new(setup, deck);
    round.apply(tractor::Event::Deal { count: 40 })?;
    let view = View::of(&round, Some(round.starter()));
    let frame = serde_json::json!({ "t": "view", "seq": 1, "d": view });
    let words = read(&frame.to_string())?.unwrap_or_default();
    assert!(words.starts_with("40 cards dealt, "), "{words}");
    assert_eq!(read(r#"{"t": "pong"}"#)?, None);
    Ok(())
}
