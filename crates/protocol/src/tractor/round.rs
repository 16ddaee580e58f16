//! A whole round, replayed.

use serde::{Deserialize, Serialize};
use tractor::{
    CardSet, Deck, Event, Level, Phase, Round, RoundError, Seat, Setup, Start, Team, Trump,
};

use super::cards::{CardName, HouseRules, Notation};
use super::score::{Bonus, Next, RoundScore};
use crate::error::{At, Error, ErrorCode, EventPhase};
use crate::operation::Operation;

/// Op `round`: a whole round, from the deal as far as it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoundRequest {
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// Which round of the game, from 1.
    pub round_number: u32,
    /// The trump rank, to be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trump_rank: Option<Level>,
    /// Who starts, as far as it is known before the deal.
    pub starter_in: Seat,
    /// Both teams before the round.
    pub teams_in: Vec<TeamIn>,
    /// The 108 cards in the order of the deal, the kitty last.
    pub deck: Vec<CardName>,
    /// The declarations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decls: Vec<RoundDeclaration>,
    /// What the starter buried.
    pub kitty_buried: Vec<CardName>,
    /// The tricks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tricks: Vec<RoundTrick>,
    /// A trump in place of the declared one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "super::cards::trump_or_none"
    )]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<super::cards::TrumpField>")
    )]
    pub trump: Option<Trump>,
}

/// A team before a round.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    expecting = "an object with id, rank and defending"
)]
pub struct TeamIn {
    /// Which team.
    pub id: Team,
    /// Its level.
    pub rank: Level,
    /// Whether it defends.
    pub defending: bool,
}

/// A declaration in a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with at, seat and cards")]
pub struct RoundDeclaration {
    /// How many cards were dealt by then.
    pub at: u8,
    /// Whose it is.
    pub seat: Seat,
    /// The cards shown.
    pub cards: Vec<CardName>,
    /// What it is called; does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Its suit; does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suit: Option<String>,
}

/// A trick of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with plays")]
pub struct RoundTrick {
    /// What each seat played, from the leader on in turn order.
    pub plays: Vec<Vec<CardName>>,
}

/// The answer to `round`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoundAnswer {
    /// The trump.
    pub trump: Trump,
    /// Who started.
    pub starter: Seat,
    /// Who defended.
    pub defending: Team,
    /// For each trick the seat ahead after each play.
    pub win_after: Vec<[Seat; 4]>,
    /// The points that each team took, without the kitty.
    pub team_points: Points,
    /// The result; null while cards are left.
    pub result: Option<ScoredRound>,
    /// The next round; null while cards are left and when the game is over.
    pub next: Option<Next>,
}

/// The points of both teams.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub struct Points {
    /// Those of seats 0 and 2.
    pub a: u32,
    /// Those of seats 1 and 3.
    pub b: u32,
}

/// The result of a round with what the kitty added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScoredRound {
    /// The result.
    #[serde(flatten)]
    pub result: RoundScore,
    /// What the kitty added.
    pub kitty_bonus: Option<Bonus>,
}

/// An event that the rules forbid, and where in the round.
fn illegal(fault: &RoundError, phase: EventPhase, index: usize, seat: Seat) -> Error {
    let at = At::Event { phase, index, seat };
    Error::new(ErrorCode::Illegal, fault.to_string()).at(at)
}

impl RoundRequest {
    fn setup(&self) -> Result<Setup, Error> {
        let malformed = |message: &str| Error::new(ErrorCode::Malformed, message);
        let mut levels = [None; 2];
        let mut defending = None;
        for team in &self.teams_in {
            levels[team.id.index()] = Some(team.rank);
            if team.defending && defending.replace(team.id).is_some() {
                return Err(malformed("only one team defends"));
            }
        }
        let ([Some(a), Some(b)], Some(defending)) = (levels, defending) else {
            return Err(malformed("teamsIn has both teams, one of them defending"));
        };
        if self.round_number == 0 {
            return Err(malformed("rounds are counted from 1"));
        }
        let setup = Setup {
            rules: self.rules.rules()?,
            number: self.round_number,
            start: Start {
                starter: self.starter_in,
                defending,
                levels: [a, b],
            },
            trump: self.trump,
        };
        if self.trump_rank.is_some_and(|rank| rank != setup.level()) {
            return Err(malformed(
                "the trump rank is the level of the team that defends",
            ));
        }
        Ok(setup)
    }

    /// Deals, with each declaration in its place.
    fn declare(&self, round: &mut Round, notation: &mut Notation) -> Result<(), Error> {
        let mut dealt = 0;
        for (index, decl) in self.decls.iter().enumerate() {
            let cards = notation.set(&decl.cards)?;
            let refused =
                |fault: RoundError| illegal(&fault, EventPhase::Declare, index, decl.seat);
            if decl.at != dealt {
                let count = decl.at.checked_sub(dealt);
                let count = count.ok_or_else(|| refused(RoundError::DealtOut))?;
                round.apply(Event::Deal { count }).map_err(refused)?;
                dealt = decl.at;
            }
            let cards = notation.of_hand(round.hand(decl.seat), cards);
            let event = Event::Declare {
                seat: decl.seat,
                cards,
            };
            round.apply(event).map_err(refused)?;
        }
        if dealt < Deck::DEALT {
            let count = Deck::DEALT - dealt;
            round
                .apply(Event::Deal { count })
                .expect("the rest of the deck is there to deal");
        }
        round.apply(Event::Close).expect("all cards are dealt");
        Ok(())
    }

    fn bury(&self, round: &mut Round, notation: &mut Notation) -> Result<(), Error> {
        let seat = round.starter();
        let buried: CardSet = notation.set(&self.kitty_buried)?;
        let cards = notation.of_hand(round.hand(seat), buried);
        round
            .apply(Event::Bury { seat, cards })
            .map_err(|fault| illegal(&fault, EventPhase::Bury, 0, seat))?;
        if let Phase::Stealing(_) = round.phase() {
            round.apply(Event::Close).expect("the window is open");
        }
        Ok(())
    }

    fn play(&self, round: &mut Round, notation: &mut Notation) -> Result<(), Error> {
        for (index, trick) in self.tricks.iter().enumerate() {
            for (place, list) in trick.plays.iter().enumerate() {
                let phase = match place {
                    0 => EventPhase::Lead,
                    _ => EventPhase::Follow,
                };
                let seat = round.turn().unwrap_or(Seat::ALL[0]);
                let cards = notation.try_set(list)?.map_err(|reason| {
                    let at = At::Event { phase, index, seat };
                    Error::new(ErrorCode::Illegal, reason).at(at)
                })?;
                let cards = notation.of_hand(round.hand(seat), cards);
                round
                    .apply(Event::Play { seat, cards })
                    .map_err(|fault| illegal(&fault, phase, index, seat))?;
            }
        }
        Ok(())
    }
}

impl Operation for RoundRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "round";
    type Answer = RoundAnswer;

    fn answer(&self) -> Result<RoundAnswer, Error> {
        let mut notation = Notation::default();
        let deck = Deck::new(&notation.list(&self.deck)?).ok_or_else(|| {
            Error::new(ErrorCode::Cards, "a deck holds each of the 108 cards once")
        })?;
        let setup = self.setup()?;
        let mut round = Round::new(setup, deck);
        self.declare(&mut round, &mut notation)?;
        self.bury(&mut round, &mut notation)?;
        self.play(&mut round, &mut notation)?;
        let (result, next) = match round.phase() {
            Phase::Over(over) => (
                Some(ScoredRound {
                    result: RoundScore::new(&over.result, round.defending(), setup.start.levels),
                    kitty_bonus: over.bonus.map(Bonus::from),
                }),
                over.result.next.map(Next::from),
            ),
            _ => (None, None),
        };
        let [a, b] = round.points().taken;
        Ok(RoundAnswer {
            trump: round.trump(),
            starter: round.starter(),
            defending: round.defending(),
            win_after: round.tricks().iter().map(|trick| trick.ahead).collect(),
            team_points: Points { a, b },
            result,
            next,
        })
    }
}
