//! The end of a round: score, kitty.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tractor::{KittyBonus, Level, RoundEnd, RoundResult, Seat, Start, Team, Trump};

use super::cards::{CardName, HouseRules, Notation, hand, judge};
use super::trick::read_lead;
use crate::error::Error;
use crate::operation::Operation;

/// The levels of both teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    rename_all = "UPPERCASE",
    deny_unknown_fields,
    expecting = "an object with A and B"
)]
pub struct Ranks {
    /// That of seats 0 and 2.
    pub a: Level,
    /// That of seats 1 and 3.
    pub b: Level,
}

/// Op `score`: how a round is scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScoreRequest {
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// How the round went.
    pub r#in: ScoreIn,
}

/// How a round went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object with defending, ranks, attackerTrickPoints, kittyBonus and starter"
)]
pub struct ScoreIn {
    /// The defending team.
    pub defending: Team,
    /// The levels before.
    pub ranks: Ranks,
    /// The attackers' points without the kitty.
    pub attacker_trick_points: i32,
    /// What the kitty added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitty_bonus: Option<Bonus>,
    /// Who started the round.
    pub starter: Seat,
    /// Which round it was; does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_number: Option<u32>,
}

/// What the kitty adds to the attackers' points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bonus {
    /// The points in it.
    pub kitty_points: u32,
    /// How often they count.
    pub multiplier: i32,
    /// The product.
    pub bonus_points: i32,
}

impl From<KittyBonus> for Bonus {
    fn from(bonus: KittyBonus) -> Self {
        Self {
            kitty_points: bonus.points,
            multiplier: bonus.multiplier,
            bonus_points: bonus.total(),
        }
    }
}

/// The answer to `score`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreAnswer {
    /// What becomes of it.
    pub out: ScoreOut,
}

/// What becomes of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreOut {
    /// The result.
    #[serde(flatten)]
    pub result: RoundScore,
    /// The next round; null when the game is over.
    pub next: Option<Next>,
}

/// The result of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoundScore {
    /// Whether the attackers won.
    pub attacking_team_won: bool,
    /// Who won.
    pub winning_team: Team,
    /// The attackers' points with the kitty.
    pub final_points: i32,
    /// How many levels the table gives, before any stop.
    pub rank_advancement: u8,
    /// The new level of the winner, and of defenders that fell; empty when the game is over.
    pub rank_changes: BTreeMap<String, Level>,
    /// Whether the game is over.
    pub game_over: bool,
    /// Who has won it.
    pub game_winner: Option<Team>,
}

/// How the next round begins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// Who starts it.
    pub starter: Seat,
    /// Who defends.
    pub defending: Team,
    /// The trump rank.
    pub trump_rank: Level,
    /// The levels.
    pub ranks: Ranks,
}

impl RoundScore {
    /// The result, and the levels that changed hands: the winner's, and those of defenders that fell.
    pub(super) fn new(result: &RoundResult, defending: Team, before: [Level; 2]) -> Self {
        let mut changes = BTreeMap::new();
        if let Some(next) = result.next {
            for team in Team::ALL {
                let level = next.levels[team.index()];
                if team == result.winner || level != before[team.index()] {
                    changes.insert(team.to_string(), level);
                }
            }
        }
        let over = result.next.is_none();
        Self {
            attacking_team_won: result.winner != defending,
            winning_team: result.winner,
            final_points: result.points,
            rank_advancement: result.rise,
            rank_changes: changes,
            game_over: over,
            game_winner: over.then_some(result.winner),
        }
    }
}

impl From<Start> for Next {
    fn from(start: Start) -> Self {
        let [a, b] = start.levels;
        Self {
            starter: start.starter,
            defending: start.defending,
            trump_rank: start.levels[start.defending.index()],
            ranks: Ranks { a, b },
        }
    }
}

impl Operation for ScoreRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "score";
    type Answer = ScoreAnswer;

    fn answer(&self) -> Result<ScoreAnswer, Error> {
        let rules = self.rules.rules()?;
        let given = &self.r#in;
        let bonus = given.kitty_bonus.map_or(0, |bonus| bonus.bonus_points);
        let end = RoundEnd {
            starter: given.starter,
            defending: given.defending,
            levels: [given.ranks.a, given.ranks.b],
            points: given.attacker_trick_points.saturating_add(bonus),
            lone_jack: false,
        };
        let result = end.result(&rules);
        let out = ScoreOut {
            result: RoundScore::new(&result, end.defending, end.levels),
            next: result.next.map(Next::from),
        };
        Ok(ScoreAnswer { out })
    }
}

/// Op `kitty`: what the kitty is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KittyRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// What was led to the last trick.
    pub final_lead: Vec<CardName>,
    /// The buried cards.
    pub kitty: Vec<CardName>,
    /// Who won the last trick.
    pub winner_seat: Seat,
    /// The defending team.
    pub defending: Team,
}

/// The answer to `kitty`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KittyAnswer {
    /// How often the points of the kitty would count.
    pub multiplier: i32,
    /// What it adds; null where it adds nothing.
    pub bonus: Option<Bonus>,
}

impl Operation for KittyRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "kitty";
    type Answer = KittyAnswer;

    fn answer(&self) -> Result<KittyAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let lead = notation.set(&self.final_lead)?;
        read_lead(&judge, lead)?;
        let lead = hand(&judge, lead);
        let kitty = notation.set(&self.kitty)?;
        let attacked = self.winner_seat.team() != self.defending;
        let bonus = KittyBonus::of(&judge, lead, kitty.faces()).filter(|_| attacked);
        Ok(KittyAnswer {
            multiplier: KittyBonus::multiplier(&judge, lead),
            bonus: bonus.map(Bonus::from),
        })
    }
}
