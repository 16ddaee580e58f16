//! The round of Tractor that the course ends with: always the same cards, three bots, and a word on every decision
//! of the learner's. Nothing is kept: each question brings all decisions so far, and the bots decide the same again.

use std::error::Error;
use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};
use tractor::{
    CardSet, Deck, Event, Phase, Round, RoundError, Rules, Seat, Seed, Setup, Stage, Team, View,
};
use tractor_engine::{Limits, Player, SkillLevel, weigh};

/// Where the learner sits.
const LEARNER: Seat = Seat::ALL[0];
/// More decisions than a round has: a burying and 25 plays.
const MOST_PLAYS: usize = 26;
/// How many play-outs the coach looks for a better play with.
const ROLLOUTS: u32 = 400;
/// In how many worlds the learner's play is weighed against it.
const WORLDS: u32 = 120;
/// From this loss on a play could be better, in points.
pub const INACCURACY: f64 = 2.0;
/// From this loss on it is a mistake.
pub const MISTAKE: f64 = 6.0;

/// The learner's decisions so far: the eight cards to bury, then every play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// The cards of each, with spaces between.
    pub plays: Vec<String>,
    /// Whether to propose cards for the next one.
    #[serde(default)]
    pub hint: bool,
}

/// Why decisions cannot be taken in.
#[derive(Debug, Clone, PartialEq)]
pub enum CoachError {
    /// They cannot be read.
    Malformed(String),
    /// The rules forbid one of them.
    Illegal(RoundError),
}

impl From<RoundError> for CoachError {
    fn from(error: RoundError) -> Self {
        Self::Illegal(error)
    }
}

impl fmt::Display for CoachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(message) => f.write_str(message),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl Error for CoachError {}

/// The deal: the first in which the learner can declare with a pair, so that the course's burying is practised.
fn deal() -> Result<Round, RoundError> {
    let mut number = 1;
    loop {
        let deck = Deck::of(&Seed::from_number(number), 1);
        let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
        round.apply(Event::Deal { count: Deck::DEALT })?;
        let view = View::of(&round, Some(LEARNER));
        let pair = view.offers.iter().find(|offer| offer.cards.len() == 2);
        if let Some(offer) = pair {
            let cards = offer.cards;
            round.apply(Event::Declare {
                seat: LEARNER,
                cards,
            })?;
            round.apply(Event::Close)?;
            return Ok(round);
        }
        number += 1;
    }
}

/// A bot's decision depends on its view alone.
fn bot() -> Player {
    Player::new(SkillLevel::Normal, 1)
}

/// The round after these decisions, and what the coach says to the last, as pages read it.
///
/// ```
/// use convoy_lessons::{Decisions, coach};
/// let round = coach(&Decisions { plays: Vec::new(), hint: false })?;
/// assert_eq!(round["stage"], "bury");
/// # Ok::<_, convoy_lessons::CoachError>(())
/// ```
pub fn coach(decisions: &Decisions) -> Result<Value, CoachError> {
    if decisions.plays.len() > MOST_PLAYS {
        let message = format!("a round has {MOST_PLAYS} decisions at most");
        return Err(CoachError::Malformed(message));
    }
    let mut round = deal()?;
    let mut comment = Value::Null;
    let mut plays = decisions.plays.iter().enumerate();
    while let Some(seat) = round.turn() {
        let view = View::of(&round, Some(seat));
        if seat != LEARNER {
            let Some(event) = bot().act(&view) else { break };
            round.apply(event)?;
            continue;
        }
        let Some((index, text)) = plays.next() else {
            break;
        };
        let cards = read(text)?;
        round.apply(decision(&view, cards))?;
        if index + 1 == decisions.plays.len() {
            comment = remark(&view, cards);
        }
    }
    let view = View::of(&round, Some(LEARNER));
    let mut answer = shown(&round, &view);
    answer["comment"] = comment;
    if decisions.hint && view.turn == Some(LEARNER) {
        answer["hint"] = json!(proposed(&view));
    }
    Ok(answer)
}

fn read(text: &str) -> Result<CardSet, CoachError> {
    let cards: Result<CardSet, _> = text.parse();
    cards.map_err(|error| CoachError::Malformed(error.to_string()))
}

fn decision(view: &View, cards: CardSet) -> Event {
    let seat = LEARNER;
    match view.stage {
        Stage::Burying => Event::Bury { seat, cards },
        _ => Event::Play { seat, cards },
    }
}

/// What a strong player would do, found with a fixed number of play-outs.
fn proposed(view: &View) -> CardSet {
    let coach = Player::new(SkillLevel::Strong, 1).with_limits(Limits::rollouts(ROLLOUTS));
    match view.stage {
        Stage::Burying => coach.bury(view),
        _ => coach.play(view),
    }
}

/// What the coach says to a decision.
fn remark(view: &View, cards: CardSet) -> Value {
    if view.stage == Stage::Burying {
        let points = cards.faces().points();
        let code = if points == 0 {
            "bury-safe"
        } else {
            "bury-points"
        };
        return json!({ "code": code, "points": points });
    }
    let better = proposed(view);
    if better.faces() == cards.faces() {
        return json!({ "code": "best" });
    }
    let Some(gain) = weigh(view, cards, better, WORLDS, 1) else {
        return Value::Null;
    };
    let loss = -gain.points;
    // Less than two standard errors may be chance.
    let code = match loss {
        _ if loss < INACCURACY || loss < 2.0 * gain.error => "good",
        _ if loss < MISTAKE => "inaccuracy",
        _ => "mistake",
    };
    json!({ "code": code, "loss": loss.round(), "better": better })
}

fn shown(round: &Round, view: &View) -> Value {
    let over = match round.phase() {
        Phase::Over(_) => view.result.map(|result| {
            json!({
                "won": result.winner == LEARNER.team(),
                "points": result.points,
                "levels": result.rise,
                "kitty": view.kitty,
            })
        }),
        _ => None,
    };
    json!({
        "trump": view.trump,
        "hand": view.hand,
        "stage": if view.stage == Stage::Burying { "bury" } else { "play" },
        "defends": view.defending == Team::A,
        "points": view.attackers,
        "last": view.tricks.last(),
        "open": view.open,
        "over": over,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(plays: &[String], hint: bool) -> Value {
        let plays = plays.to_vec();
        coach(&Decisions { plays, hint }).unwrap()
    }

    fn hinted(answer: &Value) -> String {
        let cards = answer["hint"].as_array().unwrap().iter();
        let cards: Vec<&str> = cards.map(|card| card.as_str().unwrap()).collect();
        cards.join(" ")
    }

    #[test]
    fn a_round_is_coached_to_its_end_and_the_same_each_time() {
        let mut plays = Vec::new();
        let mut answer = ask(&plays, true);
        assert_eq!(answer["stage"], "bury");
        assert_eq!(answer["hand"].as_array().unwrap().len(), 33);
        while answer["over"].is_null() {
            plays.push(hinted(&answer));
            answer = ask(&plays, true);
            let code = answer["comment"]["code"].as_str().unwrap();
            // The coach has nothing against its own proposals.
            assert!(
                ["bury-safe", "bury-points", "best"].contains(&code),
                "{code}"
            );
        }
        assert_eq!(answer, ask(&plays, true));
    }

    #[test]
    fn a_bad_decision_is_told_and_an_illegal_one_refused() {
        let bury = hinted(&ask(&[], true));
        let hand = ask(std::slice::from_ref(&bury), false)["hand"].clone();
        // Among all single leads some lose points against the coach's.
        let lead = |card: &Value| ask(&[bury.clone(), card.as_str().unwrap().to_owned()], false);
        let codes: Vec<Value> = hand
            .as_array()
            .unwrap()
            .iter()
            .map(|card| lead(card)["comment"]["code"].clone())
            .collect();
        assert!(
            codes
                .iter()
                .any(|code| code == "mistake" || code == "inaccuracy"),
            "{codes:?}"
        );
        let refusal = |plays: &[&str]| {
            let plays = plays.iter().map(|&play| play.to_owned()).collect();
            coach(&Decisions { plays, hint: false }).unwrap_err()
        };
        let count = RoundError::BuryCount { given: 1 };
        assert_eq!(refusal(&["2S0"]), CoachError::Illegal(count));
        assert!(matches!(refusal(&["x"]), CoachError::Malformed(_)));
        assert!(matches!(refusal(&["2S0"; 27]), CoachError::Malformed(_)));
    }
}
