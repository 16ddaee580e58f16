//! The round around the tricks: score, kitty, decl, round.

use serde::{Deserialize, Serialize};
use serde_json::json;
use tractor::{
    Bid, CardSet, Deck, Event, KittyBonus, Level, Phase, Round, RoundEnd, RoundError, RoundResult,
    Seat, Setup, Start, Suit, Team, Trump, offers,
};

use super::cards::{Named, Notation, RulesText, TrumpText, hand, judge, seat, team};

use super::{Answer, Fault, write};

/// The levels of both teams.
#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct Ranks {
    a: Level,
    b: Level,
}

#[derive(Debug, Deserialize)]
pub(super) struct ScoreRequest {
    #[serde(default)]
    rules: RulesText,
    r#in: ScoreIn,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScoreIn {
    defending: String,
    ranks: Ranks,
    attacker_trick_points: i32,
    #[serde(default)]
    kitty_bonus: Option<BonusText>,
    starter: usize,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct BonusText {
    kitty_points: u32,
    multiplier: i32,
    bonus_points: i32,
}

impl From<KittyBonus> for BonusText {
    fn from(bonus: KittyBonus) -> Self {
        Self {
            kitty_points: bonus.points,
            multiplier: bonus.multiplier,
            bonus_points: bonus.total(),
        }
    }
}

#[derive(Debug, Serialize)]
struct ScoreAnswer {
    out: ScoreOut,
}

#[derive(Debug, Serialize)]
struct ScoreOut {
    #[serde(flatten)]
    result: ResultText,
    next: Option<Next>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultText {
    attacking_team_won: bool,
    winning_team: Team,
    final_points: i32,
    rank_advancement: u8,
    rank_changes: serde_json::Map<String, serde_json::Value>,
    game_over: bool,
    game_winner: Option<Team>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Next {
    starter: Seat,
    defending: Team,
    trump_rank: Level,
    ranks: Ranks,
}

impl ResultText {
    /// The result, and the levels that changed hands: the winner's, and those of defenders that fell.
    fn new(result: &RoundResult, defending: Team, before: [Level; 2]) -> Self {
        let mut changes = serde_json::Map::new();
        if let Some(next) = result.next {
            for team in Team::ALL {
                let level = next.levels[team.index()];
                if team == result.winner || level != before[team.index()] {
                    changes.insert(team.to_string(), json!(level));
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

pub(super) fn score(request: &ScoreRequest) -> Answer {
    let rules = request.rules.read()?;
    let given = &request.r#in;
    let bonus = given.kitty_bonus.map_or(0, |bonus| bonus.bonus_points);
    let end = RoundEnd {
        starter: seat(given.starter)?,
        defending: team(&given.defending)?,
        levels: [given.ranks.a, given.ranks.b],
        points: given.attacker_trick_points.saturating_add(bonus),
        lone_jack: false,
    };
    let result = end.result(&rules);
    write(&ScoreAnswer {
        out: ScoreOut {
            result: ResultText::new(&result, end.defending, end.levels),
            next: result.next.map(Next::from),
        },
    })
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KittyRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    final_lead: Vec<Named>,
    kitty: Vec<Named>,
    winner_seat: usize,
    defending: String,
}

#[derive(Debug, Serialize)]
struct KittyAnswer {
    multiplier: i32,
    bonus: Option<BonusText>,
}

pub(super) fn kitty(request: &KittyRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let lead = hand(&judge, notation.set(&request.final_lead)?);
    judge
        .lead(lead)
        .map_err(|refusal| Fault::new("lead", refusal.to_string()))?;
    let kitty = notation.set(&request.kitty)?;
    let attacked = seat(request.winner_seat)?.team() != team(&request.defending)?;
    let bonus = KittyBonus::of(&judge, lead, kitty.faces()).filter(|_| attacked);
    write(&KittyAnswer {
        multiplier: KittyBonus::multiplier(&judge, lead),
        bonus: bonus.map(BonusText::from),
    })
}

#[derive(Debug, Deserialize)]
pub(super) struct DeclRequest {
    #[serde(default)]
    rules: RulesText,
    rank: Level,
    seat: usize,
    hand: Vec<Named>,
    #[serde(default)]
    current: Option<Current>,
}

#[derive(Debug, Deserialize)]
struct Current {
    seat: usize,
    r#type: String,
    #[serde(default)]
    suit: Option<String>,
}

impl Current {
    fn read(&self) -> Result<(Seat, Bid), Fault> {
        let suit = self
            .suit
            .as_deref()
            .and_then(|letter| letter.parse::<Suit>().ok());
        let bid = match (self.r#type.as_str(), suit) {
            ("single", Some(suit)) => Bid::Single(suit),
            ("pair", Some(suit)) => Bid::Pair(suit),
            ("smallJoker", None) => Bid::SmallJoker,
            ("bigJoker", None) => Bid::BigJoker,
            ("smallJokerPair", None) => Bid::SmallJokers,
            ("bigJokerPair", None) => Bid::BigJokers,
            _ => {
                return Err(Fault::new(
                    "malformed",
                    "current has a type (single, pair, smallJokerPair, bigJokerPair) and a suit",
                ));
            }
        };
        Ok((seat(self.seat)?, bid))
    }
}

#[derive(Debug, Serialize)]
struct DeclAnswer {
    options: Vec<OptionText>,
}

#[derive(Debug, Serialize)]
struct OptionText {
    r#type: &'static str,
    suit: char,
    cards: Vec<String>,
}

pub(super) fn decl(request: &DeclRequest) -> Answer {
    let rules = request.rules.read()?;
    let mut notation = Notation::default();
    let held = notation.set(&request.hand)?;
    let standing = request.current.as_ref().map(Current::read).transpose()?;
    let options = offers(&rules, request.rank, held, seat(request.seat)?, standing)
        .into_iter()
        .map(|(bid, cards)| OptionText {
            r#type: bid.word(),
            suit: bid.suit().map_or('N', Suit::letter),
            cards: notation.show_all(cards),
        })
        .collect();
    write(&DeclAnswer { options })
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoundRequest {
    #[serde(default)]
    rules: RulesText,
    round_number: u32,
    #[serde(default)]
    trump_rank: Option<Level>,
    starter_in: usize,
    teams_in: Vec<TeamIn>,
    deck: Vec<Named>,
    #[serde(default)]
    decls: Vec<DeclText>,
    kitty_buried: Vec<Named>,
    #[serde(default)]
    tricks: Vec<TrickText>,
    #[serde(default)]
    trump: Option<TrumpText>,
}

#[derive(Debug, Deserialize)]
struct TeamIn {
    id: String,
    rank: Level,
    defending: bool,
}

#[derive(Debug, Deserialize)]
struct DeclText {
    at: u8,
    seat: usize,
    cards: Vec<Named>,
}

#[derive(Debug, Deserialize)]
struct TrickText {
    plays: Vec<Vec<Named>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundAnswer {
    trump: Trump,
    starter: Seat,
    defending: Team,
    win_after: Vec<[Seat; 4]>,
    team_points: Points,
    result: Option<RoundResultText>,
    next: Option<Next>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct Points {
    a: u32,
    b: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundResultText {
    #[serde(flatten)]
    result: ResultText,
    kitty_bonus: Option<BonusText>,
}

/// Where in a round a fault lies.
fn at(fault: &RoundError, phase: &str, index: usize, seat: Seat) -> Fault {
    Fault {
        at: Some(json!({"phase": phase, "index": index, "seat": seat.index()})),
        ..Fault::new("illegal", fault.to_string())
    }
}

impl RoundRequest {
    fn setup(&self) -> Result<Setup, Fault> {
        let malformed = |message: &str| Fault::new("malformed", message);
        let mut levels = [None; 2];
        let mut defending = None;
        for team_in in &self.teams_in {
            let team = team(&team_in.id)?;
            levels[team.index()] = Some(team_in.rank);
            if team_in.defending && defending.replace(team).is_some() {
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
            rules: self.rules.read()?,
            number: self.round_number,
            start: Start {
                starter: seat(self.starter_in)?,
                defending,
                levels: [a, b],
            },
            trump: self.trump.as_ref().map(TrumpText::read).transpose()?,
        };
        if self.trump_rank.is_some_and(|rank| rank != setup.level()) {
            return Err(malformed(
                "the trump rank is the level of the team that defends",
            ));
        }
        Ok(setup)
    }

    /// Deals, with each declaration in its place.
    fn declare(&self, round: &mut Round, notation: &mut Notation) -> Result<(), Fault> {
        let mut dealt = 0;
        for (index, decl) in self.decls.iter().enumerate() {
            let by = seat(decl.seat)?;
            let cards = notation.set(&decl.cards)?;
            let refused = |fault: RoundError| at(&fault, "declare", index, by);
            if decl.at != dealt {
                let count = decl
                    .at
                    .checked_sub(dealt)
                    .ok_or(refused(RoundError::DealtOut))?;
                round.apply(Event::Deal { count }).map_err(refused)?;
                dealt = decl.at;
            }
            let cards = notation.of_hand(round.hand(by), cards);
            let event = Event::Declare { seat: by, cards };
            round.apply(event).map_err(refused)?;
        }
        if dealt < 100 {
            round
                .apply(Event::Deal { count: 100 - dealt })
                .expect("the rest of the deck is there to deal");
        }
        round.apply(Event::Close).expect("all cards are dealt");
        Ok(())
    }

    fn play(&self, round: &mut Round, notation: &mut Notation) -> Result<(), Fault> {
        for (index, trick) in self.tricks.iter().enumerate() {
            for (place, list) in trick.plays.iter().enumerate() {
                let phase = if place == 0 { "lead" } else { "follow" };
                let by = round.turn().unwrap_or(Seat::ALL[0]);
                let cards = notation.try_set(list)?.map_err(|reason| Fault {
                    at: at(&RoundError::NoCards, phase, index, by).at,
                    ..Fault::new("illegal", reason)
                })?;
                let cards = notation.of_hand(round.hand(by), cards);
                round
                    .apply(Event::Play { seat: by, cards })
                    .map_err(|fault| at(&fault, phase, index, by))?;
            }
        }
        Ok(())
    }
}

pub(super) fn round(request: &RoundRequest) -> Answer {
    let mut notation = Notation::default();
    let deck = Deck::new(&notation.list(&request.deck)?)
        .ok_or_else(|| Fault::new("cards", "a deck holds each of the 108 cards once"))?;
    let setup = request.setup()?;
    let mut round = Round::new(setup, deck);
    request.declare(&mut round, &mut notation)?;
    let starter = round.starter();
    let buried: CardSet = notation.set(&request.kitty_buried)?;
    let cards = notation.of_hand(round.hand(starter), buried);
    let bury = Event::Bury {
        seat: starter,
        cards,
    };
    round
        .apply(bury)
        .map_err(|fault| at(&fault, "bury", 0, starter))?;
    if let Phase::Stealing(_) = round.phase() {
        round.apply(Event::Close).expect("the window is open");
    }
    request.play(&mut round, &mut notation)?;
    let (result, next) = match round.phase() {
        Phase::Over(over) => (
            Some(RoundResultText {
                result: ResultText::new(&over.result, round.defending(), setup.start.levels),
                kitty_bonus: over.bonus.map(BonusText::from),
            }),
            over.result.next.map(Next::from),
        ),
        _ => (None, None),
    };
    let [a, b] = round.points().taken;
    write(&RoundAnswer {
        trump: round.trump(),
        starter: round.starter(),
        defending: round.defending(),
        win_after: round.tricks().iter().map(|trick| trick.ahead).collect(),
        team_points: Points { a, b },
        result,
        next,
    })
}
