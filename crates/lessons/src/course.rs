//! Courses, chapters and steps, and how they are read.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use rust_embed::RustEmbed;
use serde::Deserialize;
use toml::Spanned;

use crate::board::{BoardTask, RawGoal};
use crate::cards::{CardTask, RawQuestion, Table};
use crate::error::LessonError;
use crate::words::{Words, text};

#[derive(RustEmbed)]
#[folder = "data/"]
struct Files;

/// The lessons of one game.
///
/// ```
/// let course = convoy_lessons::Course::cotulenh()?;
/// assert!(course.step("board/sea").is_some());
/// # Ok::<_, convoy_lessons::LessonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Course {
    /// In the order of their files' names.
    pub chapters: Vec<Chapter>,
}

impl Course {
    /// The course of Cờ Tư Lệnh.
    pub fn cotulenh() -> Result<Self, LessonError> {
        Self::read("cotulenh/", Chapter::read_board)
    }

    /// The course of Tractor.
    pub fn tractor() -> Result<Self, LessonError> {
        Self::read("tractor/", Chapter::read_cards)
    }

    fn read(
        folder: &str,
        read: fn(&str, &str) -> Result<Chapter, LessonError>,
    ) -> Result<Self, LessonError> {
        let names = Self::files().into_iter();
        let names = names.filter(|name| name.starts_with(folder));
        let chapter = |name: String| {
            let bytes = Files::get(&name).map(|file| file.data).unwrap_or_default();
            let text = std::str::from_utf8(&bytes)
                .map_err(|error| LessonError::new(&name, "", 0..0, error.to_string()))?;
            read(&name, text)
        };
        let chapters = names.map(chapter).collect::<Result<_, _>>()?;
        Ok(Self { chapters })
    }

    /// The text of a file of lessons: `cotulenh/01-board.toml`.
    ///
    /// ```
    /// use convoy_lessons::{Chapter, Course};
    /// let chapter = &Course::cotulenh()?.chapters[0];
    /// let text = Course::file(&chapter.file).expect("the chapter was read from it");
    /// assert_eq!(Chapter::read_board(&chapter.file, &text)?.id, chapter.id);
    /// # Ok::<_, convoy_lessons::LessonError>(())
    /// ```
    pub fn file(name: &str) -> Option<String> {
        let file = Files::get(name)?;
        String::from_utf8(file.data.into_owned()).ok()
    }

    /// The names of all files of lessons, in order.
    pub fn files() -> Vec<String> {
        let mut names: Vec<String> = Files::iter().map(Cow::into_owned).collect();
        names.sort();
        names
    }

    /// The step with this id: those of its chapter and its own, with a slash between them.
    pub fn step(&self, id: &str) -> Option<&Step> {
        let (chapter, step) = id.split_once('/')?;
        let chapter = self.chapters.iter().find(|known| known.id == chapter)?;
        chapter.step(step)
    }
}

/// Steps that belong together: one file.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// The file that it was read from, as it was named.
    pub file: String,
    /// Its file's name without the number and the ending.
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// In the order of the file.
    pub steps: Vec<Step>,
}

/// One thing to do.
#[derive(Debug, Clone)]
pub struct Step {
    /// Unique in its chapter. Progress is kept under it, so it never changes.
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// What there is to know, and what to do.
    pub text: Words,
    /// For whoever does not find it.
    pub hint: Words,
    /// What is said when it is done.
    pub done: Option<Words>,
    /// What to do.
    pub task: Task,
}

/// What a step asks for.
#[derive(Debug, Clone)]
pub enum Task {
    /// Turns on a board.
    Board(Box<BoardTask>),
    /// Cards, or an answer about cards.
    Cards(Box<CardTask>),
}

/// What the author says to a particular wrong answer.
#[derive(Debug, Clone)]
pub struct Note<A> {
    /// The wrong answer.
    pub answer: A,
    /// What is wrong with it.
    pub words: Words,
}

/// Where something is that turns out to be wrong.
pub(crate) struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// The ids of the steps so far.
    ids: RefCell<BTreeSet<String>>,
}

impl Source<'_> {
    pub(crate) fn error(&self, at: Range<usize>, message: impl Into<String>) -> LessonError {
        LessonError::new(self.file, self.text, at, message)
    }

    /// A step's id, which no other step of the file has.
    fn id(&self, id: &Spanned<String>) -> Result<String, LessonError> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name = id.get_ref().clone();
        if name.is_empty() || !name.chars().all(plain) {
            let message = "an id has lower-case letters, digits and hyphens";
            return Err(self.error(id.span(), message));
        }
        if !self.ids.borrow_mut().insert(name.clone()) {
            return Err(self.error(id.span(), format!("a second step {name:?}")));
        }
        Ok(name)
    }

    /// The value, or what is wrong with its text.
    pub(crate) fn parse<T, E: std::fmt::Display>(
        &self,
        text: &Spanned<String>,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, LessonError> {
        read(text.get_ref()).map_err(|error| {
            let message = format!("{:?}: {error}", text.get_ref());
            self.error(text.span(), message)
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChapter<S> {
    title: Words,
    step: Vec<S>,
}

/// A wrong answer and what is said to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawNote {
    pub(crate) answer: Spanned<String>,
    #[serde(deserialize_with = "text")]
    en: String,
    #[serde(deserialize_with = "text")]
    vi: String,
    #[serde(deserialize_with = "text")]
    zh: String,
}

impl RawNote {
    pub(crate) fn words(&self) -> Words {
        Words {
            en: self.en.clone(),
            vi: self.vi.clone(),
            zh: self.zh.clone(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBoardStep {
    id: Spanned<String>,
    title: Words,
    text: Words,
    hint: Words,
    done: Option<Words>,
    fen: Spanned<String>,
    turns: Option<usize>,
    goal: Spanned<RawGoal>,
    solution: Spanned<Vec<String>>,
    #[serde(default)]
    wrong: Vec<RawNote>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCardStep {
    id: Spanned<String>,
    title: Words,
    text: Words,
    hint: Words,
    done: Option<Words>,
    trump: Spanned<String>,
    hand: Option<Spanned<String>>,
    #[serde(default)]
    trick: Vec<Spanned<String>>,
    seen: Option<Spanned<String>>,
    goal: Spanned<RawQuestion>,
    #[serde(default)]
    choices: Vec<String>,
    solution: Spanned<String>,
    #[serde(default)]
    wrong: Vec<RawNote>,
}

impl Chapter {
    /// The step with this id.
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.iter().find(|known| known.id == id)
    }

    /// Reads a chapter of Cờ Tư Lệnh.
    pub fn read_board(file: &str, text: &str) -> Result<Self, LessonError> {
        Self::read(file, text, |source, raw: RawBoardStep| {
            let turns = raw.turns.unwrap_or(1);
            let task = BoardTask::read(source, &raw.fen, turns, &raw.goal, &raw.solution)?;
            let task = task.with_notes(source, &raw.wrong)?;
            Ok(Step {
                id: source.id(&raw.id)?,
                title: raw.title,
                text: raw.text,
                hint: raw.hint,
                done: raw.done,
                task: Task::Board(Box::new(task)),
            })
        })
    }

    /// Reads a chapter of Tractor.
    pub fn read_cards(file: &str, text: &str) -> Result<Self, LessonError> {
        Self::read(file, text, |source, raw: RawCardStep| {
            let table = Table::read(
                source,
                &raw.trump,
                raw.hand.as_ref(),
                &raw.trick,
                raw.seen.as_ref(),
            )?;
            let task = CardTask::read(source, table, &raw.goal, raw.choices, &raw.solution)?;
            let task = task.with_notes(source, &raw.wrong)?;
            Ok(Step {
                id: source.id(&raw.id)?,
                title: raw.title,
                text: raw.text,
                hint: raw.hint,
                done: raw.done,
                task: Task::Cards(Box::new(task)),
            })
        })
    }

    fn read<S: serde::de::DeserializeOwned>(
        file: &str,
        text: &str,
        read: impl Fn(&Source<'_>, S) -> Result<Step, LessonError>,
    ) -> Result<Self, LessonError> {
        let source = Source {
            file,
            text,
            ids: RefCell::default(),
        };
        let raw: RawChapter<S> = toml::from_str(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            source.error(at, error.message())
        })?;
        let stem = file.rsplit('/').next().unwrap_or(file);
        let stem = stem.strip_suffix(".toml").unwrap_or(stem);
        let id = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        let steps = raw.step.into_iter().map(|raw| read(&source, raw));
        let steps: Vec<Step> = steps.collect::<Result<_, _>>()?;
        if steps.is_empty() {
            return Err(source.error(0..0, "a chapter has steps"));
        }
        Ok(Self {
            file: file.to_owned(),
            id: id.to_owned(),
            title: raw.title,
            steps,
        })
    }
}
