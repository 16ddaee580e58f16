//! The tokens of a PGN text, each with its place.

use super::{PgnError, Place, ReadPgnError};
use alloc::string::String;

/// One token of a PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, unescaped.
    Tag(&'a str, String),
    /// A move, a move number, a result or a glyph.
    Word(&'a str),
    /// What stands between braces, or after a semicolon, without outer blanks.
    Comment(&'a str),
}

/// Walks over a text and remembers where it is.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            at: 0,
            place: Place { line: 1, column: 1 },
        }
    }

    /// Where the next token begins; past blanks once [`Lexer::next_token`] has been called.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    fn rest(&self) -> &'a str {
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

    /// The next token and where it begins, or `None` at the end.
    pub(super) fn next_token(&mut self) -> Result<Option<(Place, Token<'a>)>, ReadPgnError> {
        self.skip_while(char::is_whitespace);
        let place = self.place;
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
                let text = self.skip_while(|c| c != '}');
                if self.bump().is_none() {
                    return Err(fault(PgnError::UnclosedComment));
                }
                Token::Comment(text.trim())
            }
            ';' => {
                self.bump();
                Token::Comment(self.skip_while(|c| c != '\n').trim())
            }
            '}' => return Err(fault(PgnError::UnopenedComment)),
            _ => Token::Word(self.skip_while(|c| !c.is_whitespace() && !"{};[]".contains(c))),
        };
        if token == Token::Word("") {
            return Err(fault(PgnError::Tag));
        }
        Ok(Some((place, token)))
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        self.bump();
        self.skip_while(|c| c == ' ');
        let name = self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.skip_while(|c| c == ' ');
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
        self.skip_while(|c| c == ' ');
        (self.bump() == Some(']')).then_some(Token::Tag(name, value))
    }
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
}
