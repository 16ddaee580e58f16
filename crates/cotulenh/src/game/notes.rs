//! What is written about a game: tags, comments, clocks.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::time::Duration;

use super::Game;
use crate::StackRules;

/// The tags that open every PGN, in their order.
pub(crate) const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "Red", "Blue", "Result"];

/// The results that PGN knows.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Tags, comments and clocks of a game. Comments and clocks belong to a number of turns played: 0
/// is the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Notes {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) comments: BTreeMap<usize, String>,
    pub(crate) clocks: BTreeMap<usize, Duration>,
}

impl Notes {
    pub(super) fn forget_after(&mut self, turns: usize) {
        self.comments.split_off(&(turns + 1));
        self.clocks.split_off(&(turns + 1));
    }

    /// Forgets what belongs to the first turns, and counts from the one after them.
    pub(super) fn drop_first(&mut self, turns: usize) {
        self.comments = self.comments.split_off(&turns);
        self.clocks = self.clocks.split_off(&turns);
        let comments = core::mem::take(&mut self.comments).into_iter();
        self.comments = comments.map(|(turn, text)| (turn - turns, text)).collect();
        let clocks = core::mem::take(&mut self.clocks).into_iter();
        self.clocks = clocks.map(|(turn, clock)| (turn - turns, clock)).collect();
    }

    /// The tags, and what belongs to the turns up to that one.
    pub(super) fn until(&self, turns: usize) -> Self {
        let mut notes = self.clone();
        notes.forget_after(turns);
        notes
    }
}

/// Why a tag or a comment was refused: it could not be read back from a PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteError {
    /// A tag's name has other characters than letters, digits and `_`, or none.
    Name,
    /// A tag's value has control characters.
    Value,
    /// `Result` is not one of `1-0`, `0-1`, `1/2-1/2`, `*`.
    Result,
    /// `SetUp` and `FEN` follow from the game's start.
    Derived,
    /// A comment holds `}`, or `[%clk`, which is written by the clock.
    Comment,
    /// The game does not have that many turns.
    Turn,
}

impl<R: StackRules> Game<R> {
    /// Every tag that was set, in the order of setting.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// game.set_header("Red", "An")?;
    /// assert_eq!(game.header("Red"), Some("An"));
    /// assert!(game.set_header("FEN", "x").is_err());
    /// # Ok::<_, cotulenh::NoteError>(())
    /// ```
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.notes.headers.iter();
        headers.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Sets a tag.
    pub fn set_header(&mut self, name: &str, value: &str) -> Result<(), NoteError> {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(letter) {
            return Err(NoteError::Name);
        }
        if value.chars().any(char::is_control) {
            return Err(NoteError::Value);
        }
        match name {
            "Result" if !RESULTS.contains(&value) => return Err(NoteError::Result),
            "SetUp" | "FEN" => return Err(NoteError::Derived),
            _ => {}
        }
        match self
            .notes
            .headers
            .iter_mut()
            .find(|(known, _)| known == name)
        {
            Some((_, old)) => value.clone_into(old),
            None => self.notes.headers.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Removes a tag; answers whether it was there.
    pub fn remove_header(&mut self, name: &str) -> bool {
        let before = self.notes.headers.len();
        self.notes.headers.retain(|(known, _)| known != name);
        self.notes.headers.len() < before
    }

    /// The comment after so many turns; 0 is the start.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// game.set_comment(0, "a quiet evening")?;
    /// assert_eq!(game.comment(0), Some("a quiet evening"));
    /// # Ok::<_, cotulenh::NoteError>(())
    /// ```
    pub fn comment(&self, turn: usize) -> Option<&str> {
        let comment = self.notes.comments.get(&turn).map(String::as_str);
        comment.filter(|_| turn <= self.turn_count())
    }

    /// Sets the comment after so many turns, without its outer blanks; an empty one removes it.
    pub fn set_comment(&mut self, turn: usize, text: &str) -> Result<(), NoteError> {
        if text.contains('}') || text.contains("[%clk") {
            return Err(NoteError::Comment);
        }
        if turn > self.turn_count() {
            return Err(NoteError::Turn);
        }
        let text = text.trim();
        if text.is_empty() {
            self.notes.comments.remove(&turn);
        } else {
            self.notes.comments.insert(turn, text.to_owned());
        }
        Ok(())
    }

    /// The clock of whoever made that turn, after it; 0 is the start.
    pub fn clock(&self, turn: usize) -> Option<Duration> {
        let clock = self.notes.clocks.get(&turn).copied();
        clock.filter(|_| turn <= self.turn_count())
    }

    /// Sets that clock, to the millisecond, or removes it.
    pub fn set_clock(&mut self, turn: usize, clock: Option<Duration>) -> Result<(), NoteError> {
        if turn > self.turn_count() {
            return Err(NoteError::Turn);
        }
        let exact =
            |clock: Duration| Duration::new(clock.as_secs(), clock.subsec_millis() * 1_000_000);
        match clock.map(exact) {
            Some(clock) => drop(self.notes.clocks.insert(turn, clock)),
            None => drop(self.notes.clocks.remove(&turn)),
        }
        Ok(())
    }
}

impl fmt::Display for NoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "a tag's name is letters, digits and _",
            Self::Value => "a tag's value has no control characters",
            Self::Result => "a result is 1-0, 0-1, 1/2-1/2 or *",
            Self::Derived => "SetUp and FEN follow from the start of the game",
            Self::Comment => "a comment holds neither } nor [%clk",
            Self::Turn => "the game does not have that many turns",
        })
    }
}

impl Error for NoteError {}
