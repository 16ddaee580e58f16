//! The games of a text, one after another.

use alloc::vec::Vec;

use super::lexer::{Lexer, MARK};
use super::read::Reader;
use super::{PgnSplitter, Place, ReadPgnError};
use crate::{GameTree, StackRules, Standard};

/// Reads the games of a PGN text one after another, each when it is asked for; a [`PgnSplitter`] says where each ends.
///
/// A game that cannot be read is an error with its place in the whole text; the next call goes on with the
/// game after it.
///
/// ```
/// use cotulenh::PgnReader;
/// let text = "[Red \"An\"]\n\n1. Ic6 *\n\n[Red \"Bo\"]\n\n1. Ic99 *\n\n[Red \"Cy\"]\n\n1. Ik6 (1. Ic6) *\n";
/// let games: Vec<_> = PgnReader::new(text).collect();
/// assert_eq!(games.len(), 3);
/// assert_eq!(games[1].as_ref().unwrap_err().place.line, 7);
/// assert_eq!(games[2].as_ref().expect("a game").len(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct PgnReader<'a, R: StackRules = Standard> {
    rules: R,
    rest: &'a str,
    /// Where the rest begins.
    place: Place,
}

impl<'a> PgnReader<'a> {
    /// Reads games of the standard rules.
    pub fn new(text: &'a str) -> Self {
        Self::under(Standard, text)
    }
}

impl<'a, R: StackRules> PgnReader<'a, R> {
    /// Reads games that were played under these rules of stacking.
    pub fn under(rules: R, text: &'a str) -> Self {
        Self {
            rules,
            rest: text.strip_prefix(MARK).unwrap_or(text),
            place: Place { line: 1, column: 1 },
        }
    }

    /// The same for a part of a file that begins there.
    ///
    /// ```
    /// use cotulenh::{PgnReader, Place};
    /// let reader = PgnReader::new("1. Ic99 *").from_place(Place { line: 40, column: 1 });
    /// let games: Vec<_> = reader.collect();
    /// assert_eq!(games[0].as_ref().unwrap_err().place.line, 40);
    /// ```
    #[must_use]
    pub fn from_place(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// Reads the next game as far as it can be read, and tells what is wrong with it: its first faults, twenty at most.
    ///
    /// A turn that cannot be played ends its line, and in a variation all after it up to the closing parenthesis; other faults are passed
    /// over alone.
    ///
    /// ```
    /// use cotulenh::PgnReader;
    /// let mut games = PgnReader::new("[Red \"An\"]\n\n1. Ic6 $999 (1. Ik99 {oh} Mg7) Mg7 {so} 3. Ik6 Ic6 *\n\n1. Ik6 *");
    /// let (tree, faults) = games.next_tolerant().expect("a game");
    /// assert!(tree.pgn().ends_with("1. Ic6 Mg7 {so} 2. Ik6 *\n"));
    /// let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    /// assert_eq!(faults.len(), 4);
    /// assert_eq!(faults[0], "line 3, column 8, move 1: a glyph is $0 to $255");
    /// assert_eq!(faults[2], "line 3, column 41, move 2: move number 2 is due");
    /// assert!(games.next_tolerant().expect("another").1.is_empty());
    /// ```
    pub fn next_tolerant(&mut self) -> Option<(GameTree<R>, Vec<ReadPgnError>)> {
        let mut lexer = self.next_text()?;
        Some(Reader::new(&self.rules, &mut lexer, true).read_tolerantly())
    }

    /// The text of the next game.
    fn next_text(&mut self) -> Option<Lexer<'a>> {
        if Lexer::at(self.rest, self.place).is_at_end() {
            return None;
        }
        let mut splitter = PgnSplitter::new();
        let mut lines = self.rest.split_inclusive('\n');
        let end = lines.find_map(|line| splitter.line(line));
        let (text, rest) = self.rest.split_at(end.unwrap_or_else(|| splitter.end()));
        let lexer = Lexer::at(text, self.place);
        self.rest = rest;
        self.place = self.place.after(text);
        Some(lexer)
    }
}

impl<R: StackRules> Iterator for PgnReader<'_, R> {
    type Item = Result<GameTree<R>, ReadPgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut lexer = self.next_text()?;
        let game = Reader::new(&self.rules, &mut lexer, true).read();
        Some(game.map(|(tree, _)| tree))
    }
}
