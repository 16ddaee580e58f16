//! What can be wrong with a blueprint, and where.

use core::error::Error;
use core::fmt;

use super::{Blueprint, Word};
use crate::Role;

/// Why a text is no blueprint, with the place of the fault.
///
/// ```
/// use convoy_stack::Blueprint;
///
/// let error = Blueprint::parse("role T tank\ncarrier tank [infantry]").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 15));
/// assert_eq!(error.to_string(), "line 2, column 15: no role is called \"infantry\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseBlueprintError {
    /// The line, from 1 on.
    pub line: usize,
    /// The character within the line, from 1 on.
    pub column: usize,
    /// What is wrong there.
    pub error: BlueprintError,
}

/// What is wrong with a blueprint.
///
/// ```
/// use convoy_stack::{Blueprint, BlueprintError};
///
/// let error = Blueprint::parse("role T tank\nrole T truck").unwrap_err();
/// assert_eq!(error.error, BlueprintError::LetterTwice('T'));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlueprintError {
    /// A line begins with another word than `role` or `carrier`.
    Statement(Word),
    /// The statement is complete, but the line goes on.
    Surplus(Word),
    /// A role without a letter.
    MissingLetter,
    /// The letter of a role is not one letter of the English alphabet.
    Letter(Word),
    /// Two roles have this letter.
    LetterTwice(char),
    /// A role without a name.
    MissingName,
    /// The name has characters other than letters, digits, `_` and `-`, does not begin with a letter, or
    /// has less than 2 or more than [`Word::MAX`] characters.
    Name(Word),
    /// Two roles have this name.
    NameTwice(Word),
    /// More than [`Role::MAX`] roles.
    TooManyRoles,
    /// No role at all.
    NoRoles,
    /// A YAML text that does not begin with `blueprints:`.
    YamlHead,
    /// A YAML line that is neither a carrier with a colon nor a slot after a dash.
    YamlLine(Word),
    /// A carrier statement that names no role.
    MissingCarrier,
    /// No role declared above has this letter or name.
    UnknownRole(Word),
    /// The role has a carrier statement already.
    CarrierTwice(Word),
    /// A carrier without a slot.
    NoSlot(Word),
    /// More than [`Blueprint::MAX_SLOTS`] slots.
    TooManySlots(Word),
    /// A slot for no role.
    EmptySlot,
    /// A slot without its closing bracket.
    OpenSlot,
    /// The carrier stands in a slot of its own.
    CarriesItself(Word),
    /// The role stands twice in one slot.
    RoleTwice(Word),
    /// The role stands in two slots of the carrier, so that it would not be clear which one it fills.
    SlotsOverlap(Word),
    /// Each of the two carries the other, so that it would not be clear which one carries both.
    Ambiguous(Word, Word),
}

impl fmt::Display for ParseBlueprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.error
        )
    }
}

impl fmt::Display for BlueprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(word) => {
                write!(f, "a line begins with `role` or `carrier`, not {word:?}")
            }
            Self::Surplus(word) => write!(f, "{word:?} is one word too many"),
            Self::MissingLetter => write!(f, "a role needs a letter and a name"),
            Self::Letter(word) => write!(f, "a role's letter is one of A to Z, not {word:?}"),
            Self::LetterTwice(letter) => write!(f, "two roles have the letter {letter}"),
            Self::MissingName => write!(f, "the role has a letter but no name"),
            Self::Name(word) => write!(
                f,
                "a name is 2 to {} letters, digits or underscores, a letter first, not {word:?}",
                Word::MAX
            ),
            Self::NameTwice(word) => write!(f, "two roles are called {word:?}"),
            Self::TooManyRoles => write!(f, "there are more than {} roles", Role::MAX),
            Self::NoRoles => write!(f, "the blueprint declares no role"),
            Self::YamlHead => write!(f, "a YAML blueprint begins with `blueprints:`"),
            Self::YamlLine(word) => write!(
                f,
                "neither a carrier such as `NAVY:` nor a slot such as `- [TANK]`: {word:?}"
            ),
            Self::MissingCarrier => write!(f, "`carrier` needs a role and its slots"),
            Self::UnknownRole(word) => write!(f, "no role is called {word:?}"),
            Self::CarrierTwice(word) => write!(f, "the slots of {word} are given twice"),
            Self::NoSlot(word) => {
                write!(f, "{word} has no slot: write `[` roles `]` for each")
            }
            Self::TooManySlots(word) => {
                write!(f, "{word} has more than {} slots", Blueprint::MAX_SLOTS)
            }
            Self::EmptySlot => write!(f, "the slot is for no role"),
            Self::OpenSlot => write!(f, "the slot has no closing bracket"),
            Self::CarriesItself(word) => write!(f, "{word} stands in a slot of its own"),
            Self::RoleTwice(word) => write!(f, "{word} stands twice in the slot"),
            Self::SlotsOverlap(word) => {
                write!(f, "{word} stands in two slots of the same carrier")
            }
            Self::Ambiguous(a, b) => {
                write!(
                    f,
                    "{a} and {b} would carry each other: no telling who is the carrier"
                )
            }
        }
    }
}

impl Error for ParseBlueprintError {}
