//! A board for terminals.

use alloc::string::{String, ToString};
use core::fmt;

use crate::{Color, Position, Square, Stack, StackRules, Standard, Terrain};

/// How a board is drawn.
///
/// ```
/// use cotulenh::{DrawStyle, Position};
/// let board = Position::start().draw(DrawStyle::default()).to_string();
/// assert!(board.contains("12  ~      ~      :      .      .      .      c"));
/// assert!(board.is_ascii());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DrawStyle {
    /// Signs beyond ASCII for empty squares and the river.
    pub unicode: bool,
    /// Colours, by the escape sequences of terminals.
    pub color: bool,
    /// Blue sits below.
    pub flipped: bool,
}

/// A position as a picture of twelve lines and the river; see [`Position::draw`].
///
/// ```text
/// 12  ~      ~      :      .      .      .      c      .
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a, R: StackRules = Standard> {
    position: &'a Position<R>,
    style: DrawStyle,
}

impl<R: StackRules> Position<R> {
    /// The board as it stands, drawn: red pieces upper case, `+` before a heroic one, the pieces of
    /// a stack side by side, the river with its two bridges between ranks 7 and 6.
    pub fn draw(&self, style: DrawStyle) -> Drawing<'_, R> {
        Drawing {
            position: self,
            style,
        }
    }
}

/// Six letters hold `+N+F+T`; one more keeps squares apart.
const WIDTH: usize = 7;

impl<R: StackRules> fmt::Display for Drawing<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = |len: u8, down: bool| (0..len).map(move |n| if down { len - 1 - n } else { n });
        let flipped = self.style.flipped;
        for rank in order(12, !flipped) {
            write!(f, "{:>2}  ", rank + 1)?;
            for file in order(11, flipped) {
                if let Some(square) = Square::at(file, rank) {
                    self.square(square, f)?;
                }
            }
            writeln!(f)?;
            if rank == if flipped { 5 } else { 6 } {
                self.river(order(11, flipped), f)?;
            }
        }
        f.write_str("    ")?;
        for file in order(11, flipped) {
            write!(f, "{:<WIDTH$}", char::from(b'a' + file))?;
        }
        Ok(())
    }
}

impl<R: StackRules> Drawing<'_, R> {
    fn square(&self, square: Square, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stack) = self.position.stack_at(square) {
            let letters: String = stack.pieces().map(|piece| piece.to_string()).collect();
            self.painted(paint(stack), &letters, f)?;
            return write!(f, "{:1$}", "", WIDTH - letters.len());
        }
        let (sign, color) = match (Terrain::of(square), self.style.unicode) {
            (Terrain::Sea, false) => ("~", "34"),
            (Terrain::Sea, true) => ("≈", "34"),
            (Terrain::Mixed, false) => (":", "36"),
            (Terrain::Mixed, true) => ("∻", "36"),
            (Terrain::Land, false) => (".", "90"),
            (Terrain::Land, true) => ("·", "90"),
        };
        self.painted(color, sign, f)?;
        write!(f, "{:1$}", "", WIDTH - 1)
    }

    fn river(&self, files: impl Iterator<Item = u8>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [water, bridge] = if self.style.unicode {
            ["─", "║"]
        } else {
            ["-", "H"]
        };
        f.write_str("    ")?;
        for file in files {
            if matches!(file, 5 | 7) {
                self.painted("33", bridge, f)?;
            } else {
                self.painted("34", water, f)?;
            }
            self.painted("34", &water.repeat(WIDTH - 1), f)?;
        }
        writeln!(f)
    }

    fn painted(&self, color: &str, text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.style.color {
            write!(f, "\u{1b}[{color}m{text}\u{1b}[0m")
        } else {
            f.write_str(text)
        }
    }
}

fn paint(stack: Stack) -> &'static str {
    match stack.color() {
        Color::Red => "1;31",
        Color::Blue => "1;94",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_a_terminal() {
        let fen = "6c4/11/11/11/11/11/11/11/11/2(+N+F+T)6(+F+T+I)1/11/4C6 r - - 0 1";
        let position: Position = fen.parse().unwrap();
        for unicode in [false, true] {
            for flipped in [false, true] {
                let style = DrawStyle {
                    unicode,
                    flipped,
                    color: false,
                };
                let board = position.draw(style).to_string();
                assert_eq!(board.lines().count(), 14);
                assert!(
                    board
                        .lines()
                        .all(|line| line.trim_end().chars().count() <= 81),
                    "{board}"
                );
                assert!(board.contains("+N+F+T"));
                let first = board.lines().next().unwrap();
                assert!(first.starts_with(if flipped { " 1" } else { "12" }));
            }
        }
    }

    #[test]
    fn colours_only_where_asked() {
        let start = Position::start();
        let style = DrawStyle {
            color: true,
            ..DrawStyle::default()
        };
        assert!(
            start
                .draw(style)
                .to_string()
                .contains("\u{1b}[1;31mC\u{1b}[0m")
        );
        assert!(
            !start
                .draw(DrawStyle::default())
                .to_string()
                .contains('\u{1b}')
        );
    }
}
