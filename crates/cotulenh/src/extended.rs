//! FEN with an open deploy (Rule 6.7): it is replayed when read, and prints as it was read.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::notation::text::{self, Offset, Stay, Text};
use crate::notation::{Letters, ReadError, column};
use crate::{ParseFenError, Position, Setup, Stack, StackRules, Standard};

/// Why the seventh field of a FEN tells no open deploy of the position before it.
///
/// ```
/// use cotulenh::{DeployFieldError, ParseFenError, Position};
/// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:T:F>e8...";
/// let error = fen.parse::<Position>().unwrap_err();
/// assert!(matches!(error, ParseFenError::Deploy(DeployFieldError::Stay(Some(_)))));
/// assert_eq!(error.to_string(), "deploy: the steps leave (TI)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeployFieldError {
    /// Not `origin:stay:steps`, with `...` at the end while something remains.
    Syntax {
        /// The character in the field, from 1.
        column: usize,
    },
    /// A step is not legal.
    Step(ReadError),
    /// The stay group is not what the steps leave.
    Stay(Option<Stack>),
    /// Dots where nothing remains, or none where something does.
    Dots,
    /// The deploy would have ended by itself.
    Ended,
}

impl FromStr for Position {
    type Err = ParseFenError;

    /// Reads a FEN, or the extended FEN of an open deploy.
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        Self::from_fen(&Standard, text)
    }
}

impl<R: StackRules> Position<R> {
    /// Reads a FEN, or the extended FEN of an open deploy, whose stacks are those of these rules.
    pub fn from_fen(rules: &R, text: &str) -> Result<Self, ParseFenError> {
        let fields = 1 + text.bytes().filter(|byte| *byte == b' ').count();
        let (plain, deploy) = match text.rsplit_once(' ') {
            Some((plain, deploy)) if fields == 7 && !deploy.trim().is_empty() => {
                (plain, Some(deploy))
            }
            _ => (text, None),
        };
        let setup = Setup::from_fen(rules, plain)?;
        let start = Self::from_setup(rules, &setup).map_err(ParseFenError::Setup)?;
        match deploy {
            None => Ok(start),
            Some(field) => start.replay(field).map_err(ParseFenError::Deploy),
        }
    }
}

impl<R: StackRules> fmt::Display for Position<R> {
    /// The FEN, extended while a deploy is open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(160);
        self.write_fen(&mut text);
        f.write_str(&text)
    }
}

impl<R: StackRules> Position<R> {
    /// Appends the FEN, extended while a deploy is open: what `to_string` gives, in a
    /// buffer of the caller's.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let mut text = String::from("fen ");
    /// Position::start().write_fen(&mut text);
    /// assert!(text.starts_with("fen 6c4/1n2fh1hf2/"));
    /// ```
    pub fn write_fen(&self, out: &mut String) {
        self.write_start_fen(out);
        if let Some(deploy) = self.deploy() {
            out.push(' ');
            deploy.write_field(self.remaining(), out);
        }
    }

    fn replay(&self, field: &str) -> Result<Self, DeployFieldError> {
        let syntax = |offset: Offset| DeployFieldError::Syntax {
            column: column(field, offset),
        };
        let (told, dots) = match field.strip_suffix("...") {
            Some(told) => (told, true),
            None => (field, false),
        };
        // The aliases of moves have no place in a FEN.
        if let Some(offset) = told.find(['<', '-', '^', '#', '!', '?']) {
            return Err(syntax(offset));
        }
        let Text::Turn(turn) = text::parse(told).map_err(syntax)? else {
            return Err(syntax(0));
        };
        let hinted = turn
            .steps()
            .any(|step| step.file.is_some() || step.rank.is_some());
        if turn.origin.is_none() || hinted {
            return Err(syntax(0));
        }
        let open = self.open_by(&turn).map_err(DeployFieldError::Step)?;
        if open.deploy().is_none() {
            return Err(DeployFieldError::Ended);
        }
        let left = open.remaining();
        let stays = match turn.stay {
            Stay::Group(group) => left.is_some_and(|left| {
                left.roles() == group.roles && group.heroic.is_subset(left.heroic())
            }),
            Stay::Nobody | Stay::Unsaid => left.is_none(),
        };
        if !stays {
            return Err(DeployFieldError::Stay(left));
        }
        if dots != left.is_some() {
            return Err(DeployFieldError::Dots);
        }
        Ok(open)
    }
}

impl fmt::Display for DeployFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { column } => {
                write!(f, "column {column}: expected origin:stay:steps and dots")
            }
            Self::Step(error) => error.fmt(f),
            Self::Stay(None) => f.write_str("the steps leave nobody"),
            Self::Stay(Some(left)) => {
                write!(f, "the steps leave {}", Letters(*left))
            }
            Self::Dots => f.write_str("dots stand where something remains, and only there"),
            Self::Ended => f.write_str("the deploy would have ended by itself"),
        }
    }
}

impl core::error::Error for DeployFieldError {}
