//! The tokens of a PGN text, each with its place.

use alloc::string::String;

use super::split::comment_len;
use super::{PgnError, Place, ReadPgnError};
use crate::Role;
use crate::headers::RESULTS;

/// One token of a PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, unescaped.
    Tag(&'a str, String),
    /// A move, a move number, a result or a glyph.
    Word(&'a str),
    /// What stands between braces, or after a semicolon, without outer blanks.
    Comment(&'a str),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
}

/// What some editors begin a file with.
pub(super) const MARK: char = '\u{feff}';

/// Walks over a text and remembers where it is.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    place: Place,
    /// Where the last token begins.
    token: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        Self::at(text, Place { line: 1, column: 1 })
    }

    /// For a part of a longer text, which begins there.
    pub(super) fn at(text: &'a str, place: Place) -> Self {
        Self {
            text,
            at: 0,
            place,
            token: 0,
        }
    }

    /// Where the next token begins; past blanks once [`Lexer::next_token`] has been called.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        if next == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let begun = self.at;
        while self.rest().chars().next().is_some_and(&wanted) {
            self.bump();
        }
        &self.text[begun..self.at]
    }

    /// Passes over blanks, the marks that files begin with and that stay when files are joined, and lines that begin
    /// with `%`, which are for other programs.
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|c| c.is_whitespace() || c == MARK);
            if self.place.column > 1 || !self.rest().starts_with('%') {
                return;
            }
            self.skip_while(|c| c != '\n');
        }
    }

    /// The next token and where it begins, or `None` at the end.
    pub(super) fn next_token(&mut self) -> Result<Option<(Place, Token<'a>)>, ReadPgnError> {
        self.skip_blanks();
        let place = self.place;
        self.token = self.at;
        let fault = |kind| ReadPgnError {
            place,
            turn: None,
            kind,
        };
        let Some(first) = self.rest().chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '[' => self.tag().ok_or(fault(PgnError::Tag))?,
            '{' => {
                self.bump();
                let len = comment_len(self.rest()).ok_or(fault(PgnError::UnclosedComment))?;
                let text = self.skip(len);
                self.bump();
                Token::Comment(text.trim())
            }
            ';' => {
                self.bump();
                Token::Comment(self.skip_while(|c| c != '\n').trim())
            }
            '}' => return Err(fault(PgnError::UnopenedComment)),
            '(' if !opens_stack(self.rest()) => {
                self.bump();
                Token::Open
            }
            ')' => {
                self.bump();
                Token::Close
            }
            _ => Token::Word(self.word()),
        };
        if token == Token::Word("") {
            return Err(fault(PgnError::Tag));
        }
        Ok(Some((place, token)))
    }

    /// A word up to a blank, a glyph, a bracket or a parenthesis that belongs to no stack. An asterisk is a word by
    /// itself.
    fn word(&mut self) -> &'a str {
        let begun = self.at;
        let mut in_stack = false;
        while let Some(next) = self.rest().chars().next() {
            let word = &self.text[begun..self.at];
            match next {
                '*' | '$' if !word.is_empty() => break,
                '*' => {
                    self.bump();
                    break;
                }
                // A group of pieces begins the word, a step or what stays.
                '(' if word.is_empty() || word.ends_with([',', '<', ':', '.']) => in_stack = true,
                ')' if in_stack => in_stack = false,
                '(' | ')' | '{' | '}' | ';' | '[' | ']' => break,
                blank if blank.is_whitespace() => break,
                _ => {}
            }
            self.bump();
        }
        &self.text[begun..self.at]
    }

    /// Whether nothing is left but blanks, and comments that belong to no game.
    pub(super) fn is_at_end(&self) -> bool {
        let mut ahead = self.clone();
        loop {
            match ahead.next_token() {
                Ok(Some((_, Token::Comment(_)))) => {}
                next => return matches!(next, Ok(None)),
            }
        }
    }

    /// Passes over a token that is none, as far as it is certain that it means nothing: a tag to the end of its line, a comment
    /// without an end to the end of the text, and else a letter.
    pub(super) fn pass_over(&mut self, fault: PgnError) {
        let token = &self.text[self.token..];
        let len = match fault {
            PgnError::UnclosedComment => token.len(),
            _ if token.starts_with('[') => token.find('\n').unwrap_or(token.len()),
            _ => token.chars().next().map_or(0, char::len_utf8),
        };
        self.skip((self.token + len).saturating_sub(self.at));
    }

    /// Passes over so many bytes.
    fn skip(&mut self, len: usize) -> &'a str {
        let (begun, end) = (self.at, self.at + len);
        while self.at < end && self.bump().is_some() {}
        &self.text[begun..self.at]
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let blank = |c| matches!(c, ' ' | '\t');
        self.bump();
        self.skip_while(blank);
        let name = self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.skip_while(blank);
        if name.is_empty() || self.bump() != Some('"') {
            return None;
        }
        let mut value = String::new();
        loop {
            match self.bump()? {
                '"' => break,
                '\\' => value.push(self.bump().filter(|c| matches!(c, '"' | '\\'))?),
                c if c.is_control() => return None,
                c => value.push(c),
            }
        }
        self.skip_while(blank);
        (self.bump() == Some(']')).then_some(Token::Tag(name, value))
    }
}

/// Whether a text begins with a stack, `(FI)<T>e6`, and not with a variation, `(1. Ic6)` or `(Ic6)`.
fn opens_stack(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('(') else {
        return false;
    };
    let is_piece = |letter| letter == '+' || Role::from_letter(letter).is_some();
    // Only as far as the pieces go: the end of the parentheses may be a long way off.
    let after = inside.trim_start_matches(is_piece);
    let Some(rest) = after.strip_prefix(')') else {
        return false;
    };
    let ends = rest
        .chars()
        .next()
        .is_none_or(|next| next == ')' || next.is_whitespace());
    after.len() < inside.len() && !ends
}

/// Whether a word is the result of a game.
pub(super) fn is_result(word: &str) -> bool {
    RESULTS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<(u32, u32, Token<'_>)>, ReadPgnError> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        while let Some((place, token)) = lexer.next_token()? {
            tokens.push((place.line, place.column, token));
        }
        Ok(tokens)
    }

    #[test]
    fn tokens_know_their_place() {
        let tokens =
            all("[Event \"a \\\"b\\\\\"]\n\n1. Ic6 { quiet\nmove } (FI)<T>e6 ;end\n*").unwrap();
        assert_eq!(
            tokens,
            [
                (1, 1, Token::Tag("Event", "a \"b\\".into())),
                (3, 1, Token::Word("1.")),
                (3, 4, Token::Word("Ic6")),
                (3, 8, Token::Comment("quiet\nmove")),
                (4, 8, Token::Word("(FI)<T>e6")),
                (4, 18, Token::Comment("end")),
                (5, 1, Token::Word("*")),
            ]
        );
    }

    #[test]
    fn unclosed_things_are_refused_where_they_open() {
        let place =
            |text| all(text).map_err(|error| (error.place.line, error.place.column, error.kind));
        assert_eq!(place("Ic6 {oh"), Err((1, 5, PgnError::UnclosedComment)));
        assert_eq!(place("\n}"), Err((2, 1, PgnError::UnopenedComment)));
        assert_eq!(place("[Event \"x]"), Err((1, 1, PgnError::Tag)));
        assert_eq!(place("[\"x\"]"), Err((1, 1, PgnError::Tag)));
        assert_eq!(place("]"), Err((1, 1, PgnError::Tag)));
    }

    #[test]
    fn stacks_are_told_from_variations() {
        let words = |text: &str| -> Vec<String> {
            let tokens = all(text).unwrap().into_iter();
            let show = |token| match token {
                Token::Word(word) => word.to_owned(),
                Token::Open => "open".to_owned(),
                Token::Close => "close".to_owned(),
                other => format!("{other:?}"),
            };
            tokens.map(|(.., token)| show(token)).collect()
        };
        for word in [
            "(FI)<T>e6",
            "(+TI)e5",
            "(tf)e5",
            "T>e6,(FI)<",
            "F<(TI)>e6",
            "e4:(FI):T>e6",
            "1.(NT)xc5",
            "1/2-1/2",
        ] {
            assert_eq!(words(word), [word]);
            assert_eq!(words(&format!("({word})")), ["open", word, "close"]);
            assert_eq!(
                words(&format!("Ic6({word}))")),
                ["Ic6", "open", word, "close", "close"]
            );
        }
        assert_eq!(words("(FI) ()"), ["open", "FI", "close", "open", "close"]);
        assert_eq!(words("((FI)<T>e6"), ["open", "(FI)<T>e6"]);
    }
}
