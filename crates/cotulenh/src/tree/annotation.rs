//! What is written about one node of a tree: comment, glyphs, arrows and circles, clock.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write as _};
use core::str::FromStr;
use core::time::Duration;

use crate::{NoteError, ParseSquareError, Square};

/// A numeric annotation glyph of PGN, `$1` for `!`.
///
/// ```
/// use cotulenh::Nag;
/// assert_eq!(Nag::from_symbol("!?"), Some(Nag(5)));
/// assert_eq!((Nag(5).symbol(), Nag(5).to_string().as_str()), (Some("!?"), "$5"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

/// The glyphs that have a symbol, by number.
const SYMBOLS: [(u8, &str); 24] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (7, "□"),
    (10, "="),
    (13, "∞"),
    (14, "⩲"),
    (15, "⩱"),
    (16, "±"),
    (17, "∓"),
    (18, "+-"),
    (19, "-+"),
    (22, "⨀"),
    (32, "⟳"),
    (36, "↑"),
    (40, "→"),
    (44, "=∞"),
    (132, "⇆"),
    (138, "⊕"),
    (140, "∆"),
    (146, "N"),
];

impl Nag {
    /// The symbol that annotators write for it, if there is one.
    pub fn symbol(self) -> Option<&'static str> {
        let found = SYMBOLS.iter().find(|(number, _)| *number == self.0);
        found.map(|(_, symbol)| *symbol)
    }

    /// The glyph that a symbol stands for.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        let found = SYMBOLS.iter().find(|(_, known)| *known == symbol);
        found.map(|(number, _)| Self(*number))
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// The colour of an arrow or a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Brush {
    /// `G`.
    Green,
    /// `R`.
    Red,
    /// `Y`.
    Yellow,
    /// `B`.
    Blue,
}

impl Brush {
    /// Every colour.
    pub const ALL: [Self; 4] = [Self::Green, Self::Red, Self::Yellow, Self::Blue];

    /// Its letter in `[%cal …]` and `[%csl …]`.
    pub const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }
}

/// An arrow or a circle on the board, `Gc5c6` or `Rg10`.
///
/// ```
/// use cotulenh::{Brush, Shape};
/// let arrow: Shape = "Ga10b12".parse()?;
/// assert_eq!((arrow.brush, arrow.to), (Brush::Green, Some("b12".parse()?)));
/// assert_eq!("Rg10".parse::<Shape>()?.to, None);
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Its colour.
    pub brush: Brush,
    /// The square of a circle, or where an arrow begins.
    pub from: Square,
    /// Where an arrow ends; a circle has none.
    pub to: Option<Square>,
}

/// A text that is no arrow and no circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseShapeError;

impl fmt::Display for ParseShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an arrow is written Gc5c6, a circle Gc5, in one of the colours G R Y B")
    }
}

impl Error for ParseShapeError {}

impl From<ParseSquareError> for ParseShapeError {
    fn from(_: ParseSquareError) -> Self {
        Self
    }
}

impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut letters = text.chars();
        let letter = letters.next().ok_or(ParseShapeError)?;
        let brush = Brush::ALL
            .into_iter()
            .find(|brush| brush.letter() == letter)
            .ok_or(ParseShapeError)?;
        let squares = letters.as_str();
        // The second square begins with the second letter.
        let second = squares
            .char_indices()
            .skip(1)
            .find(|(_, letter)| letter.is_ascii_alphabetic());
        let (from, to) = match second {
            Some((at, _)) => (&squares[..at], Some(squares[at..].parse()?)),
            None => (squares, None),
        };
        Ok(Self {
            brush,
            from: from.parse()?,
            to,
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.brush.letter(), self.from)?;
        self.to.map_or(Ok(()), |to| to.fmt(f))
    }
}

/// What is written about a turn, or about the start of a game.
///
/// ```
/// use cotulenh::{Annotation, Nag};
/// let mut annotation = Annotation::default();
/// annotation.set_comment("the only move")?;
/// annotation.set_nags([Nag(7)]);
/// annotation.set_shapes(["Gc5c6".parse()?]);
/// assert_eq!(annotation.comment(), "the only move");
/// assert!(annotation.set_comment("a } too many").is_err());
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotation {
    pub(crate) comment: String,
    nags: Vec<Nag>,
    shapes: Vec<Shape>,
    clock: Option<Duration>,
}

impl Annotation {
    /// The comment, empty where there is none.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// The glyphs, in the order they were set.
    pub fn nags(&self) -> &[Nag] {
        &self.nags
    }

    /// The circles and arrows, circles first.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The clock of whoever made the turn, after it.
    pub fn clock(&self) -> Option<Duration> {
        self.clock
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets the comment, without its outer blanks. It holds neither `}` nor `[%clk`, `[%cal` or `[%csl`, nor what a
    /// [`PgnSplitter`](crate::PgnSplitter) takes for the next game.
    pub fn set_comment(&mut self, text: &str) -> Result<(), NoteError> {
        if !crate::pgn::has_end(text.trim()) {
            return Err(NoteError::Comment);
        }
        if crate::pgn::COMMANDS.iter().any(|name| text.contains(name)) {
            return Err(NoteError::Command);
        }
        text.trim().clone_into(&mut self.comment);
        Ok(())
    }

    /// Sets the glyphs; one that comes twice is kept once.
    pub fn set_nags(&mut self, nags: impl IntoIterator<Item = Nag>) {
        self.nags.clear();
        self.add_nags(nags);
    }

    /// Sets the arrows and circles; one that comes twice is kept once.
    pub fn set_shapes(&mut self, shapes: impl IntoIterator<Item = Shape>) {
        self.shapes.clear();
        self.add_shapes(shapes);
    }

    /// Sets the clock, to the millisecond, or removes it.
    pub fn set_clock(&mut self, clock: Option<Duration>) {
        let exact =
            |clock: Duration| Duration::new(clock.as_secs(), clock.subsec_millis() * 1_000_000);
        self.clock = clock.map(exact);
    }

    pub(crate) fn add_nags(&mut self, nags: impl IntoIterator<Item = Nag>) {
        for nag in nags {
            if !self.nags.contains(&nag) {
                self.nags.push(nag);
            }
        }
    }

    pub(crate) fn add_shapes(&mut self, shapes: impl IntoIterator<Item = Shape>) {
        for shape in shapes {
            if !self.shapes.contains(&shape) {
                self.shapes.push(shape);
            }
        }
        self.shapes.sort_by_key(|shape| shape.to.is_some());
    }

    /// Adds what another annotation says; its clock goes before this one.
    pub(crate) fn merge(&mut self, other: Self) {
        crate::pgn::append(&mut self.comment, &other.comment);
        self.add_nags(other.nags);
        self.add_shapes(other.shapes);
        self.clock = other.clock.or(self.clock);
    }

    /// Circles, arrows and comment as they stand between braces, without the clock.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let circles = self.shapes.iter().filter(|shape| shape.to.is_none());
        write_shapes("[%csl ", circles, &mut text);
        let arrows = self.shapes.iter().filter(|shape| shape.to.is_some());
        write_shapes("[%cal ", arrows, &mut text);
        if !text.is_empty() && !self.comment.is_empty() {
            text.push(' ');
        }
        text.push_str(&self.comment);
        text
    }
}

fn write_shapes<'a>(command: &str, shapes: impl Iterator<Item = &'a Shape>, text: &mut String) {
    for (index, shape) in shapes.enumerate() {
        match index {
            0 if text.is_empty() => text.push_str(command),
            // The command before it ends here.
            0 => {
                text.push(' ');
                text.push_str(command);
            }
            _ => {
                text.pop();
                text.push(',');
            }
        }
        let _ = write!(text, "{shape}]");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_read_back_as_written() {
        for text in ["Ga1", "Rk12", "Ya1k12", "Bk10a1", "Gc5c5"] {
            let shape: Shape = text.parse().unwrap();
            assert_eq!(shape.to_string(), text);
        }
        for bad in [
            "", "G", "Ga", "Ga13", "Xa1", "Ga1b", "Ga1b2c3", "G a1", "Gé1", "ga1", "Ga1,",
        ] {
            assert_eq!(bad.parse::<Shape>(), Err(ParseShapeError), "{bad}");
        }
    }

    #[test]
    fn an_annotation_is_written_circles_first() {
        let mut annotation = Annotation::default();
        annotation.set_comment(" so it goes ").unwrap();
        annotation.set_shapes(["Ga1b2", "Rc3", "Ya1b2", "Bc4"].map(|text| text.parse().unwrap()));
        assert_eq!(
            annotation.text(),
            "[%csl Rc3,Bc4] [%cal Ga1b2,Ya1b2] so it goes"
        );
        annotation.set_comment("").unwrap();
        annotation.set_shapes(["Ga1b2".parse().unwrap(), "Ga1b2".parse().unwrap()]);
        assert_eq!(annotation.text(), "[%cal Ga1b2]");
    }

    #[test]
    fn every_symbol_names_one_glyph() {
        for (number, symbol) in SYMBOLS {
            assert_eq!(Nag::from_symbol(symbol), Some(Nag(number)));
            assert_eq!(Nag(number).symbol(), Some(symbol));
        }
        assert_eq!((Nag::from_symbol("!!!"), Nag(8).symbol()), (None, None));
    }

    #[test]
    fn comments_hold_nothing_that_a_pgn_would_take_for_something_else() {
        let mut annotation = Annotation::default();
        for (text, error) in [
            ("}", NoteError::Comment),
            ("[%clk 0:00:01]", NoteError::Command),
            ("see [%cal Ga1b2]", NoteError::Command),
            ("[%csl", NoteError::Command),
        ] {
            assert_eq!(annotation.set_comment(text), Err(error), "{text}");
        }
        assert!(annotation.is_empty());
    }
}
