//! Reading a PGN: strictly, or on after faults.

mod tolerant;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::str::FromStr;

use super::comment::append;
use super::lexer::{Lexer, Token, is_result};
use super::write::result_of;
use super::{PgnError, Place, ReadPgnError};
use crate::headers::RESULTS;
use crate::{
    Annotation, Game, GameTree, Headers, Nag, NodeId, Position, StackRules, Standard, TurnMoves,
};

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
    /// Glyphs are dropped, and variations are refused: [`GameTree`] has room for both.
    pub fn from_pgn(rules: &R, text: &str) -> Result<Self, ReadPgnError> {
        let mut lexer = Lexer::new(text);
        let (tree, mut game) = Reader::new(rules, &mut lexer, false).read()?;
        nothing_follows(&mut lexer)?;
        game.notes.headers = tree.headers().clone();
        for (turn, id) in core::iter::once(NodeId::ROOT)
            .chain(tree.main_line())
            .enumerate()
        {
            let Some(annotation) = tree.node(id).map(crate::Node::annotation) else {
                continue;
            };
            // What follows an open deploy is kept with the turn before it.
            let turn = turn.min(game.turn_count());
            let text = annotation.text();
            if !text.is_empty() {
                append(game.notes.comments.entry(turn).or_default(), &text);
            }
            if let Some(clock) = annotation.clock() {
                game.notes.clocks.insert(turn, clock);
            }
        }
        Ok(game)
    }
}

impl FromStr for GameTree {
    type Err = ReadPgnError;

    /// Reads one game in PGN with its variations.
    fn from_str(text: &str) -> Result<Self, ReadPgnError> {
        Self::from_pgn(&Standard, text)
    }
}

impl<R: StackRules> GameTree<R> {
    /// Reads one game in PGN with its variations, played under these rules of stacking; `parse` reads the
    /// standard game.
    pub fn from_pgn(rules: &R, text: &str) -> Result<Self, ReadPgnError> {
        let mut lexer = Lexer::new(text);
        let (tree, _) = Reader::new(rules, &mut lexer, true).read()?;
        nothing_follows(&mut lexer)?;
        Ok(tree)
    }
}

fn nothing_follows(lexer: &mut Lexer<'_>) -> Result<(), ReadPgnError> {
    match lexer.next_token()? {
        None => Ok(()),
        Some((place, _)) => Err(ReadPgnError {
            place,
            turn: None,
            kind: Kind::AfterResult,
        }),
    }
}

/// The tags of a game, before its moves.
#[derive(Default)]
struct Tags<'a> {
    headers: Headers,
    names: Vec<&'a str>,
    result: Option<String>,
    set_up: Option<String>,
    fen: Option<String>,
}

impl<'a> Tags<'a> {
    fn add(&mut self, name: &'a str, value: String) -> Result<(), Kind> {
        if self.names.contains(&name) {
            return Err(Kind::TagTwice);
        }
        self.names.push(name);
        match name {
            "SetUp" => self.set_up = Some(value),
            "FEN" => self.fen = Some(value),
            "Result" if !RESULTS.contains(&value.as_str()) => return Err(Kind::ResultTag),
            "Result" => self.result = Some(value),
            _ => self.headers.set(name, &value).map_err(|_| Kind::Tag)?,
        }
        Ok(())
    }

    fn start<R: StackRules>(&self, rules: &R) -> Result<Position<R>, Kind> {
        match (self.set_up.as_deref(), &self.fen) {
            (None | Some("0"), None) => Ok(Position::start_under(rules)),
            (Some("1") | None, Some(fen)) => Position::from_fen(rules, fen).map_err(Kind::Fen),
            _ => Err(Kind::SetUp),
        }
    }
}

/// A line that is being read: the main line or a variation.
struct Line<R: StackRules> {
    /// The game to the end of what has been read of it.
    game: Game<R>,
    /// The game before its last turn, from which a variation of that turn goes on.
    before: Option<Game<R>>,
    /// Its last turn, or the one it branches off from.
    node: NodeId,
    has_turn: bool,
    /// Whether its last turn has left a deploy open.
    is_open: bool,
    /// What stands before its first turn: it is kept with that turn.
    pending: Annotation,
    /// Where it begins.
    place: Place,
}

impl<R: StackRules> Line<R> {
    fn new(game: Game<R>, node: NodeId, place: Place) -> Self {
        Self {
            game,
            before: None,
            node,
            has_turn: false,
            is_open: false,
            pending: Annotation::default(),
            place,
        }
    }
}

/// The moves of a game: the tree so far and the lines that are open in it, the main line first.
struct Body<R: StackRules> {
    tree: GameTree<R>,
    main: Line<R>,
    variations: Vec<Line<R>>,
}

impl<R: StackRules> Body<R> {
    fn line(&mut self) -> &mut Line<R> {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    fn annotate(&mut self, annotation: Annotation) {
        let is_variation = !self.variations.is_empty();
        let line = self.line();
        if is_variation && !line.has_turn {
            line.pending.merge(annotation);
            return;
        }
        let node = line.node;
        if let Some(known) = self.tree.annotation_mut(node) {
            known.merge(annotation);
        }
    }

    /// A move number must be the one that is due. How many dots follow it is a habit of programs and means nothing.
    fn number(&mut self, digits: &str) -> Result<(), Kind> {
        let due = self.line().game.position().move_number();
        match digits.parse::<u32>() {
            Ok(number) if due == number => Ok(()),
            _ => Err(Kind::Number { due }),
        }
    }

    fn turn(&mut self, word: &str, keep_before: bool) -> Result<(), Kind> {
        if self.tree.len() >= GameTree::<R>::MAX_NODES {
            return Err(Kind::TooLarge);
        }
        let (text, dots) = match word.strip_suffix("...") {
            Some(text) => (text, true),
            None => (word, false),
        };
        let line = self.line();
        if line.is_open {
            return Err(Kind::AfterOpen);
        }
        let before = keep_before.then(|| line.game.clone());
        line.game.play_text(text).map_err(Kind::Move)?;
        line.is_open = line.game.position().deploy().is_some();
        if line.is_open != dots {
            return Err(Kind::Unfinished);
        }
        line.before = before;
        line.has_turn = true;
        let pending = core::mem::take(&mut line.pending);
        let (parent, moves) = (line.node, last_moves(&line.game));
        let node = self.tree.push(parent, moves.ok_or(Kind::Unfinished)?);
        self.line().node = node;
        self.annotate(pending);
        let name = text.trim_end_matches(['!', '?']);
        if let Some(nag) = Nag::from_symbol(&text[name.len()..]) {
            let mut annotation = Annotation::default();
            annotation.set_nags([nag]);
            self.annotate(annotation);
        }
        Ok(())
    }

    fn open(&mut self, place: Place) -> Result<(), Kind> {
        if self.variations.len() >= GameTree::<R>::MAX_DEPTH {
            return Err(Kind::TooDeep);
        }
        let line = self.line();
        let game = line.before.clone().ok_or(Kind::EarlyVariation)?;
        let node = line.node;
        let parent = self.tree.node(node).and_then(crate::Node::parent);
        let parent = parent.ok_or(Kind::EarlyVariation)?;
        self.variations.push(Line::new(game, parent, place));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Kind> {
        match self.variations.pop() {
            None => Err(Kind::UnopenedVariation),
            Some(line) if !line.has_turn => Err(Kind::EmptyVariation),
            Some(_) => Ok(()),
        }
    }
}

/// The moves of the last turn of a game, complete or not.
fn last_moves<R: StackRules>(game: &Game<R>) -> Option<TurnMoves> {
    match game.open_moves() {
        [] => TurnMoves::of(game.last_moves()),
        open => TurnMoves::of(open),
    }
}

pub(super) struct Reader<'a, 'l, R: StackRules> {
    rules: &'l R,
    lexer: &'l mut Lexer<'a>,
    /// Whether variations are read or refused.
    variations: bool,
    tags: Tags<'a>,
    /// What is written before the moves: it belongs to the start.
    before: Annotation,
    body: Option<Body<R>>,
}

impl<'a, 'l, R: StackRules> Reader<'a, 'l, R> {
    pub(super) fn new(rules: &'l R, lexer: &'l mut Lexer<'a>, variations: bool) -> Self {
        Self {
            rules,
            lexer,
            variations,
            tags: Tags::default(),
            before: Annotation::default(),
            body: None,
        }
    }

    /// Reads to the result.
    pub(super) fn read(mut self) -> Result<(GameTree<R>, Game<R>), ReadPgnError> {
        loop {
            let token = self.lexer.next_token().map_err(|mut error| {
                error.turn = self.due();
                error
            })?;
            let Some((place, token)) = token else {
                let end = self.lexer.place();
                let kind = match &self.body {
                    Some(body) if !body.variations.is_empty() => Kind::UnclosedVariation,
                    _ => Kind::NoResult,
                };
                return Err(self.fault(end, kind));
            };
            match self.take(place, token) {
                Err(kind) => return Err(self.fault(place, kind)),
                Ok(false) => {}
                Ok(true) => {
                    let fault = self.fault(place, Kind::NoResult);
                    let body = self.body.ok_or(fault)?;
                    return Ok((body.tree, body.main.game));
                }
            }
        }
    }

    fn fault(&self, place: Place, kind: Kind) -> ReadPgnError {
        let variation = self.body.as_ref().and_then(|body| body.variations.last());
        let (place, turn) = match (kind, variation) {
            // What has no end is shown where it begins.
            (Kind::UnclosedVariation, Some(line)) => (line.place, self.due()),
            (Kind::NoResult, _) => (place, None),
            _ => (place, self.due()),
        };
        ReadPgnError { place, turn, kind }
    }

    /// The number of the turn that is due.
    fn due(&self) -> Option<u32> {
        let body = self.body.as_ref()?;
        let line = body.variations.last().unwrap_or(&body.main);
        Some(line.game.position().move_number())
    }

    /// Takes a token in; answers whether the game is read to its end.
    fn take(&mut self, place: Place, token: Token<'a>) -> Result<bool, Kind> {
        match token {
            Token::Tag(..) if self.body.is_some() => Err(Kind::LateTag),
            Token::Tag(name, value) => self.tags.add(name, value).map(|()| false),
            Token::Comment(text) => {
                let annotation = Annotation::read(text)?;
                match &mut self.body {
                    Some(body) => body.annotate(annotation),
                    // Tags may follow yet.
                    None => self.before.merge(annotation),
                }
                Ok(false)
            }
            Token::Open if !self.variations => Err(Kind::Variation),
            Token::Open => self.body()?.open(place).map(|()| false),
            Token::Close => self.body()?.close().map(|()| false),
            Token::Word(word) if is_result(word) => self.result(word).map(|()| true),
            Token::Word(word) => self.word(word).map(|()| false),
        }
    }

    /// The moves, begun when the tags are over.
    fn body(&mut self) -> Result<&mut Body<R>, Kind> {
        if self.body.is_none() {
            let start = self.tags.start(self.rules)?;
            return Ok(self.begin(start));
        }
        Ok(self.body.as_mut().expect("begun before"))
    }

    /// Begins the moves.
    fn begin(&mut self, start: Position<R>) -> &mut Body<R> {
        let game = Game::new(start);
        let mut tree = GameTree::new(game.start().clone());
        *tree.headers_mut() = core::mem::take(&mut self.tags.headers);
        if let Some(root) = tree.annotation_mut(NodeId::ROOT) {
            *root = core::mem::take(&mut self.before);
        }
        self.body.insert(Body {
            tree,
            main: Line::new(game, NodeId::ROOT, Place { line: 1, column: 1 }),
            variations: vec![],
        })
    }

    fn word(&mut self, word: &str) -> Result<(), Kind> {
        let keep_before = self.variations;
        let body = self.body()?;
        if let Some(number) = word.strip_prefix('$') {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let number = number.parse().ok().filter(|_| digits).ok_or(Kind::Nag)?;
            let mut annotation = Annotation::default();
            annotation.set_nags([Nag(number)]);
            body.annotate(annotation);
            return Ok(());
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            body.number(&word[..digits])?;
        }
        // The dots may stand apart from their number, `1. ... Mg7`.
        match word[digits..].trim_start_matches('.') {
            "" => Ok(()),
            turn => body.turn(turn, keep_before),
        }
    }

    fn result(&mut self, word: &str) -> Result<(), Kind> {
        let tag = self.tags.result.clone();
        let body = self.body()?;
        if !body.variations.is_empty() {
            return Err(Kind::UnclosedVariation);
        }
        let game = &body.main.game;
        let outcome = game.outcome().map(result_of);
        let is_tagged = tag.is_none_or(|tag| tag == word);
        if !is_tagged || outcome.is_some_and(|outcome| outcome != word) {
            return Err(Kind::Result);
        }
        // A position with an open deploy is the whole of an unfinished turn.
        if !body.main.has_turn && game.position().deploy().is_some() {
            let moves = TurnMoves::of(game.open_moves()).ok_or(Kind::Unfinished)?;
            body.tree.push(NodeId::ROOT, moves);
        }
        // A result that the position does not give away is kept; `*` says nothing.
        if outcome.is_none() {
            let headers = body.tree.headers_mut();
            headers.set("Result", word).map_err(|_| Kind::Result)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
