//! Games as text (Rule 10.4), written and read.

mod clock;
mod lexer;
mod read;

use alloc::format;
use alloc::string::{String, ToString};
use core::error::Error;
use core::fmt;

use crate::game::notes::ROSTER;
use crate::{Color, Game, Outcome, ParseFenError, Position, ReadError, StackRules};

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
    /// A clock that is not `h:mm:ss`.
    Clock,
    /// Another move number is due.
    Number {
        /// The number that is due.
        due: u32,
    },
    /// A variation in parentheses: a game has one line of moves here.
    Variation,
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

impl<R: StackRules> Game<R> {
    /// The game as PGN. `game.pgn().parse::<Game>()` gives the same game.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// game.play_text("Ic6")?;
    /// let read: Game = game.pgn().parse().expect("what is written can be read");
    /// assert_eq!(read.position(), game.position());
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn pgn(&self) -> String {
        self.pgn_in(PgnStyle::default())
    }

    /// The same in another style.
    pub fn pgn_in(&self, style: PgnStyle) -> String {
        let mut text = String::new();
        let result = self.result_text();
        for name in ROSTER {
            let value = match name {
                "Result" => result,
                "Date" => self.header(name).unwrap_or("????.??.??"),
                _ => self.header(name).unwrap_or("?"),
            };
            write_tag(name, value, &mut text);
        }
        if *self.start() != Position::start_under(self.start().rules()) {
            write_tag("SetUp", "1", &mut text);
            write_tag("FEN", &self.start().to_string(), &mut text);
        }
        for (name, value) in self.headers().filter(|(name, _)| !ROSTER.contains(name)) {
            write_tag(name, value, &mut text);
        }
        text.push('\n');
        let mut moves = Moves {
            text,
            column: 0,
            width: style.width,
        };
        self.write_moves(style, &mut moves);
        moves.word(result);
        moves.text.push('\n');
        moves.text
    }

    fn write_moves(&self, style: PgnStyle, moves: &mut Moves) {
        self.write_note(0, style, moves);
        let mut numbered = false;
        let open = self
            .open_text()
            .map(|steps| (self.position().turn_start(), steps + "..."));
        let turns = self.turns().map(|turn| {
            let san = turn.san();
            (turn.before, san)
        });
        for (index, (before, san)) in turns.chain(open).enumerate() {
            let number = before.move_number();
            let word = match before.turn() {
                Color::Red => format!("{number}. {san}"),
                Color::Blue if numbered => san,
                Color::Blue => format!("{number}... {san}"),
            };
            moves.word(&word);
            numbered = !self.write_note(index + 1, style, moves);
        }
    }

    /// Writes comment and clock; answers whether there were any.
    fn write_note(&self, turn: usize, style: PgnStyle, moves: &mut Moves) -> bool {
        let clock = self.clock(turn).filter(|_| style.clocks).map(clock::show);
        let note = match (clock, self.comment(turn)) {
            (None, None) => return false,
            (Some(clock), None) => format!("{{[%clk {clock}]}}"),
            (None, Some(comment)) => format!("{{{comment}}}"),
            (Some(clock), Some(comment)) => format!("{{[%clk {clock}] {comment}}}"),
        };
        moves.word(&note);
        true
    }

    /// The result: that of the position, or else that of the tag.
    pub(crate) fn result_text(&self) -> &str {
        match self.outcome() {
            Some(outcome) => result_of(outcome),
            None => self.header("Result").unwrap_or("*"),
        }
    }
}

pub(crate) const fn result_of(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Red) => "1-0",
        Some(Color::Blue) => "0-1",
        None => "1/2-1/2",
    }
}

fn write_tag(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for letter in value.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
}

/// The text of the moves, wrapped between words.
struct Moves {
    text: String,
    column: usize,
    width: usize,
}

impl Moves {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.width > 0 && self.column + 1 + length > self.width {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }
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
            Self::Variation => "variations are not read, only the main line",
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
