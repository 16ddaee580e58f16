//! Puzzles of Tractor.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use tractor::{CardSet, Event, ParseRecordError, Record, Seat, Stage, View};

use crate::read::{Difficulty, ReadPuzzlesError, read_lines};

/// The collection.
pub const COLLECTION: &str = include_str!("../data/tractor.txt");

/// Reads a file of puzzles.
///
/// ```
/// use convoy_puzzles::cards;
/// assert!(!cards::read(cards::COLLECTION)?.is_empty());
/// # Ok::<_, convoy_puzzles::ReadPuzzlesError<cards::ParsePuzzleError>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Puzzle>, ReadPuzzlesError<ParsePuzzleError>> {
    read_lines(text)
}

/// What is to be decided.
///
/// ```
/// use convoy_puzzles::cards::Decision;
/// assert_eq!(Decision::from_word("bury"), Some(Decision::Bury));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// What to lead; no throw is worth a thought.
    Lead,
    /// Whether to throw.
    Throw,
    /// What to follow with.
    Follow,
    /// Which eight cards to bury.
    Bury,
}

impl Decision {
    /// Every decision.
    pub const ALL: [Self; 4] = [Self::Lead, Self::Throw, Self::Follow, Self::Bury];

    /// Its word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Throw => "throw",
            Self::Follow => "follow",
            Self::Bury => "bury",
        }
    }

    /// The decision with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|decision| decision.word() == word)
    }

    /// What the viewer has to decide among some candidates; `None` if it is not its turn.
    pub fn of(view: &View, candidates: &[CardSet]) -> Option<Self> {
        if view.turn != view.viewer {
            return None;
        }
        match view.stage {
            Stage::Burying => Some(Self::Bury),
            Stage::Playing if view.open.is_some() => Some(Self::Follow),
            Stage::Playing => {
                let judge = view.judge();
                let throws = candidates.iter().any(|cards| {
                    let lead = judge.lead(judge.ranked(cards.faces()));
                    lead.is_ok_and(|lead| lead.is_throw())
                });
                Some(if throws { Self::Throw } else { Self::Lead })
            }
            _ => None,
        }
    }
}

/// A way to decide, and what comes of it over the sampled worlds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The cards.
    pub cards: CardSet,
    /// The attackers' points at the end of the round, on average.
    pub points: f64,
    /// The points that the decider's team loses against the best candidate, on average.
    pub loss: f64,
    /// The standard error of that loss.
    pub error: f64,
}

/// A puzzle: one decision of one seat.
///
/// Its `Display` and `FromStr` are the line of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// What is to be decided.
    pub decision: Decision,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// How many worlds each candidate was played in.
    pub worlds: u32,
    /// The candidates, the best first.
    pub candidates: Vec<Candidate>,
    /// The round up to the decision.
    pub record: Record,
}

impl Puzzle {
    /// Its id, which depends on the record alone.
    pub fn id(&self) -> String {
        crate::id_of(&record_text(&self.record))
    }

    /// What the decider knows; `None` if the record cannot be played or it is nobody's turn.
    pub fn view(&self) -> Option<View> {
        let round = self.record.round().ok()?;
        let seat = round.turn()?;
        Some(View::of(&round, Some(seat)))
    }

    /// Who decides.
    pub fn seat(&self) -> Option<Seat> {
        self.view()?.viewer
    }

    /// The candidate that an answer amounts to: cards of the same faces play alike.
    pub fn judge(&self, answer: CardSet) -> Option<&Candidate> {
        let mut candidates = self.candidates.iter();
        candidates.find(|candidate| candidate.cards.faces() == answer.faces())
    }
}

/// A record on one line.
fn record_text(record: &Record) -> String {
    record.to_string().trim_end().replace('\n', "|")
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{};{};{};{};",
            self.id(),
            self.decision.word(),
            self.difficulty,
            self.worlds
        )?;
        for (place, candidate) in self.candidates.iter().enumerate() {
            let separator = if place == 0 { "" } else { "," };
            write!(
                f,
                "{separator}{}/{:.1}/{:.1}/{:.2}",
                candidate.cards, candidate.points, candidate.loss, candidate.error
            )?;
        }
        write!(f, ";{}", record_text(&self.record))
    }
}

/// Why a line is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsePuzzleError {
    /// It has another number of fields than six.
    Fields(usize),
    /// The id is not that of the record.
    Id,
    /// There is no such decision.
    Decision,
    /// There is no such difficulty.
    Difficulty,
    /// The number of worlds does not read.
    Worlds,
    /// A candidate does not read.
    Candidate(String),
    /// A candidate is not a legal decision.
    Illegal(String),
    /// The record does not read.
    Record(ParseRecordError),
    /// The record cannot be played, or it is nobody's turn at its end.
    Round,
}

impl fmt::Display for ParsePuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(count) => write!(f, "there are {count} fields, not 6"),
            Self::Id => f.write_str("the id is not that of the record"),
            Self::Decision => f.write_str("a decision is lead, throw, follow or bury"),
            Self::Difficulty => f.write_str("a difficulty is easy, medium or hard"),
            Self::Worlds => f.write_str("the number of worlds is no number"),
            Self::Candidate(text) => {
                write!(f, "{text:?} is not a candidate: cards/points/loss/error")
            }
            Self::Illegal(text) => write!(f, "{text} may not be played there"),
            Self::Record(error) => write!(f, "the record: {error}"),
            Self::Round => f.write_str("the record does not lead to a decision"),
        }
    }
}

impl Error for ParsePuzzleError {}

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Self, ParsePuzzleError> {
        let fields: Vec<&str> = line.split(';').collect();
        let [id, decision, difficulty, worlds, candidates, record] = fields[..] else {
            return Err(ParsePuzzleError::Fields(fields.len()));
        };
        let record: Record = record
            .replace('|', "\n")
            .parse()
            .map_err(ParsePuzzleError::Record)?;
        let puzzle = Self {
            decision: Decision::from_word(decision).ok_or(ParsePuzzleError::Decision)?,
            difficulty: difficulty
                .parse()
                .map_err(|_| ParsePuzzleError::Difficulty)?,
            worlds: worlds.parse().map_err(|_| ParsePuzzleError::Worlds)?,
            candidates: candidates
                .split(',')
                .map(read_candidate)
                .collect::<Result<_, _>>()?,
            record,
        };
        if puzzle.id() != id {
            return Err(ParsePuzzleError::Id);
        }
        let round = puzzle.record.round().map_err(|_| ParsePuzzleError::Round)?;
        let seat = round.turn().ok_or(ParsePuzzleError::Round)?;
        for candidate in &puzzle.candidates {
            let cards = candidate.cards;
            let event = match puzzle.decision {
                Decision::Bury => Event::Bury { seat, cards },
                _ => Event::Play { seat, cards },
            };
            if round.clone().apply(event).is_err() {
                return Err(ParsePuzzleError::Illegal(cards.to_string()));
            }
        }
        Ok(puzzle)
    }
}

fn read_candidate(text: &str) -> Result<Candidate, ParsePuzzleError> {
    let wrong = || ParsePuzzleError::Candidate(text.to_owned());
    let fields: Vec<&str> = text.split('/').collect();
    let [cards, points, loss, error] = fields[..] else {
        return Err(wrong());
    };
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    Ok(Candidate {
        cards: CardSet::read(cards.split(' ')).map_err(|_| wrong())?,
        points: number(points).ok_or_else(wrong)?,
        loss: number(loss).ok_or_else(wrong)?,
        error: number(error).ok_or_else(wrong)?,
    })
}
