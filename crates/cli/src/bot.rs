//! `convoy tractor-bot`: the Tractor player behind a line protocol.

mod read;

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::time::Instant;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tractor::CardSet;
use tractor_engine::{Level, Player};

use crate::arena::suit_letter;

/// Play Tractor behind a line protocol
///
/// One JSON request a line, one answer a line; docs/bots.md describes every request and answer. The player sees only
/// what a request holds, and never answers an illegal play.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"op\":\"play\",\"seat\":0,\"trump\":{\"rank\":\"2\",\"suit\":\"H\"},\"hand\":[\"AS\",\"3D\"],\"starter\":1,\"defending\":\"B\",\"tricks\":[],\"current\":[]}' | convoy tractor-bot --level normal"
)]
pub(crate) struct Args {
    /// easy, normal, strong or master (or 1 to 4)
    #[arg(long, default_value = "strong")]
    level: String,
}

/// A longer line is refused unread: it is no request.
const LONGEST_LINE: u64 = 1 << 20;

/// Serves stdin until it ends.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let level: Level = args.level.parse()?;
    match serve(level, io::stdin().lock(), io::stdout().lock()) {
        // Whoever asked has gone: nothing is left to answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("tractor-bot"),
    }
}

fn serve(level: Level, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    loop {
        line.clear();
        Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let text = line.trim_ascii();
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let words = format!("a line holds at most {LONGEST_LINE} bytes");
            writeln!(output, "{}", json!({ "error": words }))?;
        } else if !text.is_empty() {
            writeln!(output, "{}", respond(level, text))?;
        }
        output.flush()?;
    }
}

#[derive(Debug, Deserialize)]
struct Envelope {
    id: Option<Value>,
    op: Option<String>,
}

/// The answer to one line, `id` echoed.
fn respond(level: Level, line: &[u8]) -> Value {
    let envelope: Envelope = match serde_json::from_slice(line) {
        Ok(envelope) => envelope,
        Err(error) => return json!({ "error": format!("not a request: {error}") }),
    };
    let mut answer = match answer(level, envelope.op.as_deref(), line) {
        Ok(answer) => answer,
        Err(words) => json!({ "error": words }),
    };
    if let Some(id) = envelope.id {
        answer["id"] = id;
    }
    answer
}

fn answer(level: Level, op: Option<&str>, line: &[u8]) -> Result<Value, String> {
    match op {
        Some("ping") => Ok(json!({})),
        Some("declare") => declare(level, line),
        Some("kitty") => kitty(level, line),
        Some("play") => play(level, line),
        Some(op) => Err(format!("no op is called {op:?}")),
        None => Err("the request has no op".into()),
    }
}

fn declare(level: Level, line: &[u8]) -> Result<Value, String> {
    let request: read::Declare = read::json(line)?;
    let (view, notation) = request.view()?;
    let player = Player::new(level, request.seed());
    let made = player.declare(&view);
    let offer = view
        .offers
        .iter()
        .find(|offer| Some(offer.cards) == made)
        .map(|offer| {
            json!({
                "type": offer.bid.word(),
                "suit": suit_letter(offer.bid.suit()),
                "cards": notation.show(offer.cards),
            })
        });
    Ok(json!({ "declare": offer }))
}

fn kitty(level: Level, line: &[u8]) -> Result<Value, String> {
    let request: read::Kitty = read::json(line)?;
    let (view, notation) = request.view()?;
    let cards = Player::new(level, 1).bury(&view);
    Ok(json!({ "cards": notation.show(cards) }))
}

fn play(level: Level, line: &[u8]) -> Result<Value, String> {
    let begun = Instant::now();
    let request: read::Play = read::json(line)?;
    let (view, notation) = request.view()?;
    let cards = Player::new(level, 1).play(&view);
    if cards == CardSet::EMPTY {
        return Err("there is no card to play".into());
    }
    view.check(cards).map_err(|refusal| refusal.to_string())?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    Ok(json!({ "cards": notation.show(cards), "ms": (ms * 1000.0).round() / 1000.0 }))
}

#[cfg(test)]
mod tests;
