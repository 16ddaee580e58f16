//! Reading what can be read of a broken game.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::{Body, Kind, Reader};
use crate::pgn::lexer::{Token, is_result};
use crate::pgn::{Place, ReadPgnError};
use crate::{GameTree, Position, StackRules};

/// The most faults of a game that are told.
const MOST_FAULTS: usize = 20;

/// What is passed over.
#[derive(Debug, Clone, Copy)]
enum Passing {
    /// Nothing.
    Nothing,
    /// The rest of a line that has come to an end; so many variations are open in it.
    Line(usize),
    /// A variation that follows nothing, and so many that are open in it, itself included.
    Variation(usize),
}

/// A game as far as it could be read.
struct Tolerant<'a, 'l, R: StackRules> {
    reader: Reader<'a, 'l, R>,
    faults: Vec<ReadPgnError>,
    passing: Passing,
}

impl<R: StackRules> Reader<'_, '_, R> {
    /// Reads to the end, whatever there is; tells the faults.
    pub(in crate::pgn) fn read_tolerantly(self) -> (GameTree<R>, Vec<ReadPgnError>) {
        let mut game = Tolerant {
            reader: self,
            faults: Vec::new(),
            passing: Passing::Nothing,
        };
        game.read();
        game.finish()
    }
}

impl<'a, R: StackRules> Tolerant<'a, '_, R> {
    fn note(&mut self, place: Place, kind: Kind) {
        if self.faults.len() < MOST_FAULTS {
            let fault = self.reader.fault(place, kind);
            self.faults.push(fault);
        }
    }

    fn read(&mut self) {
        loop {
            match self.reader.lexer.next_token() {
                Ok(Some((place, token))) => {
                    if self.take(place, token) {
                        return;
                    }
                }
                Ok(None) => {
                    let open = self.reader.body.as_ref().map(|body| &body.variations);
                    let is_open = open.is_some_and(|open| !open.is_empty());
                    let kind = if is_open {
                        Kind::UnclosedVariation
                    } else {
                        Kind::NoResult
                    };
                    return self.note(self.reader.lexer.place(), kind);
                }
                Err(fault) => {
                    if self.faults.len() < MOST_FAULTS {
                        let turn = self.reader.due();
                        self.faults.push(ReadPgnError { turn, ..fault });
                    }
                    self.reader.lexer.pass_over(fault.kind);
                }
            }
        }
    }

    /// Takes a token in; answers whether the game is at its end.
    fn take(&mut self, place: Place, token: Token<'a>) -> bool {
        // A result in a variation ends that at most.
        let ends = matches!(token, Token::Word(word) if is_result(word))
            && !self.reader.lexer.rest().trim_start().starts_with(')');
        if !ends && self.passes(&token) {
            return false;
        }
        match self.reader.take(place, token.clone()) {
            Ok(at_end) => at_end,
            Err(kind) => {
                let tags = &mut self.reader.tags;
                if let Token::Word(word) = token
                    && ends
                    && tags.result.as_deref().is_none_or(|tag| tag == "*")
                {
                    tags.result = Some(word.to_owned());
                }
                self.pass_on(place, token, kind);
                ends
            }
        }
    }

    /// Whether a token lies in what is passed over.
    fn passes(&mut self, token: &Token<'_>) -> bool {
        let (Passing::Line(open) | Passing::Variation(open)) = &mut self.passing else {
            return false;
        };
        match token {
            Token::Open => *open += 1,
            Token::Close if *open > 0 => *open -= 1,
            Token::Close => {
                let body = self.reader.body.as_mut();
                if body.is_some_and(|body| body.variations.pop().is_some()) {
                    self.passing = Passing::Nothing;
                }
                return true;
            }
            _ => {}
        }
        if matches!(self.passing, Passing::Variation(0)) {
            self.passing = Passing::Nothing;
        }
        true
    }

    /// Notes a fault, and goes on after it.
    fn pass_on(&mut self, place: Place, token: Token<'a>, kind: Kind) {
        self.note(place, kind);
        match (kind, token) {
            (Kind::Fen(_) | Kind::SetUp, _) => {
                self.reader.begin(Position::start_under(self.reader.rules));
                self.passing = Passing::Line(0);
            }
            (Kind::Move(_) | Kind::Unfinished | Kind::AfterOpen | Kind::TooLarge, _) => {
                self.passing = Passing::Line(0);
            }
            (Kind::EarlyVariation | Kind::TooDeep, Token::Open) => {
                self.passing = Passing::Variation(1);
            }
            (Kind::Number { .. }, Token::Word(word)) => {
                // The turn may stand in one word with its number.
                let turn = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
                if let Err(kind) = self.reader.word(turn) {
                    self.pass_on(place, Token::Word(turn), kind);
                }
            }
            _ => {}
        }
    }

    fn finish(mut self) -> (GameTree<R>, Vec<ReadPgnError>) {
        if self.reader.body.is_none() {
            let rules = self.reader.rules;
            let start = self.reader.tags.start(rules);
            self.reader
                .begin(start.unwrap_or_else(|_| Position::start_under(rules)));
        }
        let tag = self.reader.tags.result.take();
        let Body { mut tree, .. } = self.reader.body.expect("begun above");
        // Of a game without faults, the result is told by its end.
        if let Some(result) = tag.filter(|_| !self.faults.is_empty()) {
            tree.headers_mut()
                .set("Result", &result)
                .expect("one of the results");
        }
        (tree, self.faults)
    }
}
