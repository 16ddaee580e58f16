//! Steps with cards of Tractor: the question, and what an answer to it is worth.

mod question;
mod table;

use toml::Spanned;
use tractor::{CardSet, Faces, RoundError, Suit};

use crate::course::{Note, RawNote, Source};
use crate::error::LessonError;
use crate::words::Words;

pub(crate) use question::RawQuestion;
pub use question::{BuryGoal, PlayGoal, Question, Selection, Shape};
pub use table::Table;

/// A hand, what lies on the table, and a question about them.
#[derive(Debug, Clone)]
pub struct CardTask {
    table: Table,
    question: Question,
    choices: Vec<String>,
    solution: Answer,
    notes: Vec<Note<Answer>>,
}

/// What a learner answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Cards of the hand.
    Cards(Faces),
    /// One of the choices.
    Choice(String),
}

/// What an answer is worth.
#[derive(Debug, Clone)]
pub struct Judged<'a> {
    /// What is wrong with it; nothing where it is right.
    pub miss: Option<CardMiss>,
    /// What the author says to it.
    pub note: Option<&'a Words>,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum CardMiss {
    /// The rules forbid it.
    Rules(RoundError),
    /// These cards are missing.
    Missing(Faces),
    /// These cards do not belong to it.
    Extra(Faces),
    /// It is allowed, but no such combination.
    Shape(Shape),
    /// It does not take the trick.
    Loses,
    /// It takes the trick and should not.
    Wins,
    /// It brings fewer points than there could be.
    TooFewPoints(u32),
    /// It gives away points.
    Points(u32),
    /// It is allowed, but others are better.
    Better,
    /// These cards are too good to bury.
    Keep(Faces),
    /// Cards of this suit are left.
    NotVoid(Suit),
    /// Another choice is right.
    Choice,
}

impl CardMiss {
    /// The words of [`CardMiss::code`], besides the rules' own.
    pub const CODES: [&str; 11] = [
        "missing",
        "extra",
        "shape",
        "loses",
        "wins",
        "few-points",
        "points",
        "better",
        "keep",
        "not-void",
        "choice",
    ];

    /// A word for messages; the rules' refusals have words of their own.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rules(_) => "rules",
            Self::Missing(_) => "missing",
            Self::Extra(_) => "extra",
            Self::Shape(_) => "shape",
            Self::Loses => "loses",
            Self::Wins => "wins",
            Self::TooFewPoints(_) => "few-points",
            Self::Points(_) => "points",
            Self::Better => "better",
            Self::Keep(_) => "keep",
            Self::NotVoid(_) => "not-void",
            Self::Choice => "choice",
        }
    }
}

impl CardTask {
    pub(crate) fn read(
        source: &Source<'_>,
        table: Table,
        goal: &Spanned<RawQuestion>,
        choices: Vec<String>,
        solution: &Spanned<String>,
    ) -> Result<Self, LessonError> {
        let question = Question::read(source, goal, &table)?;
        let choices = question.choices(choices);
        let mut task = Self {
            table,
            question,
            choices,
            solution: Answer::Choice(String::new()),
            notes: Vec::new(),
        };
        task.solution = source.parse(solution, |text| task.answer(text))?;
        match task.judge(&task.solution).miss {
            None => Ok(task),
            Some(miss) => {
                let message = format!("the solution is wrong: {miss:?}");
                Err(source.error(solution.span(), message))
            }
        }
    }

    pub(crate) fn with_notes(
        mut self,
        source: &Source<'_>,
        notes: &[RawNote],
    ) -> Result<Self, LessonError> {
        for note in notes {
            let answer = source.parse(&note.answer, |text| self.answer(text))?;
            if self.judge(&answer).miss.is_none() {
                return Err(source.error(note.answer.span(), "this answer is right"));
            }
            self.notes.push(Note {
                answer,
                words: note.words(),
            });
        }
        Ok(self)
    }

    /// What lies on the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What there is to choose from; empty where cards are asked for.
    pub fn choices(&self) -> &[String] {
        &self.choices
    }

    /// A right answer.
    pub fn solution(&self) -> &Answer {
        &self.solution
    }

    /// Reads an answer: cards, or one of the choices.
    pub fn answer(&self, text: &str) -> Result<Answer, String> {
        if self.choices.is_empty() {
            let cards: CardSet = text.parse().map_err(|error| format!("{error}"))?;
            return Ok(Answer::Cards(cards.faces()));
        }
        if self.choices.iter().any(|choice| choice == text) {
            Ok(Answer::Choice(text.to_owned()))
        } else {
            Err(format!("none of the choices {:?}", self.choices))
        }
    }

    /// What an answer is worth.
    pub fn judge(&self, answer: &Answer) -> Judged<'_> {
        let miss = match answer {
            Answer::Cards(cards) => self.question.check_cards(&self.table, *cards),
            Answer::Choice(choice) => self.question.check_choice(&self.table, choice),
        };
        let mut notes = self.notes.iter();
        let note = notes.find(|note| note.answer == *answer);
        Judged {
            miss: miss.err(),
            note: note.map(|note| &note.words),
        }
    }
}
