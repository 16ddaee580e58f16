use std::error::Error;
use std::fmt;
use std::ops::Range;

/// What is wrong with a file of lessons, and where.
///
/// ```
/// use convoy_lessons::Chapter;
/// let error = Chapter::read_board("01-board.toml", "title.en = 1").unwrap_err();
/// assert_eq!((&*error.file, error.line), ("01-board.toml", 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl LessonError {
    pub(crate) fn new(
        file: &str,
        text: &str,
        at: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let before = text.get(..at.start).unwrap_or(text);
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for LessonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl Error for LessonError {}
