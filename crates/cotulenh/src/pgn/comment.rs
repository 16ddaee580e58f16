//! Comments: the text, and the commands that stand in it, `[%clk 0:05:00]`, `[%cal Gc5c6]`, `[%csl Rg10]`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::split::comment_len;
use super::{PgnError, clock};
use crate::{Annotation, NoteError, Shape};

/// What the commands begin with that are read; any other stays a part of the text.
pub(crate) const COMMANDS: [&str; 3] = ["[%clk", "[%cal", "[%csl"];

impl Annotation {
    /// Reads what stands between braces.
    pub(crate) fn read(comment: &str) -> Result<Self, PgnError> {
        if comment.contains('}') {
            return Err(PgnError::Comment);
        }
        let mut annotation = Self::default();
        let mut text = String::new();
        let mut rest = comment;
        while let Some(at) = next_command(rest) {
            join(&mut text, &rest[..at]);
            let (name, tail) = rest[at..].split_at(COMMANDS[0].len());
            let fault = if name == "[%clk" {
                PgnError::Clock
            } else {
                PgnError::Shape
            };
            let (value, tail) = tail.split_once(']').ok_or(fault)?;
            let value = value.strip_prefix(' ').ok_or(fault)?;
            match name {
                "[%clk" => annotation.set_clock(Some(clock::read(value).ok_or(fault)?)),
                _ => annotation
                    .read_shapes(value, name == "[%cal")
                    .ok_or(fault)?,
            }
            rest = tail;
        }
        join(&mut text, rest);
        annotation.comment = text;
        Ok(annotation)
    }

    fn read_shapes(&mut self, list: &str, arrows: bool) -> Option<()> {
        let read = |text: &str| {
            let shape: Shape = text.trim().parse().ok()?;
            (shape.to.is_some() == arrows).then_some(shape)
        };
        let shapes: Vec<Shape> = list.split(',').map(read).collect::<Option<_>>()?;
        self.add_shapes(shapes);
        Some(())
    }
}

/// Where the next command begins.
fn next_command(text: &str) -> Option<usize> {
    let mut begun = text.match_indices("[%").map(|(at, _)| at);
    begun.find(|at| COMMANDS.iter().any(|name| text[*at..].starts_with(name)))
}

/// A comment of a [`Game`](crate::Game), which keeps arrows and circles as text: as it is written.
pub(crate) fn game_comment(text: &str) -> Result<String, NoteError> {
    match Annotation::read(text) {
        Ok(annotation) if annotation.clock().is_none() && has_end(text) => Ok(annotation.text()),
        _ => Err(NoteError::Comment),
    }
}

/// Whether a text can stand between braces and is a whole comment there, see [`PgnSplitter`](crate::PgnSplitter).
pub(crate) fn has_end(text: &str) -> bool {
    // Most comments are short and have no brace; a line feed alone makes them suspicious.
    !text.contains('}')
        && (!text.contains('\n') || comment_len(&(text.to_owned() + "}")) == Some(text.len()))
}

/// Adds another comment to one. Their lines become one where both together would look like the beginning of a game.
pub(crate) fn append(comment: &mut String, other: &str) {
    if !comment.is_empty() && !other.is_empty() {
        comment.push(' ');
    }
    comment.push_str(other);
    if !has_end(comment) {
        *comment = comment.replace('\n', " ");
    }
}

/// Adds a part of a comment, without its outer blanks.
fn join(text: &mut String, part: &str) {
    let part = part.trim();
    if !text.is_empty() && !part.is_empty() {
        text.push(' ');
    }
    text.push_str(part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::time::Duration;

    #[test]
    fn commands_are_taken_out_of_the_text() {
        let annotation =
            Annotation::read(" so [%csl Rc3, Ga1]it [%clk 0:00:09.5] goes [%cal Ga1b2][%eval 1]")
                .unwrap();
        assert_eq!(annotation.comment(), "so it goes [%eval 1]");
        assert_eq!(annotation.clock(), Some(Duration::from_millis(9_500)));
        assert_eq!(annotation.shapes().len(), 3);
        assert_eq!(
            Annotation::read(&annotation.text()).unwrap().text(),
            "[%csl Rc3,Ga1] [%cal Ga1b2] so it goes [%eval 1]"
        );
    }

    #[test]
    fn commands_that_say_nothing_are_refused() {
        for (text, fault) in [
            ("[%clk]", PgnError::Clock),
            ("[%clk 1:00]", PgnError::Clock),
            ("[%clk 1:00:00", PgnError::Clock),
            ("[%cal Ga1]", PgnError::Shape),
            ("[%csl Ga1b2]", PgnError::Shape),
            ("[%cal ]", PgnError::Shape),
            ("[%cal Ga1b2,]", PgnError::Shape),
            ("[%call Ga1b2]", PgnError::Shape),
            ("a } b", PgnError::Comment),
        ] {
            assert_eq!(Annotation::read(text), Err(fault), "{text}");
        }
    }
}
