//! What is written about a game: tags, comments, clocks.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::time::Duration;

use super::Game;
use crate::pgn::game_comment;
use crate::{Headers, StackRules};

/// Tags, comments and clocks of a game. Comments and clocks belong to a number of turns played: 0
/// is the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Notes {
    pub(crate) headers: Headers,
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
    /// A comment holds `}`, `[%clk`, which is written by the clock, arrows and circles that are none, or what a
    /// [`PgnSplitter`](crate::PgnSplitter) takes for the next game.
    Comment,
    /// A comment of a [`GameTree`](crate::GameTree) holds a clock, arrows or circles, which are set apart.
    Command,
    /// The game does not have that many turns.
    Turn,
}

impl<R: StackRules> Game<R> {
    /// Every tag that was set, the roster first: see [`Headers`].
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
        self.notes.headers.iter()
    }

    /// The value of a tag.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.notes.headers.get(name)
    }

    /// Sets a tag.
    pub fn set_header(&mut self, name: &str, value: &str) -> Result<(), NoteError> {
        self.notes.headers.set(name, value)
    }

    /// Removes a tag; answers whether it was there.
    pub fn remove_header(&mut self, name: &str) -> bool {
        self.notes.headers.remove(name)
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

    /// Sets the comment after so many turns, without its outer blanks; an empty one removes it. Circles and
    /// arrows, `[%csl Gc5]` and `[%cal Gc5c6]`, are moved to its beginning.
    pub fn set_comment(&mut self, turn: usize, text: &str) -> Result<(), NoteError> {
        let text = game_comment(text)?;
        if turn > self.turn_count() {
            return Err(NoteError::Turn);
        }
        if text.is_empty() {
            self.notes.comments.remove(&turn);
        } else {
            self.notes.comments.insert(turn, text);
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
            Self::Comment => {
                "a comment holds no }, no [%clk, no malformed [%cal or [%csl, and no { after a line like the first of a game"
            }
            Self::Command => "clocks, arrows and circles are set apart from the comment",
            Self::Turn => "the game does not have that many turns",
        })
    }
}

impl Error for NoteError {}
