//! Why a request was refused, for programs and for people.

use std::fmt;

use serde::{Deserialize, Serialize};
use tractor::Seat;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal,)+) => {
        /// The word that tells a program what is wrong. Every way in uses the same words.
        ///
        /// ```
        /// use convoy_protocol::ErrorCode;
        /// assert_eq!(ErrorCode::BadFen.word(), "bad-fen");
        /// assert!(ErrorCode::BadFen.meaning().contains("FEN"));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $name,)+
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word, as it is written.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word),+
                }
            }

            /// What it means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+).trim()),+
                }
            }
        }
    };
}

codes! {
    /// Not JSON, nested too deeply, a field missing, given twice or of the wrong type.
    Malformed = "malformed",
    /// A line longer than 1 MiB.
    TooLong = "too-long",
    /// A field that the op does not have.
    UnknownField = "unknown-field",
    /// No game of this name.
    UnknownGame = "unknown-game",
    /// No op of this name in the game.
    UnknownOp = "unknown-op",
    /// The text is no FEN, or its position cannot be.
    BadFen = "bad-fen",
    /// The text is no PGN, or one of its moves is not legal.
    BadPgn = "bad-pgn",
    /// The text names no square.
    BadSquare = "bad-square",
    /// The text names no piece.
    BadPiece = "bad-piece",
    /// The text names no colour.
    BadColor = "bad-color",
    /// A move outside the grammar of SAN and LAN.
    BadNotation = "bad-notation",
    /// No legal move fits.
    IllegalMove = "illegal-move",
    /// Several legal moves fit.
    AmbiguousMove = "ambiguous-move",
    /// A move after the end of the game.
    GameOver = "game-over",
    /// Nothing to deploy from that square.
    NoStack = "no-stack",
    /// A deploy without moves.
    NobodyMoves = "nobody-moves",
    /// Another deploy is under way.
    DeployOpen = "deploy-open",
    /// A piece that is not in the stack.
    PieceMissing = "piece-missing",
    /// A piece named twice.
    PieceTwice = "piece-twice",
    /// A piece that neither moves nor stays.
    PieceForgotten = "piece-forgotten",
    /// Those who stay are no lawful stack.
    StayNotLawful = "stay-not-lawful",
    /// Those who share a target are no lawful stack.
    GroupNotLawful = "group-not-lawful",
    /// A group may not stand on its square.
    WrongTerrain = "wrong-terrain",
    /// A step is not legal, in whatever order the groups go.
    StepNotLegal = "step-not-legal",
    /// The commander would be left attacked or exposed.
    CommanderInDanger = "commander-in-danger",
    /// The pieces make no stack.
    CannotCombine = "cannot-combine",
    /// Cards that cannot be: one named twice, a third copy, deck digits on some cards only.
    Cards = "cards",
    /// House rules that cannot be: no such preset, switch or value.
    Rules = "rules",
    /// Cards that are no lead: none, or of several groups.
    Lead = "lead",
    /// The rules of Tractor forbid it.
    Illegal = "illegal",
    /// More than this way in allows.
    TooMuch = "too-much",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why a request was refused.
///
/// ```
/// use convoy_protocol::{Error, ErrorCode};
/// let error = Error::new(ErrorCode::BadSquare, "\"z9\": a square is a1 to k12");
/// let text = serde_json::to_string(&error)?;
/// assert_eq!(text, r#"{"code":"bad-square","message":"\"z9\": a square is a1 to k12"}"#);
/// assert_eq!(serde_json::from_str::<Error>(&text)?, error);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Error {
    /// A word for programs.
    pub code: ErrorCode,
    /// A sentence for people.
    pub message: String,
    /// A finer word than the code, where there is one: `illegal-move` because of `danger`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where in a longer input the fault lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
}

impl Error {
    /// An error without a place.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            reason: None,
            at: None,
        }
    }

    /// The error for a field that is none of those known, with the nearest of them or all.
    ///
    /// ```
    /// use convoy_protocol::Error;
    /// let error = Error::unknown_field("fenn", &["fen", "moves"]);
    /// assert_eq!(error.to_string(), "unknown-field: unknown field \"fenn\"; did you mean \"fen\"?");
    /// ```
    pub fn unknown_field(name: &str, known: &[&str]) -> Self {
        crate::diagnose::unknown_field(name, known, "")
    }

    /// The same error for a finer reason.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self {
            reason: Some(reason.to_owned()),
            ..self
        }
    }

    pub(crate) fn at(self, at: At) -> Self {
        Self {
            at: Some(at),
            ..self
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

/// Where the fault of a request lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum At {
    /// One of several moves.
    Move {
        /// Its place in the list, from 0.
        index: usize,
        /// Its text.
        r#move: String,
    },
    /// A moment of a round of Tractor.
    Event {
        /// What was going on.
        phase: EventPhase,
        /// The declaration or the trick, from 0.
        index: usize,
        /// Whose event it was.
        seat: Seat,
    },
    /// A place in a text of several lines.
    Text {
        /// The line, from 1.
        line: u32,
        /// The character in the line, from 1.
        column: u32,
    },
    /// Pieces that make no stack.
    Conflicts {
        /// Every reason.
        conflicts: Vec<String>,
    },
    /// A field of the request.
    Field {
        /// Its name, with the way to it: `moves[0].to`.
        field: String,
    },
}

/// What is going on in a round of Tractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EventPhase {
    /// Cards are dealt and declared.
    Declare,
    /// The kitty is buried.
    Bury,
    /// A trick is led.
    Lead,
    /// A trick is followed.
    Follow,
}
