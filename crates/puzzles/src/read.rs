//! What the files of both games have in common.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A line of a file that is no puzzle.
///
/// ```
/// use convoy_puzzles::board;
/// let error = board::read("# a comment\nnonsense\n").unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPuzzlesError<E> {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for ReadPuzzlesError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl<E: fmt::Debug + fmt::Display> Error for ReadPuzzlesError<E> {}

/// Reads the lines of a file. Empty lines and those that begin with `#` are skipped.
pub(crate) fn read_lines<P: FromStr>(text: &str) -> Result<Vec<P>, ReadPuzzlesError<P::Err>> {
    let lines = text.lines().enumerate();
    let puzzles = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    puzzles
        .map(|(at, line)| {
            line.parse().map_err(|error| ReadPuzzlesError {
                line: at + 1,
                error,
            })
        })
        .collect()
}

/// The id of the puzzle with this text (a FEN, a record): six letters and digits, from an FNV-1a hash.
///
/// ```
/// assert_eq!(convoy_puzzles::id_of("a"), convoy_puzzles::id_of("a"));
/// assert_eq!(convoy_puzzles::id_of("a").len(), 6);
/// ```
pub fn id_of(text: &str) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The high bits of the product are the well-mixed ones.
    let digits = (0..6).map(|at| DIGITS[(hash >> (34 + 5 * at) & 31) as usize]);
    digits.map(char::from).collect()
}

/// How hard a puzzle is to solve.
///
/// ```
/// use convoy_puzzles::Difficulty;
/// assert_eq!("hard".parse(), Ok(Difficulty::Hard));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// A glance is enough.
    Easy,
    /// It takes some thought.
    Medium,
    /// It takes a lot of thought.
    Hard,
}

impl Difficulty {
    /// Every difficulty, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// Its word in the files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text names no difficulty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseDifficultyError;

impl fmt::Display for ParseDifficultyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a difficulty is easy, medium or hard")
    }
}

impl Error for ParseDifficultyError {}

impl FromStr for Difficulty {
    type Err = ParseDifficultyError;

    fn from_str(text: &str) -> Result<Self, ParseDifficultyError> {
        let mut all = Self::ALL.into_iter();
        all.find(|difficulty| difficulty.word() == text)
            .ok_or(ParseDifficultyError)
    }
}
