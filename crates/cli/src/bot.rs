//! `convoy tractor-bot`: the Tractor player behind a line protocol.

use std::io::{self, BufReader, Read, Write};
use std::time::Instant;

use anyhow::Context as _;
use convoy_protocol::bot::{
    self, CardsAnswer, DeclareAnswer, DeclareRequest, Declared, KittyRequest, PlayRequest, Request,
};
use convoy_protocol::{Error, ErrorCode};
use serde::Serialize;
use serde_json::{Value, json};
use tractor::CardSet;
use tractor_engine::{Player, SkillLevel};

use crate::line::{self, Line};

/// Run a Tractor bot that speaks a line protocol
///
/// One JSON request per line, one answer per line; docs/bots.md describes every request and answer. The player sees only
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

/// Serves stdin until it ends.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let level: SkillLevel = args.level.parse()?;
    match serve(level, io::stdin().lock(), io::stdout().lock()) {
        // Whoever asked has gone: nothing is left to answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("tractor-bot"),
    }
}

fn serve(level: SkillLevel, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    loop {
        match line::read(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::TooLong => writeln!(output, "{}", refusal(&Error::too_long()))?,
            Line::Text if line.trim_ascii().is_empty() => {}
            Line::Text => writeln!(output, "{}", respond(level, line.trim_ascii()))?,
        }
        output.flush()?;
    }
}

/// The answer to one line, `id` echoed.
fn respond(level: SkillLevel, line: &[u8]) -> Value {
    let (id, request) = bot::read_line(line);
    let answer = request.and_then(|request| answer(level, &request));
    let mut answer = answer.unwrap_or_else(|error| refusal(&error));
    if let Some(id) = id {
        answer["id"] = id;
    }
    answer
}

/// Words for people, and the code that every other way in has for the same fault.
fn refusal(error: &Error) -> Value {
    json!({ "error": error.message, "code": error.code })
}

fn answer(level: SkillLevel, request: &Request) -> Result<Value, Error> {
    match request {
        Request::Ping => Ok(json!({})),
        Request::Declare(request) => declare(level, request).map(write),
        Request::Kitty(request) => kitty(level, request).map(write),
        Request::Play(request) => play(level, request).map(write),
    }
}

fn write(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).expect("an answer is plain data")
}

fn declare(level: SkillLevel, request: &DeclareRequest) -> Result<DeclareAnswer, Error> {
    let told = request.view()?;
    let player = Player::new(level, request.seed.unwrap_or(1));
    let made = player.declare(&told.view);
    let mut offers = told.view.offers.iter();
    let offer = offers.find(|offer| Some(offer.cards) == made);
    let declare = offer.map(|offer| Declared::of(offer, told.cards(offer.cards)));
    Ok(DeclareAnswer { declare })
}

fn kitty(level: SkillLevel, request: &KittyRequest) -> Result<CardsAnswer, Error> {
    let told = request.view()?;
    let cards = Player::new(level, 1).bury(&told.view);
    Ok(CardsAnswer {
        cards: told.cards(cards),
        ms: None,
    })
}

fn play(level: SkillLevel, request: &PlayRequest) -> Result<CardsAnswer, Error> {
    let begun = Instant::now();
    let told = request.view()?;
    let cards = Player::new(level, 1).play(&told.view);
    let illegal = |words: String| Error::new(ErrorCode::Illegal, words);
    if cards == CardSet::EMPTY {
        return Err(illegal("there is no card to play".into()));
    }
    let checked = told.view.check(cards);
    checked.map_err(|refusal| illegal(refusal.to_string()))?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    Ok(CardsAnswer {
        cards: told.cards(cards),
        ms: Some((ms * 1000.0).round() / 1000.0),
    })
}

#[cfg(test)]
mod tests;
