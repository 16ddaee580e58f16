//! Games of Tractor, views and legal plays.

use convoy_protocol::{Error, ErrorCode};
use serde_json::json;
use tractor::{CardSet, Deal, Event, Game, Phase, Rules, Seat, Seed, Setup, View};

use crate::boundary::{Failure, answer, answer_text, exports, put_json, put_text};
use crate::slots::Slots;

thread_local! {
    static GAMES: Slots<Game> = const { Slots::new() };
}

pub(crate) fn with<T>(
    slot: u32,
    read: impl FnOnce(&Game) -> Result<T, Failure>,
) -> Result<T, Failure> {
    GAMES.with(|games| games.with(slot, read))
}

pub(crate) fn change<T>(
    slot: u32,
    change: impl FnOnce(&mut Game) -> Result<T, Failure>,
) -> Result<T, Failure> {
    GAMES.with(|games| games.change(slot, change))
}

fn refuse(code: ErrorCode, error: impl std::fmt::Display) -> Failure {
    Error::new(code, error.to_string()).into()
}

fn illegal(error: impl std::fmt::Display) -> Failure {
    refuse(ErrorCode::Illegal, error)
}

fn read_rules(text: &str) -> Result<Rules, Failure> {
    text.parse()
        .map_err(|error| refuse(ErrorCode::Rules, format_args!("{text:?}: {error}")))
}

/// A seed: a number, or 64 hexadecimal digits.
fn read_seed(text: &str) -> Result<Seed, Failure> {
    match text.parse() {
        Ok(number) if text.len() < 64 => Ok(Seed::from_number(number)),
        _ => text.parse().map_err(|error| {
            refuse(
                ErrorCode::Malformed,
                format_args!("the seed {text:?}: {error}"),
            )
        }),
    }
}

pub(crate) fn read_event(text: &str) -> Result<Event, Failure> {
    text.parse().map_err(|error| {
        refuse(
            ErrorCode::Malformed,
            format_args!("the event {text:?}: {error}"),
        )
    })
}

/// The viewer of a view: a seat, or an onlooker.
pub(crate) fn viewer(seat: u32) -> Option<Seat> {
    Seat::new(seat as usize)
}

/// A seat that somebody holds.
pub(crate) fn seat_of(seat: u32) -> Result<Seat, Failure> {
    viewer(seat).ok_or_else(|| Failure::new("bad-seat", "a seat is 0 to 3"))
}

fn read_view(text: &str) -> Result<View, Failure> {
    convoy_protocol::read_json(text).map_err(Failure::from)
}

/// Cards with a blank between them, `AS0 AS1`.
fn read_cards(text: &str) -> Result<CardSet, Failure> {
    CardSet::read(text.split_whitespace()).map_err(|error| refuse(ErrorCode::Cards, error))
}

fn texts(cards: CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).collect()
}

exports! {
    /// Begins a game: the input is the text of its rules, a line break, and a seed.
    fn tractor_new(slot: u32) -> i32 {
        answer_text(|text, _| {
            let (rules, seed) = text.split_once('\n').unwrap_or((text, "0"));
            let setup = Setup::first(read_rules(rules)?);
            let game = Game::begin(setup, Deal::Seed(read_seed(seed)?));
            GAMES.with(|games| games.put(slot, game))
        })
    }

    /// Puts the game of the records in the input into a slot.
    fn tractor_read(slot: u32) -> i32 {
        answer_text(|text, _| {
            let game = text.parse::<Game>().map_err(|error| refuse(ErrorCode::Malformed, error))?;
            GAMES.with(|games| games.put(slot, game))
        })
    }

    /// Writes the records of all rounds.
    fn tractor_save(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                put_text(output, &game.to_string());
                Ok(())
            })
        })
    }

    /// Makes the event in the input happen.
    fn tractor_apply(slot: u32) -> i32 {
        answer_text(|text, _| {
            let event = read_event(text)?;
            change(slot, |game| game.apply(event).map_err(illegal))
        })
    }

    /// Begins the next round with the seed in the input.
    fn tractor_next_round(slot: u32) -> i32 {
        answer_text(|text, _| {
            let seed = read_seed(text)?;
            change(slot, |game| game.next_round(seed).map_err(illegal))
        })
    }

    /// Writes what everybody knows of the game, as JSON.
    fn tractor_facts(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let round = game.round();
                let setup = round.setup();
                let result = match round.phase() {
                    Phase::Over(over) => json!({
                        "winner": over.result.winner.to_string(),
                        "points": over.result.points,
                        "rise": over.result.rise,
                    }),
                    _ => json!(null),
                };
                put_json(&json!({
                    "stage": View::without_tricks(round, None).stage,
                    "turn": round.turn().map(Seat::index),
                    "starter": round.starter().index(),
                    "defending": round.defending().to_string(),
                    "trump": round.trump().to_string(),
                    "round": setup.number,
                    "levels": setup.start.levels.map(|level| level.to_string()),
                    "rules": setup.rules.to_string(),
                    "result": result,
                    "winner": game.winner().map(|team| team.to_string()),
                }), output)
            })
        })
    }

    /// Writes the cards of a seat, with blanks between them.
    fn tractor_hand(slot: u32, seat: u32) -> i32 {
        answer(|output| {
            let seat = seat_of(seat)?;
            with(slot, |game| {
                put_text(output, &texts(game.round().hand(seat)).join(" "));
                Ok(())
            })
        })
    }

    /// Writes the events of the round, one a line.
    fn tractor_events(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let events: Vec<String> = game.round().events().iter().map(Event::to_string).collect();
                put_text(output, &events.join("\n"));
                Ok(())
            })
        })
    }

    /// Writes what a seat, or with another number an onlooker, may know of the round, as JSON.
    fn tractor_view(slot: u32, seat: u32) -> i32 {
        answer(|output| {
            with(slot, |game| put_json(&View::of(game.round(), viewer(seat)), output))
        })
    }

    /// Writes at most so many legal plays of the view in the input, and how many there are, as JSON.
    fn tractor_legal_plays(limit: u32) -> i32 {
        answer_text(|text, output| {
            let legal = read_view(text)?.legal_plays(limit as usize).map_err(illegal)?;
            let plays: Vec<_> = legal.plays.into_iter().map(texts).collect();
            put_json(&json!({ "plays": plays, "count": legal.count }), output)
        })
    }

    /// Refuses cards that may not be played: the input is the cards, a line break, and a view.
    fn tractor_check() -> i32 {
        answer_text(|text, _| {
            let (cards, view) = text.split_once('\n').unwrap_or((text, ""));
            let cards = read_cards(cards)?;
            read_view(view)?.check(cards).map_err(illegal)
        })
    }

    /// Writes the rules in the input in full.
    fn tractor_rules() -> i32 {
        answer_text(|text, output| {
            put_text(output, &read_rules(text)?.to_string());
            Ok(())
        })
    }

    /// Writes every switch of the rules in the input, its name, value and meaning with tabs between them, one a
    /// line.
    fn tractor_switches() -> i32 {
        answer_text(|text, output| {
            let rules = read_rules(text)?;
            for switch in Rules::SWITCHES {
                let meaning = switch.doc().trim().replace('\n', " ");
                put_text(output, &format!("{}\t{}\t{meaning}\n", switch.name, switch.get(&rules)));
            }
            Ok(())
        })
    }
}
