//! Questions about the rules: each stands alone, and the page knows nothing but the answers.

use std::collections::BTreeMap;

use cotulenh::wire::Moves;
use cotulenh::{Color, Game, Position, Square};
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal_code;
use crate::refusal::{BadChoice, Refusal};

/// The most turns that one question may hold.
const MOST_TURNS: usize = 2000;

/// The answer to one question.
pub(crate) fn answer(op: &str, body: &Value) -> Result<Value, Refusal> {
    match op {
        "moves" => moves(&read(body)?),
        "turns" => turns(&read(body)?),
        "play" => play(&read(body)?),
        "attackers" => attackers(&read(body)?),
        "cover" => cover(&read(body)?),
        "fen" => canonical(&read(body)?),
        "pgn" => import(&read(body)?),
        _ => Err(Refusal::UnknownAction(op.to_owned())),
    }
}

fn read<'a, T: Deserialize<'a>>(body: &'a Value) -> Result<T, Refusal> {
    T::deserialize(body).map_err(|error| Refusal::Malformed(error.to_string()))
}

fn write(answer: impl serde::Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::Malformed(error.to_string()))
}

/// A position, the usual start if none is named; a deploy may be open in it.
fn position(fen: Option<&str>) -> Result<Position, Refusal> {
    fen.map_or_else(
        || Ok(Position::start()),
        |fen| {
            fen.trim()
                .parse()
                .map_err(|error| refusal_code::fen(&error))
        },
    )
}

fn square(name: &str) -> Result<Square, Refusal> {
    let known = name.parse();
    known.map_err(|_| Refusal::Malformed(format!("{name:?} is no square")))
}

#[derive(Deserialize)]
struct Steps {
    fen: Option<String>,
    #[serde(default)]
    steps: Vec<String>,
}

fn moves(question: &Steps) -> Result<Value, Refusal> {
    let mut now = position(question.fen.as_deref())?;
    for text in question.steps.iter().take(MOST_TURNS) {
        let read = now.read(text);
        for action in read
            .map_err(|error| refusal_code::unread(text, &error))?
            .iter()
        {
            let next = now.play(*action);
            now = next.map_err(|error| refusal_code::illegal(text, error))?;
        }
    }
    write(Moves::of(&now))
}

#[derive(Deserialize)]
struct From {
    fen: Option<String>,
    square: Option<String>,
}

fn turns(question: &From) -> Result<Value, Refusal> {
    let from = question.square.as_deref().map(square).transpose()?;
    let turns = position(question.fen.as_deref())?.turns_from(from);
    let turn = |turn: &cotulenh::VerboseTurn| json!({ "san": turn.san, "lan": turn.lan, "after": turn.after.to_string() });
    Ok(json!({ "turns": turns.iter().map(turn).collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
struct Line {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

fn play(question: &Line) -> Result<Value, Refusal> {
    let mut game = Game::new(position(question.fen.as_deref())?);
    for text in question.moves.iter().take(MOST_TURNS) {
        let played = game.play_text(text);
        played.map_err(|error| refusal_code::unread(text, &error))?;
    }
    let fens: Vec<String> = game.turns().map(|turn| turn.after.to_string()).collect();
    write(json!({
        "fen": game.position().to_string(),
        "sans": game.sans(),
        "lans": game.lans(),
        "fens": fens,
        "outcome": game.outcome(),
    }))
}

#[derive(Deserialize)]
struct Target {
    fen: Option<String>,
    square: String,
    color: char,
}

fn attackers(question: &Target) -> Result<Value, Refusal> {
    let now = position(question.fen.as_deref())?;
    let by = Color::from_letter(question.color).ok_or(Refusal::BadChoice(BadChoice::Color))?;
    let from = now.attackers(square(&question.square)?, by);
    let mut list: Vec<String> = from
        .map(|(from, role)| format!("{from}:{}", role.letter().to_ascii_lowercase()))
        .collect();
    list.sort_unstable();
    Ok(json!({ "attackers": list }))
}

#[derive(Deserialize)]
struct At {
    fen: Option<String>,
}

fn cover(question: &At) -> Result<Value, Refusal> {
    let now = position(question.fen.as_deref())?;
    let side = |color| {
        let covered = now.air_cover(color).into_iter().map(|square| {
            let providers = now.air_providers(square, color);
            (
                square.to_string(),
                providers.map(|from| from.to_string()).collect(),
            )
        });
        covered.collect::<BTreeMap<String, Vec<String>>>()
    };
    Ok(json!({ "cover": { "r": side(Color::Red), "b": side(Color::Blue) } }))
}

fn canonical(question: &At) -> Result<Value, Refusal> {
    let now = position(question.fen.as_deref())?;
    Ok(json!({ "fen": now.to_string(), "outcome": write(now.outcome())? }))
}

#[derive(Deserialize)]
struct Text {
    pgn: String,
}

fn import(question: &Text) -> Result<Value, Refusal> {
    let game: Game = question
        .pgn
        .parse()
        .map_err(|error| refusal_code::pgn(&error))?;
    let turn = |turn: cotulenh::PlayedTurn<'_>| json!({ "san": turn.san(), "lan": turn.lan(), "fen": turn.after.to_string() });
    let headers: BTreeMap<&str, &str> = game.headers().collect();
    write(json!({
        "start": game.start().to_string(),
        "turns": game.turns().map(turn).collect::<Vec<_>>(),
        "headers": headers,
        "outcome": game.outcome(),
    }))
}
