//! Reading a PGN, strictly.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use super::lexer::{Lexer, Token};
use super::{PgnError, Place, ReadPgnError, clock};
use crate::game::notes::RESULTS;
use crate::{Color, Game, Position, Role, StackRules, Standard};

use PgnError as Kind;

impl FromStr for Game {
    type Err = ReadPgnError;

    /// Reads one game in PGN.
    fn from_str(text: &str) -> Result<Self, ReadPgnError> {
        Self::from_pgn(&Standard, text)
    }
}

impl<R: StackRules> Game<R> {
    /// Reads one game in PGN, played under these rules of stacking; `parse` reads the standard game.
    pub fn from_pgn(rules: &R, text: &str) -> Result<Self, ReadPgnError> {
        let mut reader = Reader {
            rules,
            lexer: Lexer::new(text),
            game: None,
            headers: Vec::new(),
            result: None,
            set_up: None,
            fen: None,
            stage: Stage::Tags,
        };
        while let Some((place, token)) = reader.lexer.next_token().map_err(|e| reader.placed(e))? {
            reader.take(place, token).map_err(|kind| ReadPgnError {
                place,
                turn: reader.number(),
                kind,
            })?;
        }
        let end = reader.lexer.place();
        let fault = |kind| ReadPgnError {
            place: end,
            turn: None,
            kind,
        };
        match (reader.stage, reader.game) {
            (Stage::Done, Some(game)) => Ok(game),
            _ => Err(fault(Kind::NoResult)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Tags,
    Moves,
    /// After an open deploy: only the result is left.
    Open,
    Done,
}

struct Reader<'a, R: StackRules> {
    rules: &'a R,
    lexer: Lexer<'a>,
    game: Option<Game<R>>,
    headers: Vec<(&'a str, String)>,
    result: Option<String>,
    set_up: Option<String>,
    fen: Option<(Place, String)>,
    stage: Stage,
}

impl<'a, R: StackRules> Reader<'a, R> {
    fn placed(&self, mut error: ReadPgnError) -> ReadPgnError {
        error.turn = self.number();
        error
    }

    /// The number of the move that is due.
    fn number(&self) -> Option<u32> {
        self.game.as_ref().map(|game| game.position().move_number())
    }

    fn take(&mut self, place: Place, token: Token<'a>) -> Result<(), Kind> {
        match token {
            Token::Tag(name, value) => self.tag(place, name, value),
            Token::Comment(text) => self.comment(text),
            Token::Word(word) => self.word(word),
        }
    }

    fn tag(&mut self, place: Place, name: &'a str, value: String) -> Result<(), Kind> {
        if self.stage != Stage::Tags {
            return Err(Kind::LateTag);
        }
        let twice = match name {
            "SetUp" => self.set_up.replace(value).is_some(),
            "FEN" => self.fen.replace((place, value)).is_some(),
            "Result" if !RESULTS.contains(&value.as_str()) => return Err(Kind::ResultTag),
            "Result" => self.result.replace(value).is_some(),
            _ => {
                let known = self.headers.iter().any(|(known, _)| *known == name);
                self.headers.push((name, value));
                known
            }
        };
        if twice { Err(Kind::TagTwice) } else { Ok(()) }
    }

    /// The game, begun when the tags are over.
    fn game(&mut self) -> Result<&mut Game<R>, Kind> {
        if self.stage == Stage::Tags {
            self.stage = Stage::Moves;
        }
        if self.game.is_none() {
            let start = match (self.set_up.as_deref(), &self.fen) {
                (None | Some("0"), None) => Position::start_under(self.rules),
                (Some("1") | None, Some((_, fen))) => {
                    Position::from_fen(self.rules, fen).map_err(Kind::Fen)?
                }
                _ => return Err(Kind::SetUp),
            };
            let mut game = Game::new(start);
            for (name, value) in &self.headers {
                // Tags were checked by the lexer; `?` and dates are kept as they are.
                let blank = *value == "?" || *name == "Date" && *value == "????.??.??";
                if !blank {
                    game.set_header(name, value).map_err(|_| Kind::Tag)?;
                }
            }
            self.game = Some(game);
        }
        Ok(self.game.as_mut().expect("begun above"))
    }

    fn comment(&mut self, text: &str) -> Result<(), Kind> {
        if self.stage == Stage::Done {
            return Err(Kind::AfterResult);
        }
        let game = self.game()?;
        let turn = game.turn_count();
        let mut text = text;
        if let Some(rest) = text.strip_prefix("[%clk ") {
            let (clock, rest) = rest.split_once(']').ok_or(Kind::Clock)?;
            let clock = clock::read(clock).ok_or(Kind::Clock)?;
            game.set_clock(turn, Some(clock)).map_err(|_| Kind::Clock)?;
            text = rest.trim_start();
        }
        let joined = match game.comment(turn) {
            Some(before) if !text.is_empty() => format!("{before} {text}"),
            Some(_) => return Ok(()),
            None => text.to_owned(),
        };
        game.set_comment(turn, &joined).map_err(|_| Kind::Clock)
    }

    fn word(&mut self, word: &str) -> Result<(), Kind> {
        if self.stage == Stage::Done {
            return Err(Kind::AfterResult);
        }
        if RESULTS.contains(&word) {
            return self.result(word);
        }
        if opens_variation(word) {
            return Err(Kind::Variation);
        }
        if word.starts_with('$') && word[1..].bytes().all(|byte| byte.is_ascii_digit()) {
            return self.game().map(drop);
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let rest = word[digits..].trim_start_matches('.');
        let dots = word.len() - digits - rest.len();
        if digits > 0 {
            self.number_is(&word[..digits], dots)?;
            return if rest.is_empty() {
                Ok(())
            } else {
                self.turn(rest)
            };
        }
        self.turn(word)
    }

    /// A move number must be the one that is due: `2.` before red's move, `2...` before blue's.
    fn number_is(&mut self, digits: &str, dots: usize) -> Result<(), Kind> {
        let position = self.game()?.position();
        let due = position.move_number();
        let lawful = match position.turn() {
            Color::Red => dots == 1,
            Color::Blue => dots == 3,
        };
        match digits.parse() {
            Ok(number) if lawful && due == number => Ok(()),
            _ => Err(Kind::Number { due }),
        }
    }

    fn turn(&mut self, word: &str) -> Result<(), Kind> {
        if self.stage == Stage::Open {
            return Err(Kind::AfterOpen);
        }
        let (text, dots) = match word.strip_suffix("...") {
            Some(text) => (text, true),
            None => (word, false),
        };
        let game = self.game()?;
        game.play_text(text).map_err(Kind::Move)?;
        let open = game.position().deploy().is_some();
        if open != dots {
            return Err(Kind::Unfinished);
        }
        if open {
            self.stage = Stage::Open;
        }
        Ok(())
    }

    fn result(&mut self, word: &str) -> Result<(), Kind> {
        let tagged = self.result.as_deref().is_none_or(|tag| tag == word);
        let game = self.game()?;
        let outcome = game.outcome().map(super::result_of);
        if !tagged || outcome.is_some_and(|outcome| outcome != word) {
            return Err(Kind::Result);
        }
        // A result that the position does not give away is kept; `*` says nothing.
        if word != "*" && game.outcome().is_none() {
            game.set_header("Result", word).map_err(|_| Kind::Result)?;
        }
        self.stage = Stage::Done;
        Ok(())
    }
}

/// Whether a word opens a variation, as `(1.Ic6` or `(` does; `(FI)<T>e6` is a move of a stack.
fn opens_variation(word: &str) -> bool {
    let Some(inside) = word.strip_prefix('(') else {
        return false;
    };
    let stack = inside.split_once(')').map_or("", |(stack, _)| stack);
    stack.is_empty()
        || !stack
            .chars()
            .all(|letter| letter == '+' || Role::from_letter(letter).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_refused_by_that_name() {
        for text in [
            "1. Ic6 (1. Ig6) *",
            "1. Ic6 ( 1. Ig6 ) *",
            "1. Ic6 (Ig6) *",
            "1. Ic6 (1... Mg7 2. Ig6) *",
            "1. Ic6 () *",
        ] {
            let error = text.parse::<Game>().unwrap_err();
            assert_eq!(error.kind, Kind::Variation, "{text}");
            assert_eq!((error.place.line, error.place.column), (1, 8), "{text}");
        }
        for word in ["(FI)<T>e6", "(+TI)e5", "(tf)e5", "Ic6", "1."] {
            assert!(!opens_variation(word), "{word}");
        }
    }
}
