//! Games as text (Rule 10.4), written and read.

mod clock;
mod comment;
mod lexer;
mod read;
mod reader;
mod split;
mod write;

use core::error::Error;
use core::fmt;

use crate::{ParseFenError, ReadError};

pub(crate) use comment::{COMMANDS, append, game_comment, has_end};
pub use reader::PgnReader;
pub use split::PgnSplitter;

/// How a PGN is written.
///
/// ```
/// use cotulenh::{Game, PgnStyle};
/// let style = PgnStyle { width: 0, clocks: false };
/// assert!(Game::default().pgn_in(style).ends_with("\n\n*\n"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgnStyle {
    /// Lines of moves are wrapped before this many characters, between moves; 0 never wraps.
    pub width: usize,
    /// Whether clocks are written.
    pub clocks: bool,
}

impl Default for PgnStyle {
    fn default() -> Self {
        Self {
            width: 80,
            clocks: true,
        }
    }
}

/// A place in a text, line and column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl Place {
    /// Where a text ends that begins here.
    ///
    /// ```
    /// use cotulenh::Place;
    /// let place = Place { line: 7, column: 4 };
    /// assert_eq!(place.after("1. Ic6 * "), Place { line: 7, column: 13 });
    /// assert_eq!(place.after("*\n\n"), Place { line: 9, column: 1 });
    /// ```
    #[must_use]
    pub fn after(self, text: &str) -> Self {
        let count = |letters: usize| u32::try_from(letters).unwrap_or(u32::MAX);
        let (before, last) = match text.rsplit_once('\n') {
            Some((before, last)) => (1 + before.matches('\n').count(), last),
            None => (0, text),
        };
        let column = if before == 0 { self.column } else { 1 };
        Self {
            line: self.line.saturating_add(count(before)),
            column: column.saturating_add(count(last.chars().count())),
        }
    }
}

/// Why a text is no PGN of a game, and where.
///
/// ```
/// use cotulenh::Game;
/// let error = "1. Ic6 Mg7\n2. Cg5 *".parse::<Game>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4, move 2: a friend stands on g5: write & to join it");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadPgnError {
    /// Where the fault lies.
    pub place: Place,
    /// The number of the move, within the moves.
    pub turn: Option<u32>,
    /// What is wrong.
    pub kind: PgnError,
}

/// What is wrong with a PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgnError {
    /// Not `[Name "value"]`.
    Tag,
    /// The tag stands twice.
    TagTwice,
    /// A tag after the moves have begun.
    LateTag,
    /// The `Result` tag is none of the four results.
    ResultTag,
    /// `SetUp` without `FEN`, or the other way round.
    SetUp,
    /// The `FEN` tag is no position.
    Fen(ParseFenError),
    /// A comment without its end.
    UnclosedComment,
    /// The end of a comment without its beginning.
    UnopenedComment,
    /// A comment to the end of the line that holds `}`.
    Comment,
    /// A clock that is not `h:mm:ss`.
    Clock,
    /// Arrows or circles that are none.
    Shape,
    /// A glyph that is not `$0` to `$255`.
    Nag,
    /// Another move number is due.
    Number {
        /// The number that is due.
        due: u32,
    },
    /// A variation in parentheses where one line of turns is read.
    Variation,
    /// A variation that follows no turn.
    EarlyVariation,
    /// A variation without a turn.
    EmptyVariation,
    /// A variation without its end.
    UnclosedVariation,
    /// The end of a variation without its beginning.
    UnopenedVariation,
    /// Variations too deep in one another: [`GameTree::MAX_DEPTH`](crate::GameTree::MAX_DEPTH).
    TooDeep,
    /// Too many turns: [`GameTree::MAX_NODES`](crate::GameTree::MAX_NODES).
    TooLarge,
    /// A move that cannot be read or played.
    Move(ReadError),
    /// A turn that is not finished.
    Unfinished,
    /// Moves after an unfinished turn.
    AfterOpen,
    /// The text ends without a result.
    NoResult,
    /// The result is not that of the tag, or of the game.
    Result,
    /// Something after the result.
    AfterResult,
}

impl fmt::Display for ReadPgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.place.line, self.place.column)?;
        if let Some(turn) = self.turn {
            write!(f, ", move {turn}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fen(error) => return error.fmt(f),
            Self::Move(error) => return error.fmt(f),
            Self::Number { due } => return write!(f, "move number {due} is due"),
            Self::Tag => "not a tag such as [Event \"name\"]",
            Self::TagTwice => "the tag stands twice",
            Self::LateTag => "tags stand before the moves",
            Self::ResultTag => "the result is none of 1-0, 0-1, 1/2-1/2, *",
            Self::SetUp => "SetUp \"1\" and FEN stand together",
            Self::UnclosedComment => "the comment has no end",
            Self::UnopenedComment => "the comment has no beginning",
            Self::Comment => "a comment holds no }",
            Self::Shape => "arrows are written [%cal Gc5c6], circles [%csl Gc5]",
            Self::Nag => "a glyph is $0 to $255",
            Self::Variation => "variations are not read, only the main line",
            Self::EarlyVariation => "a variation follows the turn it replaces",
            Self::EmptyVariation => "the variation has no turn",
            Self::UnclosedVariation => "the variation has no end",
            Self::UnopenedVariation => "the variation has no beginning",
            Self::TooDeep => "variations lie too deep in one another",
            Self::TooLarge => "the game has too many turns",
            Self::Clock => "a clock is written h:mm:ss",
            Self::Unfinished => "the turn is not finished",
            Self::AfterOpen => "nothing but the result follows an open deploy",
            Self::NoResult => "the result is missing",
            Self::Result => "the result is not that of the game",
            Self::AfterResult => "the game ends with its result",
        })
    }
}

impl Error for ReadPgnError {}
