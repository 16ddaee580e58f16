//! Where the games of a file end, found line by line and without the rules of the game.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::lexer::{MARK, is_result};

/// The most bytes of a comment that follow a line which looks like the beginning of a game.
const LONGEST: usize = 1 << 16;

/// Finds where a game of a PGN file ends, line by line, so that a file of any size is read with one game in memory.
///
/// A game ends with its result. One that has none ends before the next one, which begins with a tag at the beginning of a line, once there
/// have been moves, or, after an empty line, with the number of the first move or the first of its tags again. A comment ends with
/// its brace; but where a line in it looks like the beginning of a game and another brace is opened after that, or nothing is closed for
/// 64 KiB, the comment has no end, and that line begins the next game.
///
/// ```
/// use cotulenh::PgnSplitter;
/// let file = "[Red \"An\"]\n\n1. Ic6 {no end *\n\n[Red \"Bo\"]\n\n1. Ic6 {quiet} *\n";
/// let mut splitter = PgnSplitter::new();
/// let end = file.split_inclusive('\n').find_map(|line| splitter.line(line));
/// let (first, second) = file.split_at(end.expect("the second game follows"));
/// assert!(first.ends_with("{no end *\n\n") && second.starts_with("[Red \"Bo\"]"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct PgnSplitter {
    /// The bytes so far.
    len: usize,
    /// Whether the moves have begun.
    in_moves: bool,
    after_blank: bool,
    /// The name of the first tag.
    first_tag: String,
    /// The open comment, and where it begins.
    comment: Option<(usize, OpenComment)>,
}

impl PgnSplitter {
    /// Before the first line of a game.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the next line with its end. Once the end of the game is known, answers the length of its text, from the first line
    /// on: less than there was if the next game has begun.
    pub fn line(&mut self, line: &str) -> Option<usize> {
        let begun = self.len;
        self.len += line.len();
        let blank = line.trim().is_empty();
        let after_blank = core::mem::replace(&mut self.after_blank, blank);
        if self.comment.is_none() {
            if line.starts_with('%') {
                return None;
            }
            if self.begins_next(line, after_blank) {
                return Some(begun);
            }
        }
        self.scan(begun, line)
    }

    /// The length of the game's text if no further line follows.
    pub fn end(&self) -> usize {
        match &self.comment {
            Some((first, comment)) => comment.suspect.map_or(self.len, |at| first + at),
            None => self.len,
        }
    }

    /// Whether a line, outside of comments, belongs to the next game.
    fn begins_next(&self, line: &str, after_blank: bool) -> bool {
        let line = unindented(line);
        if self.in_moves {
            opens_tag(line) || after_blank && is_first_number(line)
        } else {
            after_blank && !self.first_tag.is_empty() && tag_name(line) == Some(&self.first_tag)
        }
    }

    fn scan(&mut self, begun: usize, line: &str) -> Option<usize> {
        let mut at = 0;
        loop {
            if let Some((first, comment)) = &mut self.comment {
                match comment.line(&line[at..])? {
                    CommentEnd::Cut(len) => return Some(*first + len),
                    CommentEnd::Closed(len) => at = *first + len + 1 - begun,
                }
                self.comment = None;
            }
            let next = line[at..].chars().next()?;
            match next {
                ';' => return None,
                '{' => {
                    at += 1;
                    self.comment = Some((begun + at, OpenComment::default()));
                }
                '[' => {
                    if self.first_tag.is_empty() {
                        tag_name(&line[at..])
                            .unwrap_or_default()
                            .clone_into(&mut self.first_tag);
                    }
                    at += tag_len(&line[at..]).unwrap_or(line.len() - at);
                }
                '(' | ')' => {
                    self.in_moves = true;
                    at += 1;
                }
                '}' | ']' => at += 1,
                _ if next.is_whitespace() || next == MARK => at += next.len_utf8(),
                _ => {
                    self.in_moves = true;
                    let word = first_word(&line[at..]);
                    at += word.len();
                    let rest = line[at..].trim_start();
                    if is_result(word) && !rest.starts_with(')') {
                        return Some(begun + line.len() - rest.len());
                    }
                }
            }
        }
    }
}

/// The word that a text begins with, as far as results are concerned: parentheses of stacks end it too.
fn first_word(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | ';' | '[' | ']');
    let mut letters = text.char_indices();
    let end = match letters.next() {
        Some((_, '*')) => Some(1),
        _ => letters
            .find(|(_, letter)| ends(*letter) || matches!(letter, '*' | '$'))
            .map(|(at, _)| at),
    };
    &text[..end.unwrap_or(text.len())]
}

/// How the text of a comment ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentEnd {
    /// With a brace behind so many bytes.
    Closed(usize),
    /// It has no end, and the next game begins behind so many bytes.
    Cut(usize),
}

/// The text of a comment so far, from behind its brace.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenComment {
    len: usize,
    /// Whether its first line, on which the brace stands, is over.
    in_lines: bool,
    after_blank: bool,
    /// Where a line begins that looks like the beginning of a game.
    suspect: Option<usize>,
}

impl OpenComment {
    /// Goes on with the rest of the line of its brace, then line by line.
    pub(super) fn line(&mut self, line: &str) -> Option<CommentEnd> {
        let begun = self.len;
        self.len += line.len();
        if self.in_lines {
            let text = unindented(line);
            let suspicious = is_tag(text) || self.after_blank && is_first_number(text);
            if self.suspect.is_none() && suspicious {
                self.suspect = Some(begun);
            }
            self.after_blank = line.trim().is_empty();
        }
        self.in_lines = true;
        let Some(suspect) = self.suspect else {
            return line.find('}').map(|at| CommentEnd::Closed(begun + at));
        };
        match line.find(['{', '}']) {
            Some(at) if line[at..].starts_with('}') => Some(CommentEnd::Closed(begun + at)),
            Some(_) => Some(CommentEnd::Cut(suspect)),
            None => (self.len - suspect > LONGEST).then_some(CommentEnd::Cut(suspect)),
        }
    }
}

/// The length of a comment, from behind its brace to the one that closes it; `None` if it has no end.
pub(super) fn comment_len(text: &str) -> Option<usize> {
    let mut comment = OpenComment::default();
    let mut lines = text.split_inclusive('\n');
    match lines.find_map(|line| comment.line(line))? {
        CommentEnd::Closed(len) => Some(len),
        CommentEnd::Cut(_) => None,
    }
}

fn unindented(line: &str) -> &str {
    line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == MARK)
}

/// Whether a line begins like a tag, `[Event`, be it one or not.
fn opens_tag(line: &str) -> bool {
    tag_name(line).is_some()
}

/// Whether a line begins with the number of the first move of a game, `1. Ic6`, and not `1... Mg7`.
fn is_first_number(line: &str) -> bool {
    let moves = line.strip_prefix("1.").map(str::trim_start);
    moves.is_some_and(|moves| !moves.is_empty() && !moves.starts_with('.'))
}

fn tag_name(line: &str) -> Option<&str> {
    let text = line.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    Some(&text[..end.unwrap_or(text.len())]).filter(|name| !name.is_empty())
}

/// Whether a line begins with a whole tag, `[Event "x"]`.
fn is_tag(line: &str) -> bool {
    tag_name(line).is_some() && tag_len(line).is_some()
}

/// The length of the tag that a text begins with, `None` if that is none or goes on beyond the line.
fn tag_len(text: &str) -> Option<usize> {
    let (before, value) = text.split_once('"')?;
    let name = before.strip_prefix('[')?.trim_matches([' ', '\t']);
    tag_name(text).filter(|known| *known == name)?;
    let mut escaped = false;
    let quote = value.find(|letter| match (letter, escaped) {
        ('"', false) => true,
        (letter, _) => {
            escaped = letter == '\\' && !escaped;
            false
        }
    })?;
    let end = value[quote + 1..].find(|letter| !matches!(letter, ' ' | '\t'))?;
    let end = before.len() + 1 + quote + 1 + end;
    text[end..].starts_with(']').then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of a text.
    fn split(mut text: &str) -> Vec<&str> {
        let mut games = Vec::new();
        while !text.is_empty() {
            let mut splitter = PgnSplitter::new();
            let mut lines = text.split_inclusive('\n');
            let end = lines.find_map(|line| splitter.line(line));
            let (game, rest) = text.split_at(end.unwrap_or_else(|| splitter.end()));
            assert!(!game.is_empty(), "{text:?}");
            games.push(game);
            text = rest;
        }
        games
    }

    #[test]
    fn a_game_ends_with_its_result() {
        for games in [
            &["[Red \"a*\"]\n\n1. Ic6 *\n", "[Red \"b\"]\n\n1-0\n"][..],
            &["1. Ic6 Mg7 1/2-1/2 ", "1. Ic6*\n", "\n2. (Ic6) 0-1\n"],
            &["1. Ic6 {*} ;*\n% *\n Mg7 (1... *) (1-0 ) 2. Ik6 *\n"],
            &["1. (FI)<T>e6 {\n* 1-0\n\n} * ", "{of the next} 1. Ic6 *"],
            &["*", "*", "*"],
        ] {
            assert_eq!(split(&games.concat()), games);
        }
    }

    #[test]
    fn a_game_without_a_result_ends_before_the_next() {
        for games in [
            &["[Red \"a\"]\n\n1. Ic6\n\n", "[Red \"b\"]\n\n1. Ic6 *\n"][..],
            &[
                "[Red \"a\"]\n\n1. Ic6\n",
                " \u{feff}[Red \"b\"]\n\n1. Ic6 *\n",
            ],
            &["1. Ic6 Mg7\n\n", "1. Ic6 "],
            &["1. Ic6 (1. Ik6\n \n", "1.Ic6 *\n", "[Red \"b\"]\n\n"],
            &["1. Ic6\n\n1... Mg7\n\n1. ... Mg7\n1. Ic6\n\n2. Ik6\n"],
            // The first tag again.
            &[
                "[Red \"a\"]\n[Blue \"b\"]\n\n",
                "[Red \"c\"]\n[Red \"d\"]\n\n[Blue \"e\"]\n*",
            ],
        ] {
            assert_eq!(split(&games.concat()), games);
        }
    }

    #[test]
    fn a_comment_without_an_end_takes_no_other_game_along() {
        let next = "[Red \"b\"]\n\n1. Ic6 {good} *\n";
        for game in ["[Red \"a\"]\n\n1. Ic6 {oh *\n\n", "{\n", "1. Ic6 {\n\n"] {
            assert_eq!(split(&[game, next].concat()), [game, next]);
        }
        let untagged = ["1. Ic6 {oh *\n\n", "1. Ic6 {good} *\n"];
        assert_eq!(split(&untagged.concat()), untagged);
        // Nothing is closed to the end of the file.
        let none = [
            "1. Ic6 {oh *\n",
            "[Red \"b\"]\n\n1. Ic6 *\n",
            "[Red \"c\"]\n\n*\n",
        ];
        assert_eq!(split(&none.concat()), none);
        // Nor for a long time.
        let many = format!(
            "1. Ic6 {{oh\n{}}} *\n",
            "[Red \"b\"]\n\n1. Ic6 *\n".repeat(4000)
        );
        assert_eq!(split(&many).len(), 4002);
    }

    #[test]
    fn a_comment_may_look_like_games() {
        for comment in [
            "{\n[Event \"not a tag\"]\n}",
            "{[Event \"x\"] {}",
            "{ { [Event \"x\"] { }",
            "{\n[Event] {\n1. Ic6 {\n\n1... Mg7 { }",
            "{\n\n1. Ic6 *\n\n[Event \"x\"]\n\n}",
        ] {
            let text = format!("1. Ic6 {comment} *\n");
            assert_eq!(split(&text), [text.as_str()]);
            let inside = &comment[1..];
            assert_eq!(comment_len(inside), Some(inside.len() - 1), "{comment}");
        }
        assert_eq!(comment_len("\n[Event \"x\"]\n{}"), None);
        assert_eq!(comment_len("\n\n1. Ic6 {}"), None);
        assert_eq!(comment_len("oh"), None);
    }

    #[test]
    fn tags_are_measured() {
        for (text, len) in [
            (r#"[Red "a"]"#, Some(9)),
            (r#"[ Red	"]" ] *"#, Some(11)),
            (r#"[Red "a\"]"]"#, Some(12)),
            (r#"[Red "a\\"]"]"#, Some(11)),
            (r#"[Red "a" b]"#, None),
            (r#"[Red "a"#, None),
            ("[Red]", None),
        ] {
            assert_eq!(tag_len(text), len, "{text}");
        }
    }
}
