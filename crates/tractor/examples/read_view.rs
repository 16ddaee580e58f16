//! Reads the frames of a card table's socket, one JSON object a line on standard input, and says what the seat may do:
//! `websocat … | cargo run -p tractor --features serde --example read_view`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::io::BufRead as _;

use serde_json::Value;
use tractor::{Stage, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        let mut frame: Value = serde_json::from_str(&line?)?;
        if frame["t"] == "view" {
            // Before the first deal a table waits and shuffles: it has no round to view.
            match frame["d"]["stage"].as_str() {
                Some("waiting" | "shuffling") => println!("not dealt yet"),
                _ => println!("{}", words(&serde_json::from_value(frame["d"].take())?)),
            }
        }
    }
    Ok(())
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
