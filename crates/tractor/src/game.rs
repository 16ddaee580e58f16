//! A whole game: rounds until a level is defended that ends it (Rule 2.9).

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::deal::{Deck, Seed};
use crate::event::Event;
use crate::record::{Deal, ParseRecordError, Record};
use crate::round::{Phase, Round, RoundError, Setup};
use crate::rules::Rules;
use crate::score::Start;
use crate::seat::Team;

/// A game with all its hidden cards: the finished rounds as records, and the round that is played.
///
/// ```
/// use tractor::{Event, Game, GameError, Rules, Seed};
/// let mut game = Game::new(Rules::DEFAULT, Seed::from_number(7));
/// game.apply(Event::Deal { count: 100 })?;
/// assert_eq!((game.round().setup().number, game.winner()), (1, None));
/// assert_eq!(game.next_round(Seed::from_number(8)), Err(GameError::RoundOpen));
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    finished: Vec<Record>,
    deal: Deal,
    round: Round,
}

/// Why no next round begins.
///
/// ```
/// use tractor::{GameError, Team};
/// let refusal = GameError::Over(Team::B);
/// assert_eq!(refusal.to_string(), "the game is over: team B has won it");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameError {
    /// The round is not over.
    RoundOpen,
    /// The game is over.
    Over(Team),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundOpen => f.write_str("the round is not over yet"),
            Self::Over(team) => write!(f, "the game is over: team {team} has won it"),
        }
    }
}

impl Error for GameError {}

impl Game {
    /// A game before its first card is dealt.
    pub fn new(rules: Rules, seed: Seed) -> Self {
        Self::begin(Setup::first(rules), Deal::Seed(seed))
    }

    /// A game that begins with any round and deal.
    pub fn begin(setup: Setup, deal: Deal) -> Self {
        Self {
            finished: Vec::new(),
            round: Round::new(setup, deal.deck(setup.number)),
            deal,
        }
    }

    /// The round that is played, or was played last.
    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// How many rounds are behind it.
    pub fn finished(&self) -> &[Record] {
        &self.finished
    }

    /// Makes an event happen in the round, or refuses it and changes nothing.
    pub fn apply(&mut self, event: Event) -> Result<(), RoundError> {
        self.round.apply(event)
    }

    /// What the next round begins with, once this one is over and the game is not.
    pub fn next_start(&self) -> Result<Start, GameError> {
        let Phase::Over(over) = self.round.phase() else {
            return Err(GameError::RoundOpen);
        };
        over.result.next.ok_or(GameError::Over(over.result.winner))
    }

    /// Who has won the game (Rule 2.9.4).
    pub fn winner(&self) -> Option<Team> {
        match self.next_start() {
            Err(GameError::Over(team)) => Some(team),
            _ => None,
        }
    }

    /// Begins the next round. A table that publishes its seeds takes a fresh one for each.
    pub fn next_round(&mut self, seed: Seed) -> Result<(), GameError> {
        let setup = self.next_setup()?;
        let round = Round::new(setup, Deck::of(&seed, setup.number));
        self.push(round, Deal::Seed(seed));
        Ok(())
    }

    fn next_setup(&self) -> Result<Setup, GameError> {
        Ok(Setup {
            number: self.round.setup().number.saturating_add(1),
            start: self.next_start()?,
            ..*self.round.setup()
        })
    }

    fn push(&mut self, round: Round, deal: Deal) {
        let record = self.record();
        self.finished.push(record);
        self.round = round;
        self.deal = deal;
    }

    /// The record of the round that is played.
    pub fn record(&self) -> Record {
        Record {
            deal: self.deal.clone(),
            ..Record::of(&self.round)
        }
    }

    /// Every round so far, the one that is played last.
    pub fn records(&self) -> Vec<Record> {
        let mut records = self.finished.clone();
        records.push(self.record());
        records
    }

    /// The game of these records: each must follow from the one before it.
    pub fn replay(records: &[Record]) -> Result<Self, ReplayGameError> {
        let mut game: Option<Self> = None;
        for (place, record) in records.iter().enumerate() {
            let fault = |error| ReplayGameError {
                round: place + 1,
                error,
            };
            let round = record
                .round()
                .map_err(|(event, reason)| fault(ReplayError::Event { event, reason }))?;
            match &mut game {
                None => {
                    game = Some(Self {
                        finished: Vec::new(),
                        deal: record.deal.clone(),
                        round,
                    });
                }
                Some(game) => {
                    let setup = game
                        .next_setup()
                        .map_err(|reason| fault(ReplayError::Refused(reason)))?;
                    if setup != record.setup {
                        return Err(fault(ReplayError::Setup));
                    }
                    game.push(round, record.deal.clone());
                }
            }
        }
        game.ok_or(ReplayGameError {
            round: 1,
            error: ReplayError::Empty,
        })
    }
}

/// Why records are no game: the round, counted from 1, and the fault.
///
/// ```
/// use tractor::Game;
/// let error = "nonsense".parse::<Game>().unwrap_err();
/// assert_eq!(error.round, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayGameError {
    /// Which record, from 1.
    pub round: usize,
    /// What is wrong with it.
    pub error: ReplayError,
}

/// What is wrong with a record of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// There is no record.
    Empty,
    /// The text of the round does not read.
    Text(ParseRecordError),
    /// An event is refused.
    Event {
        /// Which, from 0.
        event: usize,
        /// Why.
        reason: RoundError,
    },
    /// The round does not begin as the last one ended.
    Setup,
    /// No further round may begin.
    Refused(GameError),
}

impl fmt::Display for ReplayGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}: ", self.round)?;
        match &self.error {
            ReplayError::Empty => f.write_str("there is none"),
            ReplayError::Text(error) => error.fmt(f),
            ReplayError::Event { event, reason } => write!(f, "event {}: {reason}", event + 1),
            ReplayError::Setup => f.write_str("it does not begin as the last one ended"),
            ReplayError::Refused(reason) => reason.fmt(f),
        }
    }
}

impl Error for ReplayGameError {}

impl fmt::Display for Game {
    /// Every round in its own notation, an empty line between two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in &self.finished {
            writeln!(f, "{record}")?;
        }
        self.record().fmt(f)
    }
}

impl FromStr for Game {
    type Err = ReplayGameError;

    fn from_str(text: &str) -> Result<Self, ReplayGameError> {
        let records: Result<Vec<Record>, ReplayGameError> = text
            .split("\n\n")
            .enumerate()
            .map(|(place, text)| {
                text.parse().map_err(|error| ReplayGameError {
                    round: place + 1,
                    error: ReplayError::Text(error),
                })
            })
            .collect();
        Self::replay(&records?)
    }
}
