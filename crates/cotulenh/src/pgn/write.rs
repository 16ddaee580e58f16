//! Writing games and trees as PGN.

use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;

use super::{PgnStyle, clock};
use crate::headers::{ROSTER, unknown};
use crate::notation::Ended;
use crate::{
    Annotation, Color, Game, GameTree, Headers, Move, Namer, NodeId, Outcome, Position, StackRules,
};

impl<R: StackRules> Game<R> {
    /// The game as PGN. `game.pgn().parse::<Game>()` gives the same game.
    ///
    /// ```
    /// use cotulenh::Game;
    /// let mut game = Game::default();
    /// game.play_text("Ic6")?;
    /// let read: Game = game.pgn().parse().expect("what is written can be read");
    /// assert_eq!(read.position(), game.position());
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn pgn(&self) -> String {
        self.pgn_in(PgnStyle::default())
    }

    /// The same in another style.
    pub fn pgn_in(&self, style: PgnStyle) -> String {
        let result = result(self.outcome(), &self.notes.headers);
        let mut text = PgnText::after_tags(&self.notes.headers, self.start(), result, style);
        self.write_note(0, &mut text);
        let mut numbered = false;
        let open = self.position().deploy().map(|_| {
            let before = self.position().turn_start();
            let san = before.open_san(self.open_moves());
            (before, san)
        });
        let turns = self.turns().map(|turn| {
            let san = turn.san();
            (turn.before, san)
        });
        for (index, (before, san)) in turns.chain(open).enumerate() {
            text.turn(&before, &san, numbered);
            numbered = !self.write_note(index + 1, &mut text);
        }
        text.end(result)
    }

    /// Writes comment and clock; answers whether there were any.
    fn write_note(&self, turn: usize, text: &mut PgnText) -> bool {
        text.note(self.clock(turn), self.comment(turn).unwrap_or_default())
    }
}

impl<R: StackRules> GameTree<R> {
    /// The tree as PGN. `tree.pgn().parse::<GameTree>()` gives the same tree.
    pub fn pgn(&self) -> String {
        self.pgn_in(PgnStyle::default())
    }

    /// The same in another style.
    pub fn pgn_in(&self, style: PgnStyle) -> String {
        let result = self.result();
        let mut text = PgnText::after_tags(self.headers(), self.start(), result, style);
        if let Some(root) = self.node(NodeId::ROOT) {
            text.annotation(root.annotation());
            if let [first, variations @ ..] = root.children() {
                self.write_line(*first, variations, self.start().clone(), &mut text);
            }
        }
        text.end(result)
    }

    /// The result of the main line: that of its last position, or else that of the tag.
    pub fn result(&self) -> &str {
        let last = self.main_line().last().unwrap_or(NodeId::ROOT);
        let outcome = self.game(last).and_then(|game| game.outcome());
        result(outcome, self.headers())
    }

    /// Writes a line from its first turn to its end, with the variations of every turn. It calls itself once for
    /// each level of variations, which are limited.
    fn write_line(
        &self,
        first: NodeId,
        variations: &[NodeId],
        start: Position<R>,
        text: &mut PgnText,
    ) {
        let (mut id, mut variations, mut position) = (first, variations, start);
        let mut numbered = false;
        while let Some(node) = self.node(id) {
            let mut after = position.clone();
            for mv in node.moves() {
                after.play_unchecked(*mv);
            }
            let san = match after.deploy() {
                None => position.turn_san(node.moves()),
                Some(_) => position.open_san(node.moves()),
            };
            text.turn(&position, &san, numbered);
            numbered = !text.annotation(node.annotation()) && variations.is_empty();
            for variation in variations {
                text.open();
                self.write_line(*variation, &[], position.clone(), text);
                text.close();
            }
            let [next, others @ ..] = node.children() else {
                break;
            };
            (id, variations, position) = (*next, others, after);
        }
    }
}

impl<R: StackRules> Position<R> {
    /// The text of moves from this position that leave a deploy open: the steps, with dots after them.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse().expect("a lawful position");
    /// assert_eq!(position.open_san(&position.read("F>e8")?), "F>e8...");
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn open_san(&self, moves: &[Move]) -> String {
        let mut text = String::new();
        if let Some(ended) = Ended::of(self, moves) {
            Namer::new(self, &self.legal_moves()).turn_steps(&ended, &mut text);
        }
        text + "..."
    }
}

/// The result of the rules, or else that of the tag.
fn result(outcome: Option<Outcome>, headers: &Headers) -> &str {
    match outcome {
        Some(outcome) => result_of(outcome),
        None => headers.get("Result").unwrap_or("*"),
    }
}

pub(super) const fn result_of(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Red) => "1-0",
        Some(Color::Blue) => "0-1",
        None => "1/2-1/2",
    }
}

fn write_tag(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for letter in value.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
}

/// A PGN that is being written: tags, then words, wrapped between them.
struct PgnText {
    written: String,
    column: usize,
    style: PgnStyle,
    /// The last word: the end of a variation may still join it.
    last: String,
    /// Beginnings of variations that the next word is joined to.
    opened: String,
}

impl PgnText {
    fn after_tags<R: StackRules>(
        headers: &Headers,
        start: &Position<R>,
        result: &str,
        style: PgnStyle,
    ) -> Self {
        let mut text = String::new();
        for name in ROSTER {
            let value = match name {
                "Result" => result,
                _ => headers.get(name).unwrap_or(unknown(name)),
            };
            write_tag(name, value, &mut text);
        }
        if *start != Position::start_under(start.rules()) {
            write_tag("SetUp", "1", &mut text);
            write_tag("FEN", &start.to_string(), &mut text);
        }
        for (name, value) in headers.iter().filter(|(name, _)| !ROSTER.contains(name)) {
            write_tag(name, value, &mut text);
        }
        text.push('\n');
        Self {
            written: text,
            column: 0,
            style,
            last: String::new(),
            opened: String::new(),
        }
    }

    fn turn<R: StackRules>(&mut self, before: &Position<R>, san: &str, numbered: bool) {
        let number = before.move_number();
        match before.turn() {
            Color::Red => self.word(&format!("{number}. {san}")),
            Color::Blue if numbered => self.word(san),
            Color::Blue => self.word(&format!("{number}... {san}")),
        }
    }

    /// Writes glyphs and the comment; answers whether there was a comment.
    fn annotation(&mut self, annotation: &Annotation) -> bool {
        for nag in annotation.nags() {
            self.word(&nag.to_string());
        }
        self.note(annotation.clock(), &annotation.text())
    }

    /// Writes clock and comment between braces; answers whether there were any.
    fn note(&mut self, clock: Option<Duration>, comment: &str) -> bool {
        let clock = clock.filter(|_| self.style.clocks).map(clock::show);
        let note = match (clock, comment) {
            (None, "") => return false,
            (Some(clock), "") => format!("{{[%clk {clock}]}}"),
            (None, comment) => format!("{{{comment}}}"),
            (Some(clock), comment) => format!("{{[%clk {clock}] {comment}}}"),
        };
        self.word(&note);
        true
    }

    fn open(&mut self) {
        self.opened.push('(');
    }

    fn close(&mut self) {
        self.last.push(')');
    }

    fn word(&mut self, word: &str) {
        self.flush();
        self.last = core::mem::take(&mut self.opened) + word;
    }

    fn flush(&mut self) {
        let length = self.last.chars().count();
        if length == 0 {
            return;
        }
        let width = self.style.width;
        if self.column > 0 && width > 0 && self.column + 1 + length > width {
            self.written.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.written.push(' ');
            self.column += 1;
        }
        self.written.push_str(&self.last);
        self.column += length;
    }

    fn end(mut self, result: &str) -> String {
        self.word(result);
        self.flush();
        self.written.push('\n');
        self.written
    }
}
